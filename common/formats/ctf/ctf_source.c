/* SPDX-License-Identifier: MIT
 * Yields the events of all streams of a trace, or of several traces, in chronological order, and what was
 * lost between them.
 */
#include "formats/ctf/ctf.h"
#include "formats/ctf/ctf_calls.h"
#include "formats/ctf/ctf_directory.h"
#include "formats/ctf/ctf_facts.h"
#include "formats/ctf/ctf_passing.h"
#include "formats/ctf/decode/ctf_event_bits.h"
#include "formats/ctf/decode/ctf_packets.h"
#include "formats/ctf/ctf_traces.h"

#include "base/error.h"
#include "formats/shared/log_names.h"
#include "trace/source_ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PASSED_NUMBERS (UINT64_C(1) << 63) /* numbers of events that are passed over begin here */

/* An event and what it points to. */
struct ctf_block {
    struct trace_call call;
    struct trace_record record;
    struct ctf_event_bits bits;
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
    struct ctf_facts facts;
    struct trace_property *properties;
    struct trace_progress_callback progress;
    struct ctf_passing passing;
    uint64_t number;        /* of the next event */
    uint64_t passed_number; /* of the next event that is passed over */
    bool wants_ends;        /* of calls that began in what was passed over */
    bool is_late;           /* packets were passed over, in which calls may have begun */
    enum trace_need need;
    bool resume;
    bool counts_events;            /* there are no times */
    struct trace_kept_error error; /* a permanent one */
};

static struct ctf_source *cast(struct trace_source *s)
{
    return (struct ctf_source *)s;
}

/* --- blocks ---------------------------------------------------------------------------------------- */

static struct ctf_block *find_block(struct ctf_source *s)
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

