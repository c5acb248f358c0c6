/* SPDX-License-Identifier: MIT
 * The stubs: exported functions, one for each function that is recorded. The program calls them in place of
 * the real ones. specgen writes their code; capture/capture.h has what they call.
 */
#ifndef LOOKUP_STUBS_H
#define LOOKUP_STUBS_H

#define CAPTURE_EXPORT __attribute__((visibility("default")))

/* A function of any type: converted before it is called. */
typedef void (*capture_function)(void);

/* By function id; NULL for plain C functions. */
extern void (*const capture_stubs[])(void);

#endif
