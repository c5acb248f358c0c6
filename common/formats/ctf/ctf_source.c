/* SPDX-License-Identifier: MIT
 * Yields the events of all streams of a trace, or of several traces, in chronological order, and what was
 * lost between them.
 */
#include "formats/ctf/ctf.h"
#include "formats/ctf/ctf_calls.h"
#include "formats/ctf/ctf_directory.h"
#include "formats/ctf/ctf_packets.h"
#include "formats/ctf/ctf_traces.h"

#include "base/error.h"
#include "formats/shared/log_names.h"
#include "trace/source_ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* An event and what it points to. */
struct ctf_block {
    struct trace_call call;
    struct trace_record record;
    struct arena arena;
    struct ctf_packet *packet;
    struct ctf_block *next; /* links free blocks */
};

struct ctf_source {
    struct trace_source base;
    struct ctf_traces traces;
    struct ctf_block *free;
    struct log_names names; /* origins */
    struct ctf_calls calls;
    struct trace_property *properties;
    struct trace_progress_callback progress;
    uint64_t number; /* of the next event */
    bool resume;
    struct trace_kept_error error; /* a permanent one */
};

static struct ctf_source *cast(struct trace_source *s)
{
    return (struct ctf_source *)s;
}

/* --- blocks ---------------------------------------------------------------------------------------- */

static struct ctf_block *take_block(struct ctf_source *s)
{
    struct ctf_block *block = s->free;
    if (block != NULL) {
        s->free = block->next;
        arena_reset(&block->arena);
        return block;
    }
    block = calloc(1, sizeof *block);
    if (block != NULL)
        arena_init(&block->arena);
    else
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return block;
}

static void give_back(struct ctf_source *s, struct ctf_block *block)
{
    ctf_packet_give_back(block->packet);
    block->packet = NULL;
    block->next = s->free;
    s->free = block;
}

static void source_release(struct trace_source *base, const struct trace_event *event)
{
    if (event->owner != NULL)
        give_back(cast(base), event->owner);
}

/* --- origins --------------------------------------------------------------------------------------- */

static int64_t value_at(const struct ctf_block *block, struct ctf_place place)
{
    const struct trace_value *scope = &block->record.scopes[place.scope];
    return place.index < scope->count ? trace_value_to_sint(&scope->u.items[place.index], -1) : -1;
}

