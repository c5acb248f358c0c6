/* SPDX-License-Identifier: MIT */
#include "seek_sample.h"

#include "formats/apitrace/index/index_writer.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/index/index_format.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS       3
#define SEGMENT_BYTES 300
#define TABLE_NAMES   60                     /* of a large enumeration, which the index only refers to */
#define CHUNK_BYTES   1000                   /* approximate number of bytes of the stream */
#define CLOCK_START   INT64_C(1234567890120) /* times are stored in steps of 10 ns */

static const char *const arg_names[] = {"value", "kind"};

/* --- the stream ------------------------------------------------------------------------------------ */

static void name_function(uint64_t number, char name[24])
{
    if (number % 37 == 36)
        snprintf(name, 24, "glXSwapBuffers");
    else
        snprintf(name, 24, "glFunction%u", (unsigned)(number / SEEK_FUNCTIONS));
}

static bool is_table(const struct seek_sample *s, uint64_t number)
{
    return s->has_tables && number / 50 % 4 == 0;
}

static void encode_enter(const struct seek_sample *s, struct trace_encoder *e, uint64_t number)
{
    char name[24];
    char value_name[24];
    name_function(number, name);
    snprintf(value_name, sizeof value_name, "GL_VALUE_%u", (unsigned)(number / 50));
    const struct trace_function_sig sig = {.id =
                                               number % 37 == 36 ? 1000 : (uint32_t)(number / SEEK_FUNCTIONS),
                                           .name = name,
                                           .arg_count = 2,
                                           .arg_names = arg_names};
    struct trace_enum_name values[TABLE_NAMES] = {{value_name, 7}};
    for (int i = 1; i < TABLE_NAMES; ++i)
        values[i] = (struct trace_enum_name){"GL_ONE_OF_MANY_NAMES", 7 + i};
    const struct trace_enum_sig kind = {(uint32_t)(number / 50), is_table(s, number) ? TABLE_NAMES : 1,
                                        values};
    trace_encode_enter(e, (uint32_t)(number % THREADS), &sig, 0);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, number);
    trace_encode_arg(e, 1);
    trace_encode_enum(e, &kind, 7);
    trace_encode_end(e);
}

/* Call n returns after a few other calls were entered, the third thread's calls much later, and some never.
 * One of the latter would end a frame. */
static bool leaves_after(uint64_t number, uint64_t entered)
{
    if (number % 300 == 299 || number == 27 * 37 + 36)
        return false;
    return entered == number + (number % 3 == 2 ? 40 : number % 3);
}

static void encode_stream(struct seek_sample *s)
{
    struct trace_encoder e;
    trace_encoder_init(&e, &s->stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t entered = 0; entered < SEEK_CALLS + 50; ++entered) {
        if (entered < SEEK_CALLS)
            encode_enter(s, &e, entered);
        for (uint64_t n = entered > 50 ? entered - 50 : 0; n <= entered && n < SEEK_CALLS; ++n)
            if (leaves_after(n, entered)) {
                trace_encode_leave(&e, n);
                trace_encode_end(&e);
            }
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
}

static int64_t time_of(uint64_t event)
{
    return event % 101 == 100 ? TRACE_NO_TIME : CLOCK_START + (int64_t)(event * 1000 - event % 5 * 2500);
}

/* --- the files ------------------------------------------------------------------------------------- */

#define SOME_DEFINITIONS 4 /* maximum number of definitions in an event */

/* Finds the first large definition after an offset in the stream. Returns whether it has this size. */
static bool find_next(const struct seek_sample *s, uint64_t behind, size_t size, uint64_t *place)
{
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    size_t found = 0;
    assert_int_equal(trace_raw_events_open(&events, s->plain.path, false), 0);
    while (found == 0 && trace_raw_events_next(events, &event) == 0 && event != NULL)
        for (size_t i = 0; i < event->definition_count && found == 0; ++i) {
            const struct trace_definition *d = &event->definitions[i];
            *place = event->offset + d->at;
            if (d->size > TRACE_SIG_INLINE_LIMIT && *place > behind)
                found = d->size;
        }
    trace_raw_events_close(events);
    return found == size;
}

/* Changes what the builder learns about large definitions. `changed` is memory for the changed
 * definitions. */
static void change_definitions(const struct seek_sample *s, struct trace_raw_event *event,
                               struct trace_definition changed[SOME_DEFINITIONS],
                               const struct seek_change *change)
{
    assert_in_range(event->definition_count, 0, SOME_DEFINITIONS);
    for (size_t i = 0; i < event->definition_count; ++i) {
        uint64_t next;
        changed[i] = event->definitions[i];
        if (changed[i].size <= TRACE_SIG_INLINE_LIMIT)
            continue;
        if (change->is_the_next && find_next(s, event->offset + changed[i].at, changed[i].size, &next))
            changed[i].at = (size_t)(next - event->offset);
        changed[i].at += change->at;
        changed[i].size += change->size;
    }
    event->definitions = changed;
}

/* Also records what the events contain. `change`, unless NULL, is applied to large definitions. */
static struct trace_index_builder *build_index(struct seek_sample *s, const struct seek_change *change)
{
    struct trace_index_builder *b;
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    int64_t entered[SEEK_CALLS];
    uint64_t index = 0;
    assert_int_equal(trace_index_builder_new(&b), 0);
    trace_index_builder_set_segment_bytes(b, SEGMENT_BYTES);
    trace_index_builder_set_wall_clock(b, 99);
    assert_int_equal(trace_raw_events_open(&events, s->plain.path, false), 0);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL) {
        struct trace_raw_event timed = *event;
        struct trace_definition changed[SOME_DEFINITIONS];
        timed.time = time_of(index++);
        if (change != NULL)
            change_definitions(s, &timed, changed, change);
        assert_int_equal(trace_index_builder_add(b, &timed), 0);
        if (event->tag == TRACE_RAW_EVENT_ENTER)
            entered[event->call] = timed.time;
        else
            s->calls[s->count++] = (struct seek_known_call){.number = event->call,
                                                            .thread = event->thread,
                                                            .enter_time = entered[event->call],
                                                            .leave_time = timed.time};
    }
    struct trace_raw_event rest;
    while (trace_raw_events_next_incomplete(events, &rest))
        s->calls[s->count++] = (struct seek_known_call){.number = rest.call,
                                                        .thread = rest.thread,
                                                        .incomplete = true,
                                                        .enter_time = entered[rest.call],
                                                        .leave_time = TRACE_NO_TIME};
    trace_raw_events_close(events);
    assert_int_equal(s->count, SEEK_CALLS);
    for (unsigned i = 0; i < SEEK_CALLS; ++i) {
        s->calls[i].frame = s->frames;
        name_function(s->calls[i].number, s->calls[i].name);
        s->frames += s->calls[i].number % 37 == 36;
    }
    return b;
}

