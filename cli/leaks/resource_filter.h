/* SPDX-License-Identifier: MIT
 * Selects the leaks of resources to report. A filter only hides leaks, and never creates any: it is applied
 * after allocations and releases were matched.
 */
#ifndef CLI_RESOURCE_FILTER_H
#define CLI_RESOURCE_FILTER_H

#include "resources/resource_tracker.h"
#include "trace/call_set.h"
#include "trace/mapped_files.h"

/* A list of event numbers from a file. */
struct event_numbers {
    uint64_t *numbers; /* ascending */
    size_t count;
};

/* Reads a file with one number on each line, decimal, or hexadecimal with the prefix 0x. Blank lines and
 * lines that begin with # are skipped. Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT (with file and line),
 * TRACE_ERR_MEMORY. */
int event_numbers_read(struct event_numbers *out, const char *path);
void event_numbers_fini(struct event_numbers *n);

/* Zero-initialise it; then it hides nothing. All pointers are lent. */
struct resource_filter {
    const char *types; /* names of types, separated by commas; NULL: all */
    bool has_contexts;
    uint32_t contexts;       /* with has_contexts: leaks in any of these contexts, or in none if this is 0 */
    const char *call_module; /* part of the path of a mapped file; NULL: any */
    uint64_t call_from; /* with call_module: the offset in the mapped file of some frame's address is at least
                           this */
    uint64_t call_to;   /* and below this */
    const struct event_numbers *include; /* events to report in any case; NULL: none */
    const struct event_numbers *exclude; /* events not to report; NULL: none */
    const struct trace_call_set *calls;  /* events to select from; NULL: all */
};

/* Parses "MODULE:START+SIZE", with START and SIZE in hexadecimal. Replaces the colon in text by a NUL. text
 * is lent. Errors: TRACE_ERR_USAGE. */
int resource_filter_set_address(struct resource_filter *f, char *text);

/* Returns true if leaks of this type are to be reported. type may be NULL for an unknown type. */
bool resource_filter_accepts_type(const struct resource_filter *f, const struct trace_resource_type *type);

bool resource_filter_accepts(const struct resource_filter *f, const struct live_resource *r,
                             const struct stack *stack, const struct mapped_files *files);

#endif
