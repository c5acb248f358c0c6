/* SPDX-License-Identifier: MIT */
#include "trace/adaptors/adaptors.h"

#include "base/error.h"
#include "trace/adaptors/wrapped.h"
#include "trace/resource_call.h"

#include <stdlib.h>

/* A call that was handed out, and its event. */
struct whole_call {
    struct trace_call call; /* must be first: the struct is found by it */
    struct trace_event event;
    struct arena arena;
    struct whole_call *next; /* links free entries */
};

struct whole_calls {
    struct wrapped base;
    struct resource_calls resources;
    struct whole_call *unused;
};

static struct whole_calls *cast(struct trace_source *s)
{
    return (struct whole_calls *)s;
}

static struct whole_call *take(struct whole_calls *s)
{
    struct whole_call *call = s->unused;
    if (call != NULL) {
        s->unused = call->next;
        return call;
    }
    call = calloc(1, sizeof *call);
    if (call == NULL)
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    else
        arena_init(&call->arena);
    return call;
}

static void give_back(struct whole_calls *s, struct whole_call *call)
{
    trace_source_release(s->base.of, &call->event);
    arena_reset(&call->arena);
    call->next = s->unused;
    s->unused = call;
}

static int make_call(struct whole_calls *s, struct whole_call *call)
{
    const struct trace_event *event = &call->event;
    if (event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE)
        return resource_calls_make(&s->resources, event, &call->arena, &call->call);
    call->call = *event->call;
    call->call.number = event->number;
    return 0;
}

/* Converts *event, which has a call, to one. */
static int become_call(struct whole_calls *s, struct trace_event *event)
{
    struct whole_call *call = take(s);
    if (call == NULL) {
        trace_source_release(s->base.of, event);
        return TRACE_ERR_MEMORY;
    }
    call->event = *event;
    int rc = make_call(s, call);
    if (rc != 0) {
        give_back(s, call);
        return rc;
    }
    event->kind = TRACE_EVENT_CALL;
    event->call = &call->call;
    return 0;
}

static int calls_next(struct trace_source *source, struct trace_event *out)
{
    struct whole_calls *s = cast(source);
    for (;;) {
        int rc = trace_source_next(s->base.of, out);
        if (rc != 0 || out->kind == TRACE_EVENT_END)
            return rc;
        if (out->call != NULL)
            return become_call(s, out);
        trace_source_release(s->base.of, out);
    }
}

static void calls_release(struct trace_source *source, const struct trace_event *event)
{
    give_back(cast(source), (struct whole_call *)(uintptr_t)event->call);
}

static void calls_close(struct trace_source *source)
{
    struct whole_calls *s = cast(source);
    while (s->unused != NULL) {
        struct whole_call *call = s->unused;
        s->unused = call->next;
        arena_fini(&call->arena);
        free(call);
    }
    trace_source_close(s->base.of);
    resource_calls_fini(&s->resources);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = calls_next,
    .release = calls_release,
    .close = calls_close,
    .resume_after_damage = wrapped_resume_after_damage,
    .set_progress = wrapped_set_progress,
    .seek = wrapped_seek,
    .clock = wrapped_clock,
};

int trace_calls_open(struct trace_source **out, struct trace_source *of)
{
    if (trace_source_order(of) == TRACE_ORDER_TIME) {
        int rc = trace_pair_open(&of, of);
        if (rc != 0)
            return rc;
    }
    struct whole_calls *s = calloc(1, sizeof *s);
    if (s == NULL) {
        trace_source_close(of);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    wrapped_init(&s->base, &ops, of);
    resource_calls_init(&s->resources);
    *out = &s->base.base;
    return 0;
}
