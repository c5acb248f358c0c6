/* SPDX-License-Identifier: MIT */
/* Makes a record for every function of the tables, with payloads of every kind; also cut, and with wrong
 * bytes. Whatever a record contains, the result is a trace that has the calls around it. */
#include "cmocka_all.h"
#include "sample_records.h"

#include "base/error.h"
#include "next_random.h"
#include "records/large_record.h"
#include "runtime/length.h"
#include "runtime/tables.h"
#include "spec_ids.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct fixture {
    struct record_encoder encoder;
    struct record_thread thread;
    struct buf body;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (record_encoder_init(&f->encoder) != 0)
        return -1;
    record_encode_header(&f->encoder, "/usr/bin/app", "");
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    record_encoder_fini(&f->encoder);
    buf_fini(&f->body);
    free(f);
    return 0;
}

static void put_word(struct fixture *f, uint64_t word)
{
    assert_int_equal(buf_append(&f->body, &word, sizeof word), 0);
}

static void put_bytes(struct fixture *f, uint64_t size)
{
    for (uint64_t i = 0; i < RECORD_PAD(size); i += 8)
        put_word(f, next_random());
}

/* Appends keys that are known, unknown or without a value, values with and without names, and a
 * terminator. */
static void put_attributes(struct fixture *f, const struct spec_param *p, int64_t count)
{
    static const int32_t list[] = {0x3033, 5, 0x8017, 1, 4, -1, 0x96C0, 0x96C3, 0x3038, 0};
    uint8_t bytes[16 * 8] = {0};
    size_t size = spec_type_size(p->type);
    for (int64_t i = 0; i < count; ++i)
        spec_store(p->type, bytes, (size_t)i, (union spec_arg){.i = list[i % 10]});
    assert_int_equal(buf_append(&f->body, bytes, RECORD_PAD((size_t)count * size)), 0);
}

static void put_elements(struct fixture *f, const struct spec_param *p, int64_t count)
{
    if (p->form == SPEC_FORM_ARRAY && (p->flags & SPEC_PARAM_ATTRIBS) != 0)
        put_attributes(f, p, count);
    else if (p->form == SPEC_FORM_ARRAY)
        put_bytes(f, (uint64_t)count * spec_type_size(p->type));
    else if (p->form == SPEC_FORM_STRUCT)
        put_bytes(f, spec_structs[p->group].sizes[SPEC_ABI_OWN]);
    else
        put_bytes(f, (uint64_t)count);
}

/* count: PAYLOAD_NULL, PAYLOAD_OPAQUE, or a number of elements. */
static void put_payload(struct fixture *f, const struct spec_param *p, int64_t count)
{
    if (p->form == SPEC_FORM_STRUCT && count >= 0)
        count = 1;
    put_word(f, (uint64_t)count);
    if (count == PAYLOAD_OPAQUE)
        put_word(f, 0x1000);
    if (count < 0)
        return;
    if (p->form != SPEC_FORM_STRINGS && p->form != SPEC_FORM_BLOBS) {
        put_elements(f, p, count);
        return;
    }
    for (int64_t i = 0; i < count; ++i) {
        int64_t item = i % 4 - 2; /* PAYLOAD_OPAQUE, PAYLOAD_NULL, 0, 1 */
        put_word(f, (uint64_t)item);
        if (item == PAYLOAD_OPAQUE)
            put_word(f, 0x2000);
        put_bytes(f, item > 0 ? (uint64_t)item : 0);
    }
}

static bool is_payload(const struct spec_param *p)
{
    return p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_OPAQUE;
}

static bool returns_nothing(const struct spec_function *f)
{
    return f->ret.type == SPEC_VOID && !is_payload(&f->ret);
}

