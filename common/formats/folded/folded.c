/* SPDX-License-Identifier: MIT
 * The row of the format in the registry.
 */
#include "formats/folded/folded.h"

extern const struct trace_format trace_format_folded;

const struct trace_format trace_format_folded = {
    .name = "folded",
    .summary = "stacks of calls and the time spent in each, a line each, for flame graphs",
    .create = folded_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
    .is_export = true,
};
