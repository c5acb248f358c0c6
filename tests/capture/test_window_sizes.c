/* SPDX-License-Identifier: MIT
 * Tests when the size of a window of GLX is asked for and told: before the program draws to a box that it has
 * not drawn to since the last answer.
 */
#include "stub_driver.h"

#include "context/gl_enums.h"

#include "cmocka_all.h"

static int display, handle;
static unsigned width, height, answers;

enum { WINDOW = 0x200001, GLX_WIDTH = 0x801D, GLX_HEIGHT = 0x801E };

/* Two questions are one answer. */
static bool query_drawable(void *of, unsigned long drawable, uint32_t attribute, uint32_t *value)
{
    assert_ptr_equal(of, &display);
    assert_int_equal(drawable, WINDOW);
    assert_false(stub.in_begin);
    *value = attribute == GLX_WIDTH ? width : height;
    answers += attribute == GLX_WIDTH;
    return *value != 0;
}

static void get_integer(uint32_t pname, int32_t *value)
{
    value[0] = value[1] = 0;
    value[2] = pname == SPEC_GL_VIEWPORT || pname == SPEC_GL_SCISSOR_BOX ? 64 : 0;
    value[3] = value[2] != 0 ? 48 : 0;
}

static capture_function find_more(uint32_t id)
{
    return id == SPEC_FN_glGetIntegerv ? (capture_function)get_integer : NULL;
}

/* A context that is current on a window of 64 x 48, which is in the trace as its viewport. */
static struct capture_thread *start(void)
{
    struct capture_thread *t = stub_start("4.6");
    stub.glx_attribute = query_drawable;
    width = 64;
    height = 48;
    answers = 0;
    stub.more = find_more;
    stub.returned.u = 1;
    STUB_MAKE(glXMakeCurrent, NULL, STUB_P(&display), WINDOW, STUB_P(&handle));
    stub_expect_calls("glViewport glScissor ");
    return t;
}

static void release(void)
{
    stub.returned.u = 1;
    STUB_MAKE(glXMakeCurrent, NULL, STUB_P(&display), 0, 0);
}

static void stop(void)
{
    release();
    gl_context_destroy(&handle);
    stub_stop();
}

static void view(int64_t x, int64_t y, int64_t w, int64_t h)
{
    STUB_MAKE(glViewport, NULL, (uint64_t)x, (uint64_t)y, (uint64_t)w, (uint64_t)h);
}

static void expect_told(unsigned w, unsigned h)
{
    stub_expect_calls("glXQueryDrawable glXQueryDrawable ");
    assert_int_equal(stub_calls[0].args[1].u, WINDOW);
    assert_int_equal(stub_calls[0].args[2].u, GLX_WIDTH);
    assert_int_equal(*(const uint32_t *)stub_calls[0].values, w);
    assert_int_equal(stub_calls[1].args[2].u, GLX_HEIGHT);
    assert_int_equal(*(const uint32_t *)stub_calls[1].values, h);
}

static void test_boxes(void **state)
{
    (void)state;
    start();
    view(0, 0, 64, 48); /* the trace has it */
    assert_int_equal(answers, 0);
    stub_expect_calls("");
    view(0, 0, 100, 90);
    expect_told(64, 48);
    view(0, 0, 100, 90);
    view(0, 0, 64, 48);
    assert_int_equal(answers, 1);
    view(1, 0, 63, 48); /* another one, and the same size */
    assert_int_equal(answers, 2);
    stub_expect_calls("");
    width = 80;
    view(0, 0, 80, 48);
    expect_told(80, 48);
    view(0, 0, 64, 48); /* what was seen in the old size has to be asked again */
    assert_int_equal(answers, 4);
    width = 64;
    view(0, 0, 100, 90);
    expect_told(64, 48);
    stop();
}

/* A box that is not within the window says nothing of its size: it may be another one in the next frame. */
static void test_boxes_beyond(void **state)
{
    (void)state;
    static const int32_t boxes[][4] = {{-1, 0, 20, 20}, {0, -1, 20, 20}, {0, 0, 65, 48}, {0, 0, 64, 49}};
    for (unsigned i = 0; i < sizeof boxes / sizeof *boxes; ++i) {
        const int32_t *b = boxes[i];
        start();
        view(b[0], b[1], b[2], b[3]);
        expect_told(64, 48);
        view(b[0], b[1], b[2], b[3]);
        STUB_MAKE(glXSwapBuffers, NULL, STUB_P(&display), WINDOW);
        assert_int_equal(answers, 1);
        width = 90;
        view(b[0], b[1], b[2], b[3]);
        expect_told(90, 48);
        stop();
    }
    start();
    view(4, 4, 60, 44);
    STUB_MAKE(glXSwapBuffers, NULL, STUB_P(&display), WINDOW);
    view(4, 4, 60, 44);
    assert_int_equal(answers, 1);
    stop();
}

