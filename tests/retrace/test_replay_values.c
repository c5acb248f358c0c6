/* SPDX-License-Identifier: MIT
 * Tests values of the trace as numbers of the driver, and attributes of configurations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "call/replay_values.h"
#include "objects/replay_config.h"
#include "windows/buffer_distance.h"

static struct trace_value number(enum trace_type type, int64_t value)
{
    struct trace_value v = {.type = type};
    switch (type) {
    case TRACE_SINT:
    case TRACE_ENUM:
        v.u.sint = value;
        break;
    case TRACE_FLOAT:
        v.u.f32 = (float)value - 0.5F;
        break;
    case TRACE_DOUBLE:
        v.u.f64 = (double)value - 0.5;
        break;
    default:
        v.u.uint = (uint64_t)value;
    }
    return v;
}

/* Numbers of all types become integers of all sizes. Fractions are dropped. */
static void test_integers(void **state)
{
    (void)state;
    static const struct {
        enum trace_type from;
        int64_t value;
        enum spec_type to;
        uint64_t expected;
    } cases[] = {
        {TRACE_SINT, -2, SPEC_I32, (uint64_t)-2},
        {TRACE_SINT, -2, SPEC_U32, 0xfffffffe},
        {TRACE_SINT, -2, SPEC_U8, 0xfe},
        {TRACE_SINT, -2, SPEC_I8, (uint64_t)-2},
        {TRACE_SINT, -2, SPEC_U16, 0xfffe},
        {TRACE_SINT, -2, SPEC_I16, (uint64_t)-2},
        {TRACE_SINT, -2, SPEC_I64, (uint64_t)-2},
        {TRACE_UINT, 0x1ff, SPEC_U8, 0xff},
        {TRACE_UINT, 0x1ff, SPEC_I8, (uint64_t)-1},
        {TRACE_UINT, 0x1ffff, SPEC_U16, 0xffff},
        {TRACE_UINT, 0x1ffff, SPEC_I16, (uint64_t)-1},
        {TRACE_UINT, INT64_C(0x1ffffffff), SPEC_U32, 0xffffffff},
        {TRACE_UINT, INT64_C(0x1ffffffff), SPEC_I32, (uint64_t)-1},
        {TRACE_UINT, INT64_C(0x1ffffffff), SPEC_U64, UINT64_C(0x1ffffffff)},
        {TRACE_FLOAT, -2, SPEC_I32, (uint64_t)-2},
        {TRACE_FLOAT, 8, SPEC_I32, 7},
        {TRACE_DOUBLE, -2, SPEC_I32, (uint64_t)-2},
        {TRACE_DOUBLE, 8, SPEC_U32, 7},
        {TRACE_ENUM, 0x1703, SPEC_U32, 0x1703},
        {TRACE_BITMASK, 5, SPEC_U32, 5},
        {TRACE_OPAQUE, 0x5000, SPEC_PTR, 0x5000},
        {TRACE_NULL, 9, SPEC_PTR, 0},
        {TRACE_TRUE, 9, SPEC_U8, 1},
        {TRACE_FALSE, 9, SPEC_U8, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct trace_value v = number(cases[i].from, cases[i].value);
        union spec_arg out = {.u = 99};
        assert_true(replay_number(cases[i].to, &v, &out));
        if (out.u != cases[i].expected)
            fail_msg("case %zu: 0x%llx", i, (unsigned long long)out.u);
    }
}

static void test_fractions(void **state)
{
    (void)state;
    struct trace_value v = number(TRACE_DOUBLE, 8), integer = number(TRACE_SINT, -3);
    union spec_arg out;
    assert_true(replay_number(SPEC_F32, &v, &out));
    assert_true(out.f32 == 7.5F);
    assert_true(replay_number(SPEC_F64, &v, &out));
    assert_true(out.f64 == 7.5);
    assert_true(replay_number(SPEC_F32, &integer, &out));
    assert_true(out.f32 == -3);
    assert_true(replay_number(SPEC_F64, &integer, &out));
    assert_true(out.f64 == -3);
}

static void test_other_values(void **state)
{
    (void)state;
    static const enum trace_type types[] = {TRACE_NONE,  TRACE_STRING, TRACE_BLOB,
                                            TRACE_ARRAY, TRACE_STRUCT, TRACE_REPR};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        struct trace_value v = {.type = types[i]};
        union spec_arg out;
        assert_false(replay_number(SPEC_I32, &v, &out));
    }
}

/* --- attributes --------------------------------------------------------------------------------------- */

static struct trace_value integers(struct trace_value *items, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        items[i] = number(TRACE_SINT, values[i]);
    return (struct trace_value){.type = TRACE_ARRAY, .count = count, .u.items = items};
}

