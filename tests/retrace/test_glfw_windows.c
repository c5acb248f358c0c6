/* SPDX-License-Identifier: MIT
 * Tests what a replay asks GLFW for. GLFW and EGL are made up.
 */
#include "windows/glfw_hints.h"
#include "windows/window_system.h"

#define GLFW_INCLUDE_NONE
#define GLFW_EXPOSE_NATIVE_EGL
#include <EGL/egl.h>
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>
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

/* --- GLFW and EGL: windows are numbers from 1 on ----------------------------------------------------------
 */

static int windows, refused_windows; /* how many there were; how many cannot be created */
static int refusal;                  /* the error of windows that cannot be created */
static int error, width, height, scale = 1, polls;
static bool lacks_glfw, refuses_sizes, refuses_to_bind, has_monitor, closes;
static const char *reason;
static void *pointer;
static GLFWwindowclosefun on_close;

static int allocations, failing, blocks; /* the number of the one that fails; those that are not freed */

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    if (++allocations == failing)
        return NULL;
    blocks++;
    return __real_calloc(count, size);
}

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
    blocks -= memory != NULL;
    __real_free(memory);
}

static int number(const void *handle)
{
    return (int)(uintptr_t)handle;
}

void glfw_hint_window(const struct context_config *config)
{
    note("hints for %d.%d, depth %d\n", config->major, config->minor, config->buffers.depth);
}

void glfw_hint_buffers(const struct buffer_config *buffers)
{
    note("hints for depth %d\n", buffers->depth);
}

void glfwInitHint(int hint, int value)
{
    (void)hint, (void)value;
}

int glfwInit(void)
{
    return !lacks_glfw;
}

void glfwTerminate(void)
{
    note("end\n");
}

int glfwGetError(const char **description)
{
    int last = error;
    if (description != NULL)
        *description = error != GLFW_NO_ERROR ? reason : NULL;
    error = GLFW_NO_ERROR;
    return last;
}

GLFWwindow *glfwCreateWindow(int w, int h, const char *title, GLFWmonitor *monitor, GLFWwindow *share)
{
    assert_string_equal(title, "trace-cli retrace");
    assert_null(monitor);
    note("window of %d x %d, shares with %d\n", w, h, number(share));
    if (refused_windows > 0) {
        refused_windows--;
        error = refusal;
        return NULL;
    }
    return (GLFWwindow *)(uintptr_t)++windows;
}

void glfwDestroyWindow(GLFWwindow *window)
{
    note("window %d ends\n", number(window));
}

void glfwMakeContextCurrent(GLFWwindow *window)
{
    note("current: %d\n", number(window));
}

EGLDisplay glfwGetEGLDisplay(void)
{
    return (EGLDisplay)(uintptr_t)99;
}

EGLSurface glfwGetEGLSurface(GLFWwindow *window)
{
    return (EGLSurface)(uintptr_t)(number(window) + 100);
}

EGLContext glfwGetEGLContext(GLFWwindow *window)
{
    return (EGLContext)(uintptr_t)(number(window) + 200);
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    assert_int_equal(number(display), 99);
    note("bind %d, %d, %d\n", number(draw), number(read), number(context));
    return !refuses_to_bind;
}

EGLBoolean eglSwapInterval(EGLDisplay display, EGLint interval)
{
    assert_int_equal(number(display), 99);
    note("interval %d\n", interval);
    return EGL_TRUE;
}

EGLBoolean eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
    assert_int_equal(number(display), 99);
    note("swap %d\n", number(surface));
    return EGL_TRUE;
}

void glfwSetWindowSize(GLFWwindow *window, int w, int h)
{
    note("size of %d: %d x %d\n", number(window), w, h);
    if (refuses_sizes)
        return;
    width = w;
    height = h;
}

void glfwPollEvents(void)
{
    polls++;
    if (closes)
        on_close((GLFWwindow *)(uintptr_t)1);
}

