/* SPDX-License-Identifier: MIT
 * Tests that the trace contains what the wrapper has written: memory of every size, in one piece or several,
 * with and without unreadable parts, and every function of the tables.
 */
#include "stub_process.h"

#include "process/capture_process.h"
#include "spec_ids.h"
#include "formats/apitrace/format.h"

#include "cmocka_all.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint8_t *pattern; /* PATTERN bytes */
enum { PATTERN = 5 * RING_MAX_RECORD };

static int make_pattern(void **state)
{
    (void)state;
    pattern = malloc(PATTERN);
    for (size_t i = 0; pattern != NULL && i < PATTERN; ++i)
        pattern[i] = (uint8_t)(i * 31 + i / 251);
    return pattern == NULL;
}

static int free_pattern(void **state)
{
    (void)state;
    free(pattern);
    return 0;
}

static void buffer_data(const void *data, uint64_t size)
{
    const union spec_arg args[4] = {
        {.u = 0x8892}, {.u = size}, {.p = (void *)(uintptr_t)data}, {.u = 0x88E4}};
    stub_process_call(SPEC_FN_glBufferData, args, NULL);
}

/* Makes a call that shows whether what was recorded before it has damaged it. */
static void mark(int32_t number)
{
    const union spec_arg args[1] = {{.i = number}};
    stub_process_call(SPEC_FN_glClearStencil, args, NULL);
}

static const struct trace_call *next_call(struct trace_reader *r, const char *name)
{
    const struct trace_call *call;
    assert_int_equal(trace_reader_next_call(r, &call), 0);
    assert_non_null(call);
    assert_string_equal(call->sig->name, name);
    assert_int_equal(call->flags & TRACE_CALL_INCOMPLETE, 0);
    return call;
}

static void expect_mark(struct trace_reader *r, uint64_t number)
{
    const struct trace_call *call = next_call(r, "glClearStencil");
    assert_int_equal(trace_value_to_uint(&call->args[0], 0), number);
    trace_call_release(r, call);
}

static void expect_blob(struct trace_reader *r, const void *bytes, uint64_t size)
{
    const struct trace_call *call = next_call(r, "glBufferData");
    assert_int_equal(call->args[2].type, TRACE_BLOB);
    assert_int_equal(call->args[2].count, size);
    assert_true(memcmp(call->args[2].u.blob, bytes, size) == 0);
    trace_call_release(r, call);
}

/* Sizes near those at which a body is cut, and near multiples of 8. */
static void test_sizes(void **state)
{
    (void)state;
    static const uint64_t around[] = {20, RING_MAX_RECORD - 60, 2 * RING_MAX_RECORD - 60,
                                      4 * RING_MAX_RECORD - 60};
    for (unsigned a = 0; a < sizeof around / sizeof around[0]; ++a) {
        stub_process_start(2, false);
        for (uint64_t i = 0; i < 40; ++i) {
            uint64_t size = around[a] - 19 + 3 * i;
            buffer_data(pattern + i, size);
            mark((int32_t)i);
            stub_process_drain();
            if (i % 8 != 7)
                continue;
            struct trace_reader *r = stub_process_open_trace();
            for (uint64_t k = i - 7; k <= i; ++k) {
                expect_blob(r, pattern + k, around[a] - 19 + 3 * k);
                expect_mark(r, k);
            }
            trace_reader_close(r);
            stub_process_stop();
            stub_process_start(2, false);
        }
        assert_int_equal(stub_process.merger.damaged + stub_process.merger.passed_over, 0);
        stub_process_stop();
    }
}

