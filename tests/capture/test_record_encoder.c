/* SPDX-License-Identifier: MIT */
/* Records become events that the trace reader understands. If a body is malformed, the rest of its event is
 * missing. */
#include "cmocka_all.h"
#include "records/record_encoder.h"

#include "base/error.h"
#include "spec_ids.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_EVENTS 256

/* What the encoder's hook has received. */
struct told {
    struct trace_raw_event event; /* without its bytes and marks */
    const char *function;
    struct trace_definition definitions[8];
    uint64_t ticks;
};

struct fixture {
    struct record_encoder encoder;
    struct record_thread thread;
    struct buf body;
    struct told told[MAX_EVENTS];
    size_t told_count;
    uint64_t ticks; /* of the next record */
    char path[40];
    struct trace_reader *reader;
};

static void note_event(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    struct fixture *f = context;
    assert_in_range(f->told_count, 0, MAX_EVENTS - 1);
    struct told *told = &f->told[f->told_count++];
    assert_ptr_equal(event->bytes + event->size, f->encoder.out.data + f->encoder.out.len);
    assert_in_range(event->definition_count, 0, sizeof told->definitions / sizeof told->definitions[0]);
    *told = (struct told){*event, event->sig->name, {{0}}, ticks};
    memcpy(told->definitions, event->definitions, event->definition_count * sizeof told->definitions[0]);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    f->thread.number = 3;
    strcpy(f->path, "record-encoder-XXXXXX");
    if (record_encoder_init(&f->encoder) != 0)
        return -1;
    record_encoder_set_hooks(&f->encoder, note_event, NULL, f);
    record_encode_header(&f->encoder, "/usr/bin/app", "-x 1");
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    trace_reader_close(f->reader);
    unlink(f->path);
    record_encoder_fini(&f->encoder);
    buf_fini(&f->body);
    free(f);
    return 0;
}

static void put_word(struct fixture *f, uint64_t word)
{
    assert_int_equal(buf_append(&f->body, &word, sizeof word), 0);
}

static void put_float(struct fixture *f, float value)
{
    put_word(f, spec_arg_f32(value).u);
}

static void put_payload(struct fixture *f, const void *bytes, int64_t count, size_t size)
{
    static const uint8_t zeros[8];
    put_word(f, (uint64_t)count);
    buf_append(&f->body, bytes, (size_t)count * size);
    buf_append(&f->body, zeros, -f->body.len & 7);
}

static int encode(struct fixture *f, uint16_t function, uint8_t kind, uint8_t flags)
{
    const struct record r = {.function = function, .kind = kind, .flags = flags};
    int rc = record_encode(&f->encoder, &f->thread, &r, f->ticks, f->body.data, f->body.data + f->body.len);
    buf_clear(&f->body);
    f->ticks++;
    return rc;
}

static void call(struct fixture *f, uint16_t function)
{
    assert_int_equal(encode(f, function, RECORD_ENTER, 0), 0);
    assert_int_equal(encode(f, function, RECORD_LEAVE, 0), 0);
}

/* Compares what the hook has received with what a reader finds. */
static void check_told(struct fixture *f)
{
    struct trace_raw_events *events;
    const struct trace_raw_event *e;
    size_t i = 0;
    uint64_t ticks = 0;
    assert_int_equal(trace_raw_events_open(&events, f->path, false), 0);
    for (; trace_raw_events_next(events, &e) == 0 && e != NULL; ++i) {
        const struct told *told = &f->told[i];
        assert_in_range(i, 0, f->told_count - 1);
        assert_int_equal(told->event.tag, e->tag);
        assert_int_equal(told->event.call, e->call);
        assert_int_equal(told->event.thread, e->thread);
        assert_int_equal(told->event.offset, e->offset);
        assert_int_equal(told->event.size, e->size);
        assert_string_equal(told->function, e->sig->name);
        assert_int_equal(told->event.definition_count, e->definition_count);
        for (size_t d = 0; d < e->definition_count; ++d) {
            assert_int_equal(told->definitions[d].kind, e->definitions[d].kind);
            assert_int_equal(told->definitions[d].at, e->definitions[d].at);
            assert_int_equal(told->definitions[d].size, e->definitions[d].size);
        }
        assert_true(told->ticks >= ticks); /* some records have no event */
        ticks = told->ticks + 1;
    }
    assert_int_equal(i, f->told_count);
    trace_raw_events_close(events);
}

