/* SPDX-License-Identifier: MIT
 * Yields what a profile of XRay has: for each path of calls of each thread, how many calls were made by it.
 */
#include "formats/xray/xray.h"
#include "formats/xray/xray_functions.h"
#include "formats/xray/xray_header.h"

#include "base/error.h"
#include "formats/shared/event_pool.h"
#include "formats/shared/file_window.h"
#include "formats/shared/log_names.h"
#include "formats/shared/source_errors.h"
#include "trace/source_ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAGIC        UINT64_C(0x7872617970726f66)
#define VERSION      UINT64_C(0x20180424)
#define HEADER_SIZE  32
#define BLOCK_SIZE   16 /* of what a block begins with */
#define SUMS_SIZE    16 /* of a record behind its path */
#define DEPTH_MAX    (1u << 20)
#define PROPERTY_MAX 4

struct profile_source {
    struct trace_source base;
    char *name; /* name of the file, for messages */
    struct trace_file file;
    struct file_window window;
    struct xray_header order; /* of the bytes; nothing else of it is used */
    struct xray_functions functions;
    struct log_names names; /* origins */
    struct event_pool pool;
    struct trace_clock clock;
    struct trace_property properties[PROPERTY_MAX];
    char process_text[24];
    struct trace_progress_callback progress;

    uint64_t offset; /* of what comes next */
    uint64_t end;    /* of the block; not above the file's */
    int64_t process;
    const struct trace_origin *origin; /* of the block */
    const char *lost;                  /* what was lost, of which an event is still to tell; NULL: nothing */
    bool is_cut;                       /* the file ends inside a block */
    struct source_errors errors;
};

static struct profile_source *cast(struct trace_source *s)
{
    return (struct profile_source *)s;
}

static int pass_error(struct profile_source *s, int rc)
{
    return source_errors_pass(&s->errors, s->name, rc);
}

/* What follows up to an offset cannot be read. */
static int lose(struct profile_source *s, uint64_t to, const char *what)
{
    trace_error_set(TRACE_ERR_DAMAGED,
                    "no %s begins at offset %" PRIu64 ": what follows is lost, up to offset %" PRIu64, what,
                    s->offset, to);
    s->offset = to;
    s->lost = to == s->file.size ? "the rest of the file" : "the rest of a block";
    return pass_error(s, TRACE_ERR_DAMAGED);
}

static int tell_cut(struct profile_source *s)
{
    s->is_cut = false;
    s->offset = s->end = s->file.size;
    trace_error_set(TRACE_ERR_TRUNCATED, "the file ends inside a block");
    return pass_error(s, TRACE_ERR_TRUNCATED);
}

/* --- headers and blocks ---------------------------------------------------------------------------- */

/* Sets the order in which a header's magic number makes sense. */
static bool find_order(struct xray_header *h, const uint8_t *bytes)
{
    for (int big = 0; big < 2; ++big) {
        h->big_endian = big != 0;
        if (xray_u64(h, bytes) == MAGIC)
            return true;
    }
    return false;
}

/* The header tells when the profile was written, by the time of day. */
static int take_header(struct profile_source *s, const uint8_t *bytes, struct trace_event *out)
{
    uint64_t version = xray_u64(&s->order, bytes + 8), time = xray_u64(&s->order, bytes + 16);
    uint64_t process = xray_u64(&s->order, bytes + 24);
    if (version != VERSION) {
        trace_error_set(TRACE_ERR_UNSUPPORTED,
                        "a profile of version %" PRIx64 ", of which only %" PRIx64 " is known", version,
                        VERSION);
        return pass_error(s, TRACE_ERR_UNSUPPORTED);
    }
    s->process = process > 0 && process <= INT64_MAX ? (int64_t)process : -1;
    s->offset += HEADER_SIZE;
    *out = (struct trace_event){.kind = TRACE_EVENT_CLOCK, .time = TRACE_NO_TIME};
    out->u.clock_reading =
        (struct trace_clock_reading){.name = "wall", .time = time <= INT64_MAX ? (int64_t)time : 0};
    return 0;
}

