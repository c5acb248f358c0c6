/* SPDX-License-Identifier: MIT
 * Records that are taken the quick way give the same bytes, and leave the encoder in the same state, as when
 * each is taken on its own.
 */
#include "records/plain_records.h"
#include "records/record_encoder.h"

#include "formats/apitrace/index/index_builder.h"
#include "spec_ids.h"

#include "next_random.h"
#include "cmocka_all.h"

#include <stdlib.h>

#define FULL_TIME ((uint64_t)7 << 32)

struct fixture {
    struct record_encoder quick, slow;
    struct record_thread quick_thread, slow_thread;
    struct buf records;
    uint64_t order;
    /* Digests of what the hooks were told by the fast encoder. */
    uint64_t told, times;
    uint64_t last_end;
};

static void note_event(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    struct fixture *f = context;
    f->told++;
    f->times += ticks;
    f->last_end = event->offset + event->size;
}

static void note_plain(void *context, struct trace_plain_event *events, size_t count, uint64_t end)
{
    struct fixture *f = context;
    assert_true(end > f->last_end);
    f->told += count;
    for (size_t i = 0; i < count; ++i)
        f->times += (uint64_t)events[i].time;
    f->last_end = end;
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    assert_int_equal(record_encoder_init(&f->quick), 0);
    assert_int_equal(record_encoder_init(&f->slow), 0);
    record_encoder_set_hooks(&f->quick, note_event, note_plain, f);
    f->quick_thread.number = f->slow_thread.number = 200;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    record_encoder_fini(&f->quick);
    record_encoder_fini(&f->slow);
    buf_fini(&f->records);
    free(f);
    return 0;
}

static void add(struct fixture *f, uint16_t function, uint8_t kind, uint8_t flags, const uint64_t *words,
                unsigned count)
{
    const struct record r = {.size = (uint32_t)(sizeof r + count * sizeof *words),
                             .function = function,
                             .kind = kind,
                             .flags = flags,
                             .order = (uint32_t)f->order,
                             .time = (uint32_t)(f->order * 3)};
    f->order++;
    assert_int_equal(buf_append(&f->records, &r, sizeof r), 0);
    assert_int_equal(buf_append(&f->records, words, count * sizeof *words), 0);
}

static uint64_t one_by_one(struct record_encoder *e, struct record_thread *t, const uint8_t *at)
{
    struct record r;
    memcpy(&r, at, sizeof r);
    record_encode(e, t, &r, record_extend(FULL_TIME, r.time), at + sizeof r, at + r.size);
    return r.size;
}

/* Encodes the records both ways. Returns how many were plain. */
static uint64_t encode_both(struct fixture *f, uint64_t first_order)
{
    uint64_t plain = 0, order = first_order;
    size_t size = f->records.len;
    for (size_t at = 0; at < size;)
        at += one_by_one(&f->slow, &f->slow_thread, f->records.data + at);
    for (size_t at = 0; at < size; ++order) {
        uint64_t count;
        at += plain_records_encode(&f->quick, &f->quick_thread, f->records.data + at, size - at, order,
                                   FULL_TIME, &count);
        plain += count;
        order += count;
        if (at < size)
            at += one_by_one(&f->quick, &f->quick_thread, f->records.data + at);
    }
    plain_records_tell(&f->quick);
    assert_int_equal(f->quick.out.len, f->slow.out.len);
    assert_memory_equal(f->quick.out.data, f->slow.out.data, f->slow.out.len);
    assert_int_equal(f->quick.next_call, f->slow.next_call);
    assert_int_equal(f->quick.stream_size, f->slow.stream_size);
    assert_int_equal(f->quick.ended_frames, f->slow.ended_frames);
    assert_int_equal(f->quick_thread.depth, f->slow_thread.depth);
    for (unsigned i = 0; i < f->slow_thread.depth; ++i) {
        assert_int_equal(f->quick_thread.open[i].call, f->slow_thread.open[i].call);
        assert_int_equal(f->quick_thread.open[i].function, f->slow_thread.open[i].function);
        assert_int_equal(f->quick_thread.open[i].selector, f->slow_thread.open[i].selector);
    }
    buf_clear(&f->records);
    return plain;
}

