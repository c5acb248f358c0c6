/* SPDX-License-Identifier: MIT
 * Writes calls unchanged, and allocations and releases as calls (trace/resource_call.h).
 */
#include "formats/apitrace/events/apitrace.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "trace/mapped_files.h"
#include "trace/resource_call.h"
#include "trace/sink_ops.h"
#include "formats/apitrace/write/writer.h"

#include <stdlib.h>
#include <string.h>

struct apitrace_sink {
    struct trace_sink base;
    struct trace_writer *writer;
    struct mapped_files files;
    struct int_map entered; /* maps the source's numbers of calls that have not returned to the writer's */
    struct resource_calls resources;
    struct arena scratch; /* memory for the current event */
    int64_t period;       /* of the clock; 0: it never wraps */
    int64_t lap;          /* added to the clock's times */
    int64_t last_time;
};

static struct apitrace_sink *cast(struct trace_sink *s)
{
    return (struct apitrace_sink *)s;
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Extends a clock that wraps. It has wrapped when a time is more than half its period below the previous one.
 */
static int64_t unwrap_time(struct apitrace_sink *s, int64_t time)
{
    if (time == TRACE_NO_TIME || s->period == 0)
        return time;
    if (s->last_time != TRACE_NO_TIME && s->last_time - time > s->period / 2)
        s->lap += s->period;
    s->last_time = time;
    return time + s->lap;
}

static bool has_addresses(const struct trace_call *call)
{
    for (uint32_t i = 0; i < call->frame_count; ++i)
        if (call->frames[i].address != 0)
            return true;
    return false;
}

/* The format has no addresses, only offsets in modules. */
static int place_frames(struct apitrace_sink *s, struct trace_call *call)
{
    if (!has_addresses(call))
        return 0;
    struct trace_frame *frames = arena_alloc(&s->scratch, call->frame_count * sizeof *frames);
    if (frames == NULL)
        return no_memory();
    for (uint32_t i = 0; i < call->frame_count; ++i) {
        frames[i] = call->frames[i];
        mapped_files_place(&s->files, &frames[i]);
    }
    call->frames = frames;
    return 0;
}

/* Takes the thread from the origin, if it is known there; there is no place for a processor. */
static void set_thread(struct apitrace_sink *s, struct trace_call *call, const struct trace_event *event)
{
    if (event->origin != NULL && event->origin->cpu >= 0)
        trace_sink_leave_out(&s->base, "processor of an event", 1);
    if (trace_record_has_contexts(event->record))
        trace_sink_leave_out(&s->base, "context fields of an event", 1);
    if (event->origin != NULL && event->origin->thread >= 0)
        call->thread = (uint32_t)event->origin->thread;
}

static int put_call(struct apitrace_sink *s, const struct trace_event *event, const struct trace_call *from)
{
    struct trace_call call = *from;
    set_thread(s, &call, event);
    if (call.frame_count == 0)
        call.frames = NULL; /* no backtrace */
    int rc = place_frames(s, &call);
    return rc == 0 ? trace_writer_write_call(s->writer, &call, NULL) : rc;
}

/* Writes an end of a call. The time of the event is that of this end. */
static int put_enter(struct apitrace_sink *s, const struct trace_event *event)
{
    struct trace_call call = *event->call;
    uint64_t number;
    set_thread(s, &call, event);
    call.enter_time = unwrap_time(s, event->time);
    int rc = place_frames(s, &call);
    if (rc == 0)
        rc = trace_writer_enter_call(s->writer, &call, &number);
    return rc == 0 ? int_map_set(&s->entered, event->number, number) : rc;
}

static int put_exit(struct apitrace_sink *s, const struct trace_event *event)
{
    struct trace_call call = *event->call;
    uint64_t number;
    if (!int_map_get(&s->entered, event->number, &number))
        return trace_sink_leave_out(&s->base, "exit without an enter", 1);
    int_map_remove(&s->entered, event->number);
    if (event->kind == TRACE_EVENT_TAIL_EXIT)
        trace_sink_leave_out(&s->base, "that a call ended by calling another", 1);
    call.leave_time = unwrap_time(s, event->time);
    set_thread(s, &call, event);
    return trace_writer_leave_call(s->writer, number, &call);
}

/* --- allocations and releases ---------------------------------------------------------------------- */

static int put_resource(struct apitrace_sink *s, const struct trace_event *event)
{
    struct trace_call call;
    if (event->origin != NULL && event->origin->contexts != 0)
        trace_sink_leave_out(&s->base, "context of an event", 1);
    if (event->kind == TRACE_EVENT_FREE && event->u.resource.size != 0)
        trace_sink_leave_out(&s->base, "size of a release", 1);
    int rc = resource_calls_make(&s->resources, event, &s->scratch, &call);
    call.enter_time = call.leave_time = unwrap_time(s, event->time);
    return rc == 0 ? put_call(s, event, &call) : rc;
}

/* --- the sink -------------------------------------------------------------------------------------- */

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct apitrace_sink *s = cast(sink);
    arena_reset(&s->scratch);
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return put_call(s, event, event->call);
    case TRACE_EVENT_ENTER:
        return put_enter(s, event);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return put_exit(s, event);
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return put_resource(s, event);
    case TRACE_EVENT_MAPPING: /* its contents are in the modules of frames */
        return mapped_files_add(&s->files, &event->u.mapping);
    default:
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    }
}

static void free_sink(struct apitrace_sink *s)
{
    mapped_files_fini(&s->files);
    int_map_fini(&s->entered);
    resource_calls_fini(&s->resources);
    arena_fini(&s->scratch);
    free(s);
}

static int sink_close(struct trace_sink *sink)
{
    struct apitrace_sink *s = cast(sink);
    int rc = trace_writer_close(s->writer);
    free_sink(s);
    return rc;
}

static void sink_abandon(struct trace_sink *sink)
{
    struct apitrace_sink *s = cast(sink);
    trace_writer_abandon(s->writer);
    free_sink(s);
}

static const struct trace_sink_ops ops = {.put = sink_put, .close = sink_close, .abandon = sink_abandon};

static int open_writer(struct apitrace_sink *s, const char *path, const struct trace_sink_options *options)
{
    struct trace_writer_options o = {.container = options->container,
                                     .level = options->level,
                                     .jobs = options->jobs,
                                     .properties = options->properties,
                                     .property_count = options->property_count};
    if (options->clock != NULL) {
        o.times = true;
        s->period = options->clock->period;
        if (options->clock->wall_offset != TRACE_NO_TIME)
            o.wall_clock = options->clock->wall_offset;
    }
    return trace_writer_open(&s->writer, path, &o);
}

int apitrace_sink_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    if (strcmp(path, "-") == 0)
        return trace_error_set(TRACE_ERR_USAGE,
                               "a trace in apitrace's format cannot be written to the standard output");
    struct apitrace_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return no_memory();
    s->base.ops = &ops;
    s->last_time = TRACE_NO_TIME;
    resource_calls_init(&s->resources);
    arena_init(&s->scratch);
    int rc = open_writer(s, path, options);
    if (rc != 0) {
        free_sink(s);
        return rc;
    }
    *out = &s->base;
    return 0;
}
