/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_file.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "base/varint.h"
#include "collector/flight/flight_feed.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/encoder.h"
#include "formats/apitrace/index/index_writer.h"

#include <stdlib.h>
#include <sys/stat.h>

#define SEMANTIC_VERSION 6
#define KIND_SHIFT       32

struct flight_file {
    const struct flight_snapshot *snapshot;
    struct trace_raw_events *events;
    struct trace_output *output;
    struct trace_index_builder *index;
    /* Definitions that have left, and were not written yet: by kind and id, pointers to flight_definition. */
    struct int_map lost;
    struct arena arena;                   /* of those that leave only now */
    struct buf bytes;                     /* of the event that is written */
    struct trace_definition *definitions; /* in it */
    size_t definition_count, definition_cap;
    uint64_t offset; /* of the stream */
    uint64_t base;   /* number of the first call */
    size_t chunk;    /* whose times are next */
    size_t time_at;  /* in its times */
    int64_t last_units;
    struct flight_written *written;
};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
}

/* --- times ------------------------------------------------------------------------------------------ */

/* Returns the time of the next event of the chunks. */
static int64_t next_time(struct flight_file *f)
{
    const struct flight_snapshot *s = f->snapshot;
    uint64_t code = 0;
    while (f->chunk < s->chunk_count && f->time_at >= s->chunks[f->chunk]->times.len) {
        f->chunk++;
        f->time_at = 0;
        f->last_units = 0;
    }
    if (f->chunk == s->chunk_count)
        return TRACE_NO_TIME;
    const struct buf *times = &s->chunks[f->chunk]->times;
    int n = varint_get(times->data + f->time_at, times->data + times->len, &code);
    f->time_at += n > 0 ? (size_t)n : times->len;
    if (code == 0)
        return TRACE_NO_TIME;
    f->last_units += (int64_t)((code - 1) >> 1) ^ -(int64_t)((code - 1) & 1);
    return f->last_units * FLIGHT_TIME_UNIT;
}

/* --- signatures ------------------------------------------------------------------------------------- */

static uint64_t key_of(uint64_t kind, uint64_t id)
{
    return kind << KIND_SHIFT | id;
}

static int note_lost(struct flight_file *f)
{
    const struct buf *all = &f->snapshot->signatures;
    for (size_t at = 0; at < all->len;) {
        const struct flight_definition *d = (const struct flight_definition *)(all->data + at);
        const uint8_t *bytes = (const uint8_t *)(d + 1);
        uint64_t id;
        if (varint_get(bytes, bytes + d->size, &id) > 0 &&
            int_map_set(&f->lost, key_of(d->kind, id), (uintptr_t)d) != 0)
            return TRACE_ERR_MEMORY;
        at += flight_definition_size(d);
    }
    return 0;
}

/* Notes that the event has the definition of the mark's signature; its body begins at the end of f->bytes. */
static int note_definition(struct flight_file *f, const struct trace_mark *mark, size_t body)
{
    uint8_t id[VARINT_MAX_BYTES];
    size_t id_size = varint_put(id, mark->id);
    if (f->definition_count == f->definition_cap) {
        size_t cap = 2 * f->definition_cap + 8;
        struct trace_definition *more = realloc(f->definitions, cap * sizeof *more);
        if (more == NULL)
            return no_memory();
        f->definitions = more;
        f->definition_cap = cap;
    }
    f->definitions[f->definition_count++] =
        (struct trace_definition){(enum trace_sig_kind)mark->kind, f->bytes.len - id_size, id_size + body};
    return 0;
}

/* The definition of the mark's signature has left: it is inserted at its first use. */
static int insert_lost(struct flight_file *f, const struct trace_mark *mark)
{
    uint64_t pointer, key = key_of(mark->kind, mark->id), id;
    if (!int_map_get(&f->lost, key, &pointer))
        return 0;
    const struct flight_definition *d = (const struct flight_definition *)(uintptr_t)pointer;
    const uint8_t *bytes = (const uint8_t *)(d + 1);
    int id_size = varint_get(bytes, bytes + d->size, &id);
    size_t body = d->size - (size_t)id_size;
    int rc = note_definition(f, mark, body);
    if (rc == 0 && buf_append(&f->bytes, bytes + id_size, body) != 0)
        rc = no_memory();
    int_map_remove(&f->lost, key);
    return rc;
}

/* --- numbers ---------------------------------------------------------------------------------------- */

/* Returns how many calls before this one are left out. */
static size_t left_out_before(const struct flight_file *f, uint64_t call)
{
    const struct flight_snapshot *s = f->snapshot;
    size_t count = 0;
    while (count < s->left_out_count && s->left_out[count] < call)
        ++count;
    return count;
}

static bool is_left_out(const struct flight_file *f, uint64_t call)
{
    size_t before = left_out_before(f, call);
    return before < f->snapshot->left_out_count && f->snapshot->left_out[before] == call;
}

/* Returns the number that the call has in the file. */
static uint64_t number_of(const struct flight_file *f, uint64_t call)
{
    return call - f->base - left_out_before(f, call);
}

/* --- events ----------------------------------------------------------------------------------------- */