/* Makes the body of an enter or leave as the library writes it, with arbitrary values. */
static void make_body(struct fixture *f, const struct spec_function *function, uint8_t kind, int64_t count)
{
    static const uint64_t words[] = {0, 1, 0x0DE1, 0x2801, UINT32_MAX, UINT64_MAX, (uint64_t)INT64_MIN};
    bool enter = kind == RECORD_ENTER;
    buf_clear(&f->body);
    for (unsigned i = 0; enter && i < function->param_count; ++i)
        put_word(f, words[next_random() % (sizeof words / sizeof words[0])]);
    if (!enter && !returns_nothing(function))
        put_word(f, 0x3000);
    for (unsigned i = 0; i < function->param_count; ++i) {
        const struct spec_param *p = spec_param(function, i);
        if (is_payload(p) && ((p->flags & SPEC_PARAM_OUT) == 0) == enter)
            put_payload(f, p, count);
    }
    if (!enter && is_payload(&function->ret))
        put_payload(f, &function->ret, count);
}

/* Encodes the first `size` bytes of the body, which end at unreadable memory. */
static int encode(struct fixture *f, uint16_t function, uint8_t kind, size_t size)
{
    const struct record r = {.function = function, .kind = kind};
    uint8_t *body = malloc(size + 1);
    assert_non_null(body);
    if (size > 0)
        memcpy(body, f->body.data, size);
    int rc = record_encode(&f->encoder, &f->thread, &r, 0, body, body + size);
    free(body);
    assert_false(f->encoder.values.events.failed);
    return rc;
}

static void encode_marker(struct fixture *f, uint64_t number)
{
    buf_clear(&f->body);
    put_word(f, number);
    assert_int_equal(encode(f, SPEC_FN_glClearStencil, RECORD_ENTER, 8), 0);
    assert_int_equal(encode(f, SPEC_FN_glClearStencil, RECORD_LEAVE, 0), 0);
}

/* Returns whether the call is the marker with this number. */
static bool is_marker(const struct trace_call *call, uint64_t number)
{
    return strcmp(call->sig->name, "glClearStencil") == 0 && (call->flags & TRACE_CALL_INCOMPLETE) == 0 &&
           trace_value_to_uint(&call->args[0], UINT64_MAX) == number;
}

static const int64_t counts[] = {PAYLOAD_NULL, PAYLOAD_OPAQUE, 0, 1, 10};
#define COUNTS (sizeof counts / sizeof counts[0])

/* All payloads are valid: each call has its arguments, and nothing is reported. */
static void test_every_function(void **state)
{
    struct fixture *f = *state;
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        for (unsigned i = 0; i < COUNTS; ++i) {
            make_body(f, &spec_functions[id], RECORD_ENTER, counts[i]);
            assert_int_equal(encode(f, id, RECORD_ENTER, f->body.len), 0);
            make_body(f, &spec_functions[id], RECORD_LEAVE, counts[i]);
            assert_int_equal(encode(f, id, RECORD_LEAVE, f->body.len), 0);
        }
    }
    struct trace_reader *reader = open_encoded(&f->encoder);
    for (uint64_t n = 0; n < (uint64_t)spec_function_count * COUNTS; ++n) {
        const struct trace_call *call;
        const struct spec_function *function = &spec_functions[n / COUNTS];
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        assert_string_equal(call->sig->name, spec_string(function->name));
        assert_int_equal(call->flags & TRACE_CALL_INCOMPLETE, 0);
        for (unsigned i = 0; i < function->param_count; ++i)
            assert_int_not_equal(call->args[i].type, TRACE_NONE);
        assert_int_equal(call->ret.type == TRACE_NONE, returns_nothing(function));
        trace_call_release(reader, call);
    }
    const struct trace_call *call;
    assert_int_equal(trace_reader_next_call(reader, &call), 0);
    assert_null(call);
    trace_reader_close(reader);
}

static void spoil_body(struct fixture *f)
{
    for (unsigned i = 0; i < 3 && f->body.len > 0; ++i) {
        size_t word = next_random() % (f->body.len / 8) * 8;
        static const uint64_t words[] = {UINT64_MAX / 8, (uint64_t)INT64_MAX, 0x10000000, (uint64_t)-3, 7};
        uint64_t value = words[next_random() % (sizeof words / sizeof words[0])];
        memcpy(f->body.data + word, &value, sizeof value);
    }
}

