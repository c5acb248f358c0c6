/* SPDX-License-Identifier: MIT
 * Call stacks in a ring become backtraces of the trace; what makes no sense there costs backtraces only.
 */
#include "cmocka_all.h"
#include "sample_records.h"
#include "sample_ring.h"

#include "next_random.h"
#include "spec_ids.h"
#include "formats/apitrace/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE  UINT64_C(0x10000000)
#define OTHER UINT64_C(0x20000000)

struct fixture {
    struct sample_ring ring;
    struct trace_reader *reader;
    const struct trace_call *call;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    return sample_ring_open(&f->ring);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    if (f->call != NULL)
        trace_call_release(f->reader, f->call);
    if (f->reader != NULL)
        trace_reader_close(f->reader);
    sample_ring_close(&f->ring);
    free(f);
    return 0;
}

static void append_module(struct fixture *f, uint32_t serial, uint64_t base, uint64_t size, const char *path)
{
    uint8_t body[sizeof(struct record_module) + 64] = {0};
    const struct record_module m = {
        .start = base, .end = base + size, .base = base, .serial = serial, .build_id_size = 20};
    memcpy(body, &m, sizeof m);
    memcpy(body + sizeof m, path, strlen(path));
    sample_ring_append_body(&f->ring, &(struct record){.kind = RECORD_MODULE}, body,
                            sizeof m + RECORD_PAD(strlen(path) + 1));
}

static void append_stack(struct fixture *f, uint32_t number, uint16_t function, const uint64_t *places,
                         size_t count)
{
    const struct record r = {.kind = RECORD_STACK, .order = number, .function = function, .time = 10};
    sample_ring_append_body(&f->ring, &r, places, count * sizeof *places);
}

static void append_call(struct fixture *f, uint16_t function)
{
    const uint64_t words[4] = {1, 2, 3, 4};
    sample_ring_append(&f->ring, function, RECORD_ENTER, words, spec_functions[function].param_count);
    sample_ring_append(&f->ring, function, RECORD_LEAVE, NULL, 0);
}

static void next_call(struct fixture *f, const char *name)
{
    if (f->call != NULL)
        trace_call_release(f->reader, f->call);
    assert_int_equal(trace_reader_next_call(f->reader, &f->call), 0);
    assert_non_null(f->call);
    assert_string_equal(f->call->sig->name, name);
}

static void read_back(struct fixture *f)
{
    sample_ring_drain(&f->ring);
    f->reader = open_encoded(&f->ring.encoder);
}

static void check_frame(const struct fixture *f, uint32_t index, const char *module, int64_t offset)
{
    assert_true(index < f->call->frame_count);
    const struct trace_frame *frame = &f->call->frames[index];
    if (module != NULL)
        assert_string_equal(frame->module, module);
    else
        assert_null(frame->module);
    assert_int_equal(frame->offset, offset);
    assert_int_equal(frame->line, -1);
}

static void stacks_are_numbered(void **state)
{
    struct fixture *f = *state;
    const uint64_t one[] = {BASE + 0x10, OTHER + 0x20, 0x77}, two[] = {BASE + 0x10, BASE + 0x30};
    append_module(f, 0, BASE, 0x1000, "/usr/bin/app");
    append_module(f, 1, OTHER, 0x1000, "libother.so");
    append_stack(f, 5, SPEC_FN_glClearStencil, one, 3);
    append_call(f, SPEC_FN_glClearStencil);
    append_stack(f, 6, SPEC_FN_glClearStencil, two, 2);
    append_call(f, SPEC_FN_glClearStencil);
    append_stack(f, 5, SPEC_FN_glFlush, NULL, 0);
    append_call(f, SPEC_FN_glFlush);
    append_call(f, SPEC_FN_glFlush);
    append_stack(f, 5, SPEC_FN_glFlush, two, 2); /* the number is assigned again */
    append_call(f, SPEC_FN_glFlush);
    read_back(f);
    next_call(f, "glClearStencil");
    assert_int_equal(f->call->frame_count, 3);
    check_frame(f, 0, "/usr/bin/app", 0x10);
    check_frame(f, 1, "libother.so", 0x20);
    check_frame(f, 2, NULL, 0x77);
    next_call(f, "glClearStencil");
    assert_int_equal(f->call->frame_count, 2);
    check_frame(f, 0, "/usr/bin/app", 0x10);
    check_frame(f, 1, "/usr/bin/app", 0x30);
    next_call(f, "glFlush");
    assert_int_equal(f->call->frame_count, 3);
    check_frame(f, 1, "libother.so", 0x20);
    next_call(f, "glFlush");
    assert_null(f->call->frames);
    next_call(f, "glFlush");
    assert_int_equal(f->call->frame_count, 2);
    check_frame(f, 1, "/usr/bin/app", 0x30);
}