static int set_origin(struct ctf_source *source, struct ctf_stream *s, const struct ctf_block *block)
{
    const struct trace_origin *last = s->origin;
    const struct trace_origin origin = {.process = value_at(block, s->event->process),
                                        .thread = value_at(block, s->event->thread),
                                        .cpu = block->packet->cpu,
                                        .stream = (int32_t)s->rank};
    if (last != NULL && last->thread == origin.thread && last->process == origin.process &&
        last->cpu == origin.cpu)
        return 0;
    s->origin = log_names_find_origin(&source->names, &origin);
    return s->origin != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* --- events ---------------------------------------------------------------------------------------- */

static void make_instant(struct ctf_source *source, const struct ctf_stream *s, struct ctf_block *block,
                         struct trace_event *out)
{
    const struct trace_value *payload = &block->record.scopes[TRACE_SCOPE_PAYLOAD];
    *out = (struct trace_event){.kind = TRACE_EVENT_INSTANT,
                                .number = source->number,
                                .time = s->time,
                                .ticks = s->clock,
                                .origin = s->origin,
                                .call = &block->call,
                                .record = &block->record,
                                .owner = block};
    block->record.type = &s->event->record;
    block->call = (struct trace_call){.number = source->number++,
                                      .enter_time = TRACE_NO_TIME,
                                      .leave_time = TRACE_NO_TIME,
                                      .thread = s->origin->thread >= 0 ? (uint32_t)s->origin->thread : 0,
                                      .sig = &s->event->sig,
                                      .arg_count = s->event->sig.arg_count,
                                      .args = s->event->sig.arg_count > 0 ? payload->u.items : NULL,
                                      .ret = {.type = TRACE_NONE}};
}

static int read_event(struct ctf_source *source, struct ctf_stream *s, struct trace_event *out)
{
    struct ctf_block *block = take_block(source);
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    block->packet = s->packet;
    block->packet->users++;
    int rc = ctf_stream_read_event(s, &block->arena, block->record.scopes);
    if (rc == 0)
        rc = set_origin(source, s, block);
    if (rc == 0)
        make_instant(source, s, block, out);
    if (rc == 0 && s->event->meaning != CTF_MEANS_NOTHING)
        rc = ctf_calls_understand(&source->calls, s->event, out, &block->call);
    if (rc != 0)
        give_back(source, block);
    return rc;
}

static void tell_loss(const struct ctf_stream *s, struct trace_event *out)
{
    bool is_packets = s->item == CTF_ITEM_LOST_PACKETS;
    *out = (struct trace_event){.kind = TRACE_EVENT_LOSS, .time = s->time, .ticks = s->clock};
    out->u.loss.count = is_packets ? 0 : s->lost;
    out->u.loss.reason = is_packets ? "packets are missing" : "discarded by the tracer";
}

static int next_item(struct ctf_source *source, struct trace_event *out)
{
    struct ctf_stream *s;
    int rc = ctf_merge_next(&source->traces.merge, &s);
    if (rc != 0)
        return rc;
    if (s == NULL) {
        *out = (struct trace_event){.kind = TRACE_EVENT_END, .time = TRACE_NO_TIME};
        return 0;
    }
    switch (s->item) {
    case CTF_ITEM_EVENT:
        return read_event(source, s, out);
    case CTF_ITEM_DAMAGE:
        return trace_error_restore(&s->damage);
    default:
        tell_loss(s, out);
        return 0;
    }
}

/* Without being asked to go on, reading ends at the first damage. */
static int source_next(struct trace_source *base, struct trace_event *out)
{
    struct ctf_source *s = cast(base);
    if (s->error.code != 0)
        return trace_error_restore(&s->error);
    int rc = next_item(s, out);
    if (rc == 0)
        return 0;
    if (rc == TRACE_ERR_DAMAGED && !s->resume)
        rc = TRACE_ERR_FORMAT;
    if (rc != TRACE_ERR_DAMAGED && rc != TRACE_ERR_TRUNCATED)
        trace_error_keep(&s->error, rc);
    return rc;
}

/* --- operations ------------------------------------------------------------------------------------ */

static void source_close(struct trace_source *base)
{
    struct ctf_source *s = cast(base);
    while (s->free != NULL) {
        struct ctf_block *block = s->free;
        s->free = block->next;
        arena_fini(&block->arena);
        free(block);
    }
    ctf_calls_fini(&s->calls);
    ctf_traces_close(&s->traces);
    log_names_fini(&s->names);
    free(s->properties);
    free(s);
}

static void source_resume(struct trace_source *base)
{
    cast(base)->resume = true;
}

static void source_set_progress(struct trace_source *base, struct trace_progress_callback w)
{
    cast(base)->progress = w;
}

static const struct trace_clock *source_clock(struct trace_source *base)
{
    struct ctf_source *s = cast(base);
    return s->traces.has_clock ? &s->traces.clock : NULL;
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume,
    .set_progress = source_set_progress,
    .clock = source_clock,
};

/* --- properties ------------------------------------------------------------------------------------ */

/* The environment of the first trace, with the names that formats share. */
static int add_properties(struct ctf_source *s)
{
    static const char *const shared[][2] = {{"procname", "process.name"}, {"vpid", "process.id"}};
    const struct ctf_opened_trace *first = &s->traces.items[0];
    size_t count = first->trace.variable_count;
    s->properties = calloc(count + 1, sizeof *s->properties);
    if (s->properties == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; ++i) {
        s->properties[i] = first->layout.environment[i];
        for (size_t n = 0; n < sizeof shared / sizeof shared[0]; ++n)
            if (strcmp(s->properties[i].name, shared[n][0]) == 0)
                s->properties[i].name = shared[n][1];
    }
    s->base.properties = s->properties;
    s->base.property_count = count;
    return 0;
}

static void classify_events(struct ctf_source *s)
{
    for (size_t i = 0; i < s->traces.count; ++i) {
        const struct ctf_layout *layout = &s->traces.items[i].layout;
        for (size_t n = 0; n < layout->trace->stream_count; ++n)
            for (size_t e = 0; e < layout->streams[n].class->event_count; ++e)
                ctf_calls_classify(&layout->streams[n].events[e]);
    }
}

int ctf_open(struct trace_source **out, struct trace_probe *probe)
{
    struct ctf_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    s->base = (struct trace_source){.ops = &ops, .format_name = CTF_NAME, .order = TRACE_ORDER_TIME};
    log_names_init(&s->names);
    ctf_calls_init(&s->calls);
    int rc = ctf_traces_open(&s->traces, probe->name);
    if (rc == 0)
        classify_events(s);
    if (rc == 0)
        rc = add_properties(s);
    if (rc != 0) {
        source_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}

int ctf_bid(const struct trace_probe *probe)
{
    struct ctf_paths traces = {.items = NULL};
    int bid = TRACE_BID_NONE;
    if (probe->is_directory && ctf_directory_find_traces(probe->name, &traces) == 0 && traces.count > 0)
        bid = TRACE_BID_CERTAIN;
    ctf_paths_fini(&traces);
    return bid;
}
