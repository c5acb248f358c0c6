/* SPDX-License-Identifier: MIT */
#include "input/source_calls.h"

#include "base/error.h"
#include "trace/adaptors/adaptors.h"

#include <stdlib.h>
#include <string.h>

/* A call that was handed out, and the event that it was. */
struct source_call {
    struct trace_call call; /* first */
    struct trace_event event;
    struct arena arena;
    struct source_call *next;
};

int source_calls_open(struct source_calls *s, struct trace_probe *probe,
                      const struct call_selection *selection)
{
    memset(s, 0, sizeof *s);
    resource_calls_init(&s->resources);
    int rc = source_input_open(&s->in, probe, selection);
    if (rc == 0 && trace_source_order(s->in.source) == TRACE_ORDER_TIME) {
        rc = trace_pair_open(&s->in.source, s->in.source);
        s->in.source = rc == 0 ? s->in.source : NULL;
    }
    if (rc != 0)
        resource_calls_fini(&s->resources);
    return rc;
}

void source_calls_close(struct source_calls *s)
{
    while (s->unused != NULL) {
        struct source_call *call = s->unused;
        s->unused = call->next;
        arena_fini(&call->arena);
        free(call);
    }
    resource_calls_fini(&s->resources);
    source_input_close(&s->in);
}

static struct source_call *take(struct source_calls *s)
{
    struct source_call *call = s->unused;
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

static void give_back(struct source_calls *s, struct source_call *call)
{
    trace_source_release(s->in.source, &call->event);
    arena_reset(&call->arena);
    call->next = s->unused;
    s->unused = call;
}

void source_calls_release(struct source_calls *s, const struct trace_call *call)
{
    if (call != NULL)
        give_back(s, (struct source_call *)(uintptr_t)call);
}

static int make_call(struct source_calls *s, struct source_call *call)
{
    const struct trace_event *event = &call->event;
    if (event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE)
        return resource_calls_make(&s->resources, event, &call->arena, &call->call);
    call->call = *event->call;
    call->call.number = event->number;
    return 0;
}

static int hand_out(struct source_calls *s, struct source_call *call, const struct trace_call **out)
{
    int rc = make_call(s, call);
    if (rc != 0) {
        give_back(s, call);
        return rc;
    }
    s->frame = s->next_frame;
    s->next_frame += (call->call.flags & TRACE_CALL_END_FRAME) != 0;
    *out = &call->call;
    return 0;
}

int source_calls_next(struct source_calls *s, const struct trace_call **out)
{
    struct trace_event event;
    *out = NULL;
    for (;;) {
        int rc = source_input_next(&s->in, &event);
        if (rc != 0 || event.kind == TRACE_EVENT_END)
            return rc;
        struct source_call *call = event.call != NULL ? take(s) : NULL;
        if (call != NULL) {
            call->event = event;
            return hand_out(s, call, out);
        }
        bool is_call = event.call != NULL;
        trace_source_release(s->in.source, &event);
        if (is_call)
            return TRACE_ERR_MEMORY;
    }
}