void glfwWaitEventsTimeout(double seconds)
{
    assert_true(seconds > 0 && seconds < 1);
    note("wait\n");
}

void glfwGetFramebufferSize(GLFWwindow *window, int *w, int *h)
{
    (void)window;
    *w = scale * width;
    *h = scale * height;
}

void glfwGetWindowSize(GLFWwindow *window, int *w, int *h)
{
    (void)window;
    *w = width;
    *h = height;
}

void glfwShowWindow(GLFWwindow *window)
{
    note("show %d\n", number(window));
}

void glfwHideWindow(GLFWwindow *window)
{
    note("hide %d\n", number(window));
}

GLFWmonitor *glfwGetPrimaryMonitor(void)
{
    return has_monitor ? (GLFWmonitor *)(uintptr_t)5 : NULL;
}

void glfwSetWindowMonitor(GLFWwindow *window, GLFWmonitor *monitor, int x, int y, int w, int h, int rate)
{
    assert_int_equal(rate, GLFW_DONT_CARE);
    note("%d on screen %d: %d, %d, %d x %d\n", number(window), number(monitor), x, y, w, h);
}

void glfwSetWindowUserPointer(GLFWwindow *window, void *p)
{
    (void)window;
    pointer = p;
}

void *glfwGetWindowUserPointer(GLFWwindow *window)
{
    (void)window;
    return pointer;
}

GLFWwindowclosefun glfwSetWindowCloseCallback(GLFWwindow *window, GLFWwindowclosefun function)
{
    (void)window;
    on_close = function;
    return NULL;
}

int window_system_replace(struct window_system **ws, const struct buffer_config *buffers)
{
    (void)ws, (void)buffers;
    return 0;
}

/* --- tests ------------------------------------------------------------------------------------------------
 */

static struct window_system *ws;
static struct ws_context *first, *second;
static const struct context_config config = {.major = 4, .minor = 5, .buffers = {.depth = 24}};

static int set_up(void **state)
{
    (void)state;
    const struct window_settings hidden = {.headless = true};
    windows = refused_windows = refusal = error = width = height = 0;
    lacks_glfw = refuses_sizes = refuses_to_bind = has_monitor = closes = false;
    reason = NULL;
    assert_int_equal(window_system_open_glfw(&ws, &hidden), 0);
    assert_int_equal(ws->ops->create_context(ws, &first, &config, NULL), 0);
    assert_int_equal(ws->ops->create_context(ws, &second, &config, first), 0);
    expect_log("hints for 4.5, depth 24\nwindow of 32 x 32, shares with 0\n"
               "hints for 4.5, depth 24\nwindow of 32 x 32, shares with 1\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ws->ops->destroy_context(ws, first);
    ws->ops->destroy_context(ws, second);
    ws->ops->close(ws);
    expect_log("window 1 ends\nwindow 2 ends\nend\n");
    assert_int_equal(blocks, 0);
    return 0;
}

static struct ws_drawable *create(const struct buffer_config *buffers, int w, int h)
{
    struct ws_drawable *drawable = NULL;
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, first, buffers, w, h), 0);
    return drawable;
}

/* The first drawable has the context's window, if its buffers are the same. */
static void test_drawables(void **state)
{
    (void)state;
    struct ws_drawable *other = create(&(struct buffer_config){.depth = 16}, 40, 50);
    expect_log("hints for 4.5, depth 16\nwindow of 40 x 50, shares with 0\n");
    struct ws_drawable *adopted = create(NULL, 40, 50);
    expect_log("size of 1: 40 x 50\nswap 101\n");
    struct ws_drawable *third = create(NULL, 32, 32);
    expect_log("hints for 4.5, depth 24\nwindow of 32 x 32, shares with 0\n");
    ws->ops->swap_buffers(ws, third);
    ws->ops->destroy_drawable(ws, third);
    ws->ops->destroy_drawable(ws, other);
    ws->ops->destroy_drawable(ws, adopted);
    expect_log("swap 104\nhide 4\nwindow 4 ends\nhide 3\nwindow 3 ends\nhide 1\n");
}

