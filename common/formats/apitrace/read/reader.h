/* SPDX-License-Identifier: MIT
 * Reads a trace call by call. On malformed input a reader returns an error that says what is wrong and where.
 * It never exits, aborts, or accesses memory out of bounds.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "base/api.h"
#include "trace/call_set.h"
#include "trace/model.h"
#include "trace/progress_callback.h"

TRACE_API_BEGIN

struct trace_reader;

/* Opens the trace at path ("-": the standard input) and reads its header. The container is detected by the
 * contents of the file. The caller owns *out and closes it with trace_reader_close(). Errors: TRACE_ERR_IO,
 * TRACE_ERR_FORMAT, TRACE_ERR_TRUNCATED, TRACE_ERR_UNSUPPORTED, TRACE_ERR_MEMORY. */
int trace_reader_open(struct trace_reader **out, const char *path);
void trace_reader_close(struct trace_reader *r); /* r may be NULL */

/* Returns the name of the container, such as "Snappy", "ZLib" or "Brotli"; a constant. */
const char *trace_reader_container(const struct trace_reader *r);
unsigned trace_reader_version(const struct trace_reader *r); /* version of the format, 0 to 6 */
/* The same as the version before version 6. */
unsigned trace_reader_semantic_version(const struct trace_reader *r);

/* Gets the properties in file order, lent until the reader is closed. Returns their number. */
size_t trace_reader_properties(const struct trace_reader *r, const struct trace_property **out);

/* Makes the reader continue after damage if the container's chunks are independent; otherwise the stream ends
 * at the damage. trace_reader_next_call() then returns TRACE_ERR_DAMAGED once for each damaged part, with a
 * message that says what is wrong and where reading continues. Calls that lost a part, or whose function's
 * name was lost, are left out. Calls that lost their end come last, flagged as incomplete. Call numbers stay
 * correct. */
void trace_reader_resume_after_damage(struct trace_reader *r);

/* Sets the callback that is told how far the file has been read. */
void trace_reader_set_progress(struct trace_reader *r, struct trace_progress_callback w);

/* Reads the next call, in the order in which calls return. Calls that never return come last, in the order of
 * entry, flagged TRACE_CALL_INCOMPLETE. At the end of the trace, *out is NULL and the function returns 0.
 * Release every call with trace_call_release(); it stays valid until then. Errors: TRACE_ERR_TRUNCATED: the
 * stream ends inside an event; the pending calls follow, then the end. Every other error is permanent: all
 * later calls return it. */
int trace_reader_next_call(struct trace_reader *r, const struct trace_call **out);

/* Returns the number of the next call that will be entered. */
uint64_t trace_reader_next_number(const struct trace_reader *r);

/* Returns the frame, counted from 0, of the call that was returned last. */
uint64_t trace_reader_frame(const struct trace_reader *r);

/* Finds the lowest number, at least from, of a call that has been entered and has not been returned by the
 * reader. Returns false if there is none. */
bool trace_reader_next_pending(const struct trace_reader *r, uint64_t from, uint64_t *out);

/* Moves so that the next call to be returned is the first one with this number or a higher one; lower ones
 * are not returned any more. Moves forwards or backwards; calls that were not released and their signatures
 * stay valid. With an index, the time does not depend on the size of the file. Without one, the calls in
 * between are read, from the start of the file if moving backwards. Errors: TRACE_ERR_UNSUPPORTED if moving
 * backwards in a pipe. */
int trace_reader_seek_call(struct trace_reader *r, uint64_t number);

/* Does the same for the first call of a frame, counted from 0. A frame consists of calls in the order in
 * which they return; its last call is the one that ends it. The calls after the last such call are a frame,
 * too. */
int trace_reader_seek_frame(struct trace_reader *r, uint64_t frame);

/* Allows the reader to leave out calls that are not in the set. With an index, long parts without any of them
 * are not read. The set is lent; NULL: all calls are wanted. */
void trace_reader_want_calls(struct trace_reader *r, const struct trace_call_set *set);

/* Makes calls provide the times of their enter and leave events. Call it before the first call is read.
 * *known is false if the trace has no times. */
int trace_reader_want_times(struct trace_reader *r, bool *known);

/* Returns the nanoseconds from 1970-01-01 UTC to time 0 of the trace's clock, or TRACE_NO_TIME if the trace
 * does not tell them. */
int64_t trace_reader_wall_clock(struct trace_reader *r);

/* Returns why the index of the file cannot be used, or NULL if it can or if there is none. An index that is
 * cut off is only detected at the end of the trace. Lent until the reader is closed. */
const char *trace_reader_index_problem(struct trace_reader *r);

/* Releases a call, which may be NULL. May be called from another thread than the reading one. */
void trace_call_release(struct trace_reader *r, const struct trace_call *call);

TRACE_API_END

#endif
