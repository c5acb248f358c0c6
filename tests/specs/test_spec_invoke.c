/* SPDX-License-Identifier: MIT */
#include "runtime/invoke.h"

#include "spec_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* Stand-ins with the signatures of real functions. Each records its arguments. */
static char seen[256];

static union spec_arg invoke(unsigned function, void (*fn)(void), const union spec_arg *args)
{
    union spec_arg ret = {.u = UINT64_MAX};
    seen[0] = '\0';
    spec_invoke(&spec_functions[function], fn, args, &ret);
    return ret;
}

static void flush(void)
{
    snprintf(seen, sizeof seen, "flush");
}

static void uniform_2f(int32_t location, float x, float y)
{
    snprintf(seen, sizeof seen, "%d %g %g", location, (double)x, (double)y);
}

static void color_mask(uint8_t r, uint8_t g, uint8_t b, uint8_t a)
{
    snprintf(seen, sizeof seen, "%u %u %u %u", r, g, b, a);
}

static void vertex_3s(int16_t x, int16_t y, int16_t z)
{
    snprintf(seen, sizeof seen, "%d %d %d", x, y, z);
}

static void map_1d(uint32_t target, double u1, double u2, int32_t stride, int32_t order, const double *points)
{
    snprintf(seen, sizeof seen, "%x %g %g %d %d %g", target, u1, u2, stride, order, *points);
}

static void tex_image_2d(uint32_t target, int32_t level, int32_t internal_format, int32_t width,
                         int32_t height, int32_t border, uint32_t format, uint32_t type, const void *pixels)
{
    snprintf(seen, sizeof seen, "%x %d %d %d %d %d %x %x %s", target, level, internal_format, width, height,
             border, format, type, (const char *)pixels);
}

static int32_t make_current(void *display, uint64_t drawable, void *context)
{
    snprintf(seen, sizeof seen, "%p %llx %p", display, (unsigned long long)drawable, context);
    return -1;
}

static uint8_t is_enabled(uint32_t cap)
{
    snprintf(seen, sizeof seen, "%x", cap);
    return 1;
}

static uint32_t create_shader(uint32_t type)
{
    return type + UINT32_C(0x80000000);
}

static float path_length(uint32_t path, int32_t start, int32_t segments)
{
    return (float)(path + (uint32_t)start + (uint32_t)segments) + 0.5f;
}

static void *fence_sync(uint32_t condition, uint32_t flags)
{
    return (void *)(uintptr_t)(condition + flags);
}

static void test_no_parameters(void **unused)
{
    (void)unused;
    union spec_arg ret = invoke(SPEC_FN_glFlush, flush, NULL);
    assert_string_equal(seen, "flush");
    assert_int_equal(ret.u, 0);
}

static void test_parameters_of_every_kind(void **unused)
{
    (void)unused;
    invoke(SPEC_FN_glUniform2f, (void (*)(void))uniform_2f,
           (union spec_arg[]){{.i = -3}, spec_arg_f32(1.5f), spec_arg_f32(-2.25f)});
    assert_string_equal(seen, "-3 1.5 -2.25");
    invoke(SPEC_FN_glColorMask, (void (*)(void))color_mask,
           (union spec_arg[]){{.u = 1}, {.u = 0}, {.u = 255}, {.u = 1}});
    assert_string_equal(seen, "1 0 255 1");
    invoke(SPEC_FN_glVertex3s, (void (*)(void))vertex_3s,
           (union spec_arg[]){{.i = -1}, {.i = 32767}, {.i = -32768}});
    assert_string_equal(seen, "-1 32767 -32768");
    double point = 0.125;
    invoke(SPEC_FN_glMap1d, (void (*)(void))map_1d,
           (union spec_arg[]){{.u = 0xd97}, {.f64 = 0.5}, {.f64 = 1e100}, {.i = 3}, {.i = 4}, {.p = &point}});
    assert_string_equal(seen, "d97 0.5 1e+100 3 4 0.125");
    char pixels[] = "pixels";
    invoke(SPEC_FN_glTexImage2D, (void (*)(void))tex_image_2d,
           (union spec_arg[]){{.u = 0xde1},
                              {.i = 1},
                              {.i = 2},
                              {.i = 3},
                              {.i = 4},
                              {.i = 0},
                              {.u = 0x1907},
                              {.u = 0x1401},
                              {.p = pixels}});
    assert_string_equal(seen, "de1 1 2 3 4 0 1907 1401 pixels");
}

static void test_return_values_are_widened(void **unused)
{
    (void)unused;
    char expected[64];
    union spec_arg args[3] = {{.p = expected}, {.u = UINT64_C(0x123456789)}, {.p = seen}};
    union spec_arg ret = invoke(SPEC_FN_glXMakeCurrent, (void (*)(void))make_current, args);
    snprintf(expected, sizeof expected, "%p 123456789 %p", args[0].p, args[2].p);
    assert_string_equal(seen, expected);
    assert_int_equal(ret.i, -1);
    assert_int_equal(invoke(SPEC_FN_glIsEnabled, (void (*)(void))is_enabled, args).u, 1);
    args[0].u = 0x8b31;
    assert_int_equal(invoke(SPEC_FN_glCreateShader, (void (*)(void))create_shader, args).u,
                     UINT64_C(0x80008b31));
    args[1].u = 4;
    assert_int_equal(invoke(SPEC_FN_glFenceSync, (void (*)(void))fence_sync, args).u, 0x8b35);
    args[0].u = args[1].u = args[2].u = 2;
    ret = invoke(SPEC_FN_glGetPathLengthNV, (void (*)(void))path_length, args);
    assert_true(ret.f32 == 6.5f);
    assert_int_equal(ret.u >> 32, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_parameters),
        cmocka_unit_test(test_parameters_of_every_kind),
        cmocka_unit_test(test_return_values_are_widened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
