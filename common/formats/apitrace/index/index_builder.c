/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/index_builder.h"

#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/index/section_writer.h"
#include "formats/apitrace/index/open_calls.h"

#include <stdlib.h>
#include <string.h>

#define SEGMENT_BYTES ((uint64_t)512 << 10) /* of the stream, at least */

struct trace_index_builder {
    struct trace_section_compressor compressor;
    struct trace_section_writer sections[TRACE_SECTION_LIMIT];
    struct trace_summary summary;
    struct trace_open_calls open;
    struct trace_frame_entry frame; /* that is not ended yet */
    uint64_t next_call;
    uint64_t segment_bytes;
    uint64_t segment_offset;   /* where the present segment begins in the stream */
    uint64_t signature_offset; /* of the event that defined the last signature */
    uint64_t end;              /* of the last event, in the stream */
    int64_t last_time;         /* in this segment, in units */
    uint64_t untimed;          /* events before the first one whose time is known */
    bool has_times;
    bool in_event; /* a part of the next event was added */
};

int trace_index_builder_new(struct trace_index_builder **out)
{
    struct trace_index_builder *b = calloc(1, sizeof *b);
    if (b == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (unsigned i = 0; i < TRACE_SECTION_LIMIT; ++i)
        trace_section_writer_init(&b->sections[i], &b->compressor);
    b->segment_bytes = SEGMENT_BYTES;
    *out = b;
    return 0;
}

void trace_index_builder_set_segment_bytes(struct trace_index_builder *b, uint64_t bytes)
{
    b->segment_bytes = bytes;
}

void trace_index_builder_free(struct trace_index_builder *b)
{
    if (b == NULL)
        return;
    for (unsigned i = 0; i < TRACE_SECTION_LIMIT; ++i)
        trace_section_writer_fini(&b->sections[i]);
    trace_section_compressor_fini(&b->compressor);
    trace_open_calls_fini(&b->open);
    free(b);
}

void trace_index_builder_set_wall_clock(struct trace_index_builder *b, int64_t nanoseconds)
{
    b->summary.has_wall_clock = true;
    b->summary.wall_clock = nanoseconds;
}

static int append_bytes(struct trace_section_writer *w, const void *bytes, size_t size)
{
    int rc = trace_section_append_varint(w, size);
    return rc == 0 ? trace_section_append(w, bytes, size) : rc;
}

int trace_index_builder_add_module(struct trace_index_builder *b, const struct trace_module *m)
{
    struct trace_section_writer *w = &b->sections[TRACE_SECTION_MODULES];
    int rc = append_bytes(w, m->path, strlen(m->path));
    if (rc == 0)
        rc = trace_section_append_varint(w, m->address);
    return rc == 0 ? append_bytes(w, m->build_id, m->build_id_size) : rc;
}

/* --- the parts ------------------------------------------------------------------------------------- */

static int begin_segment(struct trace_index_builder *b, uint64_t stream_offset)
{
    const uint64_t numbers[TRACE_SEGMENT_NUMBERS] = {
        stream_offset, b->next_call, b->has_times ? b->sections[TRACE_SECTION_TIMES].raw_size : b->untimed};
    b->segment_offset = stream_offset;
    b->last_time = 0;
    return trace_section_append_numbers(&b->sections[TRACE_SECTION_SEGMENTS], numbers, TRACE_SEGMENT_NUMBERS);
}

static int add_definition(struct trace_index_builder *b, const struct trace_raw_event *event,
                          const struct trace_definition *d)
{
    struct trace_section_writer *w = &b->sections[TRACE_SECTION_SIGNATURES];
    const uint8_t *bytes = event->bytes + (d->at - event->skipped);
    bool refers = d->size > TRACE_SIG_INLINE_LIMIT;
    uint8_t head[5 * VARINT_MAX_BYTES];
    uint64_t id;
    size_t n = varint_put(head, refers ? d->kind | TRACE_SIG_REFERENCE : d->kind);
    n += varint_put(head + n, event->offset - b->signature_offset);
    n += varint_put(head + n, d->size);
    b->signature_offset = event->offset;
    if (refers) {
        if (varint_get(bytes, bytes + d->size, &id) <= 0)
            return trace_error_set(TRACE_ERR_FORMAT, "a signature without id");
        n += varint_put(head + n, d->at);
        n += varint_put(head + n, id);
    }
    int rc = trace_section_append(w, head, n);
    return rc != 0 || refers ? rc : trace_section_append(w, bytes, d->size);
}

static int add_definitions(struct trace_index_builder *b, const struct trace_raw_event *event)
{
    int rc = 0;
    for (size_t i = 0; i < event->definition_count && rc == 0; ++i)
        rc = add_definition(b, event, &event->definitions[i]);
    return rc;
}

/* Rounded down, also before 0. */
static int64_t to_units(int64_t nanoseconds)
{
    const uint64_t unit = TRACE_TIME_UNIT;
    if (nanoseconds >= 0)
        return (int64_t)((uint64_t)nanoseconds / unit);
    return -1 - (int64_t)((uint64_t)(-1 - nanoseconds) / unit);
}

/* Many traces have no times: their events are only counted, until there is a time. */
static int begin_times(struct trace_index_builder *b)
{
    int rc = 0;
    b->has_times = true;
    for (; b->untimed > 0 && rc == 0; --b->untimed)
        rc = trace_section_append_varint(&b->sections[TRACE_SECTION_TIMES], 0);
    return rc;
}

/* 0: unknown; otherwise 1 + the zigzag of the difference to the last known time of the segment. */
static inline uint64_t time_code(int64_t *last_time, int64_t time)
{
    if (time == TRACE_NO_TIME)
        return 0;
    int64_t units = to_units(time);
    uint64_t delta = (uint64_t)units - (uint64_t)*last_time;
    uint64_t zigzag = delta << 1 ^ (uint64_t)((int64_t)delta < 0 ? -1 : 0);
    if (zigzag == UINT64_MAX)
        return 0;
    *last_time = units;
    return zigzag + 1;
}

static int add_time(struct trace_index_builder *b, int64_t time)
{
    if (!b->has_times && time == TRACE_NO_TIME) {
        b->untimed++;
        return 0;
    }
    if (!b->has_times && begin_times(b) != 0)
        return TRACE_ERR_MEMORY;
    return trace_section_append_varint(&b->sections[TRACE_SECTION_TIMES], time_code(&b->last_time, time));
}

static int end_frame(struct trace_index_builder *b, uint64_t end)
{
    struct trace_frame_entry *f = &b->frame;
    const uint64_t numbers[TRACE_FRAME_NUMBERS] = {f->first_call,          f->last_call,     f->calls,
                                                   end - f->stream_offset, f->stream_offset, f->lowest_call};
    *f = (struct trace_frame_entry){.stream_offset = end,
                                    .lowest_call = trace_open_calls_lowest(&b->open, b->next_call)};
    return trace_section_append_numbers(&b->sections[TRACE_SECTION_FRAMES], numbers, TRACE_FRAME_NUMBERS);
}

static void count_in_frame(struct trace_index_builder *b, uint64_t call)
{
    if (b->frame.calls++ == 0)
        b->frame.first_call = call;
    b->frame.last_call = call;
}

/* A call is over, at that place in the stream. */
static int count_call(struct trace_index_builder *b, uint64_t call, uint32_t flags, uint64_t end)
{
    count_in_frame(b, call);
    if ((flags & TRACE_CALL_END_FRAME) == 0)
        return 0;
    b->summary.frames++;
    return end_frame(b, end);
}

/* --- events ---------------------------------------------------------------------------------------- */

static int add_enter(struct trace_index_builder *b, const struct trace_raw_event *event)
{
    b->next_call = event->call + 1;
    b->summary.calls++;
    return trace_open_calls_enter(&b->open, event->call, event->sig != NULL ? event->sig->flags : 0);
}

static int add_leave(struct trace_index_builder *b, const struct trace_raw_event *event)
{
    if (event->sig == NULL)
        return 0;
    trace_open_calls_leave(&b->open, event->call);
    return count_call(b, event->call, event->sig->flags, event->offset + event->size);
}

int trace_index_builder_add(struct trace_index_builder *b, const struct trace_raw_event *event)
{
    int rc = 0;
    if (!b->in_event && (b->summary.events++ == 0 || event->offset - b->segment_offset >= b->segment_bytes))
        rc = begin_segment(b, event->offset);
    if (rc == 0 && event->definition_count > 0)
        rc = add_definitions(b, event);
    b->in_event = event->is_part;
    if (rc != 0 || event->is_part)
        return rc;
    rc = add_time(b, event->time);
    if (rc != 0)
        return rc;
    b->end = event->offset + event->size;
    return event->tag == TRACE_RAW_EVENT_ENTER ? add_enter(b, event) : add_leave(b, event);
}

static int add_plain_times(struct trace_index_builder *b, const struct trace_plain_event *events,
                           size_t count)
{
    struct trace_section_writer *times = &b->sections[TRACE_SECTION_TIMES];
    int rc = 0;
    uint8_t *start = b->has_times ? trace_section_room(times, count * VARINT_MAX_BYTES) : NULL, *p = start;
    if (start != NULL) {
        int64_t last = b->last_time; /* a copy that bytes cannot change */
        for (size_t i = 0; i < count; ++i)
            p += varint_put(p, time_code(&last, events[i].time));
        b->last_time = last;
        trace_section_note(times, (size_t)(p - start));
        return 0;
    }
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = b->has_times ? trace_section_append_varint(times, time_code(&b->last_time, events[i].time))
                          : add_time(b, events[i].time);
    return rc;
}

/* Does the call return in the next event, as most do? */
static inline bool is_whole_call(const struct trace_plain_event *event)
{
    return !event[0].is_leave && event[1].is_leave && event[0].call == event[1].call;
}

/* Returns how many whole calls the events begin with. */
static inline size_t whole_calls(const struct trace_plain_event *events, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && is_whole_call(&events[i]))
        i += 2;
    return i / 2;
}

