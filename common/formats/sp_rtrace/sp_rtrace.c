/* SPDX-License-Identifier: MIT
 * The rows of the formats in the registry.
 */
#include "formats/sp_rtrace/sp_rtrace.h"

extern const struct trace_format trace_format_sp_rtrace;
extern const struct trace_format trace_format_sp_rtrace_1_4;
extern const struct trace_format trace_format_sp_rtrace_text;

const struct trace_format trace_format_sp_rtrace = {
    .name = "sp-rtrace",
    .summary = "sp-rtrace's binary logs of resources, versions 1.0 to 2.0; writes 2.0",
    .bid = sp_rtrace_binary_bid,
    .likeness = sp_rtrace_binary_likeness,
    .open = sp_rtrace_binary_open,
    .create = sp_rtrace_binary_create,
    .text = SP_RTRACE_TEXT,
};

const struct trace_format trace_format_sp_rtrace_1_4 = {
    .name = "sp-rtrace-1.4",
    .summary = "binary logs as the document of sp-rtrace's version 1.4 describes them",
    .create = sp_rtrace_document_create,
    .text = SP_RTRACE_TEXT,
};

const struct trace_format trace_format_sp_rtrace_text = {
    .name = SP_RTRACE_TEXT,
    .summary = "the text that sp-rtrace's tools make of a log",
    .bid = sp_rtrace_text_bid,
    .likeness = sp_rtrace_text_likeness,
    .open = sp_rtrace_text_open,
    .create = sp_rtrace_text_create,
    .text = SP_RTRACE_TEXT,
};
