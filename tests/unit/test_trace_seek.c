/* SPDX-License-Identifier: MIT
 * Going to calls and frames gives what reading from the start gives, with an index and without.
 */
#include "base/error.h"
#include "base/little_endian.h"
#include "trace/container/chunk.h"
#include "trace/event_copier.h"
#include "trace/events.h"
#include "trace/index/index_sections.h"
#include "trace/reader.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS         1200
#define THREADS       3
#define FUNCTIONS     40 /* each is new after so many calls */
#define SEGMENT_BYTES 300
#define TABLE_NAMES   60                     /* of a large enumeration: the index only refers to it */
#define CHUNK_BYTES   1000                   /* of the stream, about */
#define CLOCK_START   INT64_C(1234567890120) /* times are kept in steps of 10 ns */

static const char *const arg_names[] = {"value", "kind"};

/* A call as reading from the start returns it. */
struct known_call {
    uint64_t number;
    uint64_t frame;
    uint32_t thread;
    bool incomplete;
    int64_t enter_time, leave_time; /* as the index is told */
    char name[24];
};

struct sample {
    struct buf stream;
    bool has_tables;                /* some enumerations are large */
    struct known_call calls[CALLS]; /* in leave order */
    unsigned count;
    unsigned frames;
    struct sample_file plain;
    struct sample_file indexed;
};

/* --- the stream ------------------------------------------------------------------------------------ */

static void name_function(uint64_t number, char name[24])
{
    if (number % 37 == 36)
        snprintf(name, 24, "glXSwapBuffers");
    else
        snprintf(name, 24, "glFunction%u", (unsigned)(number / FUNCTIONS));
}

static bool is_table(const struct sample *s, uint64_t number)
{
    return s->has_tables && number / 50 % 4 == 0;
}

