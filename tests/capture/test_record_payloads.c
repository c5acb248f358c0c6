/* SPDX-License-Identifier: MIT
 * Tests what is recorded of memory that is readable, partly readable, or unreadable.
 */
#include "cmocka_all.h"
#include "memory/program_memory.h"
#include "records/record.h"
#include "capture/record_payloads.h"
#include "context/gl_context.h"
#include "formats/apitrace/format.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

enum { ARRAY_BUFFER = 0x8892, STATIC_DRAW = 0x88e4 };

static bool is_readable(const void *memory, size_t size)
{
    return program_memory_readable(memory, size);
}

static const struct spec_driver driver = {.is_readable = is_readable};
static struct gl_context context;
static const struct capture_thread thread = {.context = &context};

/* Reserves size bytes of addresses. `readable` bytes of them, starting at `from`, can be read. */
static uint8_t *map(size_t size, size_t from, size_t readable)
{
    uint8_t *m = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(m, MAP_FAILED);
    assert_int_equal(mprotect(m + from, readable, PROT_READ | PROT_WRITE), 0);
    return m;
}

static struct payload *measure(struct payload_list *list, unsigned function, const union spec_arg *args)
{
    memset(list, 0xa5, sizeof *list); /* it need not be initialised */
    payload_list_init(list, &thread, &spec_functions[function], args, NULL);
    return list->payloads;
}

static struct payload *measure_data(struct payload_list *list, const void *data, int64_t size)
{
    const union spec_arg args[] = {
        {.u = ARRAY_BUFFER}, {.i = size}, {.p = (void *)(uintptr_t)data}, {.u = STATIC_DRAW}};
    return measure(list, SPEC_FN_glBufferData, args);
}

static struct payload *measure_names(struct payload_list *list, const void *names, int64_t count)
{
    const union spec_arg args[] = {{.i = count}, {.p = (void *)(uintptr_t)names}};
    return measure(list, SPEC_FN_glDeleteTextures, args);
}

static void test_what_is_there(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(192 * KIB, 64 * KIB, 64 * KIB);
    const struct payload *p = measure_data(&list, m + 64 * KIB, 13);
    assert_int_equal(list.count, 1);
    assert_int_equal(p->count, 13);
    assert_false(p->gaps);
    assert_int_equal(list.bytes, 8 + 16);
    p = measure_names(&list, m + 128 * KIB - 12, 3);
    assert_int_equal(p->count, 3);
    assert_int_equal(p->size, 12);
    assert_false(p->gaps);
    assert_int_equal(list.bytes, 8 + 16);
    p = measure_data(&list, m + 64 * KIB, 0);
    assert_int_equal(p->count, 0);
    assert_int_equal(list.bytes, 8);
    p = measure_data(&list, NULL, 100);
    assert_int_equal(p->count, PAYLOAD_NULL);
    assert_int_equal(list.bytes, 8);
    munmap(m, 192 * KIB);
}

static void test_64_kib_more_are_zeros(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(1 * MIB, 64 * KIB, 64 * KIB);
    const struct payload *p = measure_data(&list, m + 64 * KIB + 8, (int64_t)(128 * KIB - 8));
    assert_int_equal(p->count, 128 * KIB - 8);
    assert_true(p->gaps);
    assert_int_equal(list.bytes, 8 + 128 * KIB - 8);
    p = measure_data(&list, m + 64 * KIB + 8, (int64_t)(128 * KIB - 8 + 1));
    assert_int_equal(p->count, 64 * KIB - 8); /* one byte too many: only the readable part */
    p = measure_names(&list, m + 128 * KIB - 10, 16 * 1024);
    assert_int_equal(p->count, 16 * 1024);
    p = measure_names(&list, m + 128 * KIB - 10, 17 * 1024);
    assert_int_equal(p->count, 2); /* whole elements only */
    assert_int_equal(p->size, 8);
    munmap(m, 1 * MIB);
}

