/* SPDX-License-Identifier: MIT
 * Tests the text of calls where the formatter uses its caches, and where room runs out.
 */
#include "base/format_number.h"
#include "trace/text/call_text.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"x", "y", "an argument's name that is longer than a short piece of text"};
static const struct trace_function_sig function = {.id = 1, .name = "f", .arg_count = 3, .arg_names = names};

static struct trace_call_text *new_formatter(const struct trace_call_text_style *style)
{
    struct trace_call_text *f = malloc(sizeof *f);
    assert_non_null(f);
    trace_call_text_init(f, style);
    return f;
}

static void free_formatter(struct trace_call_text *f)
{
    trace_call_text_fini(f);
    free(f);
}

static void check_call(struct trace_call_text *f, const struct trace_value args[3],
                       const struct trace_value *ret, const char *expected)
{
    struct trace_call call = {.number = 7, .sig = &function, .arg_count = 3, .args = args, .ret = *ret};
    buf_clear(&f->out);
    assert_int_equal(trace_call_text_add(f, &call), 0);
    buf_append_byte(&f->out, '\0');
    assert_string_equal((const char *)f->out.data, expected);
}

static struct trace_value value_of(uint32_t float_bits)
{
    struct trace_value v = {.type = TRACE_FLOAT, .element = TRACE_NONE};
    memcpy(&v.u.f32, &float_bits, sizeof float_bits);
    return v;
}

static size_t put_float(char *out, const struct trace_value *v, bool exact)
{
    return exact ? format_float(out, v->u.f32) : (size_t)sprintf(out, "%.7g", (double)v->u.f32);
}

/* Each float is printed several times, mixed with others, so its text is cached, found again and evicted. */
static void check_floats(bool exact)
{
    struct trace_call_text *f = new_formatter(&(struct trace_call_text_style){.exact_floats = exact});
    static const struct trace_value none = {.type = TRACE_NONE, .element = TRACE_NONE};
    for (uint32_t i = 0; i < 60000; ++i) {
        const uint32_t bits[3] = {i % 3 * 0x3f800000u, (i % 5000) * 858993u,
                                  0xc0000000u + (i & ~15u) * 4099u};
        struct trace_value args[3];
        char expected[256] = "f(";
        size_t n = 2;
        for (size_t k = 0; k < 3; ++k) {
            args[k] = value_of(bits[k]);
            n += put_float(expected + n, &args[k], exact);
            n += (size_t)sprintf(expected + n, k < 2 ? ", " : ")\n");
        }
        check_call(f, args, &none, expected);
    }
    free_formatter(f);
}

static void test_floats(void **state)
{
    (void)state;
    check_floats(false);
    check_floats(true);
}

static void check_value(const struct trace_call_text_style *style, const struct trace_value *v,
                        const char *expected)
{
    struct trace_call_text *f = new_formatter(style);
    static const struct trace_value none = {.type = TRACE_NONE, .element = TRACE_NONE};
    const struct trace_value args[3] = {*v, *v, *v};
    char text[256];
    snprintf(text, sizeof text, "f(%s, %s, %s)\n", expected, expected, expected);
    check_call(f, args, &none, text);
    free_formatter(f);
}

/* A flag of value 0 is the name of the empty mask only if it is the first flag. */
static void test_bitmasks(void **state)
{
    static const struct trace_flag_name zero_first[] = {{"ZERO", 0}, {"A", 1}, {"B", 6}};
    static const struct trace_flag_name zero_second[] = {{"A", 1}, {"ZERO", 0}, {"B", 6}};
    static const struct trace_bitmask_sig first = {1, 3, zero_first}, second = {2, 3, zero_second};
    static const struct {
        uint64_t value;
        const char *first, *second;
    } cases[] = {
        {0, "ZERO", "0x0"},        {1, "A", "A"},
        {7, "A | B", "A | B"},     {2, "0x2", "0x2"},
        {9, "A | 0x8", "A | 0x8"}, {UINT64_C(1) << 63, "0x8000000000000000", "0x8000000000000000"},
    };
    const struct trace_call_text_style style = {.call_nos = false};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct trace_value v = {.type = TRACE_BITMASK, .u.uint = cases[i].value, .sig.bitmask = &first};
        check_value(&style, &v, cases[i].first);
        v.sig.bitmask = &second;
        check_value(&style, &v, cases[i].second);
    }
}

/* Control characters in UTF-8, up to U+009F, are escaped. */
static void test_control_characters(void **state)
{
    static const char text[] = "~\x7f\xc2\x80\xc2\x9f\xc2\xa0\xc3\xbf";
    const struct trace_call_text_style style = {.utf8 = true};
    struct trace_value v = {.type = TRACE_STRING, .count = sizeof text - 1, .u.string = text};
    (void)state;
    check_value(&style, &v, "\"~\\177\\u0080\\u009f\xc2\xa0\xc3\xbf\"");
}