/* Writes the encoded events to a file and opens it. */
static void read_back(struct fixture *f)
{
    struct trace_output *output;
    int fd = mkstemp(f->path);
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, f->encoder.out.data, f->encoder.out.len), 0);
    assert_int_equal(trace_output_close(output), 0);
    close(fd);
    check_told(f);
    assert_int_equal(trace_reader_open(&f->reader, f->path), 0);
}

static const struct trace_call *next_call(struct fixture *f)
{
    const struct trace_call *c;
    assert_int_equal(trace_reader_next_call(f->reader, &c), 0);
    return c;
}

static void test_header(void **state)
{
    struct fixture *f = *state;
    const struct trace_property *properties;
    read_back(f);
    assert_int_equal(trace_reader_version(f->reader), 6);
    assert_int_equal(trace_reader_properties(f->reader, &properties), 2);
    assert_string_equal(properties[0].name, "process.commandLine");
    assert_string_equal(properties[0].value, "-x 1");
    assert_string_equal(properties[1].value, "/usr/bin/app");
    assert_null(next_call(f));
}

static void test_scalars(void **state)
{
    struct fixture *f = *state;
    put_word(f, 0x4000 | 0x100); /* GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT */
    call(f, SPEC_FN_glClear);
    put_word(f, 0x0BE2); /* GL_BLEND */
    call(f, SPEC_FN_glEnable);
    put_word(f, 0xFFFF); /* in no group */
    call(f, SPEC_FN_glEnable);
    put_float(f, 0.5f);
    put_float(f, -1);
    put_float(f, 2);
    call(f, SPEC_FN_glVertex3f);
    put_word(f, (uint64_t)-7);
    call(f, SPEC_FN_glClearStencil);
    read_back(f);

    const struct trace_call *c = next_call(f);
    assert_string_equal(c->sig->name, "glClear");
    assert_int_equal(c->thread, 3);
    assert_int_equal(c->args[0].type, TRACE_BITMASK);
    assert_int_equal(c->args[0].u.uint, 0x4100);
    trace_call_release(f->reader, c);
    for (unsigned i = 0; i < 2; ++i) {
        c = next_call(f);
        assert_int_equal(c->args[0].type, TRACE_ENUM);
        assert_int_equal(c->args[0].u.sint, i == 0 ? 0x0BE2 : 0xFFFF);
        trace_call_release(f->reader, c);
    }
    c = next_call(f);
    assert_int_equal(c->args[1].type, TRACE_FLOAT);
    assert_true(c->args[0].u.f32 == 0.5f && c->args[1].u.f32 == -1);
    trace_call_release(f->reader, c);
    c = next_call(f);
    assert_int_equal(c->args[0].type, TRACE_SINT);
    assert_int_equal(c->args[0].u.sint, -7);
    trace_call_release(f->reader, c);
    assert_null(next_call(f));
}

/* The param of glTexParameteri is a name or a number, depending on pname, and so are attributes. Outputs are
 * numbers. */
