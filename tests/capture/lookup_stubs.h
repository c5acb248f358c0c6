/* SPDX-License-Identifier: MIT
 * What test_lookup.c sees of the library under test, beside its dlsym(), dlvsym(), dlclose() and its stubs.
 */
#ifndef TESTS_LOOKUP_STUBS_H
#define TESTS_LOOKUP_STUBS_H

#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

/* Calls of stubs and lines that were logged, so far. */
EXPORT unsigned lookup_calls(void);
EXPORT unsigned lookup_logs(void);

/* Calls the real function of that id. */
EXPORT unsigned lookup_call_real(unsigned id);

EXPORT bool lookup_is_thunk(const void *address);
EXPORT bool lookup_set(unsigned id, void *function);
EXPORT void *lookup_make_thunk(unsigned id, void *function);
EXPORT void lookup_record(unsigned apis);

#endif