static void test_attributes(void **state)
{
    (void)state;
    struct trace_value items[7], none = {.type = TRACE_NULL};
    static const int64_t values[] = {1, 10, 2, 1, 4, INT64_C(5000000000), 3};
    struct trace_value list = integers(items, values, 7);
    assert_int_equal(replay_attrib(&list, 1, 77), 10);
    assert_int_equal(replay_attrib(&list, 2, 77), 1);
    assert_int_equal(replay_attrib(&list, 4, 77), INT32_MAX);
    assert_int_equal(replay_attrib(&list, 10, 77), 77); /* a value */
    assert_int_equal(replay_attrib(&list, 3, 77), 77);  /* without a value */
    assert_int_equal(replay_attrib(&list, 0, 77), 77);
    assert_int_equal(replay_attrib(&none, 1, 77), 77);
    assert_int_equal(replay_attrib_version(&list, 1, 77), 10);
    assert_int_equal(replay_attrib_version(&list, 4, 77), 99);
    assert_int_equal(replay_attrib_version(&list, 5, 99), 99);
    assert_int_equal(replay_attrib_version(&list, 5, 100), 99);
    assert_int_equal(replay_attrib_version(&list, 5, 0), 0);
    assert_int_equal(replay_attrib_version(&list, 5, -1), 0);
}

static void expect_buffers(const struct buffer_config *is, const struct buffer_config *expected)
{
    assert_true(buffers_are_equal(is, expected));
    assert_int_equal(is->deepest, expected->deepest);
}

/* What a configuration is when only one attribute is set. */
static void test_one_attribute(void **state)
{
    (void)state;
    static const struct {
        int64_t glx, egl; /* 0: EGL has none */
        struct buffer_config expected;
    } cases[] = {
        {8, EGL_RED_SIZE, {.colour = {5, 0, 0, 0}}},
        {9, EGL_GREEN_SIZE, {.colour = {0, 5, 0, 0}}},
        {10, EGL_BLUE_SIZE, {.colour = {0, 0, 5, 0}}},
        {11, EGL_ALPHA_SIZE, {.colour = {0, 0, 0, 5}}},
        {12, EGL_DEPTH_SIZE, {.depth = 5}},
        {13, EGL_STENCIL_SIZE, {.stencil = 5}},
        {7, 0, {.auxiliary = 5}},
        {14, 0, {.accumulation = {5, 0, 0, 0}}},
        {15, 0, {.accumulation = {0, 5, 0, 0}}},
        {16, 0, {.accumulation = {0, 0, 5, 0}}},
        {17, 0, {.accumulation = {0, 0, 0, 5}}},
        {100001, EGL_SAMPLES, {.samples = 5}},
        {0x8011, 0, {.is_float = true}}, /* a bit of 5 */
        {18, 12345, {.samples = 0}},     /* unknown */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct buffer_config glx = {.samples = 0}, egl = {.samples = 0};
        replay_config_set_glx(&glx, cases[i].glx, 5);
        expect_buffers(&glx, &cases[i].expected);
        if (cases[i].egl == 0)
            continue;
        replay_config_set_egl(&egl, cases[i].egl, 5);
        expect_buffers(&egl, &cases[i].expected);
    }
}

