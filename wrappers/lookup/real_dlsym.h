/* SPDX-License-Identifier: MIT
 * The real dlsym() and dlvsym(), which the preloaded library intercepts.
 */
#ifndef LOOKUP_REAL_DLSYM_H
#define LOOKUP_REAL_DLSYM_H

#include <stdbool.h>

/* The C library's dlsym(), for our own lookups. */
void *real_dlsym(void *handle, const char *name);

/* The functions to which the program's lookups are forwarded: the next ones with these names, which may be in
 * another preloaded library. NULL before real_dlsym_find(). Assembly code refers to them by name. */
typedef void *(*dlsym_function)(void *handle, const char *name);
typedef void *(*dlvsym_function)(void *handle, const char *name, const char *version);
extern __attribute__((visibility("hidden"))) dlsym_function capture_real_dlsym;
extern __attribute__((visibility("hidden"))) dlvsym_function capture_real_dlvsym;

/* Finds all of them, once. */
void real_dlsym_find(void);

/* Returns true until the constructors of this library run. */
bool real_dlsym_is_early(void);

/* Returns true if this is the address of the C library's dlsym() or dlvsym(). */
bool real_dlsym_is(const void *address);

#endif