static void test_gaps_between(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(1 * MIB, 0, 64 * KIB);
    mprotect(m + 128 * KIB, 64 * KIB, PROT_READ);
    mprotect(m + 320 * KIB, 64 * KIB, PROT_READ);
    const struct payload *p = measure_data(&list, m, (int64_t)(192 * KIB));
    assert_int_equal(p->count, 192 * KIB);
    assert_true(p->gaps);
    p = measure_data(&list, m, (int64_t)(384 * KIB));
    assert_int_equal(p->count, 192 * KIB);
    munmap(m, 1 * MIB);
}

static void test_nothing_is_there(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(192 * KIB, 64 * KIB, 64 * KIB);
    const struct payload *p = measure_data(&list, m, (int64_t)(100 * KIB));
    assert_int_equal(p->count, PAYLOAD_OPAQUE);
    assert_ptr_equal(p->memory, m);
    assert_int_equal(list.bytes, 16);
    p = measure_names(&list, m, 3);
    assert_int_equal(p->count, 0);
    assert_int_equal(list.bytes, 8);
    const union spec_arg name[] = {{.u = 1}, {.p = m}};
    p = measure(&list, SPEC_FN_glGetUniformLocation, name);
    assert_int_equal(p->count, 0);
    assert_int_equal(list.bytes, 8);
    const union spec_arg visual[] = {{.p = &list}, {.p = m}, {.p = NULL}, {.i = 1}};
    p = measure(&list, SPEC_FN_glXCreateContext, visual);
    assert_int_equal(p->count, PAYLOAD_NULL);
    munmap(m, 192 * KIB);
}

static void test_counts_without_sense(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(1 * MIB, 64 * KIB, 64 * KIB);
    const struct payload *p = measure_data(&list, m + 127 * KIB, INT64_MAX);
    assert_int_equal(p->count, 1 * KIB);
    p = measure_data(&list, m + 127 * KIB, INT64_MIN);
    assert_int_equal(p->count, 0);
    p = measure_names(&list, m + 127 * KIB, INT64_MAX);
    assert_int_equal(p->count, 256);
    p = measure_names(&list, (void *)~(uintptr_t)3, INT64_MAX);
    assert_int_equal(p->count, 0);
    munmap(m, 1 * MIB);
}

static void test_readers_limits(void **unused)
{
    (void)unused;
    struct payload_list list;
    const size_t size = 64 * MIB;
    uint8_t *m = map(size, 0, size);
    const struct payload *p = measure_names(&list, m, (int64_t)(size / 4));
    assert_true((uint64_t)p->count * SPEC_MAX_PAYLOADS <= TRACE_ITEMS_LIMIT);
    assert_true(p->count >= 1 << 20);
    const union spec_arg sources[] = {{.u = 1}, {.i = (int64_t)(size / 8)}, {.p = m}, {.p = NULL}};
    p = measure(&list, SPEC_FN_glShaderSource, sources);
    assert_true((uint64_t)p->count * SPEC_MAX_PAYLOADS <= TRACE_ITEMS_LIMIT);
    assert_int_equal(list.bytes, 8 + (uint64_t)p->count * 8 + 8);
    payload_list_fini(&list);
    munmap(m, size);
}

/* The memory for an array may start before the readable part. */
static void test_lead(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(18 * MIB, 17 * MIB, 64 * KIB);
    union spec_arg args[] = {{.u = 3}, {.u = 0x1406}, {.i = 0}, {.p = m + 1 * MIB}};
    struct capture_override memory = {3, m + 1 * MIB, (int64_t)(16 * MIB + 64 * KIB)};
    const struct spec_function *f = &spec_functions[SPEC_FN_glVertexPointer];
    payload_list_init(&list, &thread, f, args, &memory);
    assert_int_equal(list.payloads[0].count, 16 * MIB + 64 * KIB);
    assert_true(list.payloads[0].gaps);
    memory.memory = m + 1 * MIB - 4096;
    memory.count += 4096;
    payload_list_init(&list, &thread, f, args, &memory);
    assert_int_equal(list.payloads[0].count, PAYLOAD_OPAQUE);
    munmap(m, 18 * MIB);
}