/* They are open for no other event, so they are not noted as such; but what was the newest call is not any
 * more. */
static int add_whole_calls(struct trace_index_builder *b, uint64_t first, uint64_t last, size_t calls)
{
    int rc = b->open.has_newest ? trace_open_calls_set_aside(&b->open) : 0;
    b->open.has_newest = false;
    b->next_call = last + 1;
    b->summary.calls += calls;
    if (b->frame.calls == 0)
        b->frame.first_call = first;
    b->frame.calls += calls;
    b->frame.last_call = last;
    return rc;
}

int trace_index_builder_add_plain(struct trace_index_builder *b, const struct trace_plain_event *events,
                                  size_t count, uint64_t end)
{
    int rc = add_plain_times(b, events, count);
    for (size_t i = 0; i < count && rc == 0; ++i) {
        size_t whole = whole_calls(events + i, count - i);
        if (whole > 0) {
            size_t last = i + 2 * whole - 1;
            rc = add_whole_calls(b, events[i].call, events[last].call, whole);
            i = last;
            continue;
        }
        if (events[i].is_leave) {
            trace_open_calls_leave(&b->open, events[i].call);
            count_in_frame(b, events[i].call);
            continue;
        }
        b->next_call = events[i].call + 1;
        b->summary.calls++;
        rc = trace_open_calls_enter(&b->open, events[i].call, 0);
    }
    b->summary.events += count;
    b->end = end;
    return rc;
}