static void test_values_named_by_another_argument(void **state)
{
    struct fixture *f = *state;
    static const int32_t mode = 0x1701; /* GL_PROJECTION */
    static const int32_t attributes[] = {0x3033, 5, 0x3024, 8, 0x3038};
    put_word(f, 0x0DE1); /* GL_TEXTURE_2D */
    put_word(f, 0x2801); /* GL_TEXTURE_MIN_FILTER */
    put_word(f, 0x2600); /* GL_NEAREST */
    call(f, SPEC_FN_glTexParameteri);
    put_word(f, 0x0DE1);
    put_word(f, 0x813D); /* GL_TEXTURE_MAX_LEVEL */
    put_word(f, 1);
    call(f, SPEC_FN_glTexParameteri);
    put_word(f, 0x0BA0); /* GL_MATRIX_MODE */
    put_word(f, 0x1000); /* address of the output */
    assert_int_equal(encode(f, SPEC_FN_glGetIntegerv, RECORD_ENTER, 0), 0);
    put_payload(f, &mode, 1, sizeof mode);
    assert_int_equal(encode(f, SPEC_FN_glGetIntegerv, RECORD_LEAVE, 0), 0);
    for (int i = 0; i < 4; ++i)
        put_word(f, 0x2000);
    put_word(f, 0x2000);
    put_payload(f, attributes, 5, sizeof attributes[0]);
    assert_int_equal(encode(f, SPEC_FN_eglChooseConfig, RECORD_ENTER, 0), 0);
    read_back(f);

    const struct trace_call *c = next_call(f);
    assert_int_equal(c->args[2].type, TRACE_ENUM);
    assert_int_equal(c->args[2].u.sint, 0x2600);
    trace_call_release(f->reader, c);
    c = next_call(f);
    assert_int_equal(c->args[2].type, TRACE_UINT);
    trace_call_release(f->reader, c);
    c = next_call(f);
    assert_int_equal(c->args[1].element, TRACE_UINT); /* results are numbers */
    assert_int_equal(c->args[1].u.uints[0], mode);
    trace_call_release(f->reader, c);
    c = next_call(f);
    const struct trace_value *list = c->args[1].u.items;
    assert_int_equal(list[0].type, TRACE_ENUM);
    assert_int_equal(list[1].type, TRACE_BITMASK); /* EGL_SURFACE_TYPE */
    assert_int_equal(list[1].u.uint, 5);
    assert_int_equal(list[3].type, TRACE_UINT); /* EGL_RED_SIZE */
    assert_int_equal(list[4].type, TRACE_ENUM); /* EGL_NONE */
    trace_call_release(f->reader, c);
}

/* A 32-bit program: pointers, and integers of their size, have four bytes in its memory. */
static void test_memory_of_32_bits(void **state)
{
    struct fixture *f = *state;
    static const uint32_t buffers[] = {1, 2},
                          visual[10] = {0x8000, 0x21, 0, 24, 4, 0xff0000, 0xff00, 0xff, 256, 8};
    static const int32_t offsets[] = {-16, 0x7ffffff0}, sizes[] = {4, 8};
    f->encoder.values.abi = SPEC_ABI_32;
    for (unsigned i = 0; i < 6; ++i)
        put_word(f, 2);
    put_payload(f, buffers, 2, sizeof buffers[0]);
    put_payload(f, offsets, 2, sizeof offsets[0]);
    put_payload(f, sizes, 2, sizeof sizes[0]);
    call(f, SPEC_FN_glBindBuffersRange);
    for (unsigned i = 0; i < 3; ++i)
        put_word(f, 0);
    put_word(f, (uint64_t)PAYLOAD_NULL);
    assert_int_equal(encode(f, SPEC_FN_glXChooseVisual, RECORD_ENTER, 0), 0);
    put_word(f, 0x9000);
    put_word(f, 1);
    buf_append(&f->body, visual, sizeof visual);
    assert_int_equal(encode(f, SPEC_FN_glXChooseVisual, RECORD_LEAVE, 0), 0);
    read_back(f);

    const struct trace_call *c = next_call(f);
    assert_int_equal(c->args[4].u.sints[0], -16);
    assert_int_equal(c->args[4].u.sints[1], 0x7ffffff0);
    assert_int_equal(c->args[5].count, 2);
    assert_int_equal(c->args[5].u.uints[1], 8);
    trace_call_release(f->reader, c);
    c = next_call(f);
    const struct trace_value *members = c->ret.u.items[0].u.items;
    assert_int_equal(members[0].u.uint, 0x8000);
    assert_int_equal(members[1].u.uint, 0x21);
    assert_int_equal(members[5].u.uint, 0xff0000);
    assert_int_equal(members[9].u.uint, 8);
    trace_call_release(f->reader, c);
}