/* Sizes and counts are impossible. The trace is readable, and has the calls before and after. */
static void test_every_function_spoilt(void **state)
{
    struct fixture *f = *state;
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        for (uint8_t kind = RECORD_ENTER; kind <= RECORD_LEAVE; ++kind) {
            make_body(f, &spec_functions[id], kind, counts[id % COUNTS]);
            if (id % 2 == 0)
                spoil_body(f);
            encode(f, id, kind, f->body.len);
        }
        size_t before = f->encoder.out.len;
        encode_marker(f, id);
        assert_in_range(f->encoder.out.len - before, 4, 4096);
    }
    struct trace_reader *reader = open_encoded(&f->encoder);
    const struct trace_call *call;
    uint64_t markers = 0;
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        if (is_marker(call, markers))
            markers++;
        trace_call_release(reader, call);
    }
    assert_null(call);
    assert_int_equal(markers, spec_function_count);
    trace_reader_close(reader);
}

/* A body is cut anywhere, and not read beyond its end. */
static void test_every_function_cut(void **state)
{
    struct fixture *f = *state;
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        for (unsigned i = 0; i < COUNTS; ++i) {
            make_body(f, &spec_functions[id], RECORD_ENTER, counts[i]);
            if (f->body.len == 0)
                continue;
            size_t size = next_random() % f->body.len;
            int rc = encode(f, id, RECORD_ENTER, size);
            if (f->body.len - size >= 8) /* fewer bytes may be padding */
                assert_int_equal(rc, TRACE_ERR_FORMAT);
            f->thread.depth = 0;
        }
    }
    trace_reader_close(open_encoded(&f->encoder));
}

/* --- records that come in pieces -------------------------------------------------------------------------
 */

/* Encodes the body as a large record, which is cut into pieces anywhere. Only `published` bytes of it arrive.
 * The bytes of the event are moved to `stream` from time to time, as the owner of the encoder does. */
static int encode_in_pieces(struct fixture *f, struct buf *stream, uint16_t function, uint8_t kind,
                            size_t published)
{
    struct large_record large;
    uint64_t size = f->body.len;
    struct record r = {
        .function = function, .kind = kind, .flags = RECORD_OPEN, .time = record_open_check(size)};
    size_t words = kind == RECORD_ENTER ? 8u * spec_functions[function].param_count
                                        : 8u * !returns_nothing(&spec_functions[function]);
    size_t at = words + next_random() % (published - words + 8) / 8 * 8;
    uint8_t *piece = malloc(sizeof size + at);
    assert_non_null(piece);
    memcpy(piece, &size, sizeof size);
    if (at > 0)
        memcpy(piece + sizeof size, f->body.data, at);
    large_record_init(&large);
    int rc = large_record_begin(&large, &f->encoder, &f->thread, &r, piece, piece + sizeof size + at);
    free(piece);
    if (rc != 0)
        return rc;
    while (at < published) {
        size_t n = next_random() % (published - at + 8) / 8 * 8;
        large_record_add(&large, &f->encoder, f->body.data + at, f->body.data + at + n);
        at += n;
        if (next_random() % 2 == 0) {
            assert_int_equal(buf_append(stream, f->encoder.out.data, f->encoder.out.len), 0);
            buf_clear(&f->encoder.out);
        }
    }
    large_record_complete(&large, 0);
    assert_int_equal(large.is_cut, published < size);
    while (large_record_is_open(&large)) {
        large_record_pad(&large, &f->encoder, 24);
        rc = large_record_end(&large, &f->encoder, &f->thread);
    }
    assert_false(f->encoder.values.events.failed);
    return rc;
}

static int take_stream(struct fixture *f, struct buf *stream)
{
    int rc = buf_append(stream, f->encoder.out.data, f->encoder.out.len);
    buf_clear(&f->encoder.out);
    return rc;
}

