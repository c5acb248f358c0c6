/* SPDX-License-Identifier: MIT
 * A file in Chrome's JSON format for traces, which Perfetto opens: a track for each thread, on the CPU and on
 * the GPU, with frames, debug groups and calls nested in each other.
 */
#ifndef PROFILE_CHROME_H
#define PROFILE_CHROME_H

#include "profile_record.h"

/* Calls that take less than min_cpu_time nanoseconds are left out, unless they are draws. Errors:
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int profile_chrome_open(struct profile_output **out, const char *path, int64_t min_cpu_time);

#endif
