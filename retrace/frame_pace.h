/* SPDX-License-Identifier: MIT
 * Slows a replay down: --min-frame-duration and --per-frame-delay.
 */
#ifndef RETRACE_FRAME_PACE_H
#define RETRACE_FRAME_PACE_H

#include <stdint.h>

/* Zero-initialise it before use. */
struct frame_pace {
    int64_t began; /* when the frame began, in nanoseconds; 0: there was none before */
};

/* Call it at the end of each frame. Sleeps until the frame has lasted min_duration, and then for delay; both
 * in microseconds. A signal ends the sleep. */
void frame_pace_end(struct frame_pace *p, int64_t min_duration, int64_t delay);

#endif
