/* SPDX-License-Identifier: MIT
 * Yields the events of a log: ends of calls, custom and typed events, and the clock at the beginning of each
 * buffer, in chronological order. What was lost comes where it was; what belongs to no buffer, at the end.
 */
#include "formats/xray/xray.h"
#include "formats/xray/xray_calls.h"
#include "formats/xray/xray_functions.h"
#include "formats/xray/xray_merge.h"
#include "formats/xray/xray_scan.h"

#include "base/error.h"
#include "formats/shared/event_pool.h"
#include "formats/shared/file_window.h"
#include "formats/shared/log_names.h"
#include "formats/shared/source_errors.h"
#include "trace/source_ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PROPERTY_MAX 9
#define YEAR_2001                                                                                            \
    INT64_C(978307200000000000) /* in nanoseconds; clocks that start with the computer show less */

struct xray_source {
    struct trace_source base;
    char *name; /* name of the file, for messages */
    struct xray_log log;
    struct xray_merge merge;
    struct xray_calls *calls; /* one for each thread */
    struct xray_calls spare_calls;
    struct xray_functions functions;
    struct log_names names; /* origins */
    struct event_pool pool;
    struct trace_clock clock;
    struct trace_property properties[PROPERTY_MAX];
    char numbers[4][32]; /* values of properties */
    struct trace_progress_callback progress;
    uint64_t begun; /* segments */

    uint64_t number;  /* of the next event */
    const char *lost; /* why events were lost, of which an event is still to tell; NULL: none */
    uint64_t lost_count;
    int64_t lost_time;
    bool merged; /* all segments have been read */
    size_t gap;  /* the next gap that is told */
    bool told_cut;
    struct source_errors errors;
};

static struct xray_source *cast(struct trace_source *s)
{
    return (struct xray_source *)s;
}

/* --- losses ---------------------------------------------------------------------------------------- */

/* Passes on an error after which reading continues, or should continue. */
static int pass_error(struct xray_source *s, int rc)
{
    return source_errors_pass(&s->errors, s->name, rc);
}

static void lose(struct xray_source *s, uint64_t count, int64_t time, const char *why)
{
    s->lost = why;
    s->lost_count = count;
    s->lost_time = time;
}

static void tell_loss(struct xray_source *s, struct trace_event *out)
{
    *out = (struct trace_event){.kind = TRACE_EVENT_LOSS, .time = s->lost_time};
    out->u.loss = (struct trace_loss){.count = s->lost_count, .reason = s->lost};
    s->lost = NULL;
}

/* The rest of a segment cannot be read. */
static int lose_rest(struct xray_source *s, const struct xray_active *a, struct trace_event *out)
{
    uint64_t place = xray_cursor_place(&a->cursor);
    int64_t time = xray_header_time(a->cursor.header, a->cursor.ticks);
    if (a->item.kind == XRAY_ITEM_CUT) {
        s->log.is_cut |= a->segment->is_cut;
        lose(s, 0, time, "the end of a buffer");
        tell_loss(s, out);
        return 0;
    }
    lose(s, 0, time, "the rest of a buffer");
    trace_error_set(TRACE_ERR_DAMAGED,
                    "no record that is allowed there begins at offset %" PRIu64
                    ": the rest of the buffer is lost, up to offset %" PRIu64,
                    place, a->segment->end);
    return pass_error(s, TRACE_ERR_DAMAGED);
}

static int tell_gap(struct xray_source *s)
{
    const struct xray_gap *gap = &s->log.gaps[s->gap++];
    lose(s, 0, TRACE_NO_TIME, "bytes between buffers");
    trace_error_set(TRACE_ERR_DAMAGED, "%" PRIu64 " bytes at offset %" PRIu64 " belong to no buffer",
                    gap->end - gap->offset, gap->offset);
    return pass_error(s, TRACE_ERR_DAMAGED);
}

/* --- events ---------------------------------------------------------------------------------------- */

static int set_origin(struct xray_source *s, struct xray_active *a)
{
    const struct xray_thread *thread = &s->log.threads[a->thread];
    const struct trace_origin origin = {
        .process = thread->process, .thread = thread->thread, .cpu = a->item.cpu, .stream = -1};
    a->origin = log_names_find_origin(&s->names, &origin);
    a->origin_cpu = a->item.cpu;
    return a->origin != NULL ? 0 : TRACE_ERR_MEMORY;
}

