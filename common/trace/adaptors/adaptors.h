/* SPDX-License-Identifier: MIT
 * Sources that are made from other sources. Each takes over its inner sources, and closes them when it is
 * closed, or when opening it fails.
 */
#ifndef TRACE_ADAPTORS_H
#define TRACE_ADAPTORS_H

#include "base/api.h"
#include "trace/source.h"

TRACE_API_BEGIN

/* Returns true if the event is wanted. */
typedef bool (*trace_filter_wants)(void *context, const struct trace_event *event);
int trace_filter_open(struct trace_source **out, struct trace_source *of, trace_filter_wants wants,
                      void *context);

/* Joins ends of calls to whole calls, in the order in which they returned. Calls that never returned come
 * last, flagged as incomplete. An exit without an enter stays an exit. Other events are passed on unchanged.
 */
int trace_pair_open(struct trace_source **out, struct trace_source *of);

/* Reduces a source to whole calls. Ends are joined as by trace_pair_open(). Allocations and releases become
 * calls: the resource's type and size, or type and id, follow their arguments, and the return value is the
 * allocated id. Other events are dropped. Every event but the last is a TRACE_EVENT_CALL;
 * trace_source_release() only uses its call. */
int trace_calls_open(struct trace_source **out, struct trace_source *of);

/* Merges several sources by time. The events of each source keep their order; an event without a time stays
 * with the event before it in its source. The declarations of all sources come first. Properties and clock
 * are those of the first source. Sources of whole calls are split into ends, so that a long call does not
 * hold back others. Events are renumbered, starting with the number of the first; both ends of a call keep a
 * common number. Resource types with equal members become one type; others get different ids. */
int trace_merge_open(struct trace_source **out, struct trace_source **of, size_t count);

TRACE_API_END

#endif
