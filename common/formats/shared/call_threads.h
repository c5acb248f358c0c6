/* SPDX-License-Identifier: MIT
 * The threads of a trace that is written for a viewer, the calls that are open in each, and the times of
 * their events. Viewers match an end with the latest beginning of its thread, so calls within one that ends
 * must be ended before, and they want times that never decrease.
 */
#ifndef FORMATS_CALL_THREADS_H
#define FORMATS_CALL_THREADS_H

#include "base/hash_map.h"
#include "trace/sink.h"

struct open_call {
    uint64_t number; /* of the call */
    int64_t time;    /* of its beginning */
    uint32_t value;  /* the sink's own */
    uint32_t known;  /* the sink's own: the number of arguments that its beginning told */
};

struct call_thread {
    uint64_t process; /* 0: unknown */
    uint64_t thread;
    size_t index;              /* in the order of appearance, from 0 */
    uint64_t value;            /* the sink's own; 0 at first */
    int64_t first;             /* the time of its first event */
    int64_t last;              /* the time of its latest event */
    struct call_thread *other; /* of another process, with the same number */
    struct open_call *calls;   /* outermost first; NULL: none is open */
    size_t count;
    size_t room;
};

struct call_threads {
    struct call_thread **items;
    size_t count;
    size_t room;
    struct int_map by_thread; /* numbers of threads to the index of one of those with it */
    const struct trace_origin *latest_origin;
    struct call_thread *latest;
    struct open_call *spare; /* of a thread that had no more calls, for the next that has one; or NULL */
    size_t spare_room;
    int64_t last;      /* the time of the latest event */
    int64_t step;      /* between events that have no time; 0: the trace has times */
    uint64_t backward; /* number of times that were below their thread's latest one, which then counts */
};

/* step: nanoseconds between events if the trace has no clock. They then take their times from their order. */
void call_threads_init(struct call_threads *t, const struct trace_sink_options *options, int64_t step);
void call_threads_fini(struct call_threads *t);

/* Finds the thread of the event, or adds it; t->count tells. Errors: TRACE_ERR_MEMORY. */
int call_threads_find(struct call_threads *t, const struct trace_event *event, struct call_thread **out);

/* Returns the time for an event of the thread, which is then the latest one. */
int64_t call_threads_time(struct call_threads *t, struct call_thread *thread, int64_t time);

/* Begins a call. Errors: TRACE_ERR_MEMORY. */
int call_thread_begin(struct call_threads *t, struct call_thread *thread, const struct open_call *call);

/* Returns how many calls end with this one, itself included; 0 if it is not open. End each with
 * call_thread_end(). */
size_t call_thread_ending(const struct call_thread *t, uint64_t number);

/* Ends the innermost call, and returns it. */
struct open_call call_thread_end(struct call_threads *t, struct call_thread *thread);

#endif
