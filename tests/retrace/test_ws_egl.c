/* SPDX-License-Identifier: MIT
 * The window system without a display server, on a model of EGL: contexts, drawables, and what is told to
 * EGL.
 */
#include "egl_driver.h"
#include "failing_memory.h"

#include <EGL/eglext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "windows/window_system.h"

static struct window_system *ws;
static struct ws_context *context, *other;
static struct ws_drawable *window, *second;

static const struct context_config any_gl = {.buffers = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8}};

/* The first context decides; this file has none. */
int window_system_replace(struct window_system **system, const struct buffer_config *buffers)
{
    (void)system;
    (void)buffers;
    return TRACE_ERR_UNSUPPORTED;
}

static void open_ws(void)
{
    failing_memory_begin(0);
    assert_int_equal(window_system_open_egl(&ws, &(struct window_settings){0}), 0);
}

/* No memory is left. */
static void close_ws(void)
{
    ws->ops->close(ws);
    assert_int_equal(failing_memory_end(NULL), 0);
}

static void open_all(void)
{
    egl_driver_reset();
    open_ws();
    assert_int_equal(ws->ops->create_context(ws, &context, &any_gl, NULL), 0);
    assert_int_equal(ws->ops->create_context(ws, &other, &any_gl, context), 0);
    assert_int_equal(ws->ops->create_drawable(ws, &window, context, NULL, 16, 8), 0);
    assert_int_equal(ws->ops->create_drawable(ws, &second, context, NULL, 4, 4), 0);
    egl_driver_log();
}

static void close_all(void)
{
    ws->ops->destroy_drawable(ws, window);
    ws->ops->destroy_drawable(ws, second);
    ws->ops->destroy_context(ws, context);
    ws->ops->destroy_context(ws, other);
    close_ws();
    assert_int_equal(egl_driver_objects(), 0);
    assert_int_equal(egl_driver.displays, 0);
    assert_null(egl_driver.current);
}

static void bind(struct ws_context *c, struct ws_drawable *draw, struct ws_drawable *read)
{
    assert_int_equal(ws->ops->make_current(ws, c, draw, read), 0);
}

#define expect_log(...) assert_string_equal(egl_driver_log(), __VA_ARGS__)

static void test_what_it_is(void **state)
{
    (void)state;
    egl_driver_reset();
    open_ws();
    assert_true(ws->is_offscreen);
    assert_true(ws->headless);
    assert_false(ws->back_is_front);
    assert_string_equal(ws->description, "EGL surfaceless");
    assert_true(ws->ops->poll_events(ws, false));
    assert_true(ws->ops->poll_events(ws, true));
    assert_non_null(ws->ops->get_proc(ws, "glClear"));
    assert_null(ws->ops->get_proc(ws, "glNothing"));
    assert_int_equal(ws->ops->replace(&ws, NULL), TRACE_ERR_UNSUPPORTED);
    close_ws();
    assert_int_equal(egl_driver.displays, 0);
}

static void test_no_platform(void **state)
{
    (void)state;
    egl_driver_reset();
    egl_driver.refuses_displays = true;
    failing_memory_begin(0);
    assert_int_equal(window_system_open_egl(&ws, &(struct window_settings){0}), TRACE_ERR_IO);
    assert_int_equal(failing_memory_end(NULL), 0);
    assert_string_equal(trace_error_message(), "EGL has no platform that works without a display server");
}

static void test_what_is_lacking(void **state)
{
    struct buffer_config buffers = {0};
    (void)state;
    egl_driver_reset();
    open_ws();
    assert_null(ws->ops->find_lacking(ws, &buffers));
    for (int i = 0; i < 4; ++i) {
        buffers = (struct buffer_config){0};
        buffers.accumulation[i] = 1;
        assert_string_equal(ws->ops->find_lacking(ws, &buffers), "accumulation buffer");
    }
    buffers = (struct buffer_config){.auxiliary = 1};
    assert_string_equal(ws->ops->find_lacking(ws, &buffers), "auxiliary buffers");
    buffers = (struct buffer_config){.stereo = true};
    assert_string_equal(ws->ops->find_lacking(ws, &buffers), "stereo buffers");
    buffers = (struct buffer_config){.is_float = true};
    assert_string_equal(ws->ops->find_lacking(ws, &buffers), "floating-point colours");
    close_ws();
    egl_driver.display_extensions = "EGL_EXT_pixel_format_float";
    open_ws();
    assert_null(ws->ops->find_lacking(ws, &buffers));
    close_ws();
}

