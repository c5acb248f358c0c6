/* SPDX-License-Identifier: MIT
 * Sources made of sources. Each takes over those that it is made of: closing it closes them, also after an
 * error.
 */
#ifndef TRACE_ADAPTORS_H
#define TRACE_ADAPTORS_H

#include "base/api.h"
#include "trace/source.h"

TRACE_API_BEGIN

/* The events of a source that are wanted. */
typedef bool (*trace_filter_wants)(void *context, const struct trace_event *event);
int trace_filter_open(struct trace_source **out, struct trace_source *of, trace_filter_wants wants,
                      void *context);

/* Ends of calls joined to whole calls, in the order in which they were left; those that were never left come
 * last, as incomplete. An exit without an enter stays an exit. Other events come as they are. */
int trace_pair_open(struct trace_source **out, struct trace_source *of);

/* The calls of a source, whole, and nothing else: of ends, the calls that they make (trace_pair_open()); of
 * allocations and releases, calls whose further arguments are the resource's type and size, or type and id,
 * and which return what was allocated. Every event but the last is a TRACE_EVENT_CALL, and its call is all
 * that trace_source_release() looks at. */
int trace_calls_open(struct trace_source **out, struct trace_source *of);

/* The events of several sources, of each in its own order, by time; events without a time follow the one
 * before them in their source. Declarations of all sources come first. Properties and clock are those of the
 * first. A source of whole calls is asked for their ends, so that no long call holds others back. Events are
 * numbered anew, from the number of the first, ends of a call alike. Resource types that say the same are
 * one; others get ids that differ. */
int trace_merge_open(struct trace_source **out, struct trace_source **of, size_t count);

TRACE_API_END

#endif
