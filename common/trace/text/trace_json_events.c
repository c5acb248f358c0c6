/* SPDX-License-Identifier: MIT */
#include "trace/text/trace_json_events.h"

#include "trace/text/trace_json_parts.h"

#include <string.h>

/* --- members --------------------------------------------------------------------------------------- */

static void put_resource(struct json_writer *w, const struct trace_event *event)
{
    const struct trace_resource *r = &event->u.resource;
    json_key(w, "resource");
    json_begin(w, '{');
    if (r->type != NULL) {
        trace_json_put_uint(w, "type", r->type->id);
        trace_json_put_string(w, "name", r->type->name);
    }
    trace_json_put_address(w, "id", r->id);
    if (event->kind == TRACE_EVENT_ALLOC)
        trace_json_put_uint(w, "size", r->size);
    json_end(w, '}');
}

static void put_type(struct json_writer *w, const struct trace_resource_type *type)
{
    trace_json_put_uint(w, "type", type->id);
    trace_json_put_string(w, "name", type->name);
    trace_json_put_string(w, "description", type->description);
    json_key(w, "refcounted");
    json_bool(w, type->refcounted);
    trace_json_put_string(w, "flags", type->flags);
}

static void put_mapping(struct json_writer *w, const struct trace_mapping *mapping)
{
    trace_json_put_address(w, "from", mapping->from);
    trace_json_put_address(w, "to", mapping->to);
    if (mapping->offset != TRACE_NO_OFFSET)
        trace_json_put_uint(w, "offset", mapping->offset);
    trace_json_put_string(w, "path", mapping->path);
}

static void put_heap(struct json_writer *w, const struct trace_heap *heap)
{
    trace_json_put_address(w, "bottom", heap->bottom);
    trace_json_put_address(w, "top", heap->top);
    trace_json_put_uint(w, "arena", heap->arena);
    trace_json_put_uint(w, "ordblks", heap->ordblks);
    trace_json_put_uint(w, "smblks", heap->smblks);
    trace_json_put_uint(w, "hblks", heap->hblks);
    trace_json_put_uint(w, "hblkhd", heap->hblkhd);
    trace_json_put_uint(w, "usmblks", heap->usmblks);
    trace_json_put_uint(w, "fsmblks", heap->fsmblks);
    trace_json_put_uint(w, "uordblks", heap->uordblks);
    trace_json_put_uint(w, "fordblks", heap->fordblks);
    trace_json_put_uint(w, "keepcost", heap->keepcost);
}

/* --- events ---------------------------------------------------------------------------------------- */

/* The outermost function comes first. */
static void put_sum(struct json_writer *w, const struct trace_sum *sum)
{
    json_key(w, "functions");
    json_begin(w, '[');
    for (uint32_t i = sum->depth; i-- > 0;)
        json_string(w, sum->path[i]->name, strlen(sum->path[i]->name));
    json_end(w, ']');
    trace_json_put_uint(w, "count", sum->count);
    trace_json_put_uint(w, "ticks", sum->ticks);
}

static void put_fact(struct json_writer *w, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_RESOURCE_TYPE:
        put_type(w, event->u.resource_type);
        break;
    case TRACE_EVENT_CONTEXT:
        trace_json_put_uint(w, "context", event->u.context.id);
        trace_json_put_string(w, "name", event->u.context.name);
        break;
    case TRACE_EVENT_TRACER:
        trace_json_put_uint(w, "module", event->u.tracer.id);
        trace_json_put_string(w, "name", event->u.tracer.name);
        trace_json_put_uint(w, "major", event->u.tracer.major);
        trace_json_put_uint(w, "minor", event->u.tracer.minor);
        break;
    case TRACE_EVENT_MAPPING:
        put_mapping(w, &event->u.mapping);
        break;
    case TRACE_EVENT_HEAP:
        put_heap(w, event->u.heap);
        break;
    case TRACE_EVENT_ATTACHMENT:
        trace_json_put_string(w, "name", event->u.attachment.name);
        trace_json_put_string(w, "path", event->u.attachment.path);
        break;
    case TRACE_EVENT_LOSS:
        trace_json_put_uint(w, "count", event->u.loss.count);
        trace_json_put_string(w, "reason", event->u.loss.reason);
        break;
    case TRACE_EVENT_SUM:
        put_sum(w, &event->u.sum);
        break;
    case TRACE_EVENT_CLOCK:
        trace_json_put_string(w, "clock", event->u.clock_reading.name);
        trace_json_put_time(w, "reading_ns", event->u.clock_reading.time);
        break;
    default:
        trace_json_put_string(w, "text", event->u.text);
        break;
    }
    trace_json_put_time(w, "time_ns", event->time);
    trace_json_put_origin(w, event->origin);
}

/* The groups of fields that are not arguments: all if it was understood as the end of a call. */
static void put_record(struct trace_json *j, const struct trace_event *event)
{
    static const char *const names[] = {"packet_context", "common_context", "specific_context", "payload"};
    const struct trace_record *record = event->record;
    size_t count = event->kind == TRACE_EVENT_INSTANT ? 3 : 4;
    for (size_t i = 0; record != NULL && i < count; ++i)
        if (record->scopes[i].type == TRACE_STRUCT) {
            json_key(&j->w, names[i]);
            trace_json_value(j, &record->scopes[i]);
        }
}

static void put_call(struct trace_json *j, const struct trace_event *event)
{
    struct json_writer *w = &j->w;
    trace_json_put_uint(w, "number", event->number);
    trace_json_put_time(w, "time_ns", event->time);
    trace_json_put_origin(w, event->origin);
    trace_json_put_name_and_args(j, event->call);
    if (event->call->ret.type != TRACE_NONE) {
        json_key(w, "ret");
        trace_json_value(j, &event->call->ret);
    }
    if (event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE)
        put_resource(w, event);
    if (event->call->frame_count > 0)
        trace_json_put_backtrace(w, event->call);
    put_record(j, event);
}

int trace_json_event(struct trace_json *j, const struct trace_event *event, uint64_t frame)
{
    struct json_writer *w = &j->w;
    if (event->kind == TRACE_EVENT_CALL)
        return trace_json_call_of(j, event->call, event->origin, frame);
    j->call_number = event->number;
    j->blob_count = 0;
    json_begin(w, '{');
    trace_json_put_string(w, "event", trace_event_kind_name(event->kind));
    if (event->call != NULL)
        put_call(j, event);
    else
        put_fact(w, event);
    json_end(w, '}');
    return trace_json_end_line(j);
}
