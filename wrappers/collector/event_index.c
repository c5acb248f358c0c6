/* SPDX-License-Identifier: MIT */
#include "collector/event_index.h"

#include "base/error.h"
#include "formats/apitrace/call_flags.h"
#include "formats/apitrace/index/index_modules.h"

#include <stdio.h>
#include <string.h>

#define MODULES_MAX 4096

/* The encoder does not know the flags, which are only needed by readers of traces. */
static void set_flags(struct event_index *x, const struct trace_raw_event *event)
{
    for (size_t i = 0; i < event->definition_count; ++i)
        if (event->definitions[i].kind == TRACE_SIG_FUNCTION)
            x->encoder->functions[event->sig->id].flags = trace_call_flags(event->sig->name);
}

/* A trace without an index is better than no trace, so a failure only ends the index. rc: result of an
 * operation on the builder. */
static void note_result(struct event_index *x, int rc)
{
    if (rc == 0) {
        x->encoder->plain_limit = trace_index_builder_segment_end(x->builder);
        return;
    }
    snprintf(x->message, sizeof x->message, "%s", trace_error_message());
    trace_index_builder_free(x->builder);
    x->builder = NULL;
    x->encoder->plain_limit = UINT64_MAX;
}

static void add_event(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    struct event_index *x = context;
    if (x->builder == NULL)
        return;
    if (event->definition_count > 0)
        set_flags(x, event);
    if (x->clock.clock != CAPTURE_CLOCK_NONE && !event->is_part)
        event->time = tick_clock_convert(&x->clock, ticks);
    note_result(x, trace_index_builder_add(x->builder, event));
}

static void add_plain(void *context, struct trace_plain_event *events, size_t count, uint64_t end)
{
    struct event_index *x = context;
    if (x->builder == NULL)
        return;
    bool has_times = x->clock.clock != CAPTURE_CLOCK_NONE;
    for (size_t i = 0; i < count; ++i)
        events[i].time = has_times ? tick_clock_convert(&x->clock, (uint64_t)events[i].time) : TRACE_NO_TIME;
    note_result(x, trace_index_builder_add_plain(x->builder, events, count, end));
}

int event_index_init(struct event_index *x, struct record_encoder *encoder, enum capture_clock clock,
                     const struct tick_pair *early)
{
    *x = (struct event_index){.encoder = encoder};
    int rc = trace_index_builder_new(&x->builder);
    if (rc != 0)
        return rc;
    tick_clock_init(&x->clock, clock, early);
    if (clock != CAPTURE_CLOCK_NONE)
        trace_index_builder_set_wall_clock(x->builder, x->clock.wall_start);
    record_encoder_set_hooks(encoder, add_event, add_plain, x);
    encoder->plain_limit = 0; /* the first event begins a segment of the index */
    return 0;
}

static bool is_same(const struct stack_module *a, const struct stack_module *b)
{
    return a->build_id_size == b->build_id_size && a->start - a->base == b->start - b->base &&
           memcmp(a->build_id, b->build_id, a->build_id_size) == 0 && strcmp(a->path, b->path) == 0;
}

/* A library may have been loaded several times. */
static bool was_before(const struct stack_frames *frames, size_t index)
{
    for (size_t i = 0; i < index; ++i)
        if (is_same(frames->modules[i], frames->modules[index]))
            return true;
    return false;
}

void event_index_add_modules(struct event_index *x)
{
    const struct stack_frames *frames = &x->encoder->frames;
    for (size_t i = 0; i < frames->module_count && i < MODULES_MAX && x->builder != NULL; ++i) {
        const struct stack_module *m = frames->modules[i];
        if (!was_before(frames, i))
            note_result(x, trace_index_builder_add_module(
                               x->builder, &(struct trace_module){.path = m->path,
                                                                  .address = m->start - m->base,
                                                                  .build_id = m->build_id,
                                                                  .build_id_size = m->build_id_size}));
    }
}

void event_index_fini(struct event_index *x)
{
    trace_index_builder_free(x->builder);
    x->builder = NULL;
}
