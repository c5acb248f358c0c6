/* SPDX-License-Identifier: MIT
 * Reads a trace, call by call.
 * A reader never exits, aborts or overruns on any input: it returns an error that says what and where.
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include "trace/model.h"

struct trace_reader;

/* Opens the trace at path ("-": the standard input; container found by content) and reads its header.
 * The caller owns *out (trace_reader_close). Errors: ERR_IO, ERR_FORMAT, ERR_TRUNCATED, ERR_UNSUPPORTED. */
int trace_reader_open(struct trace_reader **out, const char *path);
void trace_reader_close(struct trace_reader *r); /* NULL is allowed */

/* "Snappy", "ZLib", "Brotli", …: a constant. */
const char *trace_reader_container(const struct trace_reader *r);
unsigned trace_reader_version(const struct trace_reader *r);          /* format version, 0 to 6 */
unsigned trace_reader_semantic_version(const struct trace_reader *r); /* = version before version 6 */

/* Properties in file order, lent until the reader closes. */
size_t trace_reader_properties(const struct trace_reader *r, const struct trace_property **out);

/* Goes on after damage where the container's chunks are independent of each other; otherwise it has no
 * effect. trace_reader_next_call() then returns ERR_DAMAGED once for each damaged part, with a message that
 * says what was wrong and where it goes on. Calls that have lost a part are left out, and so are those whose
 * function's name is lost; calls that have lost their end come last, as incomplete; numbers are right. */
void trace_reader_resume_after_damage(struct trace_reader *r);

/* The next call in leave order; calls that have no leave event come last, in enter order, flagged
 * TRACE_CALL_INCOMPLETE. *out is NULL at the end of the trace (return 0). The caller hands every call back
 * with trace_call_release(); it stays valid until then, whatever is read meanwhile. ERR_TRUNCATED: the stream
 * ends inside an event; the calls that were pending follow, then the end. Any other error ends the reading:
 * the same error is returned from then on. */
int trace_reader_next_call(struct trace_reader *r, const struct trace_call **out);

/* The number of the next call that will be entered. */
uint64_t trace_reader_next_number(const struct trace_reader *r);

/* The least number >= from of a call that has been entered and is still to be returned; false: none. */
bool trace_reader_next_pending(const struct trace_reader *r, uint64_t from, uint64_t *out);

/* Gives call back; NULL is allowed. May be called from another thread than the one that reads. */
void trace_call_release(struct trace_reader *r, const struct trace_call *call);

#endif
