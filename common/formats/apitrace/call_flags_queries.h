/* SPDX-License-Identifier: MIT
 * Names of functions that only query state, for call_flags.c. Sorted by strcmp().
 */
#ifndef TRACE_CALL_FLAGS_QUERIES_H
#define TRACE_CALL_FLAGS_QUERIES_H

#include <stddef.h>

extern const char *const trace_query_names[];
extern const size_t trace_query_name_count;

/* Queries that `dump` only shows with -v. */
extern const char *const trace_verbose_query_names[];
extern const size_t trace_verbose_query_name_count;

#endif
