/* SPDX-License-Identifier: MIT
 * A progress line on a terminal: shown after a second, redrawn a few times a second, and erased when the work
 * is done or before a message is printed. TRACE_CLI_PROGRESS in the environment: "never", or "always" (at
 * once, and even if the standard error is no terminal).
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "trace/progress_callback.h"

#include <stdbool.h>
#include <stdint.h>

/* Begins work with this name, which is lent until progress_end(). */
void progress_begin(const char *what);

/* The same for commands that write while they read: shows nothing if their output goes to a terminal. */
void progress_begin_beside_output(const char *what);

/* For a file that is read for this work. Up to PROGRESS_FILES files may be read, even by several threads at
 * once. */
#define PROGRESS_FILES 2
struct trace_progress_callback progress_callback(void);

/* The same, and the calls read in a second are shown: count_calls(of) tells how many were read so far. It is
 * called in the thread that reads. */
struct trace_progress_callback progress_callback_with_calls(uint64_t (*count_calls)(const void *of),
                                                            const void *of);

/* For work on calls in memory: calls are reported, not bytes. */
struct trace_progress_callback progress_callback_of_calls(void);

/* Erases the line; it comes back if the work goes on. */
void progress_clear(void);

void progress_end(void);

#endif
