/* SPDX-License-Identifier: MIT
 * Has the events of a trace indexed.
 */
#ifndef TRACE_INDEX_EVENTS_H
#define TRACE_INDEX_EVENTS_H

#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/raw_events.h"

/* Gives all events of e that are still to come to b; most of them as runs of calls that are not looked at one
 * by one. Errors of either. */
int trace_index_events(struct trace_raw_events *e, struct trace_index_builder *b);

#endif