void seek_sample_write(struct sample_file *f, const struct buf *stream, enum trace_container container,
                       struct trace_index_builder *b)
{
    struct trace_output *out;
    sample_file_open(f);
    assert_int_equal(
        trace_output_open_fd(&out, f->fd, container, container == TRACE_CONTAINER_BROTLI ? 2 : -1, 0), 0);
    if (b != NULL)
        trace_output_attach_index(out, b);
    for (size_t at = 0, n = 0; at < stream->len; at += n) {
        n = CHUNK_BYTES / 2 + at * 7919 % CHUNK_BYTES;
        n = n < stream->len - at ? n : stream->len - at;
        assert_int_equal(trace_output_write(out, stream->data + at, n), 0);
        assert_int_equal(trace_output_flush(out), 0);
    }
    assert_int_equal(trace_output_close(out), 0);
}

struct seek_sample *seek_sample_new_changed(enum trace_container container, bool has_tables,
                                            const struct seek_change *change)
{
    struct seek_sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->has_tables = has_tables;
    encode_stream(s);
    seek_sample_write(&s->plain, &s->stream, container, NULL);
    struct trace_index_builder *b = build_index(s, change);
    seek_sample_write(&s->indexed, &s->stream, container, b);
    trace_index_builder_free(b);
    return s;
}

struct seek_sample *seek_sample_new(enum trace_container container)
{
    return seek_sample_new_changed(container, false, NULL);
}

void seek_sample_free(struct seek_sample *s)
{
    sample_file_close(&s->plain);
    sample_file_close(&s->indexed);
    buf_fini(&s->stream);
    free(s);
}

/* --- comparing ------------------------------------------------------------------------------------- */

void seek_sample_expect_call(const struct seek_sample *s, const struct seek_known_call *known,
                             const struct trace_call *call, bool times)
{
    char value_name[24];
    assert_non_null(call);
    assert_int_equal(call->number, known->number);
    assert_string_equal(call->sig->name, known->name);
    assert_int_equal(call->thread, known->thread);
    assert_int_equal((call->flags & TRACE_CALL_INCOMPLETE) != 0, known->incomplete);
    assert_int_equal(trace_value_to_uint(&call->args[0], UINT64_MAX), known->number);
    snprintf(value_name, sizeof value_name, "GL_VALUE_%u", (unsigned)(known->number / 50));
    assert_string_equal(call->args[1].sig.enumeration->names[0].name, value_name);
    assert_int_equal(call->args[1].sig.enumeration->count, is_table(s, known->number) ? TABLE_NAMES : 1);
    assert_true(call->enter_time == (times ? known->enter_time : TRACE_NO_TIME));
    assert_true(call->leave_time == (times ? known->leave_time : TRACE_NO_TIME));
}

void seek_sample_expect(const struct seek_sample *s, struct trace_reader *r, uint64_t number, uint64_t frame,
                        unsigned most, bool times)
{
    const struct trace_call *call;
    for (unsigned i = 0; i < SEEK_CALLS && most > 0; ++i) {
        if (s->calls[i].number < number || s->calls[i].frame < frame)
            continue;
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        seek_sample_expect_call(s, &s->calls[i], call, times);
        assert_int_equal(trace_reader_frame(r), s->calls[i].frame);
        trace_call_release(r, call);
        most--;
    }
    if (most > 0) {
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        assert_null(call);
    }
}

struct trace_reader *seek_sample_read(const struct sample_file *f, bool times)
{
    struct trace_reader *r;
    bool known = false;
    assert_int_equal(trace_reader_open(&r, f->path), 0);
    if (times)
        assert_int_equal(trace_reader_want_times(r, &known), 0);
    assert_int_equal(known, times);
    return r;
}
