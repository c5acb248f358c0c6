/* SPDX-License-Identifier: MIT
 * Writes events of traces of CTF, with their classes.
 */
#ifndef CTF_COPY_H
#define CTF_COPY_H

#include "formats/ctf/write/ctf_sink_state.h"

/* Writes an event that has classes. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_sink_copy(struct ctf_sink *s, const struct trace_event *event);

/* Notes a loss in a stream that is copied. */
int ctf_sink_copy_loss(struct ctf_sink *s, const struct trace_event *event);

/* Losses of streams that had no event are left out. */
void ctf_sink_end_copy(struct ctf_sink *s);

#endif
