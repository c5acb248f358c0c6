/* SPDX-License-Identifier: MIT
 * Tests what is recorded of a visual or a framebuffer configuration of GLX before a context or a drawable is
 * made of it.
 */
#include "stub_driver.h"

#include "cmocka_all.h"

static int display, known, unknown;
static char visual[64]; /* an XVisualInfo */
static void *configs[] = {&display, &known};
static int32_t config_count;
static unsigned questions;

/* It has no samples. */
static int32_t get_attribute(void *of, void *config, int32_t attribute, int32_t *value)
{
    questions++;
    assert_ptr_equal(of, &display);
    assert_true(config == &known || config == visual);
    *value = attribute + 1;
    return attribute == 100001 ? 2 /* GLX_BAD_ATTRIBUTE */ : 0;
}

static void **get_configs(void *of, int32_t screen, int32_t *count)
{
    assert_ptr_equal(of, &display);
    assert_int_equal(screen, 0);
    *count = config_count;
    return config_count > 0 ? configs : NULL;
}

static capture_function find_more(uint32_t id)
{
    return id == SPEC_FN_glXGetConfig || id == SPEC_FN_glXGetFBConfigAttrib ? (capture_function)get_attribute
           : id == SPEC_FN_glXGetFBConfigs                                  ? (capture_function)get_configs
                                                                            : NULL;
}

static void call(uint16_t function, const void *config)
{
    const uint64_t args[8] = {STUB_P(&display), STUB_P(config)};
    stub.more = find_more;
    questions = 0;
    config_count = 2;
    assert_true(stub_make(function, stub_arguments(args), NULL));
}

static void expect_told(uint16_t question, const void *config)
{
    /* two buffers, sizes of red, green, blue, alpha, depth and stencil, and of the accumulation buffer */
    static const int32_t attributes[] = {5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    assert_int_equal(stub_call_count, 11);
    for (unsigned i = 0; i < 11; ++i) {
        assert_int_equal(stub_calls[i].function->id, question);
        assert_ptr_equal(stub_calls[i].args[1].p, config);
        assert_int_equal(stub_calls[i].args[2].i, attributes[i]);
        assert_int_equal(*(const int32_t *)stub_calls[i].values, attributes[i] + 1);
    }
    assert_int_equal(questions, 12);
}

static void test_configs(void **state)
{
    (void)state;
    static const uint16_t functions[] = {
        SPEC_FN_glXCreateNewContext,
        SPEC_FN_glXCreateContextAttribsARB,
        SPEC_FN_glXCreateContextWithConfigSGIX,
        SPEC_FN_glXCreateWindow,
        SPEC_FN_glXCreatePbuffer,
        SPEC_FN_glXCreatePixmap,
        SPEC_FN_glXCreateGLXPbufferSGIX,
        SPEC_FN_glXCreateGLXPixmapWithConfigSGIX,
    };
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        stub_start("4.6");
        call(functions[i], &known);
        expect_told(SPEC_FN_glXGetFBConfigAttrib, &known);
        stub_stop();
    }
}

static void test_visuals(void **state)
{
    (void)state;
    static const uint16_t functions[] = {SPEC_FN_glXCreateContext, SPEC_FN_glXCreateGLXPixmap};
    for (unsigned i = 0; i < 2; ++i) {
        stub_start("4.6");
        call(functions[i], visual);
        expect_told(SPEC_FN_glXGetConfig, visual);
        call(functions[i], (const void *)16); /* nothing is there */
        assert_int_equal(questions, 0);
        stub_stop();
    }
}

/* A question about them would be an X error, which may end the program. */
static void test_unknown_configs(void **state)
{
    (void)state;
    stub_start("4.6");
    call(SPEC_FN_glXCreateNewContext, &unknown);
    assert_int_equal(questions, 0);
    call(SPEC_FN_glXCreateNewContext, NULL);
    assert_int_equal(questions, 0);
    stub_expect_calls("");
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configs),
        cmocka_unit_test(test_visuals),
        cmocka_unit_test(test_unknown_configs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
