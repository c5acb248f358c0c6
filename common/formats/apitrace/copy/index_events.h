/* SPDX-License-Identifier: MIT
 * Adds the events of a trace to an index.
 */
#ifndef TRACE_INDEX_EVENTS_H
#define TRACE_INDEX_EVENTS_H

#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/raw_events.h"

/* Adds all remaining events of e to b. Most are added as runs of calls, without parsing each event. Returns
 * errors of either. */
int trace_index_events(struct trace_raw_events *e, struct trace_index_builder *b);

#endif