/* Unreadable memory becomes zeros, also in large records. */
static void test_holes(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {6 * 4096, RING_MAX_RECORD + 3 * 4096 + 5};
    for (unsigned s = 0; s < 2; ++s) {
        uint64_t size = sizes[s], room = (size + 4095) & ~(uint64_t)4095;
        uint8_t *m = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        uint8_t *expected = malloc(size);
        assert_non_null(expected);
        memcpy(m, pattern, size);
        memcpy(expected, pattern, size);
        memset(expected + 4096, 0, 4096);
        assert_int_equal(mprotect(m + 4096, 4096, PROT_NONE), 0);
        stub_process_start(2, false);
        buffer_data(m, size);
        mark(1);
        struct trace_reader *r = stub_process_open_trace();
        expect_blob(r, expected, size);
        expect_mark(r, 1);
        trace_reader_close(r);
        stub_process_stop();
        munmap(m, room);
        free(expected);
    }
}

/* Memory that becomes readable while GL reads it, for example in a fault handler, is recorded after the call.
 * Memory that does not is not recorded. */
static void test_memory_that_comes(void **state)
{
    (void)state;
    static const uintptr_t code[2]; /* no return address of the program's */
    const size_t size = 64 << 10;
    for (unsigned comes = 0; comes < 2; ++comes) {
        struct capture_call c;
        union spec_arg none = {.u = 0};
        void *m = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(m, MAP_FAILED);
        const union spec_arg args[4] = {{.u = 0x8892}, {.u = size}, {.p = m}, {.u = 0x88E4}};
        stub_process_start(2, false);
        capture_enter(&c, SPEC_FN_glBufferData, args, code + 1);
        if (comes != 0) {
            assert_int_equal(mprotect(m, size, PROT_READ | PROT_WRITE), 0);
            memcpy(m, pattern, size);
        }
        capture_leave(&c, args, &none);
        mark(7);
        struct trace_reader *r = stub_process_open_trace();
        if (comes != 0) {
            expect_blob(r, pattern, size);
        } else {
            const struct trace_call *call = next_call(r, "glBufferData");
            assert_int_not_equal(call->args[2].type, TRACE_BLOB);
            trace_call_release(r, call);
        }
        expect_mark(r, 7);
        trace_reader_close(r);
        assert_int_equal(stub_process.merger.damaged + stub_process.merger.passed_over, 0);
        stub_process_stop();
        munmap(m, size);
    }
}

static void uniform(int64_t count, const void *values)
{
    const union spec_arg args[3] = {{.i = 5}, {.i = count}, {.p = (void *)(uintptr_t)values}};
    stub_process_call(SPEC_FN_glUniform4fv, args, NULL);
}

/* values: NULL: the argument is unreadable */
static void expect_uniform(struct trace_reader *r, int64_t count, const float *values)
{
    const struct trace_call *call = next_call(r, "glUniform4fv");
    assert_true(trace_value_to_sint(&call->args[1], 0) == count);
    if (values == NULL) {
        assert_true(call->args[2].type == TRACE_NULL || call->args[2].count == 0);
    } else {
        assert_int_equal(call->args[2].count, 4 * count);
        assert_memory_equal(call->args[2].u.floats, values, (size_t)count * 4 * sizeof(float));
    }
    trace_call_release(r, call);
}

/* Short arrays are recorded in a way of their own. They are compared with long ones, at the end of readable
 * memory and beyond it. */
static void test_arrays(void **state)
{
    (void)state;
    enum { PAGE = 4096 };
    static const int64_t counts[] = {1, 2, 63, 64, 65, 200, 1024, 1025};
    static const int64_t none[] = {0, -1, INT32_MIN};
    uint8_t *m = mmap(NULL, 17 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    float *values = (float *)(void *)m;
    for (unsigned i = 0; i < 16 * PAGE / sizeof *values; ++i)
        values[i] = (float)i;
    assert_int_equal(mprotect(m + 16 * PAGE, PAGE, PROT_NONE), 0);
    const float *end = (const float *)(const void *)(m + 16 * PAGE);
    stub_process_start(2, false);
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (unsigned again = 0; again < 5; ++again) /* so that the page becomes a known one */
            uniform(counts[i], values);
        if (counts[i] <= 1024)
            uniform(counts[i], end - 4 * counts[i]);
        uniform(counts[i], NULL);
        uniform(counts[i], end);
        mark((int32_t)i);
    }
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; ++i)
        uniform(none[i], values);
    uniform(1, end - 3);
    mark(99);
    struct trace_reader *r = stub_process_open_trace();
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (unsigned again = 0; again < 5; ++again)
            expect_uniform(r, counts[i], values);
        if (counts[i] <= 1024)
            expect_uniform(r, counts[i], end - 4 * counts[i]);
        expect_uniform(r, counts[i], NULL);
        expect_uniform(r, counts[i], NULL);
        expect_mark(r, i);
    }
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; ++i)
        expect_uniform(r, none[i], NULL);
    trace_call_release(r, next_call(r, "glUniform4fv")); /* the readable part */
    expect_mark(r, 99);
    trace_reader_close(r);
    assert_int_equal(stub_process.merger.damaged + stub_process.merger.passed_over, 0);
    stub_process_stop();
    munmap(m, 17 * PAGE);
}