static int make_args(struct event_block *block, const struct xray_item *item, uint32_t count)
{
    int rc = event_block_reserve_args(block, count);
    for (uint32_t i = 0; rc == 0 && i < count; ++i)
        block->args[i] = i < item->arg_count
                             ? (struct trace_value){.type = TRACE_UINT, .u.uint = item->args[i]}
                             : (struct trace_value){.type = TRACE_NONE};
    return rc;
}

/* An enter with arguments has at least one, which is unknown if it was not recorded. */
static int make_enter(struct xray_source *s, struct xray_active *a, struct event_block *block,
                      struct trace_event *out)
{
    const struct xray_item *item = &a->item;
    uint32_t count = item->arg_count > 0 ? item->arg_count : item->action == XRAY_ENTER_ARGS;
    const struct trace_function_sig *sig = xray_functions_find(&s->functions, item->function, count);
    if (sig == NULL)
        return s->functions.rc;
    if (item->lost_args > 0)
        lose(s, item->lost_args, out->time, "arguments of a call");
    out->kind = TRACE_EVENT_ENTER;
    out->number = s->number++;
    block->call.sig = sig;
    int rc = xray_calls_enter(&s->calls[a->thread], &s->spare_calls, sig, out->number);
    if (rc != 0 || count == 0)
        return rc;
    rc = make_args(block, item, count);
    return rc == 0 ? event_block_set_function(block, sig, count) : rc;
}

static int make_exit(struct xray_source *s, struct xray_active *a, struct event_block *block,
                     struct trace_event *out)
{
    const struct xray_item *item = &a->item;
    struct xray_open_call call;
    out->kind = item->action == XRAY_EXIT ? TRACE_EVENT_EXIT : TRACE_EVENT_TAIL_EXIT;
    if (!xray_calls_exit(&s->calls[a->thread], item->function, &call)) {
        call = (struct xray_open_call){xray_functions_find(&s->functions, item->function, 0), s->number++};
        if (call.sig == NULL)
            return s->functions.rc;
    }
    if (s->calls[a->thread].depth == 0)
        xray_calls_give_back(&s->calls[a->thread], &s->spare_calls);
    out->number = call.number;
    block->call.sig = call.sig;
    return call.sig->arg_count == 0 ? 0 : event_block_set_function(block, call.sig, 0);
}

/* Data that are a text are shown as one. */
static bool is_text(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        if (data[i] < ' ' || data[i] > '~')
            return false;
    return true;
}

static int make_instant(struct xray_source *s, const struct xray_item *item, struct event_block *block,
                        struct trace_event *out)
{
    bool is_typed = item->kind == XRAY_ITEM_TYPED;
    int rc = event_block_reserve_text(block, item->size + 1);
    if (rc == 0)
        rc = event_block_reserve_args(block, 2);
    if (rc != 0)
        return rc;
    struct trace_value *data = &block->args[is_typed];
    const char *copy = event_block_add_text(block, (const char *)item->data, item->size);
    *data = (struct trace_value){.type = TRACE_BLOB, .count = item->size};
    data->u.blob = (const uint8_t *)copy;
    if (is_text(item->data, item->size)) {
        data->type = TRACE_STRING;
        data->u.string = copy;
    }
    if (item->data_lost)
        *data = (struct trace_value){.type = TRACE_NONE};
    if (is_typed)
        block->args[0] = (struct trace_value){.type = TRACE_UINT, .u.uint = item->type};
    out->kind = TRACE_EVENT_INSTANT;
    out->number = s->number++;
    return event_block_set_function(block, is_typed ? &xray_typed_sig : &xray_custom_sig, 1 + is_typed);
}

static void make_clock(struct xray_source *s, const struct xray_item *item, struct trace_event *out)
{
    out->kind = TRACE_EVENT_CLOCK;
    out->call = NULL;
    out->u.clock_reading = (struct trace_clock_reading){
        .name = item->wall_time >= YEAR_2001 ? "wall" : "monotonic", .time = item->wall_time};
    if (s->progress.report != NULL)
        s->progress.report(s->progress.context, s->begun * s->log.file.size / (s->log.segment_count + 1),
                           s->log.file.size);
    ++s->begun;
}

