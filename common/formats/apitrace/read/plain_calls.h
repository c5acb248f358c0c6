/* SPDX-License-Identifier: MIT
 * Reads calls straight from their bytes, for a replay. Most calls are entered and left at once and have only
 * numbers and short arrays of them as arguments, and for those a struct trace_call costs more than the call
 * itself.
 */
#ifndef TRACE_PLAIN_CALLS_H
#define TRACE_PLAIN_CALLS_H

#include "formats/apitrace/read/plain_floats.h"
#include "formats/apitrace/read/plain_function.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/scan/leave_head.h"

/* Consecutive calls of a function. Their arguments follow, and after these, at the next multiple of 8 bytes,
 * the next run. */
struct trace_plain_run {
    void *owner; /* of the function */
    uint32_t count;
    uint32_t size; /* bytes of a call's arguments */
};

/* Consecutive calls of a thread. Their numbers are consecutive, too. */
struct trace_plain_part {
    const struct trace_plain_run *first;
    uint32_t size;  /* bytes of all runs */
    uint32_t count; /* number of calls; 0: there are no runs */
    uint32_t thread;
    uint64_t number; /* of the first call */
};

enum { TRACE_PLAIN_RECENT = 128 };

/* Set reader, find and context before use, and the rest to zero. */
struct trace_plain_calls {
    struct trace_reader *reader; /* borrowed */
    /* Returns the function with this signature, which must stay valid and have a parameter for each name in
     * the signature; NULL: its calls are not wanted in this form. */
    const struct trace_plain_function *(*find)(void *context, const struct trace_function_sig *sig);
    void *context;

    /* Private. */
    struct trace_leave_head leave; /* of the next call */
    struct trace_plain_known {
        const struct trace_function_sig *sig;
        const struct trace_plain_function *function; /* NULL: not wanted */
        struct trace_plain_floats floats;
        size_t longest;           /* bytes of a call: all that may be read of it */
    } recent[TRACE_PLAIN_RECENT]; /* indexed by the low bits of the id */
};

/* Reads the next calls of the reader into `room` bytes at memory, which are aligned to 8 bytes, as long as
 * they are plain ones of one thread: the function is wanted and known, all arguments are there and as the
 * function says, nothing is between a call's events, and it has no backtrace and no flags of its own. Reads
 * nothing if the reader has moved, or does not read all calls, or knows times. */
void trace_plain_calls_read(struct trace_plain_calls *c, void *memory, size_t room,
                            struct trace_plain_part *out);

/* The bytes from a run to the next one. */
static inline size_t trace_plain_run_size(const struct trace_plain_run *run)
{
    size_t args = (size_t)run->count * run->size;
    return sizeof *run + ((args + 7) & ~(size_t)7);
}

static inline const void *trace_plain_run_args(const struct trace_plain_run *run, uint32_t index)
{
    return (const char *)(run + 1) + (size_t)index * run->size;
}

static inline const struct trace_plain_run *trace_plain_run_next(const struct trace_plain_run *run)
{
    return (const struct trace_plain_run *)(const void *)((const char *)run + trace_plain_run_size(run));
}

#endif
