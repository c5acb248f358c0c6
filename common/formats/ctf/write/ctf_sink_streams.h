/* SPDX-License-Identifier: MIT
 * The streams of events without classes.
 */
#ifndef CTF_SINK_STREAMS_H
#define CTF_SINK_STREAMS_H

#include "formats/ctf/write/ctf_sink_state.h"

/* Finds or adds the stream of the event's thread. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_sink_find_stream(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out);

/* Begins the trace of events without classes, which has none. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_sink_begin_empty(struct ctf_sink *s);

#endif
