/* SPDX-License-Identifier: MIT
 * Which calls the program need not record, because the consumer would leave them out: a part of the segment
 * that both sides write. What is not sure is recorded; the consumer decides about it.
 */
#ifndef RECORDS_CALL_FILTER_H
#define RECORDS_CALL_FILTER_H

#include "runtime/spec.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Why calls are left out at the moment: bits of call_filter.state. Without any, all calls are recorded. */
enum call_filter_reason {
    CALL_FILTER_STOPPED = 1 << 0,   /* by the user or by a marker of the program's */
    CALL_FILTER_FRAME = 1 << 1,     /* the current frame is not wanted */
    CALL_FILTER_FUNCTIONS = 1 << 2, /* some functions are not wanted */
    CALL_FILTER_OVER = 1 << 3,      /* nothing that comes is wanted */
    CALL_FILTER_ANY = 15,
};

/* A function, as the consumer has found out at its first call. */
enum call_filter_class {
    CALL_FILTER_UNKNOWN,  /* its calls are recorded */
    CALL_FILTER_ALWAYS,   /* its calls are recorded: state, markers, ends of frames */
    CALL_FILTER_WANTED,   /* unless recording has stopped, or the frame is not wanted */
    CALL_FILTER_UNWANTED, /* its name is not among the wanted ones */
};

#define CALL_FILTER_RANGES        16 /* more are not told to the program */
#define CALL_FILTER_FUNCTIONS_MAX 4096

struct call_filter_range {
    uint64_t first, last, step; /* as in struct trace_call_range */
};

struct call_filter {
    /* The reasons, and above them a number that changes with each change: two threads that find out what
     * holds do not overwrite each other's finding. */
    _Atomic uint32_t state;
    _Atomic uint32_t obeys_markers; /* there is a consumer that does so, too */
    _Atomic uint32_t markers;       /* obeyed by the program so far */
    /* The range of the current frame's number, while its end is being recorded. */
    _Atomic uint32_t frames_ending, frames_ended;
    uint32_t range_count; /* of wanted frames; 0: all are wanted. Set before the first record. */
    _Alignas(8) struct call_filter_range ranges[CALL_FILTER_RANGES];
    _Alignas(
        64) _Atomic uint8_t classes[CALL_FILTER_FUNCTIONS_MAX]; /* enum call_filter_class, by function id */
};

/* Sets or clears reasons, all at once. */
void call_filter_change(struct call_filter *c, uint32_t set, uint32_t clear);

/* May the function's text start or stop the recording? */
bool call_filter_is_marker(uint32_t function);

/* What a marker says whose record has this body. */
enum call_filter_word { CALL_FILTER_NOTHING, CALL_FILTER_START, CALL_FILTER_STOP };
enum call_filter_word call_filter_read_marker(const uint8_t *body, size_t size);

/* For the program: obeys the marker before its record is published. */
void call_filter_obey(struct call_filter *c, const uint8_t *body, size_t size);

/* For the consumer, which has read so many markers: sets or clears STOPPED, unless the program has obeyed
 * further ones meanwhile, which come. */
void call_filter_agree(struct call_filter *c, uint32_t markers_read, bool stopped);

/* For the consumer, before the process records: the frames that are wanted. count is above 0. Frame 0 begins.
 */
void call_filter_set_frames(struct call_filter *c, const struct call_filter_range *ranges, uint32_t count);

/* Called by the program around the record that ends a frame. */
void call_filter_end_frame(struct call_filter *c);
void call_filter_begin_frame(struct call_filter *c);

/* The rest of call_filter_leaves_out(), for a state that is not 0. */
static inline bool call_filter_rejects(const struct call_filter *c, const struct spec_function *f,
                                       uint32_t state)
{
    uint8_t known = atomic_load_explicit(&c->classes[f->id], memory_order_relaxed);
    if (known <= CALL_FILTER_ALWAYS || (f->flags & SPEC_FUNCTION_END_FRAME) != 0)
        return false;
    return known == CALL_FILTER_UNWANTED || (state & CALL_FILTER_ANY & ~(uint32_t)CALL_FILTER_FUNCTIONS) != 0;
}

/* Need a call of f that begins now not be recorded? */
static inline bool call_filter_leaves_out(const struct call_filter *c, const struct spec_function *f)
{
    uint32_t state = atomic_load_explicit(&c->state, memory_order_relaxed);
    return __builtin_expect((state & CALL_FILTER_ANY) != 0, 0) && call_filter_rejects(c, f, state);
}

#endif
