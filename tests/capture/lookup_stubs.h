/* SPDX-License-Identifier: MIT
 * The interface of the library under test that test_lookup.c uses, besides its dlsym(), dlvsym(), dlclose()
 * and its stubs.
 */
#ifndef TESTS_LOOKUP_STUBS_H
#define TESTS_LOOKUP_STUBS_H

#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

/* Return the number of calls of stubs and of log lines so far. */
EXPORT unsigned lookup_calls(void);
EXPORT unsigned lookup_logs(void);

/* Calls the real function with this id. */
EXPORT unsigned lookup_call_real(unsigned id);

EXPORT unsigned lookup_egl_unloads(void);

EXPORT bool lookup_is_thunk(const void *address);
EXPORT bool lookup_set(unsigned id, void *function);
EXPORT void *lookup_make_thunk(unsigned id, void *function);
EXPORT void lookup_record(unsigned apis);

#endif
