/* SPDX-License-Identifier: MIT
 * The row of the format in the registry.
 */
#include "formats/speedscope/speedscope.h"

extern const struct trace_format trace_format_speedscope;

const struct trace_format trace_format_speedscope = {
    .name = "speedscope",
    .summary = "Speedscope's own JSON: a profile of each thread's calls",
    .create = speedscope_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
    .is_export = true,
};
