/* SPDX-License-Identifier: MIT
 * The rows of the formats in the registry.
 */
#include "formats/ctf/ctf.h"
#include "formats/ctf/babeltrace/babeltrace.h"

extern const struct trace_format trace_format_ctf;
extern const struct trace_format trace_format_ctf2;
extern const struct trace_format trace_format_ctf_rfc;
extern const struct trace_format trace_format_babeltrace;

const struct trace_format trace_format_ctf = {
    .name = CTF_NAME,
    .summary = "Common Trace Format 1.8, a directory",
    .bid = ctf_bid,
    .open = ctf_open,
    .create = ctf_create,
    .is_folder = true,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
};

const struct trace_format trace_format_ctf2 = {
    .name = CTF2_NAME,
    .summary = "Common Trace Format 2, a directory",
    .create = ctf2_create,
    .is_folder = true,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
};

const struct trace_format trace_format_ctf_rfc = {
    .name = CTF_RFC_NAME,
    .summary = "Common Trace Format, the request for comments of 2010, version 1.1, a directory",
    .create = ctf_rfc_create,
    .is_folder = true,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
};

const struct trace_format trace_format_babeltrace = {
    .name = BABELTRACE_NAME,
    .summary = "the text that babeltrace2 prints for a trace",
    .create = babeltrace_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
    .is_export = true,
};
