/* SPDX-License-Identifier: MIT
 * Writes a trace, call by call: version 6 of apitrace's format, with the index that makes seeking quick.
 */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "base/api.h"
#include "trace/container_kind.h"
#include "trace/model.h"

TRACE_API_BEGIN

struct trace_writer;

/* Zero-initialise it, set what is wanted. All is lent to trace_writer_open() only. */
struct trace_writer_options {
    enum trace_container container; /* Snappy: quick to write and to read */
    int level; /* of compression (container_kind.h); TRACE_LEVEL_ZERO: 0; 0 or TRACE_LEVEL_DEFAULT: the usual
                  one */
    unsigned jobs;             /* threads that compress beside the caller; 0: it does so itself */
    unsigned semantic_version; /* 0: the present one; a reader says which it has */
    const struct trace_property *properties;
    size_t property_count;
    bool times;         /* the calls' times are written, into the index: to 10 ns */
    int64_t wall_clock; /* with times: nanoseconds since 1970-01-01 UTC at time 0; 0: unknown */
};

/* Begins a trace that will appear at path, or replace the file there, when trace_writer_close() completes it.
 * options: NULL for the defaults. The caller owns *out. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY,
 * TRACE_ERR_USAGE (a level that the container does not have). */
int trace_writer_open(struct trace_writer **out, const char *path,
                      const struct trace_writer_options *options);

/* Appends a call: its enter with backtrace and arguments, and at once its leave with the return value, unless
 * it is flagged TRACE_CALL_INCOMPLETE. Arguments of type TRACE_NONE are left out. Calls are numbered from 0
 * in the order of their enters, whatever call->number says; *number is the number given (NULL: not wanted).
 *
 * call and all values in it are lent until the return. Its signatures (of the function, of enums, bitmasks
 * and structures) are told from each other by their addresses: they have to stay where they are, unchanged,
 * until the writer is closed. A reader's signatures do until the reader is closed. Calls of several readers
 * may be mixed: the writer gives ids of its own where those of signatures collide.
 *
 * TRACE_ERR_USAGE: the call is none that a trace can hold (the message says why); nothing was written, and
 * writing can go on. Any other error stays: nothing more is written, and there will be no file. */
int trace_writer_write_call(struct trace_writer *w, const struct trace_call *call, uint64_t *number);

/* The same in two steps, for calls of several threads that overlap, and nested ones. The leave has the
 * arguments that are not TRACE_NONE in call (those that the function sets) and the return value; number is
 * the one that the enter got, and call->sig is the same. A call that is never left is incomplete. */
int trace_writer_enter_call(struct trace_writer *w, const struct trace_call *call, uint64_t *number);
int trace_writer_leave_call(struct trace_writer *w, uint64_t number, const struct trace_call *call);

/* Completes the trace, and frees w also when that fails: then path is as it was before. Returns the first
 * error of the writer's that was not TRACE_ERR_USAGE. */
int trace_writer_close(struct trace_writer *w);

/* Frees w without leaving a file; NULL is allowed. */
void trace_writer_abandon(struct trace_writer *w);

TRACE_API_END

#endif