/* A frame has one number, whichever stacks it is in. */
static void frames_are_numbered_once(void **state)
{
    struct fixture *f = *state;
    append_module(f, 0, BASE, 0x1000, "app");
    for (uint32_t i = 0; i < 100; ++i) {
        const uint64_t places[] = {BASE + i % 3, BASE + i % 5};
        append_stack(f, i, SPEC_FN_glFlush, places, 2);
        append_call(f, SPEC_FN_glFlush);
    }
    read_back(f);
    assert_int_equal(f->ring.encoder.frames.count, 5);
    for (uint32_t i = 0; i < 100; ++i) {
        next_call(f, "glFlush");
        check_frame(f, 0, "app", i % 3);
        check_frame(f, 1, "app", i % 5);
    }
}

/* An address belongs to the module that was mapped there when it was recorded. */
static void modules_follow_each_other(void **state)
{
    struct fixture *f = *state;
    const uint64_t place = BASE + 0x10;
    append_module(f, 0, BASE, 0x1000, "first.so");
    append_stack(f, 1, SPEC_FN_glFlush, &place, 1);
    append_call(f, SPEC_FN_glFlush);
    append_module(f, 1, BASE, 0x800, "second.so");
    append_stack(f, 1, SPEC_FN_glFlush, &place, 1);
    append_call(f, SPEC_FN_glFlush);
    /* A thread that does not know of the second module yet refers to the first. */
    sample_ring_append(&f->ring, 0, RECORD_THREAD, &(uint64_t){1}, 1);
    append_module(f, 0, BASE, 0x1000, "first.so");
    append_stack(f, 1, SPEC_FN_glFlush, &place, 1);
    append_call(f, SPEC_FN_glFlush);
    append_stack(f, 2, SPEC_FN_glFlush, NULL, 0); /* the number is that of the ring's previous thread */
    append_call(f, SPEC_FN_glFlush);
    read_back(f);
    next_call(f, "glFlush");
    check_frame(f, 0, "first.so", 0x10);
    next_call(f, "glFlush");
    check_frame(f, 0, "second.so", 0x10);
    next_call(f, "glFlush");
    check_frame(f, 0, "first.so", 0x10);
    next_call(f, "glFlush");
    assert_null(f->call->frames);
}

/* Fake calls between a stack and its call have no backtrace. */
static void fake_calls_have_none(void **state)
{
    struct fixture *f = *state;
    const uint64_t place = BASE, word = 7;
    append_stack(f, 0, SPEC_FN_glClearStencil, &place, 1);
    uint8_t *fake = sample_ring_append(&f->ring, SPEC_FN_glClearStencil, RECORD_ENTER, &word, 1);
    ((struct record *)(void *)fake)->flags = RECORD_FAKE;
    sample_ring_append(&f->ring, SPEC_FN_glClearStencil, RECORD_LEAVE, NULL, 0);
    append_call(f, SPEC_FN_glClearStencil);
    append_stack(f, 0, SPEC_FN_glFinish, NULL, 0); /* for a call that was not recorded after all */
    append_call(f, SPEC_FN_glFlush);
    append_call(f, SPEC_FN_glFinish);
    read_back(f);
    next_call(f, "glClearStencil");
    assert_null(f->call->frames);
    next_call(f, "glClearStencil");
    check_frame(f, 0, NULL, (int64_t)BASE);
    next_call(f, "glFlush");
    assert_null(f->call->frames);
    next_call(f, "glFinish");
    assert_null(f->call->frames);
}

static int describe(void *context, struct stack_frames *frames, const struct stack_module *module,
                    uint64_t place)
{
    char function[32];
    (void)context;
    for (uint64_t i = 0; i < (place & 0xf); ++i) {
        snprintf(function, sizeof function, "f%u", (unsigned)i);
        const struct trace_frame frame = {.module = module->path,
                                          .function = function,
                                          .file = "a.c",
                                          .line = (int64_t)i,
                                          .offset = (int64_t)(place - module->base)};
        assert_int_equal(stack_frames_add(frames, &frame), 0);
    }
    return 0;
}