static void test_one_side_differs(void **state)
{
    (void)state;
    struct ws_drawable *wide = create(NULL, 40, 32), *high;
    expect_log("size of 1: 40 x 32\nswap 101\n");
    assert_int_equal(ws->ops->create_drawable(ws, &high, second, NULL, 32, 50), 0);
    expect_log("size of 2: 32 x 50\nswap 102\n");
    ws->ops->destroy_drawable(ws, wide);
    ws->ops->destroy_drawable(ws, high);
    log_text[0] = '\0';
}

static void test_bindings(void **state)
{
    (void)state;
    struct ws_drawable *own = create(NULL, 32, 32), *other = create(NULL, 32, 32);
    log_text[0] = '\0';
    assert_int_equal(ws->ops->make_current(ws, first, own, own), 0);
    expect_log("current: 1\ninterval 0\n");
    assert_int_equal(ws->ops->make_current(ws, first, own, other), 0);
    expect_log("bind 101, 103, 201\n");
    assert_int_equal(ws->ops->make_current(ws, first, other, own), 0);
    expect_log("bind 103, 101, 201\ninterval 0\n");
    assert_int_equal(ws->ops->make_current(ws, first, other, NULL), 0);
    expect_log("bind 103, 103, 201\n");
    assert_int_equal(ws->ops->make_current(ws, first, NULL, own), 0);
    expect_log("current: 1\n");
    assert_int_equal(ws->ops->make_current(ws, first, NULL, NULL), 0);
    expect_log("current: 1\nbind 0, 0, 201\n");
    assert_int_equal(ws->ops->make_current(ws, second, own, own), 0);
    expect_log("bind 0, 0, 0\ncurrent: 0\nbind 101, 101, 202\n");
    refuses_to_bind = true;
    assert_int_equal(ws->ops->make_current(ws, first, other, other), TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(), "the context cannot draw to this drawable");
    expect_log("bind 0, 0, 0\ncurrent: 0\nbind 103, 103, 201\n");
    assert_int_equal(ws->ops->make_current(ws, NULL, NULL, NULL), 0);
    expect_log("");
    ws->ops->destroy_drawable(ws, own);
    ws->ops->destroy_drawable(ws, other);
    log_text[0] = '\0';
}

/* A context that ends is released. */
static void test_ends(void **state)
{
    (void)state;
    struct ws_context *context;
    assert_int_equal(ws->ops->create_context(ws, &context, &config, NULL), 0);
    assert_int_equal(ws->ops->make_current(ws, context, NULL, NULL), 0);
    log_text[0] = '\0';
    ws->ops->destroy_context(ws, context);
    expect_log("bind 0, 0, 0\ncurrent: 0\nwindow 3 ends\n");
    struct egl_handles handles = ws->ops->egl_handles(ws, first);
    assert_ptr_equal(handles.display, glfwGetEGLDisplay());
    assert_int_equal(handles.context, 201);
    assert_null(ws->ops->find_lacking(ws, &(struct buffer_config){.stereo = true}));
    assert_string_equal(ws->ops->find_lacking(ws, &(struct buffer_config){.is_float = true}),
                        "floating-point colours");
}

