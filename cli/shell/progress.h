/* SPDX-License-Identifier: MIT
 * One line on a terminal that tells how far long work is: shown after a second, redrawn some times a second,
 * and erased when the work is over or before anything else is said. TRACE_CLI_PROGRESS in the environment:
 * "never", or "always" (at once, and whatever the standard error is).
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "trace/progress_callback.h"

#include <stdbool.h>
#include <stdint.h>

/* Work begins; what names it, and is lent until its end. */
void progress_begin(const char *what);

/* The same for commands that write while they read: nothing is shown when that goes to a terminal. */
void progress_begin_beside_output(const char *what);

/* For a file that is read for this work, up to PROGRESS_FILES of them, also at the same time in several
 * threads. */
#define PROGRESS_FILES 2
struct trace_progress_callback progress_callback(void);

/* The same, and the calls read in a second are shown: count_calls(of) tells how many were read so far. It is
 * called in the thread that reads. */
struct trace_progress_callback progress_callback_with_calls(uint64_t (*count_calls)(const void *of),
                                                            const void *of);

/* Of work on calls that are in memory: what is reported are calls, not bytes. */
struct trace_progress_callback progress_callback_of_calls(void);

/* Erases the line; it comes back if the work goes on. */
void progress_clear(void);

void progress_end(void);

#endif
