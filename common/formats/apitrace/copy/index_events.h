/* SPDX-License-Identifier: MIT
 * Adds the events of a trace to an index.
 */
#ifndef TRACE_INDEX_EVENTS_H
#define TRACE_INDEX_EVENTS_H

#include "formats/apitrace/copy/copied_times.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/raw_events.h"

/* Adds all remaining events of e to b. Most are added as runs of calls, without parsing each event. times:
 * those of the events, if e is a copy of a trace that has some; NULL: what e knows itself. Returns errors of
 * either. */
int trace_index_events(struct trace_raw_events *e, struct trace_index_builder *b,
                       struct trace_copied_times *times);

/* Takes over what only an older index of the trace knows: the wall clock and the modules. old may be NULL.
 * What cannot be read of it is left out. Errors: TRACE_ERR_MEMORY. */
int trace_index_keep(struct trace_index_builder *b, struct trace_index *old);

#endif