static void check_items(unsigned count)
{
    struct payload_list list;
    uint8_t *m = map(192 * KIB, 64 * KIB, 64 * KIB);
    const char **strings = calloc(count, sizeof *strings);
    for (unsigned i = 0; i < count; ++i)
        strings[i] = i % 4 == 0 ? "four" : i % 4 == 1 ? NULL : i % 4 == 2 ? (const char *)m : "";
    const union spec_arg args[] = {{.u = 1}, {.i = count}, {.p = strings}, {.p = NULL}};
    const struct payload *p = measure(&list, SPEC_FN_glShaderSource, args);
    assert_int_equal(p->count, count);
    strings[0] = "this is longer"; /* changed by another thread */
    uint64_t bytes = 8;
    for (unsigned i = 0; i < count; ++i) {
        assert_int_equal(p->items[i].count, i % 4 == 0 ? 4 : i % 4 == 3 ? 0 : PAYLOAD_NULL);
        bytes += i % 4 == 0 ? 16 : 8;
    }
    assert_string_equal(p->items[0].memory, "four");
    assert_int_equal(list.bytes, bytes + 8); /* without lengths */
    payload_list_fini(&list);
    free(strings);
    munmap(m, 192 * KIB);
}

static void test_items(void **unused)
{
    (void)unused;
    check_items(1);
    check_items(PAYLOAD_ITEMS);
    check_items(PAYLOAD_ITEMS + 1);
    check_items(1000);
}

/* The array of pointers, and one of the strings, end at unreadable memory. */
static void test_items_that_are_cut(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(1 * MIB, 64 * KIB, 64 * KIB);
    const char **strings = (const char **)(void *)(m + 128 * KIB) - 2;
    char *text = (char *)(m + 128 * KIB) - 100;
    memset(text, 'x', 10);
    strings[0] = text;
    strings[1] = "good";
    const int32_t lengths[3] = {1 << 30, -1, -1};
    const union spec_arg args[] = {{.u = 1}, {.i = 3}, {.p = strings}, {.p = (void *)(uintptr_t)lengths}};
    const struct payload *p = measure(&list, SPEC_FN_glShaderSource, args);
    assert_int_equal(p->count, 3);
    assert_int_equal(p->items[0].count, 100);
    assert_int_equal(p->items[1].count, 4);
    assert_int_equal(p->items[2].count, PAYLOAD_NULL);
    assert_int_equal(list.bytes, 8 + (8 + 104) + (8 + 8) + 8 + (8 + 16));
    payload_list_fini(&list);
    munmap(m, 1 * MIB);
}

/* A string without NUL may end at unreadable memory. Only GL can tell whether there is more. */
static void test_texts_without_end(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(192 * KIB, 64 * KIB, 64 * KIB);
    char *end = (char *)m + 128 * KIB;
    memset(end - 32, 'x', 32);
    static const struct {
        unsigned start, nul; /* start: bytes before the end; nul: likewise, 0: none */
        int64_t length;
        bool gaps;
    } texts[] = {{8, 0, 8, true}, {1, 0, 1, true}, {8, 1, 7, false}, {8, 8, 0, false}, {9, 3, 6, false}};
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char *text = end - texts[i].start;
        memset(end - 32, 'x', 32);
        if (texts[i].nul != 0)
            *(end - texts[i].nul) = '\0';
        const union spec_arg name[] = {{.u = 1}, {.p = text}};
        const struct payload *p = measure(&list, SPEC_FN_glGetUniformLocation, name);
        assert_int_equal(p->count, texts[i].length);
        assert_int_equal(list.has_gaps, texts[i].gaps);
        const char *strings[] = {"good", text, "good"};
        const union spec_arg sources[] = {{.u = 1}, {.i = 3}, {.p = strings}, {.p = NULL}};
        p = measure(&list, SPEC_FN_glShaderSource, sources);
        assert_ptr_equal(p->items, list.items);
        assert_int_equal(p->items[1].count, texts[i].length);
        assert_int_equal(p->items[1].gaps, texts[i].gaps);
        assert_false(p->items[0].gaps || p->items[2].gaps);
        assert_int_equal(list.has_gaps, texts[i].gaps);
        payload_list_fini(&list);
    }
    /* the NUL is the first byte of the next page */
    memset(m + 64 * KIB, 0, 64 * KIB);
    memset(m + 96 * KIB - 5, 'y', 5);
    const union spec_arg name[] = {{.u = 1}, {.p = m + 96 * KIB - 5}};
    assert_int_equal(measure(&list, SPEC_FN_glGetUniformLocation, name)->count, 5);
    assert_false(list.has_gaps);
    /* An unreadable string, and NULL, which does not count as a gap. */
    const char *strings[] = {(const char *)m, NULL};
    const union spec_arg sources[] = {{.u = 1}, {.i = 1}, {.p = strings}, {.p = NULL}};
    assert_true(measure(&list, SPEC_FN_glShaderSource, sources)->items[0].gaps);
    assert_true(list.has_gaps);
    const union spec_arg none[] = {{.u = 1}, {.i = 1}, {.p = strings + 1}, {.p = NULL}};
    assert_false(measure(&list, SPEC_FN_glShaderSource, none)->items[0].gaps);
    assert_false(list.has_gaps);
    munmap(m, 192 * KIB);
}

