/* SPDX-License-Identifier: MIT
 * Answers from the index of a trace.
 */
#ifndef CLI_INFO_INDEX_H
#define CLI_INFO_INDEX_H

#include "formats/apitrace/read/raw_events.h"
#include "info/trace_info.h"

/* Fills in what a scan would find, if the trace has an index that tells it; otherwise returns false. */
bool info_read_index(struct trace_info *info, struct trace_raw_events *events);

/* Warns if the trace has an index that cannot be used. Called after all that is read of the trace. */
void info_warn_of_index(const struct trace_info *info, struct trace_raw_events *events);

#endif