/* Records what the hook receives for the event, in order. */
static void note_event(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    struct buf *notes = context;
    (void)ticks;
    for (size_t i = 0; i < event->definition_count; ++i) {
        const struct trace_definition *d = &event->definitions[i];
        assert_true(d->at >= event->skipped && d->at + d->size <= event->size);
        assert_int_equal(buf_printf(notes, "%d at %zu: ", (int)d->kind, d->at), 0);
        assert_int_equal(buf_append(notes, event->bytes + (d->at - event->skipped), d->size), 0);
    }
    if (!event->is_part)
        assert_int_equal(buf_printf(notes, "%d %d %s %d %d %zu\n", (int)event->tag, (int)event->call,
                                    event->sig->name, (int)event->thread, (int)event->offset, event->size),
                         0);
}

/* The events, and what the hook receives, do not depend on how records are cut. */
static void test_every_function_in_pieces(void **state)
{
    struct fixture *f = *state, *whole;
    struct buf stream = BUF_INIT, expected = BUF_INIT, notes = BUF_INIT, expected_notes = BUF_INIT;
    assert_int_equal(set_up((void **)&whole), 0);
    record_encoder_set_hooks(&f->encoder, note_event, NULL, &notes);
    record_encoder_set_hooks(&whole->encoder, note_event, NULL, &expected_notes);
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        for (unsigned i = 0; i < 2 * COUNTS; ++i) {
            uint8_t kind = i % 2 == 0 ? RECORD_ENTER : RECORD_LEAVE;
            make_body(f, &spec_functions[id], kind, counts[i / 2]);
            if (id % 3 == 0)
                spoil_body(f);
            buf_clear(&whole->body);
            assert_int_equal(buf_append(&whole->body, f->body.data, f->body.len), 0);
            int rc = encode(whole, id, kind, f->body.len);
            assert_int_equal(encode_in_pieces(f, &stream, id, kind, f->body.len), rc);
            assert_int_equal(take_stream(f, &stream), 0);
            assert_int_equal(take_stream(whole, &expected), 0);
            assert_int_equal(stream.len, expected.len);
            assert_memory_equal(stream.data, expected.data, expected.len);
            assert_int_equal(f->encoder.stream_size, whole->encoder.stream_size);
            assert_int_equal(notes.len, expected_notes.len);
            assert_memory_equal(notes.data, expected_notes.data, notes.len);
            buf_clear(&notes);
            buf_clear(&expected_notes);
            buf_clear(&stream);
            buf_clear(&expected);
        }
    }
    buf_fini(&stream);
    buf_fini(&expected);
    buf_fini(&notes);
    buf_fini(&expected_notes);
    tear_down((void **)&whole);
}

/* If the rest of a record does not arrive, the result is the same as if it were zeros. */
static void test_every_function_unfinished(void **state)
{
    struct fixture *f = *state, *whole;
    struct buf stream = BUF_INIT, expected = BUF_INIT;
    assert_int_equal(set_up((void **)&whole), 0);
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        for (unsigned i = 0; i < COUNTS; ++i) {
            size_t words = 8u * spec_functions[id].param_count;
            make_body(f, &spec_functions[id], RECORD_ENTER, counts[i]);
            if (f->body.len == words)
                continue;
            size_t published = words + next_random() % (f->body.len - words) / 8 * 8;
            buf_clear(&whole->body);
            assert_int_equal(buf_append(&whole->body, f->body.data, f->body.len), 0);
            memset(whole->body.data + published, 0, f->body.len - published);
            int rc = encode(whole, id, RECORD_ENTER, f->body.len);
            assert_int_equal(encode_in_pieces(f, &stream, id, RECORD_ENTER, published), rc);
            assert_int_equal(take_stream(f, &stream), 0);
            assert_int_equal(take_stream(whole, &expected), 0);
            assert_int_equal(stream.len, expected.len);
            assert_memory_equal(stream.data, expected.data, expected.len);
            buf_clear(&stream);
            buf_clear(&expected);
        }
    }
    buf_fini(&stream);
    buf_fini(&expected);
    tear_down((void **)&whole);
}

