/* SPDX-License-Identifier: MIT
 * The clock of sp-rtrace logs.
 */
#ifndef SP_RTRACE_LOG_CLOCK_H
#define SP_RTRACE_LOG_CLOCK_H

#include "trace/event.h"

/* CLOCK_MONOTONIC in milliseconds, modulo a day. */
extern const struct trace_clock sp_rtrace_clock;

#define SP_RTRACE_TICK INT64_C(1000000) /* nanoseconds in one millisecond, the unit of the clock */

#endif