static void test_pointers(void **state)
{
    struct fixture *f = *state;
    static const float matrix[16] = {1, 2, 3};
    put_word(f, 0x1000);
    put_payload(f, matrix, 16, sizeof matrix[0]);
    call(f, SPEC_FN_glLoadMatrixf);

    put_word(f, 5); /* shader */
    put_word(f, 2); /* count */
    put_word(f, 0x1000);
    put_word(f, 0);
    put_word(f, 2); /* two strings */
    put_payload(f, "void", 4, 1);
    put_word(f, (uint64_t)PAYLOAD_NULL);
    put_word(f, (uint64_t)PAYLOAD_NULL); /* no lengths */
    call(f, SPEC_FN_glShaderSource);

    put_word(f, 0x8892); /* GL_ARRAY_BUFFER */
    put_word(f, 5);
    put_word(f, 0x1000);
    put_word(f, 0x88E4); /* GL_STATIC_DRAW */
    put_payload(f, "12345", 5, 1);
    call(f, SPEC_FN_glBufferData);
    read_back(f);

    const struct trace_call *c = next_call(f);
    assert_int_equal(c->args[0].type, TRACE_ARRAY);
    assert_int_equal(c->args[0].count, 16);
    assert_int_equal(c->args[0].element, TRACE_FLOAT);
    assert_true(c->args[0].u.floats[2] == 3);
    trace_call_release(f->reader, c);
    c = next_call(f);
    assert_int_equal(c->args[2].count, 2);
    struct trace_value string;
    trace_array_get(&c->args[2], 0, &string);
    assert_int_equal(string.type, TRACE_STRING);
    assert_string_equal(string.u.string, "void");
    assert_int_equal(c->args[3].type, TRACE_NULL);
    trace_call_release(f->reader, c);
    c = next_call(f);
    assert_int_equal(c->args[2].type, TRACE_BLOB);
    assert_memory_equal(c->args[2].u.blob, "12345", 5);
    trace_call_release(f->reader, c);
}

/* glMultiDrawElements: arrays of blobs, NULL, and addresses. */
static void test_blobs(void **state)
{
    struct fixture *f = *state;
    static const int32_t counts[3] = {3, 0, 1};
    put_word(f, 4);
    put_word(f, 0x1000);
    put_word(f, 0x1403); /* GL_UNSIGNED_SHORT */
    put_word(f, 0x2000);
    put_word(f, 3);
    put_payload(f, counts, 3, sizeof counts[0]);
    put_word(f, 3);
    put_payload(f, "012345", 6, 1);
    put_word(f, (uint64_t)PAYLOAD_NULL);
    put_word(f, (uint64_t)PAYLOAD_OPAQUE);
    put_word(f, 0x20);
    call(f, SPEC_FN_glMultiDrawElements);
    read_back(f);
    const struct trace_call *c = next_call(f);
    const struct trace_value *items = c->args[3].u.items;
    assert_int_equal(c->args[3].count, 3);
    assert_int_equal(items[0].type, TRACE_BLOB);
    assert_int_equal(items[0].count, 6);
    assert_memory_equal(items[0].u.blob, "012345", 6);
    assert_int_equal(items[1].type, TRACE_NULL);
    assert_int_equal(items[2].type, TRACE_OPAQUE);
    assert_int_equal(items[2].u.uint, 0x20);
    trace_call_release(f->reader, c);
}

