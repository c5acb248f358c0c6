/* SPDX-License-Identifier: MIT
 * Events of formats that have no text of their own: calls as apitrace prints them, whatever else as a line.
 */
#ifndef TRACE_EVENT_TEXT_H
#define TRACE_EVENT_TEXT_H

#include "trace/event.h"
#include "trace/text/call_text.h"

/* Appends the event's text. Ends of calls and instants look like calls, with a word for what they are; what
 * an allocation returns, and what a release ends, stands behind the call. TRACE_ERR_MEMORY, TRACE_ERR_IO. */
int trace_event_text_add(struct trace_call_text *f, const struct trace_event *event);

#endif
