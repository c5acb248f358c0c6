/* SPDX-License-Identifier: MIT
 * Statistics by function and by thread.
 */
#ifndef CLI_INFO_STATS_H
#define CLI_INFO_STATS_H

#include "formats/apitrace/read/raw_events.h"
#include "info/trace_info.h"

int info_stats_add_event(struct trace_info *info, const struct trace_raw_event *event);
int info_stats_add_known(struct trace_info *info, const struct trace_known_call *calls, size_t count);

/* Sorts the statistics. Call it after the last event. */
void info_stats_finish(struct trace_info *info);

#endif
