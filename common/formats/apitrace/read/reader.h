/* SPDX-License-Identifier: MIT
 * Reads a trace, call by call.
 * A reader never exits, aborts or overruns on any input: it returns an error that says what and where.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "base/api.h"
#include "trace/call_set.h"
#include "trace/model.h"
#include "trace/progress_callback.h"

TRACE_API_BEGIN

struct trace_reader;

/* Opens the trace at path ("-": the standard input; container found by content) and reads its header.
 * The caller owns *out (trace_reader_close). Errors: TRACE_ERR_IO, TRACE_ERR_FORMAT, TRACE_ERR_TRUNCATED,
 * TRACE_ERR_UNSUPPORTED. */
int trace_reader_open(struct trace_reader **out, const char *path);
void trace_reader_close(struct trace_reader *r); /* NULL is allowed */

/* "Snappy", "ZLib", "Brotli", …: a constant. */
const char *trace_reader_container(const struct trace_reader *r);
unsigned trace_reader_version(const struct trace_reader *r);          /* format version, 0 to 6 */
unsigned trace_reader_semantic_version(const struct trace_reader *r); /* = version before version 6 */

/* Properties in file order, lent until the reader closes. */
size_t trace_reader_properties(const struct trace_reader *r, const struct trace_property **out);

/* Goes on after damage where the container's chunks are independent of each other, and otherwise to the end,
 * as if the stream were cut off there. trace_reader_next_call() then returns TRACE_ERR_DAMAGED once for each
 * damaged part, with a message that says what was wrong and where it goes on. Calls that have lost a part are
 * left out, and so are those whose function's name is lost; calls that have lost their end come last, as
 * incomplete; numbers are right. */
void trace_reader_resume_after_damage(struct trace_reader *r);

/* w is told how far the file has been read. */
void trace_reader_set_progress(struct trace_reader *r, struct trace_progress_callback w);

/* The next call in leave order; calls that have no leave event come last, in enter order, flagged
 * TRACE_CALL_INCOMPLETE. *out is NULL at the end of the trace (return 0). The caller hands every call back
 * with trace_call_release(); it stays valid until then, whatever is read meanwhile. TRACE_ERR_TRUNCATED: the
 * stream ends inside an event; the calls that were pending follow, then the end. Any other error ends the
 * reading: the same error is returned from then on. */
int trace_reader_next_call(struct trace_reader *r, const struct trace_call **out);

/* The number of the next call that will be entered. */
uint64_t trace_reader_next_number(const struct trace_reader *r);

/* The frame, counted from 0, of the call that was returned last. */
uint64_t trace_reader_frame(const struct trace_reader *r);

/* The least number >= from of a call that has been entered and is still to be returned; false: none. */
bool trace_reader_next_pending(const struct trace_reader *r, uint64_t from, uint64_t *out);

/* The next call returned will be the first one, in leave order, with this number or a higher one; no lower
 * one is returned any more. Goes forward or back; calls handed out and their signatures stay valid. With an
 * index that takes a time that does not depend on the file's size; without one, what lies between is read,
 * going back from the start. TRACE_ERR_UNSUPPORTED: back in a pipe. */
int trace_reader_seek_call(struct trace_reader *r, uint64_t number);

/* Likewise, the first call of that frame, counted from 0. Frames consist of the calls in leave order; the
 * call that ends a frame is its last, and calls after the last such call form a frame, too. */
int trace_reader_seek_frame(struct trace_reader *r, uint64_t frame);

/* Calls that are not in the set (lent; NULL: all are wanted) may be left out: if there is an index, long
 * parts without any of them are not read. */
void trace_reader_want_calls(struct trace_reader *r, const struct trace_call_set *set);

/* To be called before the first call is read: calls tell when they were entered and left. *known is false
 * when the trace has no times. */
int trace_reader_want_times(struct trace_reader *r, bool *known);

/* Why the index that the file has cannot be used; NULL: it can, or there is none. Of one that is cut off,
 * that is known at the end of the trace. Lent until the reader closes. */
const char *trace_reader_index_problem(struct trace_reader *r);

/* Gives call back; NULL is allowed. May be called from another thread than the one that reads. */
void trace_call_release(struct trace_reader *r, const struct trace_call *call);

TRACE_API_END

#endif
