/* SPDX-License-Identifier: MIT */
#include "formats/shared/call_remains.h"

#include <string.h>

uint32_t call_remains_count_arguments(const struct trace_call *call)
{
    uint32_t told = 0;
    for (uint32_t i = 0; i < call->arg_count; ++i)
        told += call->args[i].type != TRACE_NONE;
    return told;
}

uint32_t call_remains_add_values(struct call_remains *r, const struct trace_event *event, uint32_t known)
{
    const struct trace_call *call = event->call;
    uint32_t told = call_remains_count_arguments(call);
    r->arguments += told > known ? told - known : 0;
    r->returns += call->ret.type != TRACE_NONE && event->kind != TRACE_EVENT_ENTER;
    r->backtraces += call->frame_count > 0 && event->kind != TRACE_EVENT_EXIT;
    return told;
}

void call_remains_add_event(struct call_remains *r, const struct trace_event *event)
{
    if (event->origin != NULL) {
        r->processors += event->origin->cpu >= 0;
        r->contexts += event->origin->contexts != 0;
        r->streams += event->origin->stream >= 0;
    }
    r->records += trace_record_has_contexts(event->record);
    r->tail_exits += event->kind == TRACE_EVENT_TAIL_EXIT;
    r->timeless += event->time == TRACE_NO_TIME;
}

static void tell(struct trace_sink *sink, const char *what, uint64_t count)
{
    if (count > 0)
        trace_sink_leave_out(sink, what, count);
}

void call_remains_tell(const struct call_remains *r, const struct call_threads *threads,
                       struct trace_sink *sink)
{
    tell(sink, "argument", r->arguments);
    tell(sink, "return value", r->returns);
    tell(sink, "backtrace", r->backtraces);
    tell(sink, "processor of an event", r->processors);
    tell(sink, "context of an event", r->contexts);
    tell(sink, "stream of an event", r->streams);
    tell(sink, "context fields of an event", r->records);
    tell(sink, "that a call ended by calling another", r->tail_exits);
    tell(sink, "that a call has no end", r->endless);
    tell(sink, "that an event has no time", r->timeless);
    tell(sink, "time before that of the thread's previous event", threads->backward);
}

void call_remains_tell_properties(struct trace_sink *sink, const struct trace_sink_options *options)
{
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, "process.name") != 0)
            trace_sink_leave_out(sink, "property", 1);
}
