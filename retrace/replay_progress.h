/* SPDX-License-Identifier: MIT
 * One line on a terminal that tells how far a replay is: shown after a second, and erased before anything
 * else is said. TRACE_CLI_PROGRESS is as for trace-cli's other commands.
 */
#ifndef RETRACE_REPLAY_PROGRESS_H
#define RETRACE_REPLAY_PROGRESS_H

#include "replay_options.h"
#include "formats/apitrace/read/reader.h"

#include <stdatomic.h>

/* Zero-initialise. */
struct replay_progress {
    bool shows;
    bool drawn;
    int64_t start, next;          /* milliseconds */
    _Atomic uint64_t done, total; /* bytes of the file; set by the thread that reads */
};

/* Follows the reader until it is closed, if the standard error is a terminal and nothing else is shown there.
 */
void replay_progress_begin(struct replay_progress *p, const struct replay_options *o,
                           struct trace_reader *reader);

/* To be called now and then: so many frames are done. */
void replay_progress_draw(struct replay_progress *p, uint64_t frames);

static inline void replay_progress_step(struct replay_progress *p, uint64_t frames)
{
    if (p->shows)
        replay_progress_draw(p, frames);
}

/* To be called before something else is written: erases the line. */
void replay_progress_clear(struct replay_progress *p);
void replay_progress_end(struct replay_progress *p);

#endif
