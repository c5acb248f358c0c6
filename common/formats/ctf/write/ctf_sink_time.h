/* SPDX-License-Identifier: MIT
 * Times of events without classes as values of the written clock.
 */
#ifndef CTF_SINK_TIME_H
#define CTF_SINK_TIME_H

#include "formats/ctf/write/ctf_sink_state.h"

/* Returns the value of the clock for an event of the stream. time: TRACE_NO_TIME: unknown. */
uint64_t ctf_sink_time_of(struct ctf_sink *s, struct ctf_out_stream *stream, const struct trace_event *event,
                          int64_t time);
/* The event that was just written there may get its time later. Errors: TRACE_ERR_MEMORY. */
int ctf_sink_hold(struct ctf_sink *s, struct ctf_out_stream *stream, int64_t time);

#endif