static int set_origin(struct profile_source *s, uint64_t thread)
{
    const struct trace_origin origin = {.process = s->process,
                                        .thread = thread > 0 && thread <= INT64_MAX ? (int64_t)thread : -1,
                                        .cpu = -1,
                                        .stream = -1};
    s->origin = log_names_find_origin(&s->names, &origin);
    return s->origin != NULL ? 0 : pass_error(s, TRACE_ERR_MEMORY);
}

/* A block's size is that of all of it. */
static int take_block(struct profile_source *s, const uint8_t *bytes)
{
    uint32_t size = xray_u32(&s->order, bytes);
    if (size < BLOCK_SIZE)
        return lose(s, s->file.size, "block");
    s->is_cut = size > s->file.size - s->offset;
    s->end = s->is_cut ? s->file.size : s->offset + size;
    s->offset += BLOCK_SIZE;
    return set_origin(s, xray_u64(&s->order, bytes + 8));
}

/* --- records --------------------------------------------------------------------------------------- */

/* Reads the functions of a path into the block's text. *depth: 0: there is no path. */
static int take_path(struct profile_source *s, struct event_block *block, uint32_t *depth)
{
    uint64_t at = s->offset;
    *depth = 0;
    for (;; at += 4) {
        const uint8_t *bytes;
        size_t got;
        if (s->end - at < 4 || *depth > DEPTH_MAX) {
            *depth = 0;
            return 0;
        }
        int rc = file_window_get(&s->window, at, 4, &bytes, &got);
        if (rc != 0 || got < 4) {
            *depth = 0;
            return rc;
        }
        uint32_t number = xray_u32(&s->order, bytes);
        if (number == 0)
            break;
        const struct trace_function_sig *sig = xray_functions_find(&s->functions, number, 0);
        if (sig == NULL)
            return s->functions.rc;
        if (buf_append(&block->text, &sig, sizeof sig) != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        ++*depth;
    }
    s->offset = at + 4;
    return 0;
}

static int take_sums(struct profile_source *s, struct event_block *block, bool *is_there)
{
    const uint8_t *bytes;
    size_t got = 0;
    struct trace_sum *sum = &block->event.u.sum;
    int rc =
        s->end - s->offset >= SUMS_SIZE ? file_window_get(&s->window, s->offset, SUMS_SIZE, &bytes, &got) : 0;
    *is_there = rc == 0 && got >= SUMS_SIZE;
    if (!*is_there)
        return rc;
    sum->count = xray_u64(&s->order, bytes);
    sum->ticks = xray_u64(&s->order, bytes + 8);
    s->offset += SUMS_SIZE;
    return 0;
}

static int fill_in(struct profile_source *s, struct event_block *block, bool *is_there)
{
    uint32_t depth;
    block->event.kind = TRACE_EVENT_SUM;
    block->event.call = NULL;
    block->event.origin = s->origin;
    *is_there = false;
    int rc = take_path(s, block, &depth);
    if (rc != 0 || depth == 0)
        return rc;
    block->event.u.sum.path = (const struct trace_function_sig *const *)(const void *)block->text.data;
    block->event.u.sum.depth = depth;
    return take_sums(s, block, is_there);
}

static int take_record(struct profile_source *s, struct trace_event *out)
{
    struct event_block *block = event_pool_take(&s->pool);
    bool is_there;
    uint64_t start = s->offset;
    if (block == NULL)
        return pass_error(s, TRACE_ERR_MEMORY);
    int rc = fill_in(s, block, &is_there);
    if (rc == 0 && is_there) {
        event_block_hand_out(block, out);
        return 0;
    }
    event_pool_give_back(&s->pool, block);
    if (rc != 0)
        return pass_error(s, rc);
    s->offset = start;
    return s->is_cut ? tell_cut(s) : lose(s, s->end, "record");
}

/* --- the source ------------------------------------------------------------------------------------ */

/* Enters what begins between blocks: a block, or the header of another profile, which is an event. */
static int take_next(struct profile_source *s, struct trace_event *out, bool *is_event)
{
    const uint8_t *bytes;
    size_t got;
    *is_event = true;
    int rc = file_window_get(&s->window, s->offset, HEADER_SIZE, &bytes, &got);
    if (rc != 0)
        return pass_error(s, rc);
    if (got >= HEADER_SIZE && xray_u64(&s->order, bytes) == MAGIC)
        return take_header(s, bytes, out);
    *is_event = false;
    if (got >= BLOCK_SIZE)
        return take_block(s, bytes);
    return tell_cut(s);
}

static void report_progress(const struct profile_source *s)
{
    if (s->progress.report != NULL)
        s->progress.report(s->progress.context, s->offset, s->file.size);
}

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct profile_source *s = cast(source);
    if (s->errors.rc != 0)
        return source_errors_again(&s->errors);
    if (s->lost != NULL) {
        *out =
            (struct trace_event){.kind = TRACE_EVENT_LOSS, .time = TRACE_NO_TIME, .u.loss.reason = s->lost};
        s->lost = NULL;
        return 0;
    }
    while (s->offset >= s->end) {
        bool is_event;
        if (s->is_cut)
            return tell_cut(s);
        if (s->offset >= s->file.size) {
            *out = (struct trace_event){.kind = TRACE_EVENT_END};
            return 0;
        }
        report_progress(s);
        int rc = take_next(s, out, &is_event);
        if (rc != 0 || is_event)
            return rc;
    }
    return take_record(s, out);
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
    cast(source)->progress = progress;
    report_progress(cast(source));
}

