/* SPDX-License-Identifier: MIT
 * The calls of a trace of any format, as trace_calls_open() yields them (trace/adaptors/adaptors.h).
 */
#ifndef CLI_SOURCE_CALLS_H
#define CLI_SOURCE_CALLS_H

#include "input/source_input.h"

struct source_calls {
    struct source_input in;
    uint64_t frame;      /* frame of the last call, counted from 0 */
    uint64_t next_frame; /* frame of the next call */
};

/* Does the same as source_input_open(). */
int source_calls_open(struct source_calls *s, struct trace_probe *probe,
                      const struct call_selection *selection);
void source_calls_close(struct source_calls *s); /* all calls must have been released */

/* Reads the next selected call, which the caller must release. *out is NULL at the end. The input handles
 * losses. */
int source_calls_next(struct source_calls *s, const struct trace_call **out);
void source_calls_release(struct source_calls *s, const struct trace_call *call); /* call may be NULL */

#endif
