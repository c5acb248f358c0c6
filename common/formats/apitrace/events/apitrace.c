/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/events/apitrace.h"

#include "formats/apitrace/read/input.h"

/* A container with a magic number may also contain something else; this is checked when the header of the
 * stream is read. */
static int bid(const struct trace_probe *probe)
{
    bool by_mark;
    if (!trace_input_accepts(probe, &by_mark))
        return TRACE_BID_NONE;
    return by_mark ? TRACE_BID_CERTAIN : TRACE_BID_LAST;
}

const struct trace_format trace_format_apitrace = {
    .name = "apitrace",
    .summary = "apitrace's traces of API calls, versions 0 to 6",
    .bid = bid,
    .open = apitrace_source_open,
    .create = apitrace_sink_create,
};