/* A flag has no effect on others. */
static void test_one_flag(void **state)
{
    static const struct {
        int64_t attribute, value;
        struct buffer_config expected;
    } cases[] = {
        {5, 0, {.single_buffered = true}},
        {5, 1, {.single_buffered = false}},
        {6, 1, {.stereo = true}},
        {0x8011, 0, {.is_float = false}},
        {0x800b, 0, {.pbuffers_only = true}},
        {0x800b, 0x8002, {.pbuffers_only = false}},
        {0x8010, 4, {.pbuffers_only = true}},
        {0x8010, 1, {.pbuffers_only = false}},
        {0x20b2, 1, {.srgb = true}},
        {4, 1, {.stereo = false}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct buffer_config c = {.samples = 0};
        replay_config_set_glx(&c, cases[i].attribute, cases[i].value);
        expect_buffers(&c, &cases[i].expected);
        assert_int_equal(c.stereo, cases[i].expected.stereo);
        assert_int_equal(c.pbuffers_only, cases[i].expected.pbuffers_only);
    }
}

static void test_flags(void **state)
{
    (void)state;
    enum { TWO_BUFFERS = 5, STEREO = 6, RENDERABLE = 0x8011, SRGB = 0x20b2 };
    struct buffer_config c = {.deepest = true};
    replay_config_set_glx(&c, TWO_BUFFERS, 0);
    assert_true(c.single_buffered);
    replay_config_set_glx(&c, TWO_BUFFERS, 1);
    assert_false(c.single_buffered);
    replay_config_set_glx(&c, STEREO, 1);
    assert_true(c.stereo);
    replay_config_set_glx(&c, STEREO, 0);
    assert_false(c.stereo);
    replay_config_set_glx(&c, SRGB, 1);
    assert_true(c.srgb);
    replay_config_set_glx(&c, SRGB, 0);
    assert_false(c.srgb);
    replay_config_set_glx(&c, RENDERABLE, 4);
    assert_true(c.is_float);
    replay_config_set_glx(&c, RENDERABLE, 3);
    assert_false(c.is_float);
    replay_config_set_egl(&c, EGL_COLOR_COMPONENT_TYPE_EXT, EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT);
    assert_true(c.is_float);
    replay_config_set_egl(&c, EGL_COLOR_COMPONENT_TYPE_EXT, EGL_COLOR_COMPONENT_TYPE_FIXED_EXT);
    assert_false(c.is_float);
    assert_true(c.deepest);
    replay_config_set_glx(&c, 12, 24);
    assert_false(c.deepest);
}

/* Nobody has so many bits. */
static void test_limits(void **state)
{
    (void)state;
    static const int64_t values[] = {-1, 0, 1, 64, 65, INT64_C(1) << 40};
    static const int expected[] = {0, 0, 1, 64, 64, 64};
    for (int i = 0; i < 6; ++i) {
        struct buffer_config c = {.stencil = 9};
        replay_config_set_glx(&c, 13, values[i]);
        assert_int_equal(c.stencil, expected[i]);
    }
}

/* What a program gets that asks for little: 8 bits of each colour; 16 of what accumulates; 24 and 8. */
static void test_asked_for(void **state)
{
    (void)state;
    static const int64_t little[] = {11, 1, 12, 1, 13, 1, 14, 1, 17, 16};
    static const int64_t much[] = {8, 10, 9, 9, 10, 8, 11, 9, 12, 32, 13, 9, 14, 17, 15, 32};
    static const int64_t nothing[] = {11, 0, 12, 0, 13, 0};
    static const struct buffer_config expected[] = {
        {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8, .accumulation = {16, 0, 0, 16}, .deepest = true},
        {.colour = {10, 9, 8, 9}, .depth = 32, .stencil = 9, .accumulation = {17, 32, 0, 0}, .deepest = true},
        {.colour = {8, 8, 8, 0}},
    };
    struct trace_value items[16];
    struct trace_value lists[3];
    lists[0] = integers(items, little, 10);
    struct buffer_config c = replay_config_for_glx(&lists[0]);
    expect_buffers(&c, &expected[0]);
    lists[1] = integers(items, much, 16);
    c = replay_config_for_glx(&lists[1]);
    expect_buffers(&c, &expected[1]);
    lists[2] = integers(items, nothing, 6);
    c = replay_config_for_glx(&lists[2]);
    expect_buffers(&c, &expected[2]);
}

/* EGL gives what was asked for, or more, but not the most. */
static void test_asked_for_by_egl(void **state)
{
    (void)state;
    struct trace_value none = {.type = TRACE_NULL};
    struct buffer_config c = replay_config_for_egl(&none);
    assert_int_equal(c.depth, 24);
    assert_false(c.deepest);
}

static void test_handles(void **state)
{
    (void)state;
    struct replay_configs configs = {.items = {0}};
    struct buffer_config one = {.depth = 1}, two = {.depth = 2};
    assert_null(replay_configs_find(&configs, 1));
    assert_int_equal(replay_configs_set(&configs, 0, &two), 0);
    assert_null(replay_configs_find(&configs, 0));
    assert_int_equal(replay_configs_set(&configs, 1, &one), 0);
    assert_int_equal(replay_configs_find(&configs, 1)->depth, 1);
    assert_int_equal(replay_configs_set(&configs, 1, &two), 0); /* it is known better now */
    assert_int_equal(replay_configs_find(&configs, 1)->depth, 2);
    assert_null(replay_configs_find(&configs, 2));
    replay_configs_fini(&configs);
}

/* An argument may have a text besides its value. What is missing has no value. */
static void test_represented_arguments(void **state)
{
    (void)state;
    const struct trace_value items[] = {{.type = TRACE_STRING, .u.string = "nine"},
                                        {.type = TRACE_UINT, .u.uint = 9}};
    const struct trace_value args[] = {{.type = TRACE_REPR, .u.items = items}};
    const struct trace_call call = {.arg_count = 1, .args = args};
    const struct replay_call c = {.call = &call};
    assert_ptr_equal(replay_arg(&c, 0), &items[1]);
    assert_int_equal(replay_arg_uint(&c, 0, 5), 9);
    assert_int_equal(replay_arg(&c, 1)->type, TRACE_NONE);
    assert_int_equal(replay_arg_uint(&c, 1, 5), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_represented_arguments),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_fractions),
        cmocka_unit_test(test_other_values),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_one_attribute),
        cmocka_unit_test(test_one_flag),
        cmocka_unit_test(test_asked_for_by_egl),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_asked_for),
        cmocka_unit_test(test_handles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
