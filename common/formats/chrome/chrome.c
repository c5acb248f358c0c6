/* SPDX-License-Identifier: MIT
 * The row of the format in the registry.
 */
#include "formats/chrome/chrome.h"

extern const struct trace_format trace_format_chrome;

const struct trace_format trace_format_chrome = {
    .name = "chrome",
    .summary = "JSON of trace events for Perfetto, Speedscope and Chrome's about:tracing",
    .create = chrome_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
    .is_export = true,
};