static void test_handles(void **state)
{
    (void)state;
    open_all();
    struct egl_handles handles = ws->ops->egl_handles(ws, other);
    assert_true(eglMakeCurrent(handles.display, EGL_NO_SURFACE, EGL_NO_SURFACE, handles.context));
    void *current = egl_driver.current;
    assert_true(eglMakeCurrent(handles.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    bind(other, NULL, NULL);
    assert_non_null(current);
    assert_ptr_equal(egl_driver.current, current);
    close_all();
}

static void test_nothing_is_left(void **state)
{
    (void)state;
    open_all();
    assert_int_equal(egl_driver_objects(), 4);
    bind(context, window, window);
    close_all();
}

/* What is bound may be destroyed. */
static void test_lives(void **state)
{
    (void)state;
    open_all();
    bind(context, window, second);
    ws->ops->destroy_context(ws, context);
    assert_null(egl_driver.current);
    bind(other, window, second);
    assert_int_equal(egl_driver_objects(), 3);
    egl_driver_log();
    ws->ops->destroy_drawable(ws, window);
    ws->ops->destroy_drawable(ws, second);
    bind(NULL, NULL, NULL);
    expect_log("API 0x30a2\nbind 0 0 0\n");
    bind(NULL, NULL, NULL); /* nothing is bound any more */
    expect_log("");
    ws->ops->destroy_context(ws, other);
    close_ws();
    assert_int_equal(egl_driver_objects(), 0);
}

/* EGL keeps current contexts by API. */
static void test_apis(void **state)
{
    const struct context_config es = {.api = CONTEXT_ES, .major = 2};
    struct ws_context *es_context;
    (void)state;
    open_all();
    assert_int_equal(ws->ops->create_context(ws, &es_context, &es, NULL), 0);
    expect_log("API 0x30a0\ncontext of f0, shares 0: 0x3098=2 0x30fb=0\n");
    bind(context, NULL, NULL);
    expect_log("API 0x30a2\nbind 0 0 c0\n");
    bind(other, NULL, NULL);
    expect_log("API 0x30a2\nbind 0 0 c1\n");
    egl_driver.version = "OpenGL ES 3.2";
    bind(es_context, NULL, NULL);
    expect_log("API 0x30a2\nbind 0 0 0\nAPI 0x30a0\nbind 0 0 c2\n");
    ws->ops->destroy_context(ws, es_context);
    close_all();
}

static void test_refused_contexts(void **state)
{
    struct ws_context *none = NULL;
    const struct context_config es1 = {.api = CONTEXT_ES, .major = 1};
    (void)state;
    open_all();
    egl_driver.refuses = 1;
    assert_int_equal(ws->ops->create_context(ws, &none, &any_gl, NULL), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "cannot create an OpenGL 0.0 context: out of memory");
    assert_int_equal(ws->ops->create_context(ws, &none, &es1, NULL), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(),
                        "the driver has no configuration for OpenGL ES of this version");
    assert_null(none);
    assert_int_equal(egl_driver_objects(), 4);
    egl_driver.refuses_binding = true;
    egl_driver.error = EGL_BAD_ACCESS;
    assert_int_equal(ws->ops->make_current(ws, context, window, window), TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(),
                        "the context cannot draw to this drawable: it is current in another thread");
    egl_driver.refuses_binding = false;
    close_all();
}

static void test_refused_drawables(void **state)
{
    struct ws_drawable *none = NULL;
    (void)state;
    open_all();
    egl_driver.refuses = 1;
    assert_int_equal(ws->ops->create_drawable(ws, &none, context, NULL, 99, 7), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "cannot create a drawable of 99x7: out of memory");
    assert_null(none);
    bind(context, window, window);
    egl_driver.refuses = 1;
    assert_int_equal(ws->ops->resize(ws, window, 32, 32, true), TRACE_ERR_IO);
    assert_int_equal(egl_driver.draw->width, 16);
    assert_int_equal(ws->ops->resize(ws, window, 32, 32, true), 0);
    assert_int_equal(egl_driver.draw->width, 32);
    close_all();
}

/* A drawable has the buffers that the program chose, or those of its context. */
static void test_buffers(void **state)
{
    const struct buffer_config buffers = {.colour = {8, 8, 8, 8}, .depth = 24, .samples = 4, .srgb = true};
    struct ws_drawable *drawable;
    (void)state;
    egl_driver_reset();
    egl_driver.display_extensions = "EGL_KHR_gl_colorspace EGL_KHR_no_config_context";
    open_ws();
    assert_int_equal(ws->ops->create_context(ws, &context, &any_gl, NULL), 0);
    expect_log("display 0x31dd of 0\nAPI 0x30a2\ncontext of 0, shares 0:\n");
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, &buffers, 3, 5), 0);
    assert_int_equal(egl_driver.surfaces[0].config->samples, 4);
    assert_true(egl_driver.surfaces[0].srgb);
    assert_int_equal(egl_driver.surfaces[0].width, 3);
    assert_int_equal(egl_driver.surfaces[0].height, 5);
    ws->ops->destroy_drawable(ws, drawable);
    egl_driver.refuses_srgb = true;
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, &buffers, 3, 5), 0);
    assert_false(egl_driver.surfaces[0].srgb);
    ws->ops->destroy_drawable(ws, drawable);
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, NULL, 3, 5), 0);
    assert_int_equal(egl_driver.surfaces[0].config->samples, 0);
    ws->ops->destroy_drawable(ws, drawable);
    ws->ops->destroy_context(ws, context);
    close_ws();
    egl_driver_reset(); /* without the extension */
    open_ws();
    assert_int_equal(ws->ops->create_context(ws, &context, &any_gl, NULL), 0);
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, &buffers, 3, 5), 0);
    assert_false(egl_driver.surfaces[0].srgb);
    ws->ops->destroy_drawable(ws, drawable);
    egl_driver.config_count = 0;
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, &buffers, 3, 5), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "the driver has no configuration for OpenGL");
    ws->ops->destroy_context(ws, context);
    close_ws();
}

