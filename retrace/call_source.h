/* SPDX-License-Identifier: MIT
 * The calls of a replay in their order: those of the trace, up to the last frame that is wanted, with the
 * frames that are replayed again.
 */
#ifndef RETRACE_CALL_SOURCE_H
#define RETRACE_CALL_SOURCE_H

#include "call_queue.h"
#include "loop_calls.h"
#include "replayer.h"

/* Calls that are handed out from kept ones. */
struct loop_part {
    const struct loop_calls *from;
    size_t at, end;
};

/* Private. */
struct call_source {
    struct replayer *r;
    struct call_queue *queue;
    uint64_t frame; /* number of frames that have ended, as far as the trace has been read */
    bool read_all;

    /* Frames that may be replayed again are kept before they are replayed: what follows the last one often
     * destroys what it needs, so it comes after the loop. */
    struct loop_calls
        kept[2];        /* of the current frame, and of the one before; or of --loop-frames, in the first */
    unsigned current;   /* index of the one that grows */
    size_t frame_start; /* in it: the first call of the current frame */
    struct loop_part part, loop, rest;
    long repeats; /* left; negative: endless */
    enum { SOURCE_FRAMES, SOURCE_LOOP, SOURCE_REST, SOURCE_END } state;
};

/* Starts to read. Close the source even after an error. */
int call_source_open(struct call_source *s, struct replayer *r);
void call_source_close(struct call_source *s);

/* Gets the next call, or consecutive plain ones, lent until the next request; *out is NULL at the end. Any
 * thread may ask, one at a time. A trace that is cut off is not an error, unless --strict: a warning is
 * printed. Errors: those of the reader; TRACE_ERR_USAGE if the trace lacks the frames that are to be replayed
 * again. */
int call_source_next(struct call_source *s, const struct ready_call **out);

#endif