static int add_unknown_times(struct trace_index_builder *b, uint64_t events)
{
    int rc = 0;
    if (!b->has_times)
        b->untimed += events;
    else
        for (; events > 0 && rc == 0; --events)
            rc = add_time(b, TRACE_NO_TIME);
    return rc;
}

int trace_index_builder_add_calls(struct trace_index_builder *b, uint64_t first, uint64_t count, uint64_t end)
{
    int rc = add_unknown_times(b, 2 * count);
    if (rc == 0) /* whichever call was the newest is not any more */
        rc = trace_open_calls_enter(&b->open, first, 0);
    if (rc != 0)
        return rc;
    trace_open_calls_leave(&b->open, first);
    if (b->frame.calls == 0)
        b->frame.first_call = first;
    b->frame.calls += count;
    b->frame.last_call = first + count - 1;
    b->summary.events += 2 * count;
    b->summary.calls += count;
    b->next_call = first + count;
    b->end = end;
    return 0;
}

uint64_t trace_index_builder_segment_end(const struct trace_index_builder *b)
{
    return b->segment_offset + b->segment_bytes;
}

/* --- the end --------------------------------------------------------------------------------------- */

/* Calls that were not left come last. Behind the last frame an entry tells where the rest begins. */
static int end_frames(struct trace_index_builder *b)
{
    uint64_t number;
    uint32_t flags;
    int rc = 0;
    b->summary.incomplete = trace_open_calls_count(&b->open);
    while (rc == 0 && trace_open_calls_take(&b->open, &number, &flags))
        rc = count_call(b, number, flags, b->end);
    return rc != 0 ? rc : end_frame(b, b->end);
}

int trace_index_builder_finish(struct trace_index_builder *b, uint64_t stream_bytes,
                               struct trace_section_writer **sections)
{
    const struct trace_summary *s = &b->summary;
    if (b->summary.events == 0)
        b->end = stream_bytes;
    if (stream_bytes != b->end)
        return trace_error_set(TRACE_ERR_FORMAT, "the index describes %llu of the stream's %llu bytes",
                               (unsigned long long)b->end, (unsigned long long)stream_bytes);
    int rc = end_frames(b);
    const uint64_t summary[TRACE_SUMMARY_NUMBERS] = {
        s->has_wall_clock ? TRACE_SUMMARY_HAS_WALL_CLOCK : 0,
        stream_bytes,
        s->events,
        s->calls,
        s->incomplete,
        s->frames,
        (uint64_t)s->wall_clock,
        TRACE_TIME_UNIT,
    };
    if (rc == 0)
        rc =
            trace_section_append_numbers(&b->sections[TRACE_SECTION_SUMMARY], summary, TRACE_SUMMARY_NUMBERS);
    for (unsigned i = 0; i < TRACE_SECTION_LIMIT && rc == 0; ++i)
        if (i != TRACE_SECTION_CHUNKS)
            rc = trace_section_finish(&b->sections[i]);
    *sections = b->sections;
    return rc;
}