/* A drawable gets its size whether or not it is bound, or can be bound again. */
static void test_sizes(void **state)
{
    (void)state;
    open_all();
    bind(context, window, window);
    egl_driver.refuses_binding = true;
    assert_int_equal(ws->ops->resize(ws, window, 32, 32, true), TRACE_ERR_UNSUPPORTED);
    egl_driver.refuses_binding = false;
    bind(context, window, window);
    assert_int_equal(egl_driver.draw->width, 32);
    ws->ops->destroy_context(ws, context);
    assert_int_equal(ws->ops->resize(ws, window, 20, 20, true), 0);
    assert_null(egl_driver.current);
    bind(other, window, window);
    assert_int_equal(egl_driver.draw->width, 20);
    assert_int_equal(ws->ops->create_context(ws, &context, &any_gl, other), 0);
    close_all();
}

/* The driver draws a frame when it is swapped, if it is current. */
static void test_swaps(void **state)
{
    (void)state;
    open_all();
    bind(context, window, window);
    egl_driver_log();
    ws->ops->swap_buffers(ws, window);
    ws->ops->swap_buffers(ws, second);
    expect_log("swap b0\nflush\nswap b1\n");
    close_all();
    open_all();
    bind(context, window, window);
    egl_driver.missing = "glFlush";
    egl_driver_log();
    ws->ops->swap_buffers(ws, window);
    expect_log("swap b0\n");
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_is),
        cmocka_unit_test(test_no_platform),
        cmocka_unit_test(test_what_is_lacking),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_lives),
        cmocka_unit_test(test_apis),
        cmocka_unit_test(test_refused_contexts),
        cmocka_unit_test(test_refused_drawables),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
