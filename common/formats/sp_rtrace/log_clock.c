/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/log_clock.h"

const struct trace_clock sp_rtrace_clock = {
    .name = "monotonic",
    .resolution = SP_RTRACE_TICK,
    .wall_offset = TRACE_NO_TIME,
    .period = INT64_C(24) * 60 * 60 * 1000 * SP_RTRACE_TICK,
};