static void test_refused_windows(void **state)
{
    (void)state;
    struct ws_context *context;
    refused_windows = 1;
    refusal = GLFW_FORMAT_UNAVAILABLE;
    assert_int_equal(ws->ops->create_context(ws, &context, &config, NULL), 0);
    expect_log("hints for 4.5, depth 24\nwindow of 32 x 32, shares with 0\nhints for depth 24\n"
               "window of 32 x 32, shares with 0\n");
    ws->ops->destroy_context(ws, context);
    expect_log("window 3 ends\n");
    refused_windows = 1;
    assert_int_equal(ws->ops->create_context(ws, &context, &config, first), 0);
    expect_log("hints for 4.5, depth 24\nwindow of 32 x 32, shares with 1\nhints for depth 24\n"
               "window of 32 x 32, shares with 1\n");
    ws->ops->destroy_context(ws, context);
    expect_log("window 4 ends\n");
    static const struct {
        struct context_config wanted;
        const char *reason, *message;
    } cases[] = {
        {{.major = 4, .minor = 5}, "no", "cannot create an OpenGL 4.5 context: no"},
        {{.api = CONTEXT_ES, .major = 3},
         NULL,
         "cannot create an OpenGL ES 3.0 context: unknown window system error"},
    };
    refusal = GLFW_VERSION_UNAVAILABLE;
    for (int i = 0; i < 2; ++i) {
        refused_windows = 1;
        reason = cases[i].reason;
        assert_int_equal(ws->ops->create_context(ws, &context, &cases[i].wanted, NULL), TRACE_ERR_IO);
        assert_string_equal(trace_error_message(), cases[i].message);
    }
    struct ws_drawable *drawable, *adopted = create(NULL, 32, 32);
    refused_windows = 1;
    assert_int_equal(ws->ops->create_drawable(ws, &drawable, first, NULL, 32, 32), TRACE_ERR_IO);
    ws->ops->destroy_drawable(ws, adopted);
    log_text[0] = '\0';
}

static void test_sizes(void **state)
{
    (void)state;
    struct ws_drawable *drawable = create(NULL, 32, 32), *other;
    polls = 0;
    assert_int_equal(ws->ops->resize(ws, drawable, 60, 70, true), 0);
    expect_log("size of 1: 60 x 70\nswap 101\n");
    assert_int_equal(polls, 1);
    scale = 2; /* pixels are smaller than points */
    assert_int_equal(ws->ops->resize(ws, drawable, 80, 100, true), 0);
    expect_log("size of 1: 80 x 100\nsize of 1: 40 x 50\nswap 101\n");
    assert_int_equal(polls, 3);
    scale = 1;
    refuses_sizes = true;
    assert_int_equal(ws->ops->resize(ws, drawable, 80, 90, true), TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(), "the window manager refused a window of 80x90");
    log_text[0] = '\0';
    for (scale = 0; scale <= 2; ++scale) { /* the width alone is as it should be; the screen is not scaled */
        assert_int_equal(ws->ops->resize(ws, drawable, 40, 90, true), TRACE_ERR_UNSUPPORTED);
        expect_log("size of 1: 40 x 90\n");
    }
    scale = 0; /* a window that is not there yet has no pixels */
    assert_int_equal(ws->ops->resize(ws, drawable, 40, 50, true), TRACE_ERR_UNSUPPORTED);
    expect_log("size of 1: 40 x 50\n");
    scale = 1;
    assert_int_equal(ws->ops->create_drawable(ws, &other, second, NULL, 80, 90), TRACE_ERR_UNSUPPORTED);
    ws->ops->destroy_drawable(ws, drawable);
    log_text[0] = '\0';
}

static void test_events(void **state)
{
    (void)state;
    struct ws_drawable *drawable = create(NULL, 32, 32);
    polls = 0;
    assert_true(ws->ops->poll_events(ws, false));
    assert_int_equal(polls, 1);
    assert_true(ws->ops->poll_events(ws, true));
    expect_log("wait\n");
    closes = true;
    assert_false(ws->ops->poll_events(ws, false));
    closes = false;
    assert_false(ws->ops->poll_events(ws, false));
    ws->ops->destroy_drawable(ws, drawable);
    log_text[0] = '\0';
}

