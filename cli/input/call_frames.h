/* SPDX-License-Identifier: MIT
 * Finds out to which frame each call of a trace belongs: the frame in which it returns. This is unknown when
 * the call begins.
 */
#ifndef CLI_CALL_FRAMES_H
#define CLI_CALL_FRAMES_H

#include "base/hash_map.h"
#include "input/event_input.h"

/* Zero-initialise it before use. */
struct call_frames {
    struct int_map late; /* calls that begin in an earlier frame: maps numbers to frames */
};

/* Reads the trace from frame `first` until no more calls of frames up to `last` can follow. Errors are those
 * of event_input_open(). Losses, and an error in the middle, which ends the reading, are not reported: they
 * are reported when the trace itself is read. */
int call_frames_read(struct call_frames *f, const struct input_file *file, uint64_t first, uint64_t last);
void call_frames_fini(struct call_frames *f);

/* Returns the frame of a call that begins in frame `begun`, or a number above `last` if it belongs to a later
 * frame. */
uint64_t call_frames_find(const struct call_frames *f, uint64_t call, uint64_t begun);

#endif