/* Checks that a plain number has its sign and size. */
static void check_plain(const struct spec_param *p, const struct trace_value *v)
{
    bool is_signed = p->type == SPEC_I8 || p->type == SPEC_I16 || p->type == SPEC_I32 || p->type == SPEC_I64;
    bool is_unsigned =
        p->type == SPEC_U8 || p->type == SPEC_U16 || p->type == SPEC_U32 || p->type == SPEC_U64;
    if (p->form != SPEC_FORM_VALUE || p->selector != SPEC_NO_INDEX ||
        (p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) != 0 || !(is_signed || is_unsigned))
        return;
    assert_int_equal(v->type, is_signed ? TRACE_SINT : TRACE_UINT);
    assert_int_equal(v->u.sint, is_signed ? -5 : 5);
}

static void test_plain_values(void **state)
{
    struct fixture *f = *state;
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        const struct spec_function *function = &spec_functions[id];
        make_body(f, function, RECORD_ENTER, PAYLOAD_NULL);
        for (unsigned i = 0; i < function->param_count; ++i) {
            uint8_t type = spec_param(function, i)->type;
            int64_t word =
                type == SPEC_U8 || type == SPEC_U16 || type == SPEC_U32 || type == SPEC_U64 ? 5 : -5;
            memcpy(f->body.data + (size_t)8 * i, &word, sizeof word);
        }
        assert_int_equal(encode(f, id, RECORD_ENTER, f->body.len), 0);
        make_body(f, function, RECORD_LEAVE, PAYLOAD_NULL);
        assert_int_equal(encode(f, id, RECORD_LEAVE, f->body.len), 0);
    }
    struct trace_reader *reader = open_encoded(&f->encoder);
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        const struct trace_call *call;
        assert_int_equal(trace_reader_next_call(reader, &call), 0);
        for (unsigned i = 0; i < spec_functions[id].param_count; ++i)
            check_plain(spec_param(&spec_functions[id], i), &call->args[i]);
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
}

/* A count that the body cannot hold does not cause as many values to be written. */
static void test_huge_counts(void **state)
{
    struct fixture *f = *state;
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        const struct spec_function *function = &spec_functions[id];
        make_body(f, function, RECORD_ENTER, PAYLOAD_NULL);
        size_t words = (size_t)8 * function->param_count, before = f->encoder.out.len;
        if (f->body.len == words)
            continue; /* no payload */
        const uint64_t count = (uint64_t)1 << 40;
        memcpy(f->body.data + words, &count, sizeof count);
        int rc = encode(f, id, RECORD_ENTER, f->body.len);
        bool is_struct = rc == 0; /* has no count */
        assert_true(rc == TRACE_ERR_FORMAT || is_struct);
        assert_in_range(f->encoder.out.len - before, 1, 200000);
        f->thread.depth = 0;
    }
}

/* Checks what the encoder assumes about the tables. */
static void test_tables(void **state)
{
    (void)state;
    for (uint16_t id = 0; id < spec_function_count; ++id) {
        const struct spec_function *f = &spec_functions[id];
        for (unsigned i = 0; i <= f->param_count; ++i) {
            const struct spec_param *p = i < f->param_count ? spec_param(f, i) : &f->ret;
            if ((p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK | SPEC_PARAM_ATTRIBS)) != 0)
                assert_true(p->group < spec_group_count);
            if (p->form == SPEC_FORM_STRUCT)
                assert_true(p->group < spec_struct_count);
            if (p->form == SPEC_FORM_ARRAY)
                assert_true(spec_type_size(p->type) > 0);
            if (p->selector != SPEC_NO_INDEX)
                assert_true(p->selector < f->param_count && p->symbols != SPEC_NO_INDEX);
            if ((p->flags & SPEC_PARAM_ATTRIBS) != 0)
                assert_int_not_equal(p->length, SPEC_NO_INDEX);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test_setup_teardown(test_every_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_function_spoilt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_function_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_function_in_pieces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_function_unfinished, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_plain_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_huge_counts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