/* An array that becomes readable while GL reads it is in the trace. */
static void test_array_that_comes(void **state)
{
    (void)state;
    static const uintptr_t code[2];
    struct capture_call c;
    float *m = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const union spec_arg args[1] = {{.p = m}};
    stub_process_start(2, false);
    for (unsigned i = 0; i < 2; ++i) { /* the second time it is readable before the call */
        capture_enter(&c, SPEC_FN_glVertex3fv, args, code + 1);
        assert_int_equal(mprotect(m, 4096, PROT_READ | PROT_WRITE), 0);
        m[0] = 1;
        capture_leave(&c, args, &(union spec_arg){.u = 0});
    }
    struct trace_reader *r = stub_process_open_trace();
    for (unsigned i = 0; i < 2; ++i) {
        const struct trace_call *call = next_call(r, "glVertex3fv");
        assert_int_equal(call->args[0].count, 3);
        assert_true(call->args[0].u.floats[0] == 1);
        trace_call_release(r, call);
    }
    trace_reader_close(r);
    stub_process_stop();
    munmap(m, 4096);
}

/* Any number of strings, of any length, or NULL. */
static void test_strings(void **state)
{
    (void)state;
    enum { STRINGS = 300 };
    static char texts[STRINGS][24];
    const char *strings[STRINGS];
    for (unsigned i = 0; i < STRINGS; ++i) {
        memset(texts[i], 'a' + (int)(i % 26), i % 20);
        strings[i] = i % 7 == 3 ? NULL : texts[i];
    }
    for (unsigned count = 1; count <= STRINGS; count = count * 2 + 1) {
        const union spec_arg args[4] = {{.u = 1}, {.u = count}, {.p = strings}, {.p = NULL}};
        stub_process_start(2, false);
        stub_process_call(SPEC_FN_glShaderSource, args, NULL);
        mark(2);
        struct trace_reader *r = stub_process_open_trace();
        const struct trace_call *call = next_call(r, "glShaderSource");
        assert_int_equal(call->args[2].count, count);
        for (unsigned i = 0; i < count; ++i) {
            const struct trace_value *v = &call->args[2].u.items[i];
            assert_int_equal(v->type, strings[i] == NULL ? TRACE_NULL : TRACE_STRING);
            if (strings[i] != NULL)
                assert_int_equal(v->count, i % 20);
        }
        trace_call_release(r, call);
        expect_mark(r, 2);
        trace_reader_close(r);
        stub_process_stop();
    }
}