/* After a value that fills the whole buffer, the buffer grows again. */
static void test_long_values(void **state)
{
    static const struct trace_enum_name enum_names[] = {
        {"GL_SHORT", 1}, {"GL_A_NAME_OF_SO_MANY_BYTES_THAT_IT_IS_NOT_KEPT_AS_A_COPY_BUT_WHERE_IT_IS", 2}};
    static const struct trace_enum_sig sig = {.id = 1, .count = 2, .names = enum_names};
    struct trace_call_text *f =
        new_formatter(&(struct trace_call_text_style){.call_nos = true, .arg_names = true});
    (void)state;
    for (size_t length = 0; length < 9000; length += 97) {
        char *string = malloc(length + 1);
        char *expected = malloc(2 * length + 512);
        assert_non_null(string);
        assert_non_null(expected);
        memset(string, 'x', length);
        string[length] = '\0';
        struct trace_value text = {
            .type = TRACE_STRING, .element = TRACE_NONE, .count = length, .u.string = string};
        const struct trace_value args[3] = {
            {.type = TRACE_ENUM, .element = TRACE_NONE, .u.sint = 2, .sig.enumeration = &sig},
            text,
            {.type = TRACE_ENUM,
             .element = TRACE_NONE,
             .u.sint = 1 + (int64_t)(length % 3),
             .sig.enumeration = &sig}};
        sprintf(expected, "7 f(x = %s, y = \"%s\", %s = %s) = \"%s\"\n", enum_names[1].name, string, names[2],
                length % 3 == 2 ? "3" : enum_names[length % 3].name, string);
        check_call(f, args, &text, expected);
        free(string);
        free(expected);
    }
    free_formatter(f);
}

/* Packed arrays of any size are printed like arrays of single values. */
static void test_arrays(void **state)
{
    static float floats[3000];
    static int64_t integers[3000];
    static char expected[120000];
    struct trace_call_text *f = new_formatter(&(struct trace_call_text_style){0});
    (void)state;
    for (size_t i = 0; i < 3000; ++i) {
        floats[i] = (float)i * 1.7f - 9;
        integers[i] = (int64_t)(i * i * UINT64_C(6148914691236517) + (UINT64_C(1) << 63));
    }
    for (size_t count = 0; count < 3000; count = count * 2 + 1) {
        const struct trace_value args[3] = {
            {.type = TRACE_ARRAY, .element = TRACE_FLOAT, .count = count, .u.floats = floats},
            {.type = TRACE_ARRAY, .element = TRACE_SINT, .count = count, .u.sints = integers},
            value_of(0)};
        int n = sprintf(expected, "f(%s", count == 1 ? "&" : "{");
        for (size_t i = 0; i < count; ++i)
            n += sprintf(expected + n, "%s%.7g", i > 0 ? ", " : "", (double)floats[i]);
        n += sprintf(expected + n, count == 1 ? ", &" : "}, {");
        for (size_t i = 0; i < count; ++i)
            n += sprintf(expected + n, "%s%lld", i > 0 ? ", " : "", (long long)integers[i]);
        sprintf(expected + n, count == 1 ? ", 0) = 0\n" : "}, 0) = 0\n");
        check_call(f, args, &args[2], expected);
    }
    free_formatter(f);
}

/* A structure with the members of a GUID is printed as a GUID; similar structures are not. */
static void test_guids(void **state)
{
    static const char *const members[] = {"a", "b", "c", "d", "e"};
    static const uint64_t tail[9] = {0x80, 0, 3, 4, 5, 6, 7, 0xff, 9};
    static const struct {
        const char *name;
        uint32_t members;
        uint64_t tail;
        const char *text;
    } cases[] = {
        {"GUID", 4, 8, "uuid(01020304-0a0b-ffff-8000-0304050607ff)"},
        {"GUIDs", 4, 8, "{a = 16909060, b = 2571, c = 65535, d = {128, 0, 3, 4, 5, 6, 7, 255}}"},
        {"GUID", 4, 7, "{a = 16909060, b = 2571, c = 65535, d = {128, 0, 3, 4, 5, 6, 7}}"},
        {"GUID", 4, 9, "{a = 16909060, b = 2571, c = 65535, d = {128, 0, 3, 4, 5, 6, 7, 255, 9}}"},
        {"GUID", 3, 8, "{a = 16909060, b = 2571, c = 65535}"},
        {"GUID", 5, 8, "{a = 16909060, b = 2571, c = 65535, d = {128, 0, 3, 4, 5, 6, 7, 255}, e = 1}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const struct trace_struct_sig sig = {1, cases[i].name, cases[i].members, members};
        struct trace_value items[5] = {
            {.type = TRACE_UINT, .u.uint = 0x1020304},
            {.type = TRACE_UINT, .u.uint = 0xa0b},
            {.type = TRACE_UINT, .u.uint = 0xffff},
            {.type = TRACE_ARRAY, .element = TRACE_UINT, .count = cases[i].tail, .u.uints = (uint64_t *)tail},
            {.type = TRACE_UINT, .u.uint = 1}};
        const struct trace_value v = {
            .type = TRACE_STRUCT, .count = cases[i].members, .sig.structure = &sig, .u.items = items};
        check_value(&(struct trace_call_text_style){.arg_names = false}, &v, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_bitmasks),
        cmocka_unit_test(test_control_characters),
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_guids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