/* An address may have several frames. When there are enough frames, no more addresses are used. */
static void inlined_functions(void **state)
{
    struct fixture *f = *state;
    const uint64_t places[] = {BASE + 0x13, BASE + 0x20, BASE + 0x34, BASE + 0x44, BASE + 0x51};
    stack_frames_set_source(&f->ring.encoder.frames, describe, NULL, NULL);
    append_module(f, 0, BASE, 0x1000, "app");
    append_stack(f, 0, SPEC_FN_glFlush, places, 5);
    append_call(f, SPEC_FN_glFlush);
    read_back(f);
    next_call(f, "glFlush");
    assert_int_equal(f->call->frame_count, 3 + 1 + 4 + 4);
    assert_string_equal(f->call->frames[2].function, "f2");
    assert_string_equal(f->call->frames[2].file, "a.c");
    assert_int_equal(f->call->frames[2].line, 2);
    assert_int_equal(f->call->frames[2].offset, 0x13);
    assert_null(f->call->frames[3].function); /* unknown: only module and offset */
    assert_int_equal(f->call->frames[3].offset, 0x20);
    assert_string_equal(f->call->frames[11].function, "f3");
}

/* The name of all generated code, or NULL if it has none. */
static const char *generated;

static int describe_generated(void *context, struct stack_frames *frames, const struct stack_module *module,
                              uint64_t place)
{
    (void)context;
    assert_null(module);
    const struct trace_frame frame = {.function = generated, .line = -1, .offset = (int64_t)(place & 0xf)};
    return generated != NULL ? stack_frames_add(frames, &frame) : 0;
}

static bool is_renamed(void *context, uint64_t place, const struct trace_frame *frame)
{
    (void)context, (void)place;
    return generated != NULL && (frame->function == NULL || strcmp(generated, frame->function) != 0);
}

/* Code outside of modules gets its name when it is known, and a new one when that changes. */
static void generated_code_is_renamed(void **state)
{
    static const char *const names[] = {NULL, NULL, "first", "first", "second"};
    enum { COUNT = sizeof names / sizeof names[0] };
    struct fixture *f = *state;
    const uint64_t place = 0x5001;
    stack_frames_set_source(&f->ring.encoder.frames, describe_generated, is_renamed, NULL);
    for (uint32_t i = 0; i < COUNT; ++i) {
        generated = names[i];
        append_stack(f, i, SPEC_FN_glFlush, &place, 1);
        append_call(f, SPEC_FN_glFlush);
        sample_ring_drain(&f->ring);
    }
    read_back(f);
    assert_int_equal(f->ring.encoder.frames.count, 3);
    for (uint32_t i = 0; i < COUNT; ++i) {
        next_call(f, "glFlush");
        const char *name = f->call->frames[0].function;
        assert_true(names[i] == NULL ? name == NULL : strcmp(name, names[i]) == 0);
    }
}

/* Damaged records of backtraces do not affect calls. */
static void damage_costs_backtraces_only(void **state)
{
    enum { CALLS = 3000 };
    struct fixture *f = *state;
    uint8_t body[2048];
    for (unsigned i = 0; i < CALLS; ++i) {
        size_t size = (next_random() % (sizeof body / 8)) * 8;
        for (size_t k = 0; k < size; ++k)
            body[k] = (uint8_t)(next_random() % 4 != 0 ? 0 : next_random());
        const struct record r = {.kind = (uint8_t)(RECORD_STACK + next_random() % 2),
                                 .function = SPEC_FN_glFlush,
                                 .order = (uint32_t)(next_random() % (RECORD_STACK_NUMBERS + 10)),
                                 .time = (uint32_t)(next_random() % 300)};
        sample_ring_append_body(&f->ring, &r, body, size);
        append_call(f, SPEC_FN_glFlush);
        if (i % 100 == 0)
            sample_ring_drain(&f->ring);
    }
    read_back(f);
    for (unsigned i = 0; i < CALLS; ++i)
        next_call(f, "glFlush");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stacks_are_numbered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frames_are_numbered_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_follow_each_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fake_calls_have_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(inlined_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(generated_code_is_renamed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_costs_backtraces_only, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
