/* SPDX-License-Identifier: MIT
 * Tests what is recorded of a configuration of EGL before a context or a surface is made of it.
 */
#include "stub_driver.h"

#include "cmocka_all.h"

static int display, known, unknown;
static bool was_asked;

/* The value of each attribute is its last three bits. */
static uint32_t get_attribute(void *of, void *config, int32_t attribute, int32_t *value)
{
    was_asked = true;
    assert_ptr_equal(of, &display);
    if (config != &known)
        return 0;
    *value = attribute & 7;
    return 1;
}

static capture_function find_more(uint32_t id)
{
    return id == SPEC_FN_eglGetConfigAttrib ? (capture_function)get_attribute : NULL;
}

static bool call(uint16_t function, const void *config)
{
    const uint64_t args[8] = {STUB_P(&display), STUB_P(config)};
    stub.more = find_more;
    was_asked = false;
    return stub_make(function, stub_arguments(args), NULL);
}

static void test_known_config(void **state)
{
    (void)state;
    static const uint16_t functions[] = {
        SPEC_FN_eglCreateContext,
        SPEC_FN_eglCreateWindowSurface,
        SPEC_FN_eglCreatePbufferSurface,
        SPEC_FN_eglCreatePixmapSurface,
        SPEC_FN_eglCreatePlatformWindowSurface,
        SPEC_FN_eglCreatePlatformWindowSurfaceEXT,
        SPEC_FN_eglCreatePlatformPixmapSurface,
        SPEC_FN_eglCreatePlatformPixmapSurfaceEXT,
    };
    /* sizes of red, green, blue, alpha, depth and stencil, and samples */
    static const int32_t attributes[] = {0x3024, 0x3023, 0x3022, 0x3021, 0x3025, 0x3026, 0x3031};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        stub_start("4.6");
        assert_true(call(functions[i], &known));
        assert_int_equal(stub_call_count, 7);
        for (unsigned k = 0; k < 7; ++k) {
            assert_int_equal(stub_calls[k].function->id, SPEC_FN_eglGetConfigAttrib);
            assert_ptr_equal(stub_calls[k].args[0].p, &display);
            assert_ptr_equal(stub_calls[k].args[1].p, &known);
            assert_int_equal(stub_calls[k].args[2].i, attributes[k]);
            assert_int_equal(*(const int32_t *)stub_calls[k].values, attributes[k] & 7);
        }
        stub_stop();
    }
}

/* The program's call is the one that fails, and it is recorded all the same. */
static void test_unknown_config(void **state)
{
    (void)state;
    stub_start("4.6");
    assert_true(call(SPEC_FN_eglCreateContext, &unknown));
    assert_true(was_asked);
    stub_expect_calls("");
    stub_stop();
}

/* EGL_NO_CONFIG_KHR */
static void test_no_config(void **state)
{
    (void)state;
    stub_start("4.6");
    assert_true(call(SPEC_FN_eglCreateContext, NULL));
    assert_false(was_asked);
    stub_expect_calls("");
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_config),
        cmocka_unit_test(test_unknown_config),
        cmocka_unit_test(test_no_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
