/* SPDX-License-Identifier: MIT
 * Tests values as apitrace's Python scripts print them.
 */
#include "diff/python_text.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void expect_buf(struct buf *out, const char *wanted)
{
    assert_int_equal(buf_append_byte(out, 0), 0);
    assert_string_equal((const char *)out->data, wanted);
    buf_fini(out);
}

static void expect_name(const char *name, const char *wanted)
{
    struct buf out = BUF_INIT;
    assert_int_equal(python_text_name(&out, name), 0);
    expect_buf(&out, wanted);
}

static void test_names(void **state)
{
    (void)state;
    expect_name("", "''");
    expect_name("glA_9", "glA_9");
    expect_name("_", "_");
    expect_name("9a", "'9a'");
    expect_name("a b", "'a b'");
    expect_name("a\n", "a\n"); /* in Python, $ also matches before a newline at the end */
    expect_name("\n", "'\\n'");
    expect_name("a\n\n", "'a\\n\\n'");
    expect_name("-'-", "\"-'-\"");
    expect_name("-\"-", "'-\"-'");
    expect_name("-'\"-", "'-\\'\"-'");
    expect_name("-\\-", "'-\\\\-'");
}

/* Each byte after another one that requires quotes. */
static void test_characters(void **state)
{
    (void)state;
    for (unsigned c = 1; c < 256; ++c) {
        const char name[] = {'-', (char)c, '\0'};
        char wanted[16];
        if (c == '\n' || c == '\r' || c == '\t')
            snprintf(wanted, sizeof wanted, "'-\\%c'", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (c < 0x20 || c == 0x7f)
            snprintf(wanted, sizeof wanted, "'-\\x%02x'", c);
        else if (c == '\'')
            snprintf(wanted, sizeof wanted, "\"-'\"");
        else
            snprintf(wanted, sizeof wanted, "'-%s%c'", c == '\\' ? "\\" : "", c < 0x80 ? (int)c : '?');
        expect_name(name, wanted);
    }
}

static void test_doubles(void **state)
{
    static const struct {
        double value;
        const char *text;
    } doubles[] = {
        {0, "0.0"},
        {-0.0, "-0.0"},
        {1.5, "1.5"},
        {-1, "-1.0"},
        {1234567890123456, "1234567890123456.0"},
        {-1234567890123456, "-1234567890123456.0"},
        {12345678901234568, "1.2345678901234568e+16"},
        {-12345678901234568, "-1.2345678901234568e+16"},
        {1e16, "1e+16"},
        {-2e16, "-2e+16"},
        {1e20, "1e+20"},
        {1e-5, "1e-05"},
        {0.0001, "0.0001"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; ++i) {
        struct buf out = BUF_INIT;
        assert_int_equal(python_text_double(&out, doubles[i].value), 0);
        expect_buf(&out, doubles[i].text);
    }
}

static const struct trace_enum_name enum_names[] = {{"GL_A", 7}};
static const struct trace_enum_sig kind = {1, 1, enum_names};
static const struct trace_flag_name flags[] = {{"NONE", 0}, {"A", 1}, {"BC", 6}, {"B", 2}};
static const struct trace_bitmask_sig mask = {1, 4, flags};
static const char *const member_names[] = {"x", "y z"};
static const struct trace_struct_sig point = {1, "point", 2, member_names};
static struct trace_value two[] = {{.type = TRACE_UINT, .u.uint = 1},
                                   {.type = TRACE_STRING, .count = 1, .u.string = "b"}};
static const uint32_t wide[] = {'a', ' ', 0x7f, 0x80, 0x1f600, 0, 'x'};

static void test_values(void **state)
{
    const struct {
        struct trace_value value;
        const char *text;
    } values[] = {
        {{.type = TRACE_NONE}, "None"},
        {{.type = TRACE_NULL}, "0"},
        {{.type = TRACE_FALSE}, "False"},
        {{.type = TRACE_TRUE}, "True"},
        {{.type = TRACE_SINT, .u.sint = INT64_MIN}, "-9223372036854775808"},
        {{.type = TRACE_UINT, .u.uint = UINT64_MAX}, "18446744073709551615"},
        {{.type = TRACE_FLOAT, .u.f32 = 0.1f}, "0.10000000149011612"},
        {{.type = TRACE_DOUBLE, .u.f64 = 0.1}, "0.1"},
        {{.type = TRACE_STRING, .count = 3, .u.string = "a-b"}, "'a-b'"},
        {{.type = TRACE_BLOB, .count = 70000, .u.blob = (const uint8_t *)""}, "blob(70000)"},
        {{.type = TRACE_OPAQUE, .u.uint = 0}, "NULL"},
        {{.type = TRACE_OPAQUE, .u.uint = 0xABC}, "0xabc"},
        {{.type = TRACE_ENUM, .sig.enumeration = &kind, .u.sint = 7}, "GL_A"},
        {{.type = TRACE_ENUM, .sig.enumeration = &kind, .u.sint = 8}, "8"},
        {{.type = TRACE_ENUM, .sig.enumeration = &kind, .u.sint = -8, .negative = true}, "-8"},
        {{.type = TRACE_ENUM, .sig.enumeration = &kind, .u.sint = -1}, "18446744073709551615"},
        {{.type = TRACE_BITMASK, .sig.bitmask = &mask, .u.uint = 0}, "(NONE)"},
        {{.type = TRACE_BITMASK, .sig.bitmask = &mask, .u.uint = 7}, "(A, BC)"},
        {{.type = TRACE_BITMASK, .sig.bitmask = &mask, .u.uint = 3}, "(A, B)"},
        {{.type = TRACE_BITMASK, .sig.bitmask = &mask, .u.uint = 8}, "(8)"},
        {{.type = TRACE_BITMASK, .sig.bitmask = &mask, .u.uint = 0x16}, "(BC, 16)"},
        {{.type = TRACE_ARRAY, .element = TRACE_NONE, .count = 0, .u.items = two}, "{}"},
        {{.type = TRACE_ARRAY, .element = TRACE_NONE, .count = 1, .u.items = two}, "&1"},
        {{.type = TRACE_ARRAY, .element = TRACE_NONE, .count = 2, .u.items = two}, "{1, b}"},
        {{.type = TRACE_STRUCT, .sig.structure = &point, .u.items = two}, "{x = 1, y z = b}"},
        {{.type = TRACE_REPR, .u.items = two + 1}, "b"},
        {{.type = TRACE_WSTRING, .count = 7, .u.wstring = wide},
         "'a \\x7f?"
         "?'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        struct buf out = BUF_INIT;
        assert_int_equal(python_text_value(&out, &values[i].value), 0);
        expect_buf(&out, values[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