/* Copies the event from `from` on, with what has to be inserted. */
static int copy_details(struct flight_file *f, const struct trace_raw_event *event, size_t from)
{
    int rc = 0;
    for (size_t i = 0; i < event->mark_count && rc == 0; ++i) {
        const struct trace_mark *mark = &event->marks[i];
        if (mark->kind > TRACE_MARK_FRAME)
            continue;
        if (buf_append(&f->bytes, event->bytes + from, mark->at - from) != 0)
            return no_memory();
        from = mark->at;
        rc = mark->size > 0 ? note_definition(f, mark, mark->size) : insert_lost(f, mark);
    }
    if (rc == 0 && buf_append(&f->bytes, event->bytes + from, event->size - from) != 0)
        rc = no_memory();
    return rc;
}

static int build_event(struct flight_file *f, const struct trace_raw_event *event)
{
    uint8_t head[1 + VARINT_MAX_BYTES] = {TRACE_RAW_EVENT_LEAVE};
    buf_clear(&f->bytes);
    f->definition_count = 0;
    uint64_t number = number_of(f, event->call);
    if (event->tag == TRACE_RAW_EVENT_ENTER || number == event->call)
        return copy_details(f, event, 0);
    size_t size = 1 + varint_put(head + 1, number);
    if (buf_append(&f->bytes, head, size) != 0)
        return no_memory();
    return copy_details(f, event, 1 + event->number_size);
}

/* The event is left out; what it defines may be needed by later events. */
static int keep_definitions(struct flight_file *f, const struct trace_raw_event *event)
{
    for (size_t i = 0; i < event->definition_count; ++i) {
        const struct trace_definition *from = &event->definitions[i];
        const uint8_t *bytes = event->bytes + from->at;
        struct flight_definition *d = arena_alloc(&f->arena, sizeof *d + from->size);
        uint64_t id;
        if (d == NULL)
            return TRACE_ERR_MEMORY;
        *d = (struct flight_definition){from->kind, (uint32_t)from->size};
        memcpy(d + 1, bytes, from->size);
        if (varint_get(bytes, bytes + from->size, &id) > 0 &&
            int_map_set(&f->lost, key_of(d->kind, id), (uintptr_t)d) != 0)
            return TRACE_ERR_MEMORY;
    }
    return 0;
}

static int write_event(struct flight_file *f, const struct trace_raw_event *event, bool of_state)
{
    int64_t time = of_state ? TRACE_NO_TIME : next_time(f);
    if (event->sig == NULL || is_left_out(f, event->call))
        return keep_definitions(f, event);
    int rc = build_event(f, event);
    if (rc != 0)
        return rc;
    struct trace_raw_event copy = *event;
    copy.bytes = f->bytes.data;
    copy.size = f->bytes.len;
    copy.offset = f->offset;
    copy.call = number_of(f, event->call);
    copy.time = time;
    copy.definitions = f->definitions;
    copy.definition_count = f->definition_count;
    rc = trace_index_builder_add(f->index, &copy);
    if (rc == 0)
        rc = trace_output_write(f->output, copy.bytes, copy.size);
    f->offset += copy.size;
    f->written->calls += event->tag == TRACE_RAW_EVENT_ENTER;
    f->written->frames +=
        event->tag == TRACE_RAW_EVENT_LEAVE && (event->sig->flags & TRACE_CALL_END_FRAME) != 0;
    return rc;
}

static int write_header(struct flight_file *f)
{
    struct trace_encoder encoder;
    trace_encoder_init(&encoder, &f->bytes);
    trace_encode_header(&encoder, SEMANTIC_VERSION, f->snapshot->properties, f->snapshot->property_count);
    int rc = encoder.failed ? no_memory() : trace_output_write(f->output, f->bytes.data, f->bytes.len);
    trace_encoder_fini(&encoder);
    f->offset = f->bytes.len;
    return rc;
}

static int write_events(struct flight_file *f)
{
    const struct trace_raw_event *event;
    uint64_t state_events = 2 * f->snapshot->state_calls, count = 0;
    int rc = write_header(f);
    while (rc == 0 && (rc = trace_raw_events_next(f->events, &event)) == 0 && event != NULL)
        rc = write_event(f, event, count++ < state_events);
    return rc;
}

/* --- opening and closing ----------------------------------------------------------------------------- */

static int copy_events(struct flight_file *f)
{
    struct flight_feed feed;
    int rc = flight_feed_open(&feed, f->snapshot, &f->events);
    if (rc == 0)
        rc = note_lost(f);
    if (rc == 0)
        rc = write_events(f);
    trace_raw_events_close(f->events);
    flight_feed_fini(&feed);
    return rc;
}

static int close_output(struct flight_file *f, int rc)
{
    struct trace_kept_error first;
    trace_error_keep(&first, rc);
    if (rc == 0)
        trace_output_attach_index(f->output, f->index);
    rc = trace_output_close(f->output);
    return first.code != 0 ? trace_error_restore(&first) : rc;
}

int flight_file_write(const struct flight_snapshot *s, int fd, struct flight_written *out)
{
    struct flight_file f = {.snapshot = s, .written = out, .base = s->first_call - s->state_calls};
    struct stat st;
    *out = (struct flight_written){.calls = 0};
    arena_init(&f.arena);
    int rc = trace_index_builder_new(&f.index);
    if (rc == 0)
        rc = trace_output_open_fd(&f.output, fd, s->container, s->level, 1);
    if (rc == 0) {
        if (s->has_times)
            trace_index_builder_set_wall_clock(f.index, s->wall_clock);
        rc = close_output(&f, copy_events(&f));
    }
    trace_index_builder_free(f.index);
    int_map_fini(&f.lost);
    arena_fini(&f.arena);
    free(f.definitions);
    buf_fini(&f.bytes);
    out->bytes = fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
    return rc;
}
