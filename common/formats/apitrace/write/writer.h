/* SPDX-License-Identifier: MIT
 * Writes a trace call by call, in version 6 of the apitrace format, with an index for fast seeking.
 */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "base/api.h"
#include "trace/container_kind.h"
#include "trace/model.h"

TRACE_API_BEGIN

struct trace_writer;

/* Zero-initialise it, then set the members that differ from the defaults. All pointers are only lent to
 * trace_writer_open(). */
struct trace_writer_options {
    enum trace_container container; /* the default is Snappy, which is fast to write and to read */
    int level;     /* compression level (container_kind.h); 0 or TRACE_LEVEL_DEFAULT: the usual one;
                      TRACE_LEVEL_ZERO: 0 */
    unsigned jobs; /* threads that compress in addition to the caller; 0: the caller compresses */
    /* 0: the current one; trace_reader_semantic_version() returns that of a trace. */
    unsigned semantic_version;
    const struct trace_property *properties;
    size_t property_count;
    bool times;         /* write the calls' times to the index, with a resolution of 10 ns */
    int64_t wall_clock; /* with times: nanoseconds from 1970-01-01 UTC to time 0; 0: unknown */
};

/* Creates a trace. The file appears at path, or replaces the file there, when trace_writer_close() completes
 * it. options may be NULL for the defaults. The caller owns *out. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY,
 * TRACE_ERR_USAGE (the container does not have this level). */
int trace_writer_open(struct trace_writer **out, const char *path,
                      const struct trace_writer_options *options);

/* Appends a call: an enter event with backtrace and arguments, and directly after it a leave event with the
 * return value, unless the call is flagged TRACE_CALL_INCOMPLETE. Arguments of type TRACE_NONE are left out.
 * Calls are numbered from 0 in the order of entry, whatever call->number is. *number receives the number;
 * number may be NULL.
 *
 * The call and all values in it are lent until the function returns. Its signatures (of the function, of
 * enums, bitmasks and structures) are identified by their addresses, so they must stay valid and unchanged
 * until the writer is closed. The signatures of a reader stay valid until the reader is closed. Calls of
 * several readers may be mixed: the writer assigns new ids where those of the signatures collide.
 *
 * Errors: TRACE_ERR_USAGE if a trace cannot contain the call; the message says why. Nothing was written then,
 * and writing can continue. Every other error is permanent: nothing more is written, and there will be no
 * file. */
int trace_writer_write_call(struct trace_writer *w, const struct trace_call *call, uint64_t *number);

/* Append the enter and the leave event separately, for nested calls and for overlapping calls of several
 * threads. The leave event has the return value and those arguments of call that are not TRACE_NONE (the ones
 * that the function sets). number is the one that the enter event got, and call->sig must be the same. A call
 * without a leave event is incomplete. */
int trace_writer_enter_call(struct trace_writer *w, const struct trace_call *call, uint64_t *number);
int trace_writer_leave_call(struct trace_writer *w, uint64_t number, const struct trace_call *call);

/* Completes the trace and frees w. If that fails, the file at path is left as it was. Returns the writer's
 * first error that was not TRACE_ERR_USAGE. */
int trace_writer_close(struct trace_writer *w);

/* Frees w and leaves no file. w may be NULL. */
void trace_writer_abandon(struct trace_writer *w);

TRACE_API_END

#endif
