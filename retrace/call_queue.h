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

/* Returns the next call, lent until the next request. *out is NULL at the end. Errors are those of the
 * reader, with its message. After TRACE_ERR_TRUNCATED, the pending calls follow. Any thread may ask, one at a
 * time. */
int call_queue_next(struct call_queue *q, const struct ready_call **out);

/* Returns how many plain calls of the same thread follow the current one, which is such a call itself; they
 * are lent with it, and are not returned again. */
size_t call_queue_more_plain(struct call_queue *q);

/* Makes the trace's call of the current one, if there is one, the caller's, who must release it with
 * trace_call_release(). */
void call_queue_keep(struct call_queue *q);

/* Stops the thread, releases all calls that were not kept, and frees q. q may be NULL. */
void call_queue_stop(struct call_queue *q);

#endif
