/* SPDX-License-Identifier: MIT
 * Which leaks of resources to tell of. A filter hides leaks, it never makes one: it is asked after
 * allocations and releases were matched.
 */
#ifndef CLI_RESOURCE_FILTER_H
#define CLI_RESOURCE_FILTER_H

#include "resources/resource_tracker.h"
#include "trace/call_set.h"
#include "trace/mapped_files.h"

/* Numbers of events, as a file lists them. */
struct event_numbers {
    uint64_t *numbers; /* rising */
    size_t count;
};

/* Reads a file that has a number a line, decimal, or hexadecimal after 0x; blank lines and what begins with #
 * are passed over. ERR_IO, ERR_FORMAT (with file and line), ERR_MEMORY. */
int event_numbers_read(struct event_numbers *out, const char *path);
void event_numbers_fini(struct event_numbers *n);

/* Zero-initialise it; then nothing is hidden. All is lent. */
struct resource_filter {
    const char *types; /* names of types, separated by commas; NULL: all */
    bool has_contexts;
    uint32_t contexts;       /* with has_contexts: in any of these, or in none if it is 0 */
    const char *call_module; /* part of the path of a mapped file; NULL: any address */
    uint64_t
        call_from; /* with call_module: a frame's address lies at this offset of where the file is mapped, */
    uint64_t call_to;                    /* or behind it and before this one */
    const struct event_numbers *include; /* these in any case; NULL: none */
    const struct event_numbers *exclude; /* these not; NULL: none */
    const struct trace_call_set *calls;  /* only these; NULL: all */
};

/* Takes "MODULE:START+SIZE", START and SIZE hexadecimal; module is changed to end before the colon.
 * ERR_USAGE. */
int resource_filter_set_address(struct resource_filter *f, char *text);

/* Is the type among those that are wanted? NULL: an unknown one. */
bool resource_filter_accepts_type(const struct resource_filter *f, const struct trace_resource_type *type);

bool resource_filter_accepts(const struct resource_filter *f, const struct live_resource *r,
                             const struct stack *stack, const struct mapped_files *files);

#endif