static void encode_enter(const struct sample *s, struct trace_encoder *e, uint64_t number)
{
    char name[24];
    char value_name[24];
    name_function(number, name);
    snprintf(value_name, sizeof value_name, "GL_VALUE_%u", (unsigned)(number / 50));
    const struct trace_function_sig sig = {.id = number % 37 == 36 ? 1000 : (uint32_t)(number / FUNCTIONS),
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

/* Call n is left when a few others have been entered, those of the third thread much later, some never; one
 * of those would end a frame. */
static bool leaves_after(uint64_t number, uint64_t entered)
{
    if (number % 300 == 299 || number == 27 * 37 + 36)
        return false;
    return entered == number + (number % 3 == 2 ? 40 : number % 3);
}

static void encode_stream(struct sample *s)
{
    struct trace_encoder e;
    trace_encoder_init(&e, &s->stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t entered = 0; entered < CALLS + 50; ++entered) {
        if (entered < CALLS)
            encode_enter(s, &e, entered);
        for (uint64_t n = entered > 50 ? entered - 50 : 0; n <= entered && n < CALLS; ++n)
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

#define SOME_DEFINITIONS 4 /* of an event; none has more */

/* Changes what the builder is told of large definitions. changed: memory for that. */
static void change_definitions(struct trace_event *event, struct trace_definition changed[SOME_DEFINITIONS],
                               const struct trace_definition *change)
{
    assert_in_range(event->definition_count, 0, SOME_DEFINITIONS);
    for (size_t i = 0; i < event->definition_count; ++i) {
        changed[i] = event->definitions[i];
        if (changed[i].size <= TRACE_SIG_INLINE_LIMIT)
            continue;
        changed[i].at += change->at;
        changed[i].size += change->size;
    }
    event->definitions = changed;
}

/* Notes what the events say, too. What change (or NULL) says is added to large definitions. */
static struct trace_index_builder *build_index(struct sample *s, const struct trace_definition *change)
{
    struct trace_index_builder *b;
    struct trace_events *events;
    const struct trace_event *event;
    int64_t entered[CALLS];
    uint64_t index = 0;
    assert_int_equal(trace_index_builder_new(&b), 0);
    trace_index_builder_set_segment_bytes(b, SEGMENT_BYTES);
    trace_index_builder_set_wall_clock(b, 99);
    assert_int_equal(trace_events_open(&events, s->plain.path, false), 0);
    while (trace_events_next(events, &event) == 0 && event != NULL) {
        struct trace_event timed = *event;
        struct trace_definition changed[SOME_DEFINITIONS];
        timed.time = time_of(index++);
        if (change != NULL)
            change_definitions(&timed, changed, change);
        assert_int_equal(trace_index_builder_add(b, &timed), 0);
        if (event->tag == TRACE_EVENT_ENTER)
            entered[event->call] = timed.time;
        else
            s->calls[s->count++] = (struct known_call){.number = event->call,
                                                       .thread = event->thread,
                                                       .enter_time = entered[event->call],
                                                       .leave_time = timed.time};
    }
    struct trace_event rest;
    while (trace_events_next_incomplete(events, &rest))
        s->calls[s->count++] = (struct known_call){.number = rest.call,
                                                   .thread = rest.thread,
                                                   .incomplete = true,
                                                   .enter_time = entered[rest.call],
                                                   .leave_time = TRACE_NO_TIME};
    trace_events_close(events);
    assert_int_equal(s->count, CALLS);
    for (unsigned i = 0; i < CALLS; ++i) {
        s->calls[i].frame = s->frames;
        name_function(s->calls[i].number, s->calls[i].name);
        s->frames += s->calls[i].number % 37 == 36;
    }
    return b;
}

/* In many chunks, which end anywhere. */
static void write_file(struct sample_file *f, const struct buf *stream, enum trace_container container,
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

static struct sample *make_changed(enum trace_container container, bool has_tables,
                                   const struct trace_definition *change)
{
    struct sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->has_tables = has_tables;
    encode_stream(s);
    write_file(&s->plain, &s->stream, container, NULL);
    struct trace_index_builder *b = build_index(s, change);
    write_file(&s->indexed, &s->stream, container, b);
    trace_index_builder_free(b);
    return s;
}

static struct sample *make_sample(enum trace_container container)
{
    return make_changed(container, false, NULL);
}

static void free_sample(struct sample *s)
{
    sample_file_close(&s->plain);
    sample_file_close(&s->indexed);
    buf_fini(&s->stream);
    free(s);
}

/* --- comparing ------------------------------------------------------------------------------------- */

static void expect_call(const struct sample *s, const struct known_call *known, const struct trace_call *call,
                        bool times)
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

/* The calls that come are those from calls[i] on of which `from` says so: `most` of them. */
static void expect_calls(const struct sample *s, struct trace_reader *r, uint64_t number, uint64_t frame,
                         unsigned most, bool times)
{
    const struct trace_call *call;
    for (unsigned i = 0; i < CALLS && most > 0; ++i) {
        if (s->calls[i].number < number || s->calls[i].frame < frame)
            continue;
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        expect_call(s, &s->calls[i], call, times);
        assert_int_equal(trace_reader_frame(r), s->calls[i].frame);
        trace_call_release(r, call);
        most--;
    }
    if (most > 0) {
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        assert_null(call);
    }
}

static struct trace_reader *open_reader(const struct sample_file *f, bool times)
{
    struct trace_reader *r;
    bool known = false;
    assert_int_equal(trace_reader_open(&r, f->path), 0);
    if (times)
        assert_int_equal(trace_reader_want_times(r, &known), 0);
    assert_int_equal(known, times);
    return r;
}

/* --- tests ----------------------------------------------------------------------------------------- */

static void check_from_start(const struct sample *s)
{
    struct trace_reader *r = open_reader(&s->indexed, true);
    expect_calls(s, r, 0, 0, UINT32_MAX, true);
    trace_reader_close(r);
    r = open_reader(&s->plain, false);
    expect_calls(s, r, 0, 0, UINT32_MAX, false);
    trace_reader_close(r);
}

/* Each number with a reader of its own; then all over the file with one. */
static void check_calls(const struct sample *s)
{
    struct trace_reader *r;
    for (uint64_t n = 0; n < CALLS + 3; n += n < 100 ? 1 : 13) {
        r = open_reader(&s->indexed, n % 2 == 0);
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        expect_calls(s, r, n, 0, n % 10 == 0 ? UINT32_MAX : 7, n % 2 == 0);
        trace_reader_close(r);
    }
    r = open_reader(&s->indexed, true);
    for (uint64_t i = 0, n = 0; i < 400; ++i, n = n * 7919 % (CALLS + 3) + i % 2) {
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        expect_calls(s, r, n, 0, i % 5 == 0 ? UINT32_MAX : (unsigned)(i % 9), true);
    }
    trace_reader_close(r);
}

static void check_frames(const struct sample *s)
{
    struct trace_reader *r = open_reader(&s->indexed, true);
    for (uint64_t i = 0, f = 0; i < 300; ++i, f = (f * 31 + 11) % (s->frames + 3)) {
        assert_int_equal(trace_reader_seek_frame(r, f), 0);
        expect_calls(s, r, 0, f, i % 4 == 0 ? UINT32_MAX : (unsigned)(i % 50), true);
        if (i % 3 == 0)
            assert_int_equal(trace_reader_seek_call(r, i), 0);
    }
    trace_reader_close(r);
}

static void check_without_index(const struct sample *s)
{
    struct trace_reader *r = open_reader(&s->plain, false);
    for (uint64_t i = 0, n = 0; i < 40; ++i, n = (n * 7919 + 17) % (CALLS + 3)) {
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        expect_calls(s, r, n, 0, i % 5 == 0 ? UINT32_MAX : (unsigned)(i % 9), false);
        uint64_t f = n % (s->frames + 2);
        assert_int_equal(trace_reader_seek_frame(r, f), 0);
        expect_calls(s, r, 0, f, i % 6 == 0 ? UINT32_MAX : (unsigned)(i % 40), false);
    }
    trace_reader_close(r);
}

static void test_container(enum trace_container container)
{
    for (int tables = 0; tables < 2; ++tables) {
        struct sample *s = make_changed(container, tables == 1, NULL);
        check_from_start(s);
        check_calls(s);
        check_frames(s);
        check_without_index(s);
        free_sample(s);
    }
}

/* Goes to the call and the frame; is the index still in use then? */
static bool is_index_used(const struct sample *s)
{
    struct trace_reader *r = open_reader(&s->indexed, false);
    struct trace_events *e;
    uint64_t before;
    expect_calls(s, r, 0, 0, 1, false);
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    expect_calls(s, r, 1000, 0, 5, false);
    trace_reader_close(r);
    r = open_reader(&s->indexed, false);
    assert_int_equal(trace_reader_seek_frame(r, 20), 0);
    expect_calls(s, r, 0, 20, 5, false);
    trace_reader_close(r);
    assert_int_equal(trace_events_open(&e, s->indexed.path, false), 0);
    assert_int_equal(trace_events_seek_frame(e, 20, &before), 0);
    bool is_used = trace_events_index(e) != NULL;
    assert_true(is_used ? before > 0 : before == 0);
    const struct trace_event *event;
    assert_int_equal(trace_events_next(e, &event), 0);
    assert_non_null(event);
    assert_true(is_used ? event->call > 0 : event->call == 0);
    trace_events_close(e);
    return is_used;
}

/* A table that is not where the index says: the trace is read without it. */
static void test_wrong_references(void **state)
{
    (void)state;
    static const struct trace_definition changes[] = {
        {.at = 0}, {.at = 1}, {.at = 100}, {.size = 1}, {.size = (size_t)-1}, {.size = (size_t)1 << 40}};
    static const enum trace_container containers[] = {TRACE_CONTAINER_SNAPPY, TRACE_CONTAINER_ZLIB,
                                                      TRACE_CONTAINER_BROTLI, TRACE_CONTAINER_ZSTD};
    for (size_t c = 0; c < 4; ++c)
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
            struct sample *s = make_changed(containers[c], true, &changes[i]);
            assert_int_equal(is_index_used(s), i == 0);
            free_sample(s);
        }
}

static void test_snappy(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_SNAPPY);
}

static void test_zlib(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_ZLIB);
}

static void test_brotli(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_BROTLI);
}

static void test_zstd(void **state)
{
    (void)state;
    test_container(TRACE_CONTAINER_ZSTD);
}

/* Calls that were handed out stay, with their signatures, when the reader goes back; and what is defined
 * again is the same signature, not a copy. */
static void test_signatures_stay(void **state)
{
    (void)state;
    struct sample *s = make_sample(TRACE_CONTAINER_SNAPPY);
    for (int i = 0; i < 2; ++i) {
        struct trace_reader *r = open_reader(i == 0 ? &s->indexed : &s->plain, false);
        const struct trace_call *held;
        const struct trace_call *again;
        assert_int_equal(trace_reader_seek_call(r, 777), 0);
        assert_int_equal(trace_reader_next_call(r, &held), 0);
        for (uint64_t n = 0; n < 3; ++n) {
            assert_int_equal(trace_reader_seek_call(r, n), 0);
            expect_calls(s, r, n, 0, 900, false);
            assert_int_equal(trace_reader_seek_call(r, 777), 0);
            assert_int_equal(trace_reader_next_call(r, &again), 0);
            assert_int_equal(again->number, held->number);
            assert_ptr_equal(again->sig, held->sig);
            assert_ptr_equal(again->args[1].sig.enumeration, held->args[1].sig.enumeration);
            trace_call_release(r, again);
        }
        assert_string_equal(held->sig->name, "glFunction19");
        trace_call_release(r, held);
        trace_reader_close(r);
    }
    free_sample(s);
}

/* What lies before the place is not even looked at: here it is spoilt. */
static void test_jumps(void **state)
{
    (void)state;
    struct sample *s = make_sample(TRACE_CONTAINER_SNAPPY);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    sample_file_get(&s->indexed, &bytes);
    memset(bytes.data + 2000, 0xff, 1000);
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = open_reader(&s->indexed, true);
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    expect_calls(s, r, 1000, 0, UINT32_MAX, true);
    assert_int_equal(trace_reader_seek_call(r, 0), 0);
    int rc;
    while ((rc = trace_reader_next_call(r, &call)) == 0 && call != NULL)
        trace_call_release(r, call);
    assert_int_equal(rc, ERR_FORMAT);
    assert_int_equal(trace_reader_seek_call(r, 1100), 0);
    expect_calls(s, r, 1100, 0, UINT32_MAX, true);
    trace_reader_close(r);
    buf_fini(&bytes);
    free_sample(s);
}

/* Makes chunk `index` of a Snappy file undecompressible. */
static void spoil_chunk(struct buf *file, unsigned index)
{
    size_t at = 2;
    uint32_t length = get_u32(file->data + at);
    for (; index > 0; --index) {
        at += 4 + length;
        length = get_u32(file->data + at);
    }
    assert_true(length > 100 && at + 4 + length < file->len);
    memset(file->data + at + 4, 0xff, length);
}

/* The last call whose enter is in that chunk, to its end. */
static uint64_t last_call_in(const struct sample *s, uint64_t chunk)
{
    struct trace_events *events;
    const struct trace_event *event;
    uint64_t offset;
    uint64_t call = 0;
    assert_int_equal(trace_events_open(&events, s->plain.path, false), 0);
    while (trace_events_next(events, &event) == 0 && event != NULL)
        if (event->tag == TRACE_EVENT_ENTER && trace_events_chunk(events, &offset)->number == chunk)
            call = event->call;
    trace_events_close(events);
    return call;
}

/* Reads to the end. Returns the number of damaged parts; the last one's message is left. *first is the number
 * of the first call, *count that of calls, which are those that were made. */
static unsigned read_damaged(const struct sample *s, struct trace_reader *r, uint64_t *first, unsigned *count,
                             char message[256])
{
    const struct trace_call *call;
    unsigned damages = 0;
    int rc;
    *count = 0;
    while ((rc = trace_reader_next_call(r, &call)) == ERR_DAMAGED || call != NULL) {
        if (rc == ERR_DAMAGED) {
            snprintf(message, 256, "%s", error_message());
            damages++;
            continue;
        }
        unsigned i = 0;
        while (s->calls[i].number != call->number)
            i++;
        assert_string_equal(call->sig->name, s->calls[i].name);
        assert_int_equal(trace_value_to_uint(&call->args[0], UINT64_MAX), call->number);
        *first = (*count)++ == 0 ? call->number : *first;
        trace_call_release(r, call);
    }
    assert_int_equal(rc, 0);
    return damages;
}

/* The call's place is in a chunk that cannot be read: the index stays in use, no other chunk is read, what is
 * lost is told of, and going on is as ever. */
static void test_damaged_chunk(void **state)
{
    (void)state;
    struct sample *s = make_sample(TRACE_CONTAINER_SNAPPY);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    char message[256];
    uint64_t first = 0;
    unsigned count;
    const uint64_t number = last_call_in(s, 10);
    sample_file_get(&s->indexed, &bytes);
    spoil_chunk(&bytes, 3);
    spoil_chunk(&bytes, 10);
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = open_reader(&s->indexed, true);
    trace_reader_resume_after_damage(r);
    assert_int_equal(trace_reader_seek_call(r, number), 0);
    assert_int_equal(read_damaged(s, r, &first, &count, message), 1);
    assert_non_null(strstr(message, "chunk 10 "));
    assert_true(first > number && first < number + 60 && count > CALLS - first - 20);
    assert_int_equal(trace_reader_seek_call(r, CALLS - 200), 0);
    expect_calls(s, r, CALLS - 200, 0, UINT32_MAX, true);
    trace_reader_close(r);

    r = open_reader(&s->indexed, true); /* without going on after damage */
    assert_int_equal(trace_reader_seek_call(r, number), 0);
    assert_int_equal(trace_reader_next_call(r, &call), ERR_FORMAT);
    assert_non_null(strstr(error_message(), "chunk 10 "));
    assert_int_equal(trace_reader_seek_call(r, CALLS - 200), 0);
    expect_calls(s, r, CALLS - 200, 0, UINT32_MAX, true);
    trace_reader_close(r);
    buf_fini(&bytes);
    free_sample(s);
}

/* A large name is in a damaged chunk: that is told of once, its enumeration has no names, and the index stays
 * in use: another damaged chunk is not met. */
static void test_damaged_reference(void **state)
{
    (void)state;
    struct sample *s = make_changed(TRACE_CONTAINER_SNAPPY, true, NULL);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    char message[256];
    uint64_t first = 0;
    unsigned count;
    unsigned chunk = 0;
    while (last_call_in(s, chunk) < 300)
        chunk++;
    sample_file_get(&s->indexed, &bytes);
    uint8_t *at = memmem(bytes.data, bytes.len, "GL_VALUE_4", 10);
    assert_non_null(at);
    memset(at, 0xff, 30);
    spoil_chunk(&bytes, chunk);
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = open_reader(&s->indexed, false);
    trace_reader_resume_after_damage(r);
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    assert_int_equal(read_damaged(s, r, &first, &count, message), 1);
    assert_non_null(strstr(message, "names that are defined there are lost"));
    assert_int_equal(first, 1000);
    assert_int_equal(count, CALLS - 1000);
    assert_int_equal(trace_reader_seek_call(r, 900), 0);
    assert_int_equal(read_damaged(s, r, &first, &count, message), 0);
    assert_int_equal(count, CALLS - 900);
    trace_reader_close(r);

    r = open_reader(&s->indexed, false); /* without going on after damage */
    assert_int_equal(trace_reader_seek_call(r, 1000), 0);
    assert_int_equal(trace_reader_next_call(r, &call), ERR_FORMAT);
    trace_reader_close(r);
    buf_fini(&bytes);
    free_sample(s);
}

/* A byte of a chunk is changed such that it still decompresses: the checksum tells, and reading goes on after
 * it. */
static void test_checksums(void **state)
{
    (void)state;
    struct sample *s = make_sample(TRACE_CONTAINER_SNAPPY);
    const struct trace_call *call;
    struct buf bytes = BUF_INIT;
    sample_file_get(&s->indexed, &bytes);
    uint8_t *at = memmem(bytes.data, bytes.len, "glFunction9", 11);
    assert_non_null(at);
    at[2] = 'G';
    sample_file_set(&s->indexed, bytes.data, bytes.len);
    struct trace_reader *r = open_reader(&s->indexed, false);
    trace_reader_resume_after_damage(r);
    int rc;
    unsigned damages = 0;
    unsigned count = 0;
    unsigned with_name = 0; /* of the function that is first called in the damaged chunk */
    do {
        rc = trace_reader_next_call(r, &call);
        count += rc == 0 && call != NULL;
        with_name += rc == 0 && call != NULL && call->number / FUNCTIONS == 9;
        if (rc == ERR_DAMAGED) {
            assert_non_null(strstr(error_message(), "wrong checksum"));
            damages++;
        }
        assert_true(rc == 0 || rc == ERR_DAMAGED);
        if (rc == 0)
            trace_call_release(r, call);
    } while (rc != 0 || call != NULL);
    assert_int_equal(damages, 1);
    assert_true(count > CALLS - 200 && count < CALLS);
    assert_true(with_name > 0);
    trace_reader_close(r);
    buf_fini(&bytes);
    free_sample(s);
}

/* With a set of calls, only that may be left out which is not in it. */
static void test_wanted_calls(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned most; /* calls that are read */
    } sets[] = {{"3,1190-", 600}, {"*/400", CALLS},       {"0,600-605,1199", CALLS},
                {"1000", 300},    {"5-700/frame", CALLS}, {"1198,4", 600}};
    struct sample *s = make_sample(TRACE_CONTAINER_ZSTD);
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; ++k) {
        struct trace_call_set set = {0};
        const struct trace_call *call;
        unsigned read = 0;
        unsigned i = 0;
        assert_int_equal(trace_call_set_parse(&set, sets[k].text), 0);
        struct trace_reader *r = open_reader(&s->indexed, true);
        trace_reader_want_calls(r, &set);
        for (;; ++read) {
            assert_int_equal(trace_reader_next_call(r, &call), 0);
            while (i < CALLS &&
                   !trace_call_set_contains(&set, s->calls[i].number,
                                            s->calls[i].number % 37 == 36 ? TRACE_CALL_END_FRAME : 0))
                ++i;
            if (call == NULL)
                break;
            if (trace_call_set_contains(&set, call->number, call->flags))
                expect_call(s, &s->calls[i++], call, true);
            trace_call_release(r, call);
        }
        assert_int_equal(i, CALLS);
        assert_true(read <= sets[k].most);
        trace_call_set_fini(&set);
        trace_reader_close(r);
    }
    free_sample(s);
}