/* Payloads after a call: its output and, if requested, its input. Only unreadable input counts as a gap. */
static void test_results(void **unused)
{
    (void)unused;
    struct payload_list list;
    uint8_t *m = map(192 * KIB, 64 * KIB, 64 * KIB);
    int32_t name_length = 3;
    const union spec_arg attribute[] = {{.u = 1}, {.p = (void *)(uintptr_t) "abc"}};
    const union spec_arg ret = {.i = 5};
    for (unsigned inputs = 0; inputs < 2; ++inputs) {
        memset(&list, 0xa5, sizeof list);
        payload_list_init_results(&list, &thread, &spec_functions[SPEC_FN_glGetUniformLocation], attribute,
                                  &ret, inputs != 0);
        assert_int_equal(list.count, inputs);
        assert_false(list.has_gaps);
        assert_int_equal(list.bytes, inputs != 0 ? 16 : 0);
    }
    /* glGetShaderInfoLog(shader, room, length, text) */
    uint8_t *text = m + 64 * KIB;
    strcpy((char *)text, "log");
    const union spec_arg log[] = {{.u = 1}, {.i = 100}, {.p = &name_length}, {.p = text}};
    memset(&list, 0xa5, sizeof list);
    payload_list_init_results(&list, &thread, &spec_functions[SPEC_FN_glGetShaderInfoLog], log, &ret, false);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.payloads[0].count, 1);
    assert_int_equal(list.payloads[1].count, 3);
    assert_false(list.has_gaps);
    /* Missing output is not missing input: glGenTextures(n, names) */
    const union spec_arg names[] = {{.i = 4}, {.p = m + 128 * KIB - 8}};
    memset(&list, 0xa5, sizeof list);
    payload_list_init_results(&list, &thread, &spec_functions[SPEC_FN_glGenTextures], names, &ret, true);
    assert_int_equal(list.count, 1);
    assert_false(list.has_gaps);
    /* Missing input is: glDeleteTextures(n, names) */
    payload_list_init_results(&list, &thread, &spec_functions[SPEC_FN_glDeleteTextures], names, &ret, true);
    assert_int_equal(list.count, 1);
    assert_true(list.has_gaps);
    munmap(m, 192 * KIB);
}

int main(void)
{
    context.sizes.unpack.alignment = context.sizes.pack.alignment = 4;
    context.sizes.driver = &driver;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_there),
        cmocka_unit_test(test_64_kib_more_are_zeros),
        cmocka_unit_test(test_gaps_between),
        cmocka_unit_test(test_nothing_is_there),
        cmocka_unit_test(test_counts_without_sense),
        cmocka_unit_test(test_readers_limits),
        cmocka_unit_test(test_lead),
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_items_that_are_cut),
        cmocka_unit_test(test_texts_without_end),
        cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