static struct ctf_block *take_block(struct ctf_source *s, struct ctf_packet *packet)
{
    struct ctf_block *block = find_block(s);
    if (block != NULL) {
        block->packet = packet;
        packet->users++;
    }
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
    int64_t contexts = value_at(block, s->event->contexts);
    int64_t cpu = block->packet->cpu >= 0 ? block->packet->cpu : value_at(block, s->event->cpu);
    const struct trace_origin origin = {.process = value_at(block, s->event->process),
                                        .thread = value_at(block, s->event->thread),
                                        .cpu = cpu >= 0 && cpu <= INT32_MAX ? (int32_t)cpu : -1,
                                        .stream = (int32_t)s->rank,
                                        .contexts = contexts > 0 ? (uint32_t)contexts : 0};
    if (last != NULL && last->thread == origin.thread && last->process == origin.process &&
        last->cpu == origin.cpu && last->contexts == origin.contexts)
        return 0;
    s->origin = log_names_find_origin(&source->names, &origin);
    return s->origin != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* --- events ---------------------------------------------------------------------------------------- */

static void make_instant(struct ctf_source *source, struct ctf_stream *s, struct ctf_block *block,
                         struct trace_event *out)
{
    const struct trace_value *payload = &block->record.scopes[TRACE_SCOPE_PAYLOAD];
    *out = (struct trace_event){.kind = TRACE_EVENT_INSTANT,
                                .number = source->number,
                                .time = s->kind->counts_events ? TRACE_NO_TIME : s->time,
                                .ticks = s->clock,
                                .origin = s->origin,
                                .call = &block->call,
                                .record = &block->record,
                                .owner = block};
    block->record.type = &s->event->record;
    block->record.file = s->name;
    block->record.packet = s->packet->number;
    block->record.bits = &block->bits;
    block->record.is_deferred = source->need == TRACE_NEEDS_PLACES;
    ctf_event_bits_of(s, &block->arena, &block->bits);
    block->call = (struct trace_call){.number = source->number++,
                                      .enter_time = TRACE_NO_TIME,
                                      .leave_time = TRACE_NO_TIME,
                                      .thread = s->origin->thread >= 0 ? (uint32_t)s->origin->thread : 0,
                                      .sig = &s->event->sig,
                                      .arg_count = s->event->sig.arg_count,
                                      .args = s->event->sig.arg_count > 0 ? payload->u.items : NULL,
                                      .ret = {.type = TRACE_NONE}};
}

static int set_stream_origin(struct ctf_source *source, struct ctf_stream *s)
{
    const struct trace_origin origin = {.process = -1, .thread = -1, .cpu = -1, .stream = (int32_t)s->rank};
    if (s->origin == NULL)
        s->origin = log_names_find_origin(&source->names, &origin);
    return s->origin != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* Passes over the values of an event. */
static int defer_event(struct ctf_source *source, struct ctf_stream *s, struct trace_event *out)
{
    struct ctf_block *block = take_block(source, s->packet);
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    struct trace_value *scopes = block->record.scopes;
    scopes[TRACE_SCOPE_PACKET] = s->packet->context;
    for (int i = TRACE_SCOPE_COMMON; i < TRACE_SCOPES; ++i)
        scopes[i].type = TRACE_NONE;
    int rc = ctf_stream_pass_event(s);
    if (rc == 0)
        rc = set_stream_origin(source, s);
    if (rc == 0)
        make_instant(source, s, block, out);
    else
        give_back(source, block);
    return rc;
}

static int read_event(struct ctf_source *source, struct ctf_stream *s, struct trace_event *out)
{
    struct ctf_block *block = take_block(source, s->packet);
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    int rc = ctf_stream_read_event(s, &block->arena, block->record.scopes);
    if (rc == 0)
        rc = set_origin(source, s, block);
    if (rc == 0)
        make_instant(source, s, block, out);
    if (rc == 0 && s->event->meaning != CTF_MEANS_NOTHING && source->need == TRACE_NEEDS_ALL)
        rc = ctf_calls_understand(&source->calls, s->event, &block->arena, out, &block->call);
    if (rc == 0 && s->event->fact != TRACE_EVENT_END)
        rc = ctf_facts_understand(&source->facts, &source->calls.named, s->event, &block->arena, out,
                                  &block->call);
    if (rc == 0 && out->call == NULL)
        source->number--; /* only what has a call counts */
    if (rc == 0 && (out->kind == TRACE_EVENT_EXIT || out->kind == TRACE_EVENT_TAIL_EXIT) &&
        out->number != source->number - 1)
        source->number--; /* the end of a call has its number */
    if (rc != 0)
        give_back(source, block);
    return rc;
}

static int tell_loss(struct ctf_source *source, const struct ctf_stream *s, struct trace_event *out)
{
    const struct trace_origin origin = {.process = -1, .thread = -1, .cpu = -1, .stream = (int32_t)s->rank};
    bool is_packets = s->item == CTF_ITEM_LOST_PACKETS;
    *out = (struct trace_event){.kind = TRACE_EVENT_LOSS, .time = s->time, .ticks = s->clock};
    out->u.loss.count = is_packets ? 0 : s->lost;
    out->u.loss.packets = is_packets ? s->lost : 0;
    out->u.loss.is_of_stream = true;
    out->u.loss.reason = is_packets ? "packets are missing" : "discarded by the tracer";
    out->origin = log_names_find_origin(&source->names, &origin);
    return out->origin != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* Reads an event that tells of calls, and forgets it. Its number is not that of a wanted one. */
static int understand_event(struct ctf_source *source, struct ctf_stream *s)
{
    struct trace_event event;
    uint64_t number = source->number;
    source->number = source->passed_number;
    int rc = read_event(source, s, &event);
    source->passed_number = source->number;
    source->number = number;
    if (rc == 0)
        give_back(source, event.owner);
    return rc;
}

static int pass(struct ctf_source *source, struct ctf_stream *s)
{
    bool done;
    int rc = ctf_passing_skip(&source->passing, &source->traces.merge, s, &done);
    source->is_late |= done;
    if (rc != 0 || done || s->item != CTF_ITEM_EVENT)
        return rc;
    return s->event->meaning != CTF_MEANS_NOTHING ? understand_event(source, s) : ctf_stream_pass_event(s);
}

/* Returns whether the event ends a call that began in what was passed over. next: the number of a new event.
 */
static bool ends_passed(const struct ctf_source *source, const struct ctf_stream *s,
                        const struct trace_event *event, uint64_t next)
{
    return s->event->meaning == CTF_MEANS_EXIT &&
           (event->number >= PASSED_NUMBERS || (source->is_late && event->number == next));
}

/* Reads an event, unless it ends a call that was passed over. */
static int read_wanted(struct ctf_source *source, struct ctf_stream *s, struct trace_event *out, bool *done)
{
    uint64_t next = source->number;
    if (source->need == TRACE_NEEDS_PLACES) {
        *done = true;
        return defer_event(source, s, out);
    }
    int rc = read_event(source, s, out);
    *done = rc != 0 || source->wants_ends || !ends_passed(source, s, out, next);
    if (!*done) {
        source->number = next;
        give_back(source, out->owner);
    }
    return rc;
}

/* *out is NULL at the end. */
static int next_wanted(struct ctf_source *source, struct ctf_stream **out)
{
    int rc;
    while ((rc = ctf_merge_next(&source->traces.merge, out)) == 0 && *out != NULL &&
           ctf_passing_takes(&source->passing, *out) && (rc = pass(source, *out)) == 0)
        ;
    return rc;
}

static int next_item(struct ctf_source *source, struct trace_event *out, bool *done)
{
    struct ctf_stream *s;
    int rc = next_wanted(source, &s);
    *done = true;
    if (rc != 0)
        return rc;
    if (s == NULL) {
        *out = (struct trace_event){.kind = TRACE_EVENT_END, .time = TRACE_NO_TIME};
        return 0;
    }
    switch (s->item) {
    case CTF_ITEM_EVENT:
        return read_wanted(source, s, out, done);
    case CTF_ITEM_DAMAGE:
        return trace_error_restore(&s->damage);
    default:
        return tell_loss(source, s, out);
    }
}

/* Without being asked to go on, reading ends at the first damage. */
static int source_next(struct trace_source *base, struct trace_event *out)
{
    struct ctf_source *s = cast(base);
    if (s->error.code != 0)
        return trace_error_restore(&s->error);
    bool done = false;
    int rc = 0;
    while (!done)
        rc = next_item(s, out, &done);
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
    ctf_facts_fini(&s->facts);
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

static bool source_choose_begin(struct trace_source *base, trace_begin_chooser chooser, void *context,
                                bool wants_ends)
{
    cast(base)->passing.chooser = chooser;
    cast(base)->passing.context = context;
    cast(base)->wants_ends = wants_ends;
    return true;
}

static bool source_set_need(struct trace_source *base, enum trace_need need)
{
    cast(base)->need = need;
    return true;
}

static const struct trace_clock *source_clock(struct trace_source *base)
{
    struct ctf_source *s = cast(base);
    return s->traces.has_clock && !s->counts_events ? &s->traces.clock : NULL;
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume,
    .set_progress = source_set_progress,
    .choose_begin = source_choose_begin,
    .set_need = source_set_need,
    .clock = source_clock,
};

/* --- properties ------------------------------------------------------------------------------------ */

/* What trace-cli writes so that viewers show calls. */
static bool is_own(const struct ctf_trace *t, const char *name)
{
    static const char *const names[] = {"domain", "tracer_name", "tracer_major", "tracer_minor", CTF_WRITER};
    const struct ctf_variable *writer = ctf_trace_find_variable(t, CTF_WRITER);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0)
            return writer != NULL && writer->text != NULL && strcmp(writer->text, CTF_WRITER_NAME) == 0;
    return false;
}

/* The environment of the first trace, with the names that formats share. */
static int add_properties(struct ctf_source *s)
{
    static const char *const shared[][2] = {{"procname", "process.name"},
                                            {"vpid", "process.id"},
                                            {"process_start", "process.start"},
                                            {"pointer_size", "pointer.size"},
                                            {"backtrace_depth", "backtrace.depth"}};
    const struct ctf_opened_trace *first = &s->traces.items[0];
    size_t count = 0;
    s->properties = calloc(first->trace.variable_count + 1, sizeof *s->properties);
    if (s->properties == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < first->trace.variable_count; ++i) {
        if (is_own(&first->trace, first->layout.environment[i].name))
            continue;
        s->properties[count] = first->layout.environment[i];
        for (size_t n = 0; n < sizeof shared / sizeof shared[0]; ++n)
            if (strcmp(s->properties[count].name, shared[n][0]) == 0)
                s->properties[count].name = shared[n][1];
        ++count;
    }
    s->base.properties = s->properties;
    s->base.property_count = count;
    return 0;
}

static void classify_event(struct ctf_source *s, struct ctf_event_layout *e)
{
    ctf_calls_classify(e);
    ctf_facts_classify(e);
    s->passing.needs_modules |= e->meaning == CTF_MEANS_ENTER || e->meaning == CTF_MEANS_EXIT;
    if (e->fact == TRACE_EVENT_ALLOC || e->fact == TRACE_EVENT_FREE)
        s->number = 1; /* logs of resources count from 1 */
}

static void classify_events(struct ctf_source *s)
{
    uint32_t number = 0;
    for (size_t i = 0; i < s->traces.count; ++i) {
        const struct ctf_layout *layout = &s->traces.items[i].layout;
        for (size_t n = 0; n < layout->trace->stream_count; ++n) {
            struct ctf_stream_layout *stream = &layout->streams[n];
            stream->counts_events = ctf_facts_count_events(layout->trace, stream);
            s->counts_events |= stream->counts_events;
            for (size_t e = 0; e < stream->class->event_count; ++e) {
                stream->events[e].number = number++;
                classify_event(s, &stream->events[e]);
            }
        }
    }
}

int ctf_open(struct trace_source **out, struct trace_probe *probe)
{
    static const char *const names[] = {[CTF_RFC] = CTF_RFC_NAME, [CTF_1] = CTF_NAME, [CTF_2] = CTF2_NAME};
    struct ctf_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    s->base = (struct trace_source){.ops = &ops, .format_name = CTF_NAME, .order = TRACE_ORDER_TIME};
    s->passed_number = PASSED_NUMBERS;
    log_names_init(&s->names);
    ctf_calls_init(&s->calls);
    int rc = ctf_traces_open(&s->traces, probe->name);
    if (rc == 0) {
        s->base.copy_format = names[s->traces.items[0].trace.dialect];
        classify_events(s);
    }
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
