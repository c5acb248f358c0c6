/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/sink_checks.h"

#include "formats/sp_rtrace/sp_rtrace.h"
#include "formats/sp_rtrace/text_heap.h"

#include "base/error.h"
#include "base/format_number.h"

int sink_leave_out_event(struct trace_sink *s, const struct trace_event *event)
{
    if (event->kind != TRACE_EVENT_LOSS)
        return trace_sink_leave_out(s, trace_event_kind_name(event->kind), 1);
    return trace_sink_leave_out(s, "lost event", event->u.loss.count > 0 ? event->u.loss.count : 1);
}

int sink_check_call(struct trace_sink *s, const struct trace_event *event)
{
    const struct trace_origin *origin = event->origin;
    if (event->call == NULL || event->call->sig == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "an allocation or release without its call");
    if (origin != NULL && origin->thread >= 0)
        trace_sink_leave_out(s, "thread of an event", 1);
    if (origin != NULL && origin->cpu >= 0)
        trace_sink_leave_out(s, "processor of an event", 1);
    return 0;
}

/* The properties that a binary log can contain. It is always little-endian, with 8-byte pointers. */
static bool is_in_log(const char *property)
{
    static const char *const names[] = {"arch",       "backtrace.depth", "pointer.size",
                                        "process.id", "process.name",    "process.start"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(property, names[i]) == 0)
            return true;
    return false;
}

void sink_check_header(struct trace_sink *s, const struct trace_sink_options *options)
{
    for (size_t i = 0; i < options->property_count; ++i) {
        const struct trace_property *p = &options->properties[i];
        if (strncmp(p->name, TEXT_HEADER_PREFIX, strlen(TEXT_HEADER_PREFIX)) == 0)
            trace_sink_leave_out(s, "key of the text's header", 1);
        else if (strcmp(p->name, "tracer") == 0 && strcmp(p->value, SP_RTRACE_TRACER) != 0)
            trace_sink_leave_out(s, "name of the tracing tool", 1);
        else if (strcmp(p->name, "tracer") != 0 && !is_in_log(p->name))
            trace_sink_leave_out(s, "property", 1);
    }
}

const char *sink_property(const struct trace_sink_options *options, const char *name)
{
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, name) == 0)
            return options->properties[i].value;
    return NULL;
}

const char *sink_value_text(struct trace_sink *s, const struct trace_value *value, char *room, size_t *length)
{
    *length = 0;
    switch (value->type) {
    case TRACE_STRING:
        *length = (size_t)value->count;
        return value->u.string;
    case TRACE_UINT:
        *length = format_uint(room, value->u.uint);
        return room;
    case TRACE_SINT:
        *length = format_sint(room, value->u.sint);
        return room;
    case TRACE_OPAQUE:
        memcpy(room, "0x", 2);
        *length = 2 + format_hex(room + 2, value->u.uint);
        return room;
    case TRACE_NULL:
    case TRACE_NONE: /* nothing is left out */
        return NULL;
    default: /* only from other formats */
        trace_sink_leave_out(s, "argument that is no text", 1);
        return NULL;
    }
}
