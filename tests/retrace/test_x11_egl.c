/* SPDX-License-Identifier: MIT
 * EGL on X11, on an EGL that this test makes up.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "call_log.h"
#include "windows/egl_contexts.h"
#include "windows/x11_api.h"

static struct made_up {
    bool lacks_display, refuses_display, lacks_visual, refuses_config, refuses_srgb, refuses_surface;
    bool refuses_binding, has_surfaceless, has_colorspace;
    int displays;
} x;

static struct x11_api *api;
static char the_display; /* of X */

static int number(const void *handle)
{
    return (int)(uintptr_t)handle;
}

static void *handle(uintptr_t number)
{
    return (void *)number;
}

/* --- the libraries ---------------------------------------------------------------------------------- */

EGLDisplay eglGetDisplay(EGLNativeDisplayType native)
{
    assert_ptr_equal(native, &the_display);
    return x.lacks_display ? EGL_NO_DISPLAY : handle(1);
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    assert_true(number(display) == 1 && major == NULL && minor == NULL);
    x.displays += !x.refuses_display;
    return !x.refuses_display;
}

EGLBoolean eglTerminate(EGLDisplay display)
{
    assert_int_equal(number(display), 1);
    x.displays--;
    return EGL_TRUE;
}

void egl_screen_init(struct egl_screen *s, EGLDisplay display, EGLint surface_bit)
{
    assert_int_equal(surface_bit, EGL_WINDOW_BIT);
    *s = (struct egl_screen){
        .display = display, .has_surfaceless = x.has_surfaceless, .has_colorspace = x.has_colorspace};
}

int egl_choose_config(const struct egl_screen *s, const struct context_config *wanted, EGLConfig *out)
{
    assert_int_equal(number(s->display), 1);
    *out = handle((uintptr_t)wanted->major + 10);
    return x.refuses_config ? trace_error_set(TRACE_ERR_IO, "no configuration") : 0;
}

EGLBoolean eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint name, EGLint *value)
{
    assert_int_equal(number(display), 1);
    assert_int_equal(name, EGL_NATIVE_VISUAL_ID);
    *value = number(config) + 100;
    return EGL_TRUE;
}

XVisualInfo *XGetVisualInfo(Display *display, long mask, XVisualInfo *pattern, int *count)
{
    assert_ptr_equal(display, &the_display);
    assert_int_equal(mask, VisualIDMask);
    *count = !x.lacks_visual;
    if (x.lacks_visual)
        return NULL;
    XVisualInfo *found = malloc(sizeof *found);
    *found = (XVisualInfo){.visualid = pattern->visualid, .depth = 30};
    return found;
}

int XFree(void *memory)
{
    note("freed\n");
    free(memory);
    return 1;
}

EGLenum egl_api(const struct context_config *wanted)
{
    return wanted->api == CONTEXT_GL ? EGL_OPENGL_API : EGL_OPENGL_ES_API;
}

const char *egl_error_text(void)
{
    return "a reason";
}

int egl_create_context(const struct egl_screen *s, EGLContext *out, const struct context_config *wanted,
                       EGLConfig config, EGLContext share)
{
    assert_int_equal(number(s->display), 1);
    note("context %d of %d, shares %d\n", wanted->major, number(config), number(share));
    *out = handle(20);
    return 0;
}

EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    note("context %d of %d ends\n", number(context), number(display));
    return EGL_TRUE;
}

EGLSurface eglCreateWindowSurface(EGLDisplay display, EGLConfig config, EGLNativeWindowType window,
                                  const EGLint *attribs)
{
    bool srgb = attribs[0] == EGL_GL_COLORSPACE_KHR;
    assert_true(!srgb || attribs[1] == EGL_GL_COLORSPACE_SRGB_KHR);
    attribs += srgb ? 2 : 0;
    bool single = attribs[0] == EGL_RENDER_BUFFER;
    assert_true(!single || attribs[1] == EGL_SINGLE_BUFFER);
    assert_int_equal(attribs[single ? 2 : 0], EGL_NONE);
    note("surface of %d, %d, %d%s%s\n", number(display), number(config), (int)window, srgb ? ", srgb" : "",
         single ? ", single" : "");
    return x.refuses_surface || (srgb && x.refuses_srgb) ? EGL_NO_SURFACE : handle(30);
}

