/* SPDX-License-Identifier: MIT
 * The calls in a trace of any format, as trace_calls_open() yields them (trace/adaptors/adaptors.h), for a
 * command.
 */
#ifndef CLI_SOURCE_CALLS_H
#define CLI_SOURCE_CALLS_H

#include "input/source_input.h"

struct source_calls {
    struct source_input in;
    uint64_t frame;      /* that the last call is in, counted from 0, */
    uint64_t next_frame; /* and the next one */
};

/* As source_input_open(). */
int source_calls_open(struct source_calls *s, struct trace_probe *probe,
                      const struct call_selection *selection);
void source_calls_close(struct source_calls *s); /* all calls were handed back */

/* The next selected call, to be handed back; *out is NULL at the end. Losses are the input's matter. */
int source_calls_next(struct source_calls *s, const struct trace_call **out);
void source_calls_release(struct source_calls *s, const struct trace_call *call); /* NULL is allowed */

#endif
