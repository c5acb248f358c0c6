/* SPDX-License-Identifier: MIT
 * Contexts of events as babeltrace2 prints them. Most events have the contexts of an event before, so their
 * text is kept.
 */
#ifndef BABELTRACE_CONTEXTS_H
#define BABELTRACE_CONTEXTS_H

#include "formats/shared/log_output.h"
#include "trace/model.h"

#define BABELTRACE_CONTEXTS        64 /* that are kept: 2^6 */
#define BABELTRACE_CONTEXT_MEMBERS 6  /* of those that are kept, at most */
#define BABELTRACE_CONTEXT_BYTES   192

/* The text of a structure of integers. */
struct babeltrace_context {
    const struct trace_struct_sig *sig; /* NULL: none is kept here */
    uint64_t numbers[BABELTRACE_CONTEXT_MEMBERS];
    size_t length;
    char text[BABELTRACE_CONTEXT_BYTES];
};

/* Zero-initialise it. */
struct babeltrace_contexts {
    struct babeltrace_context kept[BABELTRACE_CONTEXTS]; /* by the numbers */
};

/* Does the same as babeltrace_put_value(). with_names is the same in all calls. */
int babeltrace_put_context(struct babeltrace_contexts *c, struct log_output *o, const struct trace_value *v,
                           bool with_names);

#endif