/* Members are set one by one: a block of them that is copied waits for what was just written. */
static int fill_in(struct xray_source *s, struct xray_active *a, struct event_block *block,
                   struct trace_event *out)
{
    const struct xray_item *item = &a->item;
    if (a->origin == NULL || a->origin_cpu != item->cpu) {
        int rc = set_origin(s, a);
        if (rc != 0)
            return rc;
    }
    out->number = 0;
    out->origin = a->origin;
    out->call = &block->call;
    out->record = NULL;
    out->owner = block;
    out->ticks = item->ticks;
    out->time = xray_header_time(a->cursor.header, item->ticks);
    block->call.thread = a->origin->thread >= 0 ? (uint32_t)a->origin->thread : 0;
    if (item->kind == XRAY_ITEM_CLOCK) {
        make_clock(s, item, out);
        return 0;
    }
    if (item->kind != XRAY_ITEM_FUNCTION)
        return make_instant(s, item, block, out);
    bool enters = item->action == XRAY_ENTER || item->action == XRAY_ENTER_ARGS;
    return enters ? make_enter(s, a, block, out) : make_exit(s, a, block, out);
}

static int make_event(struct xray_source *s, struct xray_active *a, struct trace_event *out)
{
    struct event_block *block = event_pool_take_call(&s->pool);
    if (block == NULL)
        return pass_error(s, TRACE_ERR_MEMORY);
    int rc = fill_in(s, a, block, out);
    if (rc != 0) {
        event_pool_give_back(&s->pool, block);
        return pass_error(s, rc);
    }
    block->call.number = out->number;
    return 0;
}

/* --- the source ------------------------------------------------------------------------------------ */

static int next_of_end(struct xray_source *s, struct trace_event *out)
{
    if (s->gap < s->log.gap_count)
        return tell_gap(s);
    if (s->log.is_cut && !s->told_cut) {
        s->told_cut = true;
        trace_error_set(TRACE_ERR_TRUNCATED, "the file ends inside a buffer");
        return pass_error(s, TRACE_ERR_TRUNCATED);
    }
    *out = (struct trace_event){.kind = TRACE_EVENT_END};
    return 0;
}

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct xray_source *s = cast(source);
    struct xray_active *a = NULL;
    if (s->errors.rc != 0)
        return source_errors_again(&s->errors);
    if (s->lost != NULL) {
        tell_loss(s, out);
        return 0;
    }
    int rc = s->merged ? 0 : xray_merge_next(&s->merge, &a);
    if (rc != 0)
        return pass_error(s, rc);
    if (a == NULL) {
        s->merged = true;
        return next_of_end(s, out);
    }
    if (a->item.kind == XRAY_ITEM_CUT || a->item.kind == XRAY_ITEM_BAD)
        return lose_rest(s, a, out);
    return make_event(s, a, out);
}

static void source_release(struct trace_source *source, const struct trace_event *event)
{
    event_pool_release(&cast(source)->pool, event);
}

static void source_resume_after_damage(struct trace_source *source)
{
    cast(source)->errors.resumes = true;
}

static void source_set_progress(struct trace_source *source, struct trace_progress_callback progress)
{
    struct xray_source *s = cast(source);
    s->progress = progress;
    if (progress.report != NULL)
        progress.report(progress.context, 0, s->log.file.size);
}

static void source_name_functions(struct trace_source *source, trace_function_namer namer, void *context)
{
    struct xray_source *s = cast(source);
    s->functions.namer = namer;
    s->functions.context = context;
    s->properties[s->base.property_count++] =
        (struct trace_property){.name = XRAY_NAMED_PROPERTY, .value = "yes"};
}

static const struct trace_clock *source_clock(struct trace_source *source)
{
    return &cast(source)->clock;
}

static void source_close(struct trace_source *source)
{
    struct xray_source *s = cast(source);
    for (size_t i = 0; s->calls != NULL && i < s->log.thread_count; ++i)
        xray_calls_fini(&s->calls[i]);
    free(s->calls);
    xray_calls_fini(&s->spare_calls);
    xray_merge_fini(&s->merge);
    xray_log_fini(&s->log);
    xray_functions_fini(&s->functions);
    log_names_fini(&s->names);
    event_pool_fini(&s->pool);
    free(s->name);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume_after_damage,
    .set_progress = source_set_progress,
    .name_functions = source_name_functions,
    .clock = source_clock,
};

