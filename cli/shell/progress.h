/* SPDX-License-Identifier: MIT
 * One line on a terminal that tells how far long work is: shown after a second, redrawn some times a second,
 * and erased when the work is over or before anything else is said. TRACE_CLI_PROGRESS in the environment:
 * "never", or "always" (at once, and whatever the standard error is).
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "trace/progress_callback.h"

#include <stdbool.h>

/* Work begins; what names it, and is lent until its end. */
void progress_begin(const char *what);

/* The same for commands that write while they read: nothing is shown when that goes to a terminal. */
void progress_begin_beside_output(const char *what);

/* For a file that is read for this work, up to PROGRESS_FILES of them, also at the same time in several
 * threads. */
#define PROGRESS_FILES 2
struct trace_progress_callback progress_callback(void);

/* The same where calls are counted by whoever reads: their number in a second is shown, too. */
struct trace_reader;
struct trace_raw_events;
void progress_watch_reader(struct trace_reader *r);
void progress_watch_events(struct trace_raw_events *e);

/* Of work on calls that are in memory: what is reported are calls, not bytes. */
struct trace_progress_callback progress_callback_of_calls(void);

/* Erases the line; it comes back if the work goes on. */
void progress_clear(void);

void progress_end(void);

#endif