/* Each function that draws to a box, or sets one. */
static void test_functions(void **state)
{
    (void)state;
    static const float boxes[8] = {0, 0, 20, 30, 20, 0, 20, 30}, strange[4] = {0, 0, 3e9f, 30};
    start();
    const uint64_t indexed[8] = {0, 0, 0, spec_arg_f32(10).u, spec_arg_f32(30).u};
    stub_make(SPEC_FN_glViewportIndexedf, stub_arguments(indexed), NULL);
    assert_int_equal(answers, 1);
    STUB_MAKE(glViewportIndexedfv, NULL, 3, STUB_P(boxes + 4));
    assert_int_equal(answers, 2);
    STUB_MAKE(glViewportArrayv, NULL, 0, 2, STUB_P(boxes));
    assert_int_equal(answers, 3);
    STUB_MAKE(glViewportArrayv, NULL, 0, 0, STUB_P(boxes));
    STUB_MAKE(glViewportArrayv, NULL, 0, 1, 16); /* nothing is there */
    STUB_MAKE(glViewportIndexedfv, NULL, 0, 16);
    STUB_MAKE(glViewportIndexedfv, NULL, 0, STUB_P(strange));
    assert_int_equal(answers, 3);
    stub_make(SPEC_FN_glBlitFramebuffer, stub_arguments((const uint64_t[8]){0, 0, 8, 8, 5, 6, 20, 30}), NULL);
    assert_int_equal(answers, 4);
    view(5, 6, 15, 24); /* the same box */
    assert_int_equal(answers, 4);
    stop();
}

/* What is drawn to framebuffer objects says nothing about windows. */
static void test_framebuffer_objects(void **state)
{
    (void)state;
    static const uint32_t names[] = {3, 5}, other = 6;
    start();
    STUB_MAKE(glBindFramebuffer, NULL, 0x8D40, 5);
    view(0, 0, 500, 500);
    STUB_MAKE(glBindFramebuffer, NULL, SPEC_GL_READ_FRAMEBUFFER, 0);
    view(0, 0, 501, 500);
    STUB_MAKE(glDeleteFramebuffers, NULL, 1, STUB_P(&other));
    view(0, 0, 502, 500);
    assert_int_equal(answers, 0);
    STUB_MAKE(glDeleteFramebuffers, NULL, 2, STUB_P(names));
    view(0, 0, 500, 500);
    assert_int_equal(answers, 1);
    STUB_MAKE(glBindFramebufferEXT, NULL, 0x8CA9, 7);
    STUB_MAKE(glDeleteFramebuffers, NULL, (uint64_t)-1, STUB_P(names));
    STUB_MAKE(glDeleteFramebuffers, NULL, 2, 16); /* nothing is there */
    view(0, 0, 503, 500);
    assert_int_equal(answers, 1);
    STUB_MAKE(glBindFramebuffer, NULL, 0x8CA9, 0);
    view(0, 0, 503, 500);
    assert_int_equal(answers, 2);
    stop();
}

static void test_inside_begin(void **state)
{
    (void)state;
    struct capture_thread *t = start();
    t->context->in_begin = stub.in_begin = true;
    view(0, 0, 500, 500);
    STUB_MAKE(glBindFramebuffer, NULL, 0x8D40, 5); /* errors */
    t->context->in_begin = stub.in_begin = false;
    assert_int_equal(answers, 0);
    view(0, 0, 500, 500);
    assert_int_equal(answers, 1);
    stop();
}

/* A program that draws to many boxes does not wait for the server each time. */
static void test_many_boxes(void **state)
{
    (void)state;
    struct capture_thread *t = start();
    for (int i = 1; i < 100; ++i)
        view(i, 0, 20, 20);
    assert_true(answers >= 16 && answers < 60); /* 16 every 10 ms */
    answers = 0;
    STUB_MAKE(glXSwapBuffers, NULL, STUB_P(&display), WINDOW);
    for (int i = 1; i < 17; ++i)
        view(i, 0, 20, 20);
    assert_int_equal(answers, 16);
    for (int i = 9; i < 17; ++i) /* the last eight are known */
        view(i, 0, 20, 20);
    assert_int_equal(answers, 16);
    t->context->seen_boxes.since -= 10000000; /* ns ago; a program without swaps */
    view(1, 0, 20, 20);
    assert_int_equal(answers, 17);
    stop();
}

/* Another context may have told another size meanwhile. */
static void test_bound_again(void **state)
{
    (void)state;
    static int other;
    start();
    view(0, 0, 10, 10);
    expect_told(64, 48);
    width = 80;
    stub.returned.u = 1;
    STUB_MAKE(glXMakeCurrent, NULL, STUB_P(&display), WINDOW, STUB_P(&other));
    stub_call_count = 0;
    view(0, 0, 10, 10);
    expect_told(80, 48);
    release();
    width = 64;
    stub.returned.u = 1;
    STUB_MAKE(glXMakeCurrent, NULL, STUB_P(&display), WINDOW, STUB_P(&handle));
    expect_told(64, 48);
    stop();
    gl_context_destroy(&other);
}

/* Where nobody knows, the trace tells nothing. */
static void test_no_answers(void **state)
{
    (void)state;
    start();
    height = 0;
    view(0, 0, 500, 500);
    assert_int_equal(answers, 1);
    stub_expect_calls("");
    stop();
}

/* EGL is not asked: eglGetError() would return something else. */
static void test_egl(void **state)
{
    (void)state;
    struct capture_thread *t = start();
    t->binds_surface = true;
    view(0, 0, 500, 500);
    assert_int_equal(answers, 0);
    t->binds_surface = false;
    release();
    view(0, 0, 501, 500); /* no drawable */
    assert_int_equal(answers, 0);
    gl_context_destroy(&handle);
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),        cmocka_unit_test(test_boxes_beyond),
        cmocka_unit_test(test_functions),    cmocka_unit_test(test_framebuffer_objects),
        cmocka_unit_test(test_inside_begin), cmocka_unit_test(test_many_boxes),
        cmocka_unit_test(test_bound_again),  cmocka_unit_test(test_no_answers),
        cmocka_unit_test(test_egl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