/* Windows that are seen, and may cover the screen. */
static void test_shown_windows(void **state)
{
    (void)state;
    static const struct {
        struct window_settings settings;
        bool has_monitor;
        const char *description, *log;
    } cases[] = {
        {{.headless = false}, true, "windows on Wayland", "show 1\n"},
        {{.fullscreen = true}, true, "windows on Wayland", "show 1\n1 on screen 5: 0, 0, 32 x 32\n"},
        {{.fullscreen = true}, false, "windows on Wayland", "show 1\n"},
        {{.fullscreen = true, .headless = true}, true, "hidden windows on Wayland", ""},
    };
    for (int i = 0; i < 4; ++i) {
        struct ws_context *context;
        struct ws_drawable *drawable;
        windows = 0;
        has_monitor = cases[i].has_monitor;
        refuses_sizes = false;
        assert_int_equal(window_system_open_glfw(&ws, &cases[i].settings), 0);
        assert_string_equal(ws->description, cases[i].description);
        assert_int_equal(ws->headless, cases[i].settings.headless);
        assert_int_equal(ws->ops->create_context(ws, &context, &config, NULL), 0);
        log_text[0] = '\0';
        assert_int_equal(ws->ops->create_drawable(ws, &drawable, context, NULL, 32, 32), 0);
        expect_log(cases[i].log);
        refuses_sizes = cases[i].settings.fullscreen && !cases[i].settings.headless; /* it stays as it is */
        polls = 0;
        assert_int_equal(ws->ops->resize(ws, drawable, 60, 70, true), 0);
        expect_log("size of 1: 60 x 70\nswap 101\n");
        assert_int_equal(polls, 1);
        ws->ops->destroy_drawable(ws, drawable);
        ws->ops->destroy_context(ws, context);
        ws->ops->close(ws);
        expect_log("hide 1\nwindow 1 ends\nend\n");
    }
}

static void expect_no_memory(int rc, const char *what)
{
    char expected[80];
    snprintf(expected, sizeof expected, "out of memory for %s", what);
    assert_int_equal(rc, TRACE_ERR_MEMORY);
    assert_string_equal(trace_error_message(), expected);
}

static void test_without_memory(void **state)
{
    (void)state;
    struct ws_context *context;
    struct ws_drawable *drawable, *adopted = create(NULL, 32, 32);
    int before = blocks;
    const struct window_settings any = {.headless = true};
    struct window_system *other;
    log_text[0] = '\0';
    allocations = 0, failing = 1;
    expect_no_memory(ws->ops->create_context(ws, &context, &config, NULL), "a context");
    allocations = 0, failing = 2;
    expect_no_memory(ws->ops->create_context(ws, &context, &config, NULL), "a window");
    allocations = 0, failing = 1;
    expect_no_memory(ws->ops->create_drawable(ws, &drawable, first, NULL, 32, 32), "a drawable");
    allocations = 0, failing = 2;
    expect_no_memory(ws->ops->create_drawable(ws, &drawable, first, NULL, 32, 32), "a window");
    expect_log("");
    allocations = 0, failing = 1;
    expect_no_memory(window_system_open_glfw(&other, &any), "the window system");
    expect_log("end\n");
    failing = 0;
    assert_int_equal(blocks, before);
    ws->ops->destroy_drawable(ws, adopted);
    log_text[0] = '\0';
}

static void test_opening(void **state)
{
    (void)state;
    const struct window_settings any = {.headless = true}, glx = {.creation = CREATE_BY_GLX};
    unsetenv("XCOMPOSEFILE");
    assert_int_equal(window_system_open_glfw(&ws, &glx), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "there is no GLX on Wayland");
    expect_log("end\n");
    assert_string_equal(getenv("XCOMPOSEFILE"), "/dev/null");
    lacks_glfw = true;
    error = GLFW_PLATFORM_ERROR;
    reason = "no compositor";
    assert_int_equal(window_system_open_glfw(&ws, &any), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "Wayland: no compositor");
    expect_log("");
    lacks_glfw = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_drawables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_side_differs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bindings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_events, set_up, tear_down),
        cmocka_unit_test(test_shown_windows),
        cmocka_unit_test_setup_teardown(test_without_memory, set_up, tear_down),
        cmocka_unit_test(test_opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