/* Returns a value of a kind that is encoded differently: a name of the parameter's group, a small, large or
 * negative number. */
static uint64_t some_value(const struct spec_param *p)
{
    uint64_t choice = next_random() % 6;
    if (choice < 3 && p->group < spec_group_count && spec_groups[p->group].count > 0)
        return (uint64_t)spec_group_name(&spec_groups[p->group],
                                         (unsigned)(next_random() % spec_groups[p->group].count))
            ->value;
    if (choice == 3)
        return next_random() % 3;
    if (p->type == SPEC_F32)
        return spec_arg_f32((float)(next_random() % 40000)).u;
    return choice == 4 ? next_random() : (uint64_t) - (int64_t)(next_random() % 1000);
}

static void add_call(struct fixture *f, const struct spec_function *function)
{
    uint64_t words[64], result = some_value(&function->ret);
    for (unsigned i = 0; i < function->param_count; ++i)
        words[i] = some_value(spec_param(function, i));
    add(f, function->id, RECORD_ENTER, 0, words, function->param_count);
    add(f, function->id, RECORD_LEAVE, 0, &result, !record_returns_nothing(function));
}

/* Every function that has only scalars, each several times, because the first time is never plain. */
static void test_every_scalar_function(void **state)
{
    struct fixture *f = *state;
    uint64_t calls = 0, plain = 0;
    for (unsigned id = 0; id < spec_function_count; ++id) {
        const struct spec_function *function = &spec_functions[id];
        if ((function->flags & SPEC_FUNCTION_SCALAR) == 0 || !record_is_scalar(&function->ret))
            continue;
        uint64_t order = f->order;
        for (unsigned i = 0; i < 12; ++i, ++calls)
            add_call(f, function);
        plain += encode_both(f, order);
    }
    assert_true(calls > 12000);
    assert_true(plain > 2 * calls * 3 / 4);
    assert_int_equal(f->told, 2 * calls);
    uint64_t times = 0;
    for (uint64_t i = 0; i < f->order; ++i)
        times += FULL_TIME + 3 * i;
    assert_int_equal(f->times, times);
    assert_int_equal(f->last_end, f->quick.stream_size);
}

/* The table of known symbols has a limited size. */
static void test_many_symbols(void **state)
{
    struct fixture *f = *state;
    uint64_t order = f->order;
    for (unsigned i = 0; i < 20000; ++i) {
        uint64_t words[3] = {0xDE1, next_random() % 0x9400, next_random() % 0x9400};
        add(f, SPEC_FN_glTexParameteri, RECORD_ENTER, 0, words, 3);
        add(f, SPEC_FN_glTexParameteri, RECORD_LEAVE, 0, NULL, 0);
    }
    assert_true(encode_both(f, order) > 30000);
}

/* Calls within calls, calls that were left by longjmp(), and leaves without an enter. */
static void test_nesting(void **state)
{
    struct fixture *f = *state;
    uint64_t order = f->order;
    static const uint16_t functions[] = {SPEC_FN_glFlush, SPEC_FN_glFinish, SPEC_FN_glEnd,
                                         SPEC_FN_glGetError};
    for (unsigned i = 0; i < 50000; ++i) {
        uint16_t function = functions[next_random() % 4];
        bool leaves = next_random() % 2 != 0;
        uint64_t result = 0x500;
        add(f, function, leaves ? RECORD_LEAVE : RECORD_ENTER, next_random() % 50 == 0 ? RECORD_FAKE : 0,
            &result, leaves && function == SPEC_FN_glGetError);
    }
    assert_true(encode_both(f, order) > 20000);
}

static void expect_plain(struct fixture *f, size_t size, uint64_t order, uint64_t expected)
{
    uint64_t count;
    size_t taken = plain_records_encode(&f->quick, &f->quick_thread, f->records.data, size, order, 0, &count);
    assert_int_equal(count, expected);
    assert_int_equal(taken, expected * sizeof(struct record));
}

