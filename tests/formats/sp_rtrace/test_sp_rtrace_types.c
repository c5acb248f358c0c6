/* SPDX-License-Identifier: MIT
 * Types of resources in sp-rtrace's text: any number, with flags, and in the names of functions.
 */
#include "cmocka_all.h"
#include "sp_rtrace_logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_types_of_resources(void **state)
{
    static const char two[] =
        LOG_TEXT_HEADER "<1> : fd (x (y))\n<8000000000000000> : fp () [refcount]\n"
                        "1. f<fd>(0x0)\n\n2. f<fp>(0x0)\n\n3. f<T>(0x0)\n\n4. f(0x0)\n\n";
    (void)state;
    log_expect_text(two, two);
    log_expect_text(LOG_TEXT_HEADER "<1> : fd (x) [new|refcount]\n1. f<fd>(0x0)\n",
                    LOG_TEXT_HEADER "<1> : fd (x) [refcount|new]\n1. f(0x0)\n\n");
    log_expect_text(LOG_TEXT_HEADER "<1> : fd (x)\n1. f<fd><fd>(0x0)\n",
                    LOG_TEXT_HEADER "<1> : fd (x)\n1. f<fd><fd>(0x0)\n\n");
    log_expect_text(LOG_TEXT_HEADER "1. f<fd>(0x0)\n", LOG_TEXT_HEADER "1. f<fd>(0x0)\n\n");
}

/* A flag that is not known stays: a binary log has bits, a text words. */
static void test_flags_of_types(void **state)
{
    static const char text[] = LOG_TEXT_HEADER "<1> : a (x) [refcount|0x6]\n<2> : b (y) [0x80000000]\n";
    static const char words[] =
        LOG_TEXT_HEADER "<1> : a (x) [new]\n<2> : b (y) [refcount|a|b]\n<4> : c (z)\n";
    uint64_t left_out = 0;
    (void)state;
    log_expect_text(text, text);
    log_expect_text(words, words);
    log_expect_text(LOG_TEXT_HEADER "<1> : a (x) [b|refcount|c, d]\n",
                    LOG_TEXT_HEADER "<1> : a (x) [refcount|b|c|d]\n");
    log_expect_text(LOG_TEXT_HEADER "<1> : a (x) [norefcount]\n",
                    LOG_TEXT_HEADER "<1> : a (x) [norefcount]\n");
    char *log = log_convert(text, sizeof text - 1, "sp-rtrace", &left_out);
    const char *packet = memmem(log, 4096, "RESR", 4);
    assert_non_null(packet);
    assert_int_equal(packet[12], 7);
    assert_int_equal(left_out, 0);
    free(log);
    log = log_convert(words, sizeof words - 1, "sp-rtrace", &left_out);
    assert_int_equal(left_out, 3);
    free(log);
}

/* Several bits are none: such types are not taken for others. */
static void test_bits_of_types(void **state)
{
    static const char text[] =
        LOG_TEXT_HEADER "<1> : a (x)\n<3> : b (y)\n<5> : c (z)\n1. f<a>(1) = 0x1\n\n2. f<b>(1) = 0x1\n\n"
                        "3. f<c>(1) = 0x1\n\n";
    static const uint32_t ids[] = {1, 65, 66};
    struct sample_file file;
    struct trace_event event;
    (void)state;
    struct trace_source *source = log_open(&file, text, strlen(text));
    for (size_t i = 0; i < 6; ++i) {
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_int_equal(event.kind, i < 3 ? TRACE_EVENT_RESOURCE_TYPE : TRACE_EVENT_ALLOC);
        const struct trace_resource_type *type = i < 3 ? event.u.resource_type : event.u.resource.type;
        assert_int_equal(type->id, ids[i % 3]);
        assert_int_equal(type->name[0], "abc"[i % 3]);
        trace_source_release(source, &event);
    }
    trace_source_close(source);
    sample_file_close(&file);
}

static void expect_many(const char *text, unsigned types, unsigned count)
{
    struct sample_file file;
    struct trace_event event;
    struct trace_source *source = log_open(&file, text, strlen(text));
    for (unsigned i = 0; i < types; ++i) {
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_int_equal(event.kind, TRACE_EVENT_RESOURCE_TYPE);
        trace_source_release(source, &event);
    }
    for (unsigned i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "t%u", i);
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_int_equal(event.kind, TRACE_EVENT_FREE);
        assert_string_equal(event.u.resource.type->name, name);
        trace_source_release(source, &event);
    }
    trace_source_close(source);
    sample_file_close(&file);
}

/* As many as there are, declared or not, and not in the square of the time. */
static void test_many_types(void **state)
{
    enum { COUNT = 200000 };
    struct buf declared = BUF_INIT, calls = BUF_INIT;
    (void)state;
    buf_append_string(&declared, LOG_TEXT_HEADER);
    for (unsigned i = 0; i < COUNT; ++i) {
        buf_printf(&declared, "<0> : t%u (x)\n", i);
        buf_printf(&calls, "1. f<t%u>(0x0)\n\n", i);
    }
    buf_append_byte(&calls, '\0');
    expect_many((const char *)calls.data, 0, COUNT);
    buf_append(&declared, calls.data, calls.len);
    expect_many((const char *)declared.data, COUNT, COUNT);
    buf_fini(&declared);
    buf_fini(&calls);
}

/* The type of the first call, and its function's name. */
static void expect_type(const char *text, const char *type, const char *function)
{
    struct sample_file file;
    struct trace_source *source = log_open(&file, text, strlen(text));
    struct trace_event event;
    assert_int_equal(trace_source_next(source, &event), 0);
    while (event.kind == TRACE_EVENT_RESOURCE_TYPE) {
        trace_source_release(source, &event);
        assert_int_equal(trace_source_next(source, &event), 0);
    }
    assert_int_equal(event.kind, TRACE_EVENT_FREE);
    assert_string_equal(event.u.resource.type->name, type);
    assert_string_equal(event.call->sig->name, function);
    trace_source_release(source, &event);
    trace_source_close(source);
    sample_file_close(&file);
}

/* What is in brackets is a type if it was declared, or if none was; else it belongs to the function. */
static void test_names_in_brackets(void **state)
{
    (void)state;
    expect_type(LOG_TEXT_HEADER "<1> : fd (x)\n1. f<fd>(0x0)\n", "fd", "f");
    expect_type(LOG_TEXT_HEADER "<1> : fd (x)\n1. f<T>(0x0)\n", "fd", "f<T>");
    expect_type(LOG_TEXT_HEADER "<1> : fd (x)\n1. f(0x0)\n", "fd", "f");
    expect_type(LOG_TEXT_HEADER "1. f<T>(0x0)\n", "T", "f");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_of_resources), cmocka_unit_test(test_flags_of_types),
        cmocka_unit_test(test_bits_of_types),      cmocka_unit_test(test_many_types),
        cmocka_unit_test(test_names_in_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
