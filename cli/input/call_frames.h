/* SPDX-License-Identifier: MIT
 * Which frame each call of a trace belongs to: that in which it returns, which is not known yet where the
 * call begins.
 */
#ifndef CLI_CALL_FRAMES_H
#define CLI_CALL_FRAMES_H

#include "base/hash_map.h"
#include "input/event_input.h"

/* Zero-initialise. */
struct call_frames {
    struct int_map late; /* calls that begin in an earlier frame: number to frame */
};

/* Reads the trace from frame `first` until no call that is in frame `last` or an earlier one can follow. The
 * errors of event_input_open(). Losses, and an error in the middle, which ends the reading, are not reported:
 * they come again when the trace itself is read. */
int call_frames_read(struct call_frames *f, const struct input_file *file, uint64_t first, uint64_t last);
void call_frames_fini(struct call_frames *f);

/* The frame of a call that begins in frame `begun`; some number above `last` if it is in none up to that. */
uint64_t call_frames_find(const struct call_frames *f, uint64_t call, uint64_t begun);

#endif
