/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/events/apitrace.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "formats/apitrace/read/reader_probed.h"
#include "trace/source_ops.h"

#include <stdlib.h>

struct apitrace_source {
    struct trace_source base;
    struct trace_reader *reader;
    struct trace_clock clock;
    bool asked_for_times;
    bool has_times;
    struct int_map origins; /* maps threads to the addresses of their origins */
    struct arena arena;     /* memory of the origins */
};

static struct apitrace_source *cast(struct trace_source *s)
{
    return (struct apitrace_source *)s;
}

/* Returns the origin of a thread's calls. Returns NULL if there is no memory; only the origin is then
 * missing. */
static const struct trace_origin *find_origin(struct apitrace_source *s, uint32_t thread)
{
    uint64_t address;
    if (int_map_get(&s->origins, thread, &address))
        return (const struct trace_origin *)(uintptr_t)address;
    struct trace_origin *origin = arena_alloc(&s->arena, sizeof *origin);
    if (origin == NULL)
        return NULL;
    *origin = (struct trace_origin){.process = -1, .thread = thread, .cpu = -1, .stream = -1};
    return int_map_set(&s->origins, thread, (uint64_t)(uintptr_t)origin) == 0 ? origin : NULL;
}

static int ask_for_times(struct apitrace_source *s)
{
    if (s->asked_for_times)
        return 0;
    s->asked_for_times = true;
    s->clock.wall_offset = trace_reader_wall_clock(s->reader);
    return trace_reader_want_times(s->reader, &s->has_times);
}

/* Reads a whole call, or an end of one. *out is NULL at the end. */
static int next_call(struct apitrace_source *s, const struct trace_call **out, enum trace_event_kind *kind)
{
    bool entered;
    if (s->base.order == TRACE_ORDER_CALLS) {
        *kind = TRACE_EVENT_CALL;
        return trace_reader_next_call(s->reader, out);
    }
    int rc = trace_reader_next_end(s->reader, out, &entered);
    *kind = entered ? TRACE_EVENT_ENTER : TRACE_EVENT_EXIT;
    return rc;
}

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct apitrace_source *s = cast(source);
    const struct trace_call *call;
    enum trace_event_kind kind;
    int rc = ask_for_times(s);
    if (rc == 0)
        rc = next_call(s, &call, &kind);
    if (rc != 0)
        return rc;
    if (call == NULL) {
        *out = (struct trace_event){.kind = TRACE_EVENT_END};
        return 0;
    }
    int64_t time = kind == TRACE_EVENT_EXIT ? call->leave_time : call->enter_time;
    *out = (struct trace_event){.kind = kind,
                                .number = call->number,
                                .time = s->has_times ? time : TRACE_NO_TIME,
                                .origin = find_origin(s, call->thread),
                                .call = call};
    return 0;
}

static void source_release(struct trace_source *source, const struct trace_event *event)
{
    if (event->kind != TRACE_EVENT_ENTER) /* the reader still needs it when it returns */
        trace_call_release(cast(source)->reader, event->call);
}

static void source_resume_after_damage(struct trace_source *source)
{
    trace_reader_resume_after_damage(cast(source)->reader);
}

static void source_set_progress(struct trace_source *source, struct trace_progress_callback w)
{
    trace_reader_set_progress(cast(source)->reader, w);
}

static int source_seek(struct trace_source *source, uint64_t number)
{
    return trace_reader_seek_call(cast(source)->reader, number);
}

static int source_split(struct trace_source *source)
{
    source->order = TRACE_ORDER_TIME;
    return 0;
}

static const struct trace_clock *source_clock(struct trace_source *source)
{
    struct apitrace_source *s = cast(source);
    return ask_for_times(s) == 0 && s->has_times ? &s->clock : NULL;
}

static struct trace_reader *source_reader(struct trace_source *source)
{
    return cast(source)->reader;
}

static void source_close(struct trace_source *source)
{
    struct apitrace_source *s = cast(source);
    trace_reader_close(s->reader);
    int_map_fini(&s->origins);
    arena_fini(&s->arena);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume_after_damage,
    .set_progress = source_set_progress,
    .seek = source_seek,
    .split = source_split,
    .clock = source_clock,
    .reader = source_reader,
};

int apitrace_source_open(struct trace_source **out, struct trace_probe *probe)
{
    struct apitrace_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    arena_init(&s->arena);
    int rc = trace_reader_open_probed(&s->reader, probe);
    if (rc != 0) {
        source_close(&s->base);
        return rc;
    }
    s->clock = (struct trace_clock){.name = "monotonic", .resolution = 10, .wall_offset = TRACE_NO_TIME};
    s->base.ops = &ops;
    s->base.format_name = "apitrace";
    s->base.order = TRACE_ORDER_CALLS;
    s->base.property_count = trace_reader_properties(s->reader, &s->base.properties);
    *out = &s->base;
    return 0;
}