static void source_name_functions(struct trace_source *source, trace_function_namer namer, void *context)
{
    struct profile_source *s = cast(source);
    s->functions.namer = namer;
    s->functions.context = context;
}

/* The frequency of the counter is not in the file. */
static const struct trace_clock *source_clock(struct trace_source *source)
{
    return &cast(source)->clock;
}

static void source_close(struct trace_source *source)
{
    struct profile_source *s = cast(source);
    file_window_fini(&s->window);
    trace_file_close(&s->file);
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

static void add_properties(struct profile_source *s, const uint8_t *head)
{
    uint64_t process = xray_u64(&s->order, head + 24);
    snprintf(s->process_text, sizeof s->process_text, "%" PRIu64, process);
    s->properties[s->base.property_count++] = (struct trace_property){XRAY_TYPE_PROPERTY, "profile"};
    if (process > 0)
        s->properties[s->base.property_count++] = (struct trace_property){"process.id", s->process_text};
    s->base.properties = s->properties;
}

int xray_profile_open(struct trace_source **out, struct trace_probe *probe)
{
    struct profile_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    s->base = (struct trace_source){.ops = &ops, .format_name = XRAY_PROFILE_NAME, .order = TRACE_ORDER_TIME};
    s->clock =
        (struct trace_clock){.name = "tsc", .resolution = 1, .wall_offset = TRACE_NO_TIME, .has_ticks = true};
    log_names_init(&s->names);
    find_order(&s->order, probe->head);
    add_properties(s, probe->head);
    s->name = strdup(probe->name);
    trace_probe_take_file(probe, &s->file);
    file_window_init(&s->window, &s->file);
    int rc = s->name != NULL ? file_window_make_seekable(&s->file)
                             : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0) {
        trace_error_prefix(rc, "%s", probe->name);
        source_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}

int xray_profile_bid(const struct trace_probe *probe)
{
    struct xray_header h;
    return probe->head_count >= HEADER_SIZE && find_order(&h, probe->head) ? TRACE_BID_CERTAIN
                                                                           : TRACE_BID_NONE;
}
