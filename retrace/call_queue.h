/* SPDX-License-Identifier: MIT
 * Calls decoded ahead: one thread reads the trace while another replays it.
 * Calls arrive in the order in which the reader yields them.
 */
#ifndef RETRACE_CALL_QUEUE_H
#define RETRACE_CALL_QUEUE_H

#include <stdbool.h>

#include "formats/apitrace/read/reader.h"

struct call_queue;

/* Starts reading from reader (borrowed until call_queue_stop). threaded false: calls are read when asked for.
 */
int call_queue_start(struct call_queue **out, struct trace_reader *reader, bool threaded);

/* The next call, lent until the next one is asked for; NULL (return 0) at the end. Errors are the reader's,
 * with their message; TRACE_ERR_TRUNCATED is followed by the pending calls. */
int call_queue_next(struct call_queue *q, const struct trace_call **out);

/* The present call becomes the caller's, who gives it back with trace_call_release(). */
void call_queue_keep(struct call_queue *q);

/* Ends the thread, releases all calls but kept ones, and frees q. NULL is allowed. */
void call_queue_stop(struct call_queue *q);

#endif