/* --- opening --------------------------------------------------------------------------------------- */

static void add_property(struct xray_source *s, const char *name, const char *value)
{
    s->properties[s->base.property_count++] = (struct trace_property){.name = name, .value = value};
}

static void add_number(struct xray_source *s, size_t i, const char *name, uint64_t value)
{
    snprintf(s->numbers[i], sizeof s->numbers[i], "%" PRIu64, value);
    add_property(s, name, s->numbers[i]);
}

static void add_properties(struct xray_source *s)
{
    const struct xray_header *h = s->log.headers[0];
    add_number(s, 0, XRAY_VERSION_PROPERTY, h->version);
    add_property(s, XRAY_TYPE_PROPERTY, h->type == XRAY_FDR ? "fdr" : "basic");
    add_property(s, XRAY_CONSTANT_TSC_PROPERTY, h->constant_tsc ? "yes" : "no");
    add_property(s, XRAY_NONSTOP_TSC_PROPERTY, h->nonstop_tsc ? "yes" : "no");
    add_number(s, 1, XRAY_FREQUENCY_PROPERTY, h->frequency);
    if (h->type == XRAY_FDR)
        add_number(s, 2, XRAY_BUFFER_SIZE_PROPERTY, h->buffer_size);
    if (s->log.thread_count > 0 && s->log.threads[0].process >= 0)
        add_number(s, 3, "process.id", (uint64_t)s->log.threads[0].process);
    s->base.properties = s->properties;
}

static void set_clock(struct xray_source *s)
{
    uint64_t frequency = s->log.headers[0]->frequency;
    s->clock = (struct trace_clock){
        .name = "tsc",
        .resolution = frequency > 0 && frequency < 1000000000 ? (int64_t)(1000000000 / frequency) : 1,
        .wall_offset = TRACE_NO_TIME,
        .has_ticks = !s->log.keys_are_times,
        .frequency = frequency};
}

/* The first buffer tells which time of day it was. */
static int find_wall_time(struct xray_source *s)
{
    struct xray_log *log = &s->log;
    struct xray_cursor c;
    struct xray_item item;
    if (log->segment_count == 0)
        return 0;
    const struct xray_segment *segment = &log->segments[0];
    const struct xray_header *header = log->headers[segment->header];
    xray_cursor_init(&c, &log->file, header, segment->offset, segment->end, XRAY_CURSOR_STEP);
    int rc = xray_cursor_begin(&c, &item);
    xray_cursor_fini(&c);
    if (rc == 0 && item.kind == XRAY_ITEM_CLOCK && item.wall_time >= YEAR_2001)
        s->clock.wall_offset = item.wall_time - xray_header_time(header, item.ticks);
    return rc;
}

static int open_log(struct xray_source *s)
{
    int rc = file_window_make_seekable(&s->log.file);
    if (rc == 0)
        rc = xray_scan(&s->log);
    if (rc == 0)
        rc = xray_merge_init(&s->merge, &s->log);
    if (rc != 0)
        return rc;
    s->calls = calloc(s->log.thread_count + 1, sizeof *s->calls);
    if (s->calls == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    add_properties(s);
    set_clock(s);
    return find_wall_time(s);
}

int xray_open(struct trace_source **out, struct trace_probe *probe)
{
    struct xray_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    s->base = (struct trace_source){.ops = &ops, .format_name = XRAY_NAME, .order = TRACE_ORDER_TIME};
    log_names_init(&s->names);
    s->name = strdup(probe->name);
    trace_probe_take_file(probe, &s->log.file);
    int rc = s->name != NULL ? open_log(s) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0) {
        trace_error_prefix(rc, "%s", probe->name);
        source_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}

/* The header has no magic number, but what follows it looks like nothing else. */
int xray_bid(const struct trace_probe *probe)
{
    struct xray_header h;
    bool complete = false;
    if (!xray_header_parse(&h, probe->head, probe->head_count))
        return TRACE_BID_NONE;
    if (h.type == XRAY_FDR && xray_buffer_begins(&h, probe->head + XRAY_HEADER_SIZE,
                                                 probe->head_count - XRAY_HEADER_SIZE, &complete))
        return complete ? TRACE_BID_CERTAIN : TRACE_BID_LIKELY;
    return TRACE_BID_LIKELY;
}
