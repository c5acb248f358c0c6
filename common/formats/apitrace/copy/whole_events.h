/* SPDX-License-Identifier: MIT
 * Repairs the end of a trace whose writer did not come to its end.
 */
#ifndef TRACE_WHOLE_EVENTS_H
#define TRACE_WHOLE_EVENTS_H

/* Cuts the trace in the file after its last whole event, if it ends inside an event, so that it can have an
 * index. The chunk in which that is the case is written anew. Does nothing unless the trace consists of
 * Snappy chunks. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY, TRACE_ERR_FORMAT (damage elsewhere). */
int trace_cut_after_whole_event(const char *path);

#endif
