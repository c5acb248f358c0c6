/* SPDX-License-Identifier: MIT */
#include "trace/event.h"

const char *trace_event_kind_name(enum trace_event_kind kind)
{
    static const char *const names[TRACE_EVENT_KINDS] = {
        [TRACE_EVENT_END] = "end",
        [TRACE_EVENT_CALL] = "call",
        [TRACE_EVENT_ENTER] = "enter",
        [TRACE_EVENT_EXIT] = "exit",
        [TRACE_EVENT_TAIL_EXIT] = "tail exit",
        [TRACE_EVENT_INSTANT] = "instant",
        [TRACE_EVENT_ALLOC] = "allocation",
        [TRACE_EVENT_FREE] = "release",
        [TRACE_EVENT_RESOURCE_TYPE] = "resource type",
        [TRACE_EVENT_CONTEXT] = "context",
        [TRACE_EVENT_TRACER] = "tracing module",
        [TRACE_EVENT_MAPPING] = "memory mapping",
        [TRACE_EVENT_HEAP] = "heap statistics",
        [TRACE_EVENT_MARK] = "mark",
        [TRACE_EVENT_ATTACHMENT] = "attachment",
        [TRACE_EVENT_COMMENT] = "comment",
        [TRACE_EVENT_LOSS] = "loss",
        [TRACE_EVENT_CLOCK] = "clock reading",
        [TRACE_EVENT_SUM] = "sum of calls",
    };
    return (unsigned)kind < TRACE_EVENT_KINDS ? names[kind] : "unknown event";
}

bool trace_record_has_contexts(const struct trace_record *r)
{
    for (int i = 0; r != NULL && i < TRACE_SCOPE_PAYLOAD; ++i)
        if (r->scopes[i].type == TRACE_STRUCT && r->scopes[i].count > 0)
            return true;
    return false;
}