/* What is wanted of the calls, or of the frames from `frame` on, as a trace of its own. */
static void copy_some(const struct sample_file *from, const struct trace_call_set *set, uint64_t frame,
                      struct buf *out, unsigned *events_read)
{
    struct sample_file to;
    struct trace_events *events;
    const struct trace_event *event;
    struct trace_output *output;
    struct trace_copier *copier;
    uint64_t at_frame = 0;
    *events_read = 0;
    sample_file_open(&to);
    assert_int_equal(trace_events_open(&events, from->path, true), 0);
    assert_int_equal(trace_output_open_fd(&output, to.fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_copier_open(&copier, events, output), 0);
    assert_int_equal(trace_copier_header(copier), 0);
    if (set != NULL)
        trace_events_want_calls(events, set);
    else
        assert_int_equal(trace_events_seek_frame(events, frame, &at_frame), 0);
    while (trace_events_next(events, &event) == 0 && event != NULL) {
        bool keep = set != NULL ? trace_call_set_contains(set, event->call,
                                                          event->sig != NULL ? event->sig->flags : 0)
                                : at_frame >= frame;
        assert_int_equal(trace_copier_event(copier, event, keep, NULL, 0), 0);
        if (event->tag == TRACE_EVENT_LEAVE && event->sig != NULL)
            at_frame += (event->sig->flags & TRACE_CALL_END_FRAME) != 0;
        ++*events_read;
    }
    assert_int_equal(trace_copier_flush(copier), 0);
    trace_copier_close(copier);
    assert_int_equal(trace_output_close(output), 0);
    trace_events_close(events);
    sample_file_get(&to, out);
    sample_file_close(&to);
}

/* A copy of some calls is the same whether what is before them was read or passed over, names included. */
static void test_copying(void **state)
{
    static const char *const sets[] = {"3,1190-", "*/400", "1000-1010", "1198,4", "0"};
    struct sample *s = make_changed(TRACE_CONTAINER_SNAPPY, *(const bool *)*state, NULL);
    for (uint64_t k = 0; k < 5 + s->frames; ++k) {
        struct trace_call_set set = {0};
        struct buf read = BUF_INIT, passed = BUF_INIT;
        unsigned all, some;
        if (k < 5)
            assert_int_equal(trace_call_set_parse(&set, sets[k]), 0);
        copy_some(&s->plain, k < 5 ? &set : NULL, k - 5, &read, &all);
        copy_some(&s->indexed, k < 5 ? &set : NULL, k - 5, &passed, &some);
        assert_int_equal(read.len, passed.len);
        assert_memory_equal(read.data, passed.data, read.len);
        if (k == 2 || k > 15)
            assert_true(some < all - 200);
        buf_fini(&read);
        buf_fini(&passed);
        trace_call_set_fini(&set);
    }
    free_sample(s);
}

/* To the end, those from that number on. */
static unsigned count_calls(struct trace_reader *r, uint64_t from)
{
    const struct trace_call *call;
    unsigned count = 0;
    while (trace_reader_next_call(r, &call) == 0 && call != NULL) {
        count += call->number >= from;
        trace_call_release(r, call);
    }
    return count;
}

/* The index may be damaged anywhere: it is not made use of then, and no call is missing or wrong. */
static void test_damaged_index(void **state)
{
    (void)state;
    struct sample *s = make_sample(TRACE_CONTAINER_SNAPPY);
    struct buf bytes = BUF_INIT;
    struct trace_call_set last = {0};
    assert_int_equal(trace_call_set_parse(&last, "1195-"), 0);
    sample_file_get(&s->indexed, &bytes);
    uint8_t *head = memmem(bytes.data, bytes.len, "TRAILER", 7);
    assert_non_null(head);
    for (size_t at = (size_t)(head - bytes.data), i = 0; at < bytes.len; at += 3, ++i) {
        const uint64_t number = i * 37 % CALLS;
        struct trace_reader *r;
        bytes.data[at] ^= 0x10;
        sample_file_set(&s->indexed, bytes.data, bytes.len);
        assert_int_equal(trace_reader_open(&r, s->indexed.path), 0);
        assert_int_equal(trace_reader_seek_call(r, number), 0);
        expect_calls(s, r, number, 0, 3, false);
        assert_int_equal(trace_reader_seek_frame(r, i % s->frames), 0);
        expect_calls(s, r, 0, i % s->frames, 3, false);
        trace_reader_close(r);
        r = open_reader(&s->indexed, false);
        trace_reader_want_calls(r, &last);
        assert_int_equal(trace_reader_seek_frame(r, i % 10), 0);
        assert_int_equal(count_calls(r, CALLS - 5), 5);
        trace_reader_close(r);
        bytes.data[at] ^= 0x10;
    }
    trace_call_set_fini(&last);
    buf_fini(&bytes);
    free_sample(s);
}

#define LARGE_CALLS 6000
#define LARGE_BLOB  2000

/* Blobs that do not compress: the file is large enough for threads that decompress ahead. */
static void encode_large(struct buf *stream)
{
    static const struct trace_function_sig sig = {.name = "glData", .arg_count = 1, .arg_names = arg_names};
    struct trace_encoder e;
    uint8_t blob[LARGE_BLOB];
    uint32_t random = 1;
    trace_encoder_init(&e, stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t n = 0; n < LARGE_CALLS; ++n) {
        for (size_t i = 0; i < sizeof blob; ++i)
            blob[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
        trace_encode_enter(&e, 0, &sig, 0);
        trace_encode_arg(&e, 0);
        trace_encode_blob(&e, blob, sizeof blob);
        trace_encode_end(&e);
        trace_encode_leave(&e, n);
        trace_encode_end(&e);
    }
    trace_encoder_fini(&e);
}

/* The reader leaves, again and again, a place from which threads read ahead. */
static void test_read_ahead(void **state)
{
    (void)state;
    struct buf stream = BUF_INIT;
    struct sample_file plain, indexed;
    struct trace_index_builder *b;
    struct trace_events *events;
    const struct trace_event *event;
    const struct trace_call *call;
    encode_large(&stream);
    write_file(&plain, &stream, TRACE_CONTAINER_SNAPPY, NULL);
    assert_int_equal(trace_index_builder_new(&b), 0);
    assert_int_equal(trace_events_open(&events, plain.path, false), 0);
    while (trace_events_next(events, &event) == 0 && event != NULL)
        assert_int_equal(trace_index_builder_add(b, event), 0);
    trace_events_close(events);
    write_file(&indexed, &stream, TRACE_CONTAINER_SNAPPY, b);
    trace_index_builder_free(b);
    struct trace_reader *r = open_reader(&indexed, false);
    for (uint64_t i = 0, n = 0; i < 24; ++i, n = (n * 7919 + 4001) % LARGE_CALLS) {
        assert_int_equal(trace_reader_seek_call(r, n), 0);
        for (uint64_t k = n; k < n + i * 30 && k < LARGE_CALLS; ++k) {
            assert_int_equal(trace_reader_next_call(r, &call), 0);
            assert_non_null(call);
            assert_int_equal(call->number, k);
            trace_call_release(r, call);
        }
    }
    trace_reader_close(r);
    sample_file_close(&plain);
    sample_file_close(&indexed);
    buf_fini(&stream);
}

/* In a pipe it goes forward only. */
static void test_pipe(void **state)
{
    (void)state;
    struct sample *s = make_sample(TRACE_CONTAINER_SNAPPY);
    struct trace_reader *r;
    char command[80];
    char path[40];
    snprintf(command, sizeof command, "cat /proc/%d/fd/%d", (int)getpid(), s->indexed.fd);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(pipe));
    assert_int_equal(trace_reader_open(&r, path), 0);
    assert_int_equal(trace_reader_seek_call(r, 100), 0);
    expect_calls(s, r, 100, 0, 20, false);
    assert_int_equal(trace_reader_seek_frame(r, 20), 0);
    expect_calls(s, r, 0, 20, 3, false);
    assert_int_equal(trace_reader_seek_call(r, 5), ERR_UNSUPPORTED);
    assert_non_null(strstr(error_message(), "pipe"));
    trace_reader_close(r);
    pclose(pipe);
    free_sample(s);
}

int main(void)
{
    static bool without_tables = false;
    static bool with_tables = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snappy),
        cmocka_unit_test(test_zlib),
        cmocka_unit_test(test_brotli),
        cmocka_unit_test(test_zstd),
        cmocka_unit_test(test_signatures_stay),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_damaged_chunk),
        cmocka_unit_test(test_wanted_calls),
        cmocka_unit_test_prestate(test_copying, &without_tables),
        cmocka_unit_test_prestate(test_copying, &with_tables),
        cmocka_unit_test(test_wrong_references),
        cmocka_unit_test(test_damaged_reference),
        cmocka_unit_test(test_damaged_index),
        cmocka_unit_test(test_read_ahead),
        cmocka_unit_test(test_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
