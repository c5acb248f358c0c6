/* SPDX-License-Identifier: MIT
 * Reads calls ahead: one thread reads the trace and prepares its calls while another replays them. Calls keep
 * the reader's order.
 */
#ifndef RETRACE_CALL_QUEUE_H
#define RETRACE_CALL_QUEUE_H

#include <stdbool.h>

#include "call/ready_call.h"
#include "replayer.h"

struct call_queue;

/* Starts to read from r->reader, which must not be used until call_queue_stop(). threaded false: calls are
 * read on request. Errors: TRACE_ERR_MEMORY. */
int call_queue_start(struct call_queue **out, struct replayer *r, bool threaded);

/* Returns the next call, or consecutive plain ones, lent until the next request. *out is NULL at the end.
 * Errors are those of the reader, with its message. After TRACE_ERR_TRUNCATED, the pending calls follow. Any
 * thread may ask, one at a time. */
int call_queue_next(struct call_queue *q, const struct ready_call **out);

/* Stops the thread, releases all calls, and frees q. q may be NULL. */
void call_queue_stop(struct call_queue *q);

#endif
