/* SPDX-License-Identifier: MIT
 * Formats the events of any source as JSON Lines (docs/dump-json.md).
 */
#ifndef CLI_DUMP_JSON_EVENTS_H
#define CLI_DUMP_JSON_EVENTS_H

#include "dump/dump_json.h"
#include "trace/source.h"

/* Appends the line for the trace at path. */
int dump_json_source(struct dump_json *j, const struct trace_source *source, const char *path);

/* Appends the line for an event. frame is the frame of a call; other events have none. */
int dump_json_event(struct dump_json *j, const struct trace_event *event, uint64_t frame);

#endif
