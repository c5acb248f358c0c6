/* SPDX-License-Identifier: MIT
 * The row of the format in the registry.
 */
#include "formats/call_lines/call_lines.h"

#include <string.h>

static int bid(const struct trace_probe *probe)
{
    const size_t length = strlen(CALL_LINES_MARK);
    bool has_mark = probe->head_count >= length && memcmp(probe->head, CALL_LINES_MARK, length) == 0;
    return has_mark ? TRACE_BID_CERTAIN : TRACE_BID_NONE;
}

extern const struct trace_format trace_format_call_lines;

const struct trace_format trace_format_call_lines = {
    .name = CALL_LINES_NAME,
    .summary = "one call a line: NAME ARGUMENT... -> RESULT",
    .bid = bid,
    .open = call_lines_open,
    .create = call_lines_create,
    .takes = TRACE_TAKES_WHOLE_CALLS,
};
