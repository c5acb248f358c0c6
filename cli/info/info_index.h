/* SPDX-License-Identifier: MIT
 * Gets what `trace-cli info` prints from the index of a trace, without reading the trace.
 */
#ifndef CLI_INFO_INDEX_H
#define CLI_INFO_INDEX_H

#include "formats/apitrace/read/raw_events.h"
#include "info/trace_info.h"

/* Fills in what a scan would count. Returns false if the trace has no usable index. */
bool info_read_index(struct trace_info *info, struct trace_raw_events *events);

/* Warns if the trace has an index that cannot be used. Call it after everything else was read. */
void info_warn_of_index(const struct trace_info *info, struct trace_raw_events *events);

#endif