static void test_results(void **state)
{
    struct fixture *f = *state;
    static const uint32_t names[2] = {7, 9};
    put_word(f, 2);
    put_word(f, 0x1000);
    assert_int_equal(encode(f, SPEC_FN_glGenTextures, RECORD_ENTER, 0), 0);
    put_payload(f, names, 2, sizeof names[0]);
    assert_int_equal(encode(f, SPEC_FN_glGenTextures, RECORD_LEAVE, 0), 0);
    put_word(f, 0x8B31); /* GL_VERTEX_SHADER */
    assert_int_equal(encode(f, SPEC_FN_glCreateShader, RECORD_ENTER, RECORD_FAKE), 0);
    put_word(f, 12);
    assert_int_equal(encode(f, SPEC_FN_glCreateShader, RECORD_LEAVE, RECORD_FAKE), 0);
    assert_int_equal(encode(f, SPEC_FN_glFlush, RECORD_ENTER, 0), 0);
    read_back(f);

    const struct trace_call *c = next_call(f);
    assert_int_equal(c->args[1].count, 2);
    assert_int_equal(c->args[1].u.uints[1], 9);
    trace_call_release(f->reader, c);
    c = next_call(f);
    assert_int_equal(c->flags & TRACE_CALL_FAKE, TRACE_CALL_FAKE);
    assert_int_equal(c->ret.u.uint, 12);
    trace_call_release(f->reader, c);
    c = next_call(f); /* the program ended during this call */
    assert_int_equal(c->number, 2);
    assert_int_equal(c->flags & TRACE_CALL_INCOMPLETE, TRACE_CALL_INCOMPLETE);
    trace_call_release(f->reader, c);
}

/* A body that is cut anywhere, or has a larger count than it can hold, is an error. The trace remains
 * readable. */
static void test_bodies_that_do_not_fit(void **state)
{
    struct fixture *f = *state;
    for (size_t size = 0; size < 8 * 8; ++size) {
        put_word(f, 5);
        put_word(f, 2);
        put_word(f, 0x1000);
        put_word(f, 0);
        put_word(f, 2);
        put_payload(f, "void", 4, 1);
        put_word(f, (uint64_t)INT64_MAX);
        f->body.len = size;
        assert_int_equal(encode(f, SPEC_FN_glShaderSource, RECORD_ENTER, 0), TRACE_ERR_FORMAT);
    }
    assert_int_equal(encode(f, SPEC_FUNCTION_COUNT, RECORD_ENTER, 0), TRACE_ERR_FORMAT);
    assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_LEAVE, 0), TRACE_ERR_FORMAT);
    read_back(f);
    const struct trace_call *c;
    while ((c = next_call(f)) != NULL)
        trace_call_release(f->reader, c);
}

/* Checks that the next call is complete and has this number. */
static void check_next_number(struct fixture *f, uint64_t number)
{
    const struct trace_call *c = next_call(f);
    assert_non_null(c);
    assert_int_equal(c->number, number);
    assert_int_equal(c->flags & TRACE_CALL_INCOMPLETE, 0);
    trace_call_release(f->reader, c);
}

/* A call that was left by longjmp() stays open. The next leave ends its own call. */
static void test_calls_left_behind(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_ENTER, 0), 0);
    call(f, SPEC_FN_glFlush);
    assert_int_equal(f->thread.depth, 1);
    for (unsigned i = 0; i < 100; ++i)
        assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_ENTER, 0), 0); /* calls 2 to 101 */
    call(f, SPEC_FN_glFlush); /* replaces the outermost call in the list of open ones */
    for (unsigned i = 1; i < RECORD_THREAD_DEPTH; ++i)
        assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_LEAVE, 0), 0);
    assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_LEAVE, 0), TRACE_ERR_FORMAT);
    read_back(f);
    check_next_number(f, 1);
    check_next_number(f, 102);
    for (unsigned i = 1; i < RECORD_THREAD_DEPTH; ++i)
        check_next_number(f, 102 - i);
    const struct trace_call *c = next_call(f);
    assert_int_equal(c->flags & TRACE_CALL_INCOMPLETE, TRACE_CALL_INCOMPLETE);
    trace_call_release(f->reader, c);
}

/* A leave whose enter was lost does not end another call. */
static void test_leave_without_enter(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_ENTER, 0), 0);
    assert_int_equal(encode(f, SPEC_FN_glFlush, RECORD_LEAVE, 0), TRACE_ERR_FORMAT);
    assert_int_equal(encode(f, SPEC_FN_glFinish, RECORD_LEAVE, 0), 0);
    read_back(f);
    check_next_number(f, 0);
    assert_null(next_call(f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_header, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scalars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values_named_by_another_argument, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_of_32_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pointers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blobs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_results, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bodies_that_do_not_fit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_calls_left_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leave_without_enter, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