/* A record that is not the next one, not complete or not plain is left to the other encoder. */
static void test_what_is_left(void **state)
{
    struct fixture *f = *state;
    add(f, SPEC_FN_glFlush, RECORD_ENTER, 0, NULL, 0);
    expect_plain(f, f->records.len, 0, 0); /* its signature is not defined yet */
    one_by_one(&f->quick, &f->quick_thread, f->records.data);
    add(f, SPEC_FN_glFlush, RECORD_LEAVE, 0, NULL, 0);
    expect_plain(f, f->records.len, 1, 0);
    expect_plain(f, sizeof(struct record) - 1, 0, 0);
    expect_plain(f, f->records.len - 1, 0, 1);
    expect_plain(f, f->records.len, 0, 2);
    expect_plain(f, f->records.len, (uint64_t)1 << 32, 2); /* records only have the lower half of the order */
    f->quick.plain_limit = f->quick.stream_size;
    expect_plain(f, f->records.len, 0, 0);
    f->quick.plain_limit++;
    expect_plain(f, f->records.len, 0, 1);
    f->quick.plain_limit = UINT64_MAX;
    struct record *first = (struct record *)(void *)f->records.data;
    static const struct record lies[] = {
        {.size = 0, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER},
        {.size = 8, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER},
        {.size = 24, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER},
        {.size = UINT32_MAX - 7, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER},
        {.size = 16, .function = UINT16_MAX, .kind = RECORD_ENTER},
        {.size = 16, .function = SPEC_FN_glFlush, .kind = RECORD_DATA},
        {.size = 16, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER, .flags = RECORD_FAKE},
        {.size = 16, .function = SPEC_FN_glFlush, .kind = RECORD_ENTER, .flags = 0x80},
        {.size = 0, .function = 0, .kind = 0},
    };
    for (unsigned i = 0; i < sizeof lies / sizeof lies[0]; ++i) {
        *first = lies[i];
        expect_plain(f, f->records.len, 0, 0);
    }
}

/* The leave of a function with arrays is plain. */
static void test_leaves_of_arrays(void **state)
{
    struct fixture *f = *state;
    const uint64_t words[] = {0, (uint64_t)PAYLOAD_NULL};
    for (unsigned i = 0; i < 4; ++i) {
        add(f, SPEC_FN_glLoadMatrixf, RECORD_ENTER, 0, words, 2);
        add(f, SPEC_FN_glLoadMatrixf, RECORD_LEAVE, 0, NULL, 0);
    }
    assert_int_equal(encode_both(f, 0), 4);
    const uint64_t output[] = {0xBA2, 0, (uint64_t)PAYLOAD_NULL}; /* glGetIntegerv has output in its leave */
    for (unsigned i = 0; i < 4; ++i) {
        add(f, SPEC_FN_glGetIntegerv, RECORD_ENTER, 0, output, 2);
        add(f, SPEC_FN_glGetIntegerv, RECORD_LEAVE, 0, output + 2, 1);
    }
    assert_int_equal(encode_both(f, 8), 0);
}

/* Adds a call with an array of `elements` numbers. Its record claims to have `count` of them, and has `extra`
 * more words. */
static void add_array_call(struct fixture *f, const struct spec_function *function, uint64_t elements,
                           uint64_t count, unsigned extra)
{
    static uint64_t words[64 + RECORD_SHORT_ARRAY];
    unsigned n = function->param_count;
    for (unsigned i = 0; i < n; ++i)
        words[i] = some_value(spec_param(function, i));
    words[n++] = count;
    for (uint64_t i = 0; i < elements; ++i) {
        const union spec_arg v = {.u = some_value(spec_param(function, function->array))};
        spec_store(spec_param(function, function->array)->type, &words[n], i, v);
    }
    n += (unsigned)((elements * function->array_size + 7) / 8) + extra;
    uint64_t result = some_value(&function->ret);
    add(f, function->id, RECORD_ENTER, 0, words, n);
    add(f, function->id, RECORD_LEAVE, 0, &result, !record_returns_nothing(function));
}

