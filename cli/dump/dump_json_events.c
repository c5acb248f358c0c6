/* SPDX-License-Identifier: MIT */
#include "dump/dump_json_events.h"

#include "dump/dump_json_parts.h"

#include <string.h>

int dump_json_source(struct dump_json *j, const struct trace_source *source, const char *path)
{
    const struct trace_property *properties;
    size_t count = trace_source_properties(source, &properties);
    struct json_writer *w = &j->w;
    json_begin(w, '{');
    json_key(w, "trace");
    json_begin(w, '{');
    dump_json_put_uint(w, "dump_version", DUMP_JSON_VERSION);
    dump_json_put_string(w, "file", path);
    dump_json_put_string(w, "format", trace_source_format_name(source));
    dump_json_put_properties(w, properties, count);
    json_end(w, '}');
    json_end(w, '}');
    return dump_json_end_line(j);
}

/* --- members --------------------------------------------------------------------------------------- */

static void put_origin(struct json_writer *w, const struct trace_origin *origin)
{
    if (origin == NULL)
        return;
    if (origin->process >= 0)
        dump_json_put_uint(w, "process", (uint64_t)origin->process);
    if (origin->thread >= 0)
        dump_json_put_uint(w, "thread", (uint64_t)origin->thread);
    if (origin->cpu >= 0)
        dump_json_put_uint(w, "cpu", (uint64_t)origin->cpu);
    if (origin->stream >= 0)
        dump_json_put_uint(w, "stream", (uint64_t)origin->stream);
    if (origin->contexts != 0)
        dump_json_put_uint(w, "contexts", origin->contexts);
}

static void put_resource(struct json_writer *w, const struct trace_event *event)
{
    const struct trace_resource *r = &event->u.resource;
    json_key(w, "resource");
    json_begin(w, '{');
    if (r->type != NULL) {
        dump_json_put_uint(w, "type", r->type->id);
        dump_json_put_string(w, "name", r->type->name);
    }
    dump_json_put_address(w, "id", r->id);
    if (event->kind == TRACE_EVENT_ALLOC)
        dump_json_put_uint(w, "size", r->size);
    json_end(w, '}');
}

static void put_type(struct json_writer *w, const struct trace_resource_type *type)
{
    dump_json_put_uint(w, "type", type->id);
    dump_json_put_string(w, "name", type->name);
    dump_json_put_string(w, "description", type->description);
    json_key(w, "refcounted");
    json_bool(w, type->refcounted);
    dump_json_put_string(w, "flags", type->flags);
}

static void put_mapping(struct json_writer *w, const struct trace_mapping *mapping)
{
    dump_json_put_address(w, "from", mapping->from);
    dump_json_put_address(w, "to", mapping->to);
    if (mapping->offset != TRACE_NO_OFFSET)
        dump_json_put_uint(w, "offset", mapping->offset);
    dump_json_put_string(w, "path", mapping->path);
}

static void put_heap(struct json_writer *w, const struct trace_heap *heap)
{
    dump_json_put_address(w, "bottom", heap->bottom);
    dump_json_put_address(w, "top", heap->top);
    dump_json_put_uint(w, "arena", heap->arena);
    dump_json_put_uint(w, "ordblks", heap->ordblks);
    dump_json_put_uint(w, "smblks", heap->smblks);
    dump_json_put_uint(w, "hblks", heap->hblks);
    dump_json_put_uint(w, "hblkhd", heap->hblkhd);
    dump_json_put_uint(w, "usmblks", heap->usmblks);
    dump_json_put_uint(w, "fsmblks", heap->fsmblks);
    dump_json_put_uint(w, "uordblks", heap->uordblks);
    dump_json_put_uint(w, "fordblks", heap->fordblks);
    dump_json_put_uint(w, "keepcost", heap->keepcost);
}

/* --- events ---------------------------------------------------------------------------------------- */

static void put_fact(struct json_writer *w, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_RESOURCE_TYPE:
        put_type(w, event->u.resource_type);
        break;
    case TRACE_EVENT_CONTEXT:
        dump_json_put_uint(w, "context", event->u.context.id);
        dump_json_put_string(w, "name", event->u.context.name);
        break;
    case TRACE_EVENT_TRACER:
        dump_json_put_uint(w, "module", event->u.tracer.id);
        dump_json_put_string(w, "name", event->u.tracer.name);
        dump_json_put_uint(w, "major", event->u.tracer.major);
        dump_json_put_uint(w, "minor", event->u.tracer.minor);
        break;
    case TRACE_EVENT_MAPPING:
        put_mapping(w, &event->u.mapping);
        break;
    case TRACE_EVENT_HEAP:
        put_heap(w, event->u.heap);
        break;
    case TRACE_EVENT_ATTACHMENT:
        dump_json_put_string(w, "name", event->u.attachment.name);
        dump_json_put_string(w, "path", event->u.attachment.path);
        break;
    case TRACE_EVENT_LOSS:
        dump_json_put_uint(w, "count", event->u.loss.count);
        dump_json_put_string(w, "reason", event->u.loss.reason);
        break;
    case TRACE_EVENT_CLOCK:
        dump_json_put_string(w, "clock", event->u.clock_reading.name);
        dump_json_put_time(w, "reading_ns", event->u.clock_reading.time);
        dump_json_put_time(w, "time_ns", event->time);
        put_origin(w, event->origin);
        break;
    default:
        dump_json_put_string(w, "text", event->u.text);
        break;
    }
}

static void put_call(struct dump_json *j, const struct trace_event *event)
{
    struct json_writer *w = &j->w;
    dump_json_put_uint(w, "number", event->number);
    dump_json_put_time(w, "time_ns", event->time);
    put_origin(w, event->origin);
    dump_json_put_name_and_args(j, event->call);
    if (event->call->ret.type != TRACE_NONE) {
        json_key(w, "ret");
        dump_json_value(j, &event->call->ret);
    }
    if (event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE)
        put_resource(w, event);
    if (event->call->frame_count > 0)
        dump_json_put_backtrace(w, event->call);
}

int dump_json_event(struct dump_json *j, const struct trace_event *event, uint64_t frame)
{
    struct json_writer *w = &j->w;
    if (event->kind == TRACE_EVENT_CALL)
        return dump_json_call(j, event->call, frame);
    j->call_number = event->number;
    j->blob_count = 0;
    json_begin(w, '{');
    dump_json_put_string(w, "event", trace_event_kind_name(event->kind));
    if (event->call != NULL)
        put_call(j, event);
    else
        put_fact(w, event);
    json_end(w, '}');
    return dump_json_end_line(j);
}