int egl_create_pbuffer(const struct egl_screen *s, EGLConfig config, bool srgb, int width, int height,
                       EGLSurface *out)
{
    note("pbuffer of %d, %d, %dx%d%s\n", number(s->display), number(config), width, height,
         srgb ? ", srgb" : "");
    *out = x.refuses_surface ? EGL_NO_SURFACE : handle(31);
    return x.refuses_surface ? trace_error_set(TRACE_ERR_IO, "no pbuffer") : 0;
}

EGLBoolean eglDestroySurface(EGLDisplay display, EGLSurface surface)
{
    note("surface %d of %d ends\n", number(surface), number(display));
    return EGL_TRUE;
}

EGLBoolean eglBindAPI(EGLenum name)
{
    note("API 0x%x\n", name);
    return EGL_TRUE;
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    note("bind %d: %d, %d, %d\n", number(display), number(draw), number(read), number(context));
    return !x.refuses_binding;
}

EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
    note("swap %d of %d\n", number(surface), number(display));
    return EGL_TRUE;
}

EGLBoolean eglSwapInterval(EGLDisplay display, EGLint interval)
{
    note("interval %d of %d\n", interval, number(display));
    return EGL_TRUE;
}

void (*eglGetProcAddress(const char *name))(void)
{
    note("look up %s\n", name);
    return NULL;
}

/* --- tests ------------------------------------------------------------------------------------------ */

static int open_api(void)
{
    log_text[0] = '\0';
    return x11_egl_open(&api, (Display *)(void *)&the_display);
}

static int tear_down(void **state)
{
    (void)state;
    api->ops->close(api);
    return x.displays;
}

static int set_up(void **state)
{
    (void)state;
    x = (struct made_up){0};
    return open_api();
}

static void test_opening(void **state)
{
    (void)state;
    x = (struct made_up){.lacks_display = true};
    assert_int_equal(open_api(), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "there is no EGL on this display: a reason");
    x = (struct made_up){.refuses_display = true};
    assert_int_equal(open_api(), TRACE_ERR_IO);
    for (int i = 0; i < 2; ++i) {
        x = (struct made_up){.has_surfaceless = i == 1};
        assert_int_equal(open_api(), 0);
        assert_ptr_equal(api->egl_display, handle(1));
        assert_int_equal(api->binds_nothing, i == 1);
        assert_ptr_equal(api->display, &the_display);
        assert_int_equal(x.displays, 1);
        assert_int_equal(tear_down(NULL), 0);
    }
}