/* Outputs and results are recorded in the leave. */
static void test_results(void **state)
{
    (void)state;
    int32_t values[4] = {1, 2, 3, 4};
    static char vendor[] = "a vendor";
    const union spec_arg get[2] = {{.u = 0x0BA2}, {.p = values}}, name[1] = {{.u = 0x1F00}};
    stub_process_start(2, false);
    struct capture_call c;
    static const uintptr_t code[2];
    capture_enter(&c, SPEC_FN_glGetIntegerv, get, code + 1);
    values[3] = 5; /* the driver's answer */
    capture_leave(&c, get, &(union spec_arg){.u = 0});
    stub_process_call(SPEC_FN_glGetString, name, &(union spec_arg){.p = vendor});
    stub_process_call(SPEC_FN_glGetString, name, &(union spec_arg){.p = NULL});
    struct trace_reader *r = stub_process_open_trace();
    const struct trace_call *call = next_call(r, "glGetIntegerv");
    assert_int_equal(call->args[1].count, 4);
    assert_int_equal(call->args[1].u.uints[3], 5);
    trace_call_release(r, call);
    call = next_call(r, "glGetString");
    assert_int_equal(call->ret.count, 8);
    assert_memory_equal(call->ret.u.string, "a vendor", 8);
    trace_call_release(r, call);
    call = next_call(r, "glGetString");
    assert_int_equal(call->ret.type, TRACE_NULL);
    trace_call_release(r, call);
    trace_reader_close(r);
    stub_process_stop();
}

/* Addresses and large numbers are recorded in full, whatever else a function returns. */
static void test_wide_results(void **state)
{
    (void)state;
    static const uint64_t value = 0x1234567890abcdef;
    static uint8_t memory[1 << 16] __attribute__((aligned(16)));
    unsigned tried = 0;
    for (uint32_t id = 0; id < spec_function_count; ++id) {
        const struct spec_function *f = &spec_functions[id];
        bool pointer =
            f->ret.form == SPEC_FORM_OPAQUE || (f->ret.form == SPEC_FORM_VALUE && f->ret.type == SPEC_PTR);
        if (!pointer && (f->ret.form != SPEC_FORM_VALUE || f->ret.type != SPEC_U64))
            continue;
        union spec_arg args[32] = {{.u = 0}};
        for (unsigned i = 0; i < f->param_count; ++i)
            args[i].p = spec_param(f, i)->form != SPEC_FORM_VALUE ? memory : NULL;
        stub_process_start(2, false);
        stub_process_call(id, args, &(union spec_arg){.u = value});
        struct trace_reader *r = stub_process_open_trace();
        const struct trace_call *call = next_call(r, spec_string(f->name));
        assert_int_equal(call->ret.u.uint, value);
        trace_call_release(r, call);
        trace_reader_close(r);
        stub_process_stop();
        tried++;
    }
    assert_in_range(tried, 20, spec_function_count);
}

/* The records of every function are valid, whatever its arguments are. */
static void test_every_function(void **state)
{
    (void)state;
    static uint8_t memory[1 << 16] __attribute__((aligned(16)));
    for (unsigned kind = 0; kind < 3; ++kind) {
        stub_process_start(2, false);
        for (uint32_t id = 0; id < spec_function_count; ++id) {
            const struct spec_function *f = &spec_functions[id];
            union spec_arg args[32] = {{.u = 0}};
            for (unsigned i = 0; i < f->param_count; ++i)
                if (kind != 0)
                    args[i].u =
                        spec_param(f, i)->form != SPEC_FORM_VALUE || spec_param(f, i)->type == SPEC_PTR
                            ? (uint64_t)(uintptr_t)memory
                            : kind - 1;
            stub_process_call(id, args, &(union spec_arg){.p = kind == 0 ? NULL : memory});
        }
        stub_process_drain();
        assert_int_equal(stub_process.merger.damaged, 0);
        assert_int_equal(stub_process.merger.passed_over, 0);
        assert_int_equal(stub_process.encoder.next_call, spec_function_count);
        struct trace_reader *r = stub_process_open_trace();
        for (uint32_t id = 0; id < spec_function_count; ++id)
            trace_call_release(r, next_call(r, spec_string(spec_functions[id].name)));
        trace_reader_close(r);
        stub_process_stop();
    }
}

/* --- when recording ends -----------------------------------------------------------------------------------
 */

static unsigned waits_left;
static bool was_refused;

static bool drain_some(void)
{
    was_refused = waits_left == 0;
    if (!was_refused) {
        waits_left--;
        stub_process_drain();
    }
    return !was_refused;
}

