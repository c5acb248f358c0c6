/* SPDX-License-Identifier: MIT
 * A progress line on a terminal. It appears after a second, is updated a few times a second, and is erased
 * when the operation is done or before a message is printed. The environment variable TRACE_CLI_PROGRESS may
 * be "never", or "always" (at once, and even if stderr is not a terminal).
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "trace/progress_callback.h"

#include <stdbool.h>
#include <stdint.h>

/* Begins an operation with this name, which is lent until progress_end(). */
void progress_begin(const char *what);

/* Does the same for commands that write while they read: shows nothing if their output goes to a terminal. */
void progress_begin_beside_output(const char *what);

/* Returns a callback for a file that is read. Up to PROGRESS_FILES files may be read, even by several threads
 * at once. */
#define PROGRESS_FILES 2
struct trace_progress_callback progress_callback(void);

/* Does the same, and shows the calls read per second: count_calls(of) returns the number of calls read so
 * far. It is called in the thread that reads. */
struct trace_progress_callback progress_callback_with_calls(uint64_t (*count_calls)(const void *of),
                                                            const void *of);

/* For operations on calls in memory: the progress is in calls, not bytes. */
struct trace_progress_callback progress_callback_of_calls(void);

/* Erases the line. It appears again if the operation continues. */
void progress_clear(void);

void progress_end(void);

#endif
