/* SPDX-License-Identifier: MIT
 * The rows of the formats in the registry.
 */
#include "formats/lines/lines.h"

extern const struct trace_format trace_format_csv, trace_format_jsonl;

const struct trace_format trace_format_csv = {
    .name = "csv",
    .summary = "a table with a row for each event, its columns separated by commas",
    .create = csv_create,
    .takes = TRACE_TAKES_WHOLE_CALLS,
    .is_export = true,
};

const struct trace_format trace_format_jsonl = {
    .name = "jsonl",
    .summary = "JSON lines: an object for each event, as dump --format=json prints it",
    .create = jsonl_create,
    .is_export = true,
};
