/* SPDX-License-Identifier: MIT
 * Counts the parts of calls that a format has no place for, and what had to be supposed of calls whose ends
 * or times are missing.
 */
#ifndef FORMATS_CALL_REMAINS_H
#define FORMATS_CALL_REMAINS_H

#include "formats/shared/call_threads.h"
#include "trace/sink_ops.h"

/* Zero-initialise it before use. */
struct call_remains {
    uint64_t arguments;
    uint64_t returns;
    uint64_t backtraces;
    uint64_t processors;
    uint64_t contexts;
    uint64_t streams;
    uint64_t records;
    uint64_t tail_exits;
    uint64_t endless; /* calls without an end */
    uint64_t timeless;
};

/* Returns the number of arguments that the call tells. */
uint32_t call_remains_count_arguments(const struct trace_call *call);

/* Counts the arguments, the return value and the backtrace of the event's call. Returns the number of
 * arguments. known: for an exit, what was returned for its enter, whose arguments an exit may repeat; else
 * 0. */
uint32_t call_remains_add_values(struct call_remains *r, const struct trace_event *event, uint32_t known);

/* Counts what the event's origin tells besides its thread, its fields in contexts, a tail exit, and a time
 * that is missing. */
void call_remains_add_event(struct call_remains *r, const struct trace_event *event);

/* Tells the sink what has been counted. */
void call_remains_tell(const struct call_remains *r, const struct call_threads *threads,
                       struct trace_sink *sink);

/* Tells the sink of all properties but process.name. */
void call_remains_tell_properties(struct trace_sink *sink, const struct trace_sink_options *options);

#endif