static void test_configurations(void **state)
{
    XVisualInfo visual = {0};
    void *config = NULL;
    (void)state;
    assert_int_equal(api->ops->choose_config(api, &(struct context_config){.major = 3}, &config, &visual), 0);
    assert_int_equal(number(config), 13);
    assert_int_equal(visual.visualid, 113);
    assert_int_equal(visual.depth, 30);
    expect_log("freed\n");
    x.lacks_visual = true;
    assert_int_equal(api->ops->choose_config(api, &(struct context_config){.major = 3}, &config, &visual),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "the X server has no visual 0x71, which EGL wants");
    x.refuses_config = true;
    assert_int_equal(api->ops->choose_config(api, &(struct context_config){.major = 3}, &config, &visual),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no configuration");
}

static void test_contexts(void **state)
{
    const struct context_config gl = {.major = 3}, es = {.api = CONTEXT_ES};
    void *context = NULL;
    (void)state;
    assert_int_equal(api->ops->create_context(api, &context, &gl, handle(5), handle(6)), 0);
    assert_int_equal(number(context), 20);
    expect_log("context 3 of 5, shares 6\n");
    assert_true(api->ops->make_current(api, context, &gl, 7, 8));
    assert_true(api->ops->make_current(api, context, &es, 7, 8));
    api->ops->release(api, &gl);
    api->ops->release(api, &es);
    expect_log("API 0x30a2\nbind 1: 7, 8, 20\nAPI 0x30a0\nbind 1: 7, 8, 20\nAPI 0x30a2\nbind 1: 0, 0, 0\n"
               "API 0x30a0\nbind 1: 0, 0, 0\n");
    x.refuses_binding = true;
    assert_false(api->ops->make_current(api, context, &gl, 7, 8));
    log_text[0] = '\0';
    api->ops->destroy_context(api, context);
    assert_null(api->ops->get_proc("glClear"));
    expect_log("context 20 of 1 ends\nlook up glClear\n");
}

static void expect_surface(bool srgb, const char *log)
{
    const struct buffer_config buffers = {.srgb = srgb};
    uintptr_t surface = 0;
    assert_int_equal(api->ops->create_surface(api, &surface, handle(5), 6, &buffers), 0);
    assert_int_equal(surface, 30);
    expect_log(log);
}

/* Without sRGB is better than none. */
static void test_surfaces(void **state)
{
    struct buffer_config buffers = {.single_buffered = true};
    uintptr_t surface = 1;
    (void)state;
    expect_surface(false, "surface of 1, 5, 6\n");
    expect_surface(true, "surface of 1, 5, 6\n");
    tear_down(NULL);
    x.has_colorspace = true;
    assert_int_equal(open_api(), 0);
    expect_surface(false, "surface of 1, 5, 6\n");
    expect_surface(true, "surface of 1, 5, 6, srgb\n");
    assert_int_equal(api->ops->create_surface(api, &surface, handle(5), 6, &buffers), 0);
    expect_log("surface of 1, 5, 6, single\n");
    x.refuses_srgb = buffers.srgb = true;
    assert_int_equal(api->ops->create_surface(api, &surface, handle(5), 6, &buffers), 0);
    expect_log("surface of 1, 5, 6, srgb, single\nsurface of 1, 5, 6, single\n");
    expect_surface(true, "surface of 1, 5, 6, srgb\nsurface of 1, 5, 6\n");
    x.refuses_surface = true;
    assert_int_equal(api->ops->create_surface(api, &surface, handle(5), 6, &buffers), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "EGL cannot draw to a window: a reason");
    assert_int_equal(surface, 0);
    log_text[0] = '\0';
    api->ops->swap_buffers(api, 30);
    api->ops->disable_vsync(api, 30);
    api->ops->destroy_surface(api, 30);
    expect_log("swap 30 of 1\ninterval 0 of 1\nsurface 30 of 1 ends\n");
}

static void test_pbuffers(void **state)
{
    struct buffer_config buffers = {.front_is_back = true};
    uintptr_t surface = 1;
    (void)state;
    log_text[0] = '\0';
    assert_int_equal(api->ops->create_pbuffer(api, &surface, handle(5), &buffers, 6, 7), 0);
    assert_int_equal(surface, 31);
    expect_log("pbuffer of 1, 5, 6x7\n");
    buffers.srgb = true;
    assert_int_equal(api->ops->create_pbuffer(api, &surface, handle(5), &buffers, 6, 7), 0);
    expect_log("pbuffer of 1, 5, 6x7, srgb\n");
    x.refuses_surface = true;
    assert_int_equal(api->ops->create_pbuffer(api, &surface, handle(5), &buffers, 6, 7), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no pbuffer");
    assert_int_equal(surface, 0);
    log_text[0] = '\0';
    api->ops->destroy_pbuffer(api, 31);
    expect_log("surface 31 of 1 ends\n");
}

int main(void)
{
#define OPENED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening), OPENED(test_configurations), OPENED(test_contexts),
        OPENED(test_surfaces),          OPENED(test_pbuffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