/* The collector may end at any time. Then the thread stops recording, once, and gives back its ring. */
static void test_no_more_room(void **state)
{
    (void)state;
    for (unsigned waits = 0; waits < 3; ++waits) {
        stub_process_start(2, false);
        stub_process.on_wait = drain_some;
        waits_left = waits;
        mark(0);
        struct ring_control *c = capture_self.ring.control;
        was_refused = false;
        for (unsigned i = 0; i < 5 && capture_self.ring.control != NULL; ++i) {
            buffer_data(pattern, PATTERN - 8 * i);
            assert_int_equal(capture_self.ring.control == NULL, was_refused);
        }
        assert_null(capture_self.ring.control);
        assert_false(capture_self.in_body);
        assert_int_equal(c->state, RING_RELEASED);
        unsigned before = stub_process.waits;
        mark(1);
        buffer_data(pattern, 40);
        assert_int_equal(stub_process.waits, before);
        stub_process_drain();
        assert_int_equal(stub_process.merger.lost, 0);
        assert_int_equal(stub_process.merger.damaged + stub_process.merger.passed_over, 0);
        stub_process_stop();
    }
}

static bool refuse_once(void)
{
    if (was_refused) {
        stub_process_drain();
        return true;
    }
    was_refused = true;
    return false;
}

/* After a refusal nothing is recorded, whether the ring was full at an enter or at a leave, even if there is
 * space again. */
static void test_refused_once(void **state)
{
    (void)state;
    for (unsigned results = 0; results < 4; ++results) { /* calls of various sizes */
        stub_process_start(2, false);
        stub_process.on_wait = refuse_once;
        was_refused = false;
        for (unsigned i = 0; i <= results; ++i)
            stub_process_call(SPEC_FN_glFlush, NULL, NULL);
        for (unsigned i = 0; i < 1000000 && capture_self.ring.control != NULL; ++i) {
            if (results % 4 == 3)
                buffer_data(pattern, 1000);
            else
                mark((int32_t)i);
            assert_int_equal(capture_self.ring.control == NULL, was_refused);
        }
        assert_true(was_refused);
        stub_process_drain();
        assert_int_equal(stub_process.merger.damaged + stub_process.merger.passed_over, 0);
        stub_process_stop();
    }
}

/* --- times ------------------------------------------------------------------------------------------ */

static uint64_t entered, left;

static void note_times(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    (void)context;
    *(event->tag == TRACE_RAW_EVENT_ENTER ? &entered : &left) = ticks;
}

static void dawdle(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                   union spec_arg *ret)
{
    (void)t;
    (void)f;
    (void)args;
    (void)ret;
    nanosleep(&(struct timespec){0, 20000000}, NULL);
}

/* The time of a call begins after our work before it, and ends before our work after it. */
static void test_times(void **state)
{
    (void)state;
    const union spec_arg args[2] = {{.u = 0x0CF5}, {.u = 4}};
    for (unsigned shared = 0; shared < 2; ++shared) {
        stub_process_start(2, shared);
        stub_process.segment.control->clock = CAPTURE_CLOCK_MONOTONIC;
        struct ring_producer other = {.control = NULL};
        if (shared)
            assert_int_equal(ring_pool_take(&stub_process.pool, &other), 0);
        record_encoder_set_hooks(&stub_process.encoder, note_times, NULL, NULL);
        stub_process.before = stub_process.after = dawdle;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t before = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
        stub_process_call(SPEC_FN_glPixelStorei, args, NULL);
        stub_process_drain();
        assert_in_range(entered, before, before + 10000000000);
        assert_in_range(left - entered, 0, 19000000);
        ring_producer_fini(&other);
        stub_process_stop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_memory_that_comes),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_array_that_comes),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_wide_results),
        cmocka_unit_test(test_every_function),
        cmocka_unit_test(test_no_more_room),
        cmocka_unit_test(test_refused_once),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, make_pattern, free_pattern);
}