/* Every function with one array and otherwise scalars. */
static void test_every_array_function(void **state)
{
    struct fixture *f = *state;
    uint64_t calls = 0, plain = 0;
    for (unsigned id = 0; id < spec_function_count; ++id) {
        const struct spec_function *function = &spec_functions[id];
        if ((function->flags & SPEC_FUNCTION_ONE_ARRAY) == 0)
            continue;
        uint64_t order = f->order;
        for (unsigned i = 0; i < 12; ++i, ++calls) {
            uint64_t elements = 1 + next_random() % (i < 11 ? 20 : RECORD_SHORT_ARRAY / function->array_size);
            add_array_call(f, function, elements, elements, 0);
        }
        plain += encode_both(f, order);
    }
    assert_true(calls > 5000);
    assert_true(plain > 2 * calls * 3 / 4);
}

/* Arrays that do not fit their records, and long ones, are left to record_encode(). */
static void test_arrays_that_are_left(void **state)
{
    struct fixture *f = *state;
    const struct spec_function *function = &spec_functions[SPEC_FN_glUniform4fv];
    assert_true((function->flags & SPEC_FUNCTION_ONE_ARRAY) != 0);
    static const struct {
        uint64_t elements, count;
        unsigned extra, plain;
    } cases[] = {
        {4, 4, 0, 1}, /* the first time is never plain */
        {4, 4, 0, 2},
        {RECORD_SHORT_ARRAY / 4, RECORD_SHORT_ARRAY / 4, 0, 2},
        {RECORD_SHORT_ARRAY / 4 + 1, RECORD_SHORT_ARRAY / 4 + 1, 0, 2}, /* the size may be right */
        {RECORD_SHORT_ARRAY + 2, RECORD_SHORT_ARRAY + 2, 0, 1},
        {4, 4, 1, 1},
        {4, 6, 0, 1},
        {4, 2, 0, 1},
        {4, UINT64_MAX, 0, 1},
        {4, (uint64_t)1 << 62, 0, 1},
        {4, 0, 0, 1},
        {0, 0, 0, 1},
        {0, (uint64_t)PAYLOAD_NULL, 0, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t order = f->order;
        add_array_call(f, function, cases[i].elements, cases[i].count, cases[i].extra);
        assert_int_equal(encode_both(f, order), cases[i].plain);
    }
}

static bool wants_none(void *context, const struct spec_function *function, uint64_t number,
                       const uint8_t *body, const uint8_t *end)
{
    (void)context, (void)function, (void)number, (void)body, (void)end;
    return false;
}

/* A call that is not selected has no leave, even if all calls are selected by then. */
static void test_call_left_out(void **state)
{
    struct fixture *f = *state;
    static const bool watched[1 << 14];
    assert_in_range(spec_function_count, 1, sizeof watched);
    add(f, SPEC_FN_glFlush, RECORD_ENTER, 0, NULL, 0);
    add(f, SPEC_FN_glFlush, RECORD_LEAVE, 0, NULL, 0);
    encode_both(f, 0);
    for (unsigned i = 0; i < 2; ++i) {
        record_encoder_set_selector(i == 0 ? &f->quick : &f->slow, wants_none, watched, NULL);
        (i == 0 ? &f->quick : &f->slow)->takes_all = false;
    }
    add(f, SPEC_FN_glFlush, RECORD_ENTER, 0, NULL, 0);
    assert_int_equal(encode_both(f, 2), 0);
    f->quick.takes_all = f->slow.takes_all = true;
    add(f, SPEC_FN_glFlush, RECORD_LEAVE, 0, NULL, 0);
    add(f, SPEC_FN_glFlush, RECORD_ENTER, 0, NULL, 0);
    assert_int_equal(encode_both(f, 3), 1);
    assert_int_equal(f->quick.next_call, 2);
}

/* A call that ends a frame must be reported to the index, which plain events are not. */
static void test_frames_are_not_plain(void **state)
{
    struct fixture *f = *state;
    for (unsigned i = 0; i < 4; ++i) {
        add(f, SPEC_FN_glFrameTerminatorGREMEDY, RECORD_ENTER, 0, NULL, 0);
        add(f, SPEC_FN_glFrameTerminatorGREMEDY, RECORD_LEAVE, 0, NULL, 0);
    }
    assert_int_equal(encode_both(f, 0), 0);
    assert_int_equal(f->quick.ended_frames, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_scalar_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_array_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arrays_that_are_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_symbols, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaves_of_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_call_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frames_are_not_plain, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
