/* SPDX-License-Identifier: MIT
 * Formats events of formats that have no text of their own: calls as apitrace prints them, other events as
 * one line each.
 */
#ifndef TRACE_EVENT_TEXT_H
#define TRACE_EVENT_TEXT_H

#include "trace/event.h"
#include "trace/text/call_text.h"

/* Appends the text of the event. Ends of calls and instants look like calls, with a word that names their
 * kind. The resource of an allocation or a release follows the call. Errors: TRACE_ERR_MEMORY, TRACE_ERR_IO.
 */
int trace_event_text_add(struct trace_call_text *f, const struct trace_event *event);

#endif
