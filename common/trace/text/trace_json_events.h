/* SPDX-License-Identifier: MIT
 * Formats the events of any source as JSON Lines (docs/dump-json.md).
 */
#ifndef TRACE_JSON_EVENTS_H
#define TRACE_JSON_EVENTS_H

#include "trace/text/trace_json.h"
#include "trace/event.h"

/* Appends the line for an event. frame is the frame of a call; other events have none. */
int trace_json_event(struct trace_json *j, const struct trace_event *event, uint64_t frame);

#endif
