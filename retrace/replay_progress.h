/* SPDX-License-Identifier: MIT
 * A line on a terminal that shows the progress of a replay. It appears after a second, and is erased before
 * anything else is printed. TRACE_CLI_PROGRESS has the same effect as for trace-cli's other commands.
 */
#ifndef RETRACE_REPLAY_PROGRESS_H
#define RETRACE_REPLAY_PROGRESS_H

#include "replay_options.h"
#include "formats/apitrace/read/reader.h"

#include <stdatomic.h>

/* Zero-initialise it before use. */
struct replay_progress {
    bool shows;
    bool drawn;
    int64_t start, next;          /* in milliseconds */
    _Atomic uint64_t done, total; /* bytes of the file; set by the reading thread */
};

/* Follows the reader until it is closed. Does nothing unless stderr is a terminal on which nothing else is
 * printed. */
void replay_progress_begin(struct replay_progress *p, const struct replay_options *o,
                           struct trace_reader *reader);

/* Call it regularly. frames: number of frames that have been replayed. */
void replay_progress_draw(struct replay_progress *p, uint64_t frames);

static inline void replay_progress_step(struct replay_progress *p, uint64_t frames)
{
    if (p->shows)
        replay_progress_draw(p, frames);
}

/* Erases the line. Call it before something else is printed. */
void replay_progress_clear(struct replay_progress *p);
void replay_progress_end(struct replay_progress *p);

#endif
