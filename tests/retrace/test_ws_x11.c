/* SPDX-License-Identifier: MIT
 * Windows and pbuffers on X11, on windows, a GLX and an EGL that this test makes up: which API a context
 * gets, what it is bound to, and that all is closed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <GL/gl.h>

#include "base/error.h"
#include "call_log.h"
#include "failing_memory.h"
#include "made_up_x11.h"
#include "windows/window_system.h"

static struct window_system *ws;
static struct ws_context *context, *other;
static struct ws_drawable *window;

static const struct context_config by_glx = {.buffers = {.depth = 24}};
static const struct context_config by_egl = {.through_egl = true, .buffers = {.depth = 24}};

/* Memory is counted until close_all(). */
static int open_as(struct window_settings settings)
{
    failing_memory_begin(0);
    int rc = window_system_open_x11(&ws, &settings);
    if (rc != 0)
        assert_int_equal(failing_memory_end(NULL), 0);
    return rc;
}

static void reset(void)
{
    made_up = (struct made_up_x11){0};
    log_text[0] = '\0';
}

static void close_all(void)
{
    ws->ops->close(ws);
    assert_int_equal(made_up.open, 0);
    assert_int_equal(failing_memory_end(NULL), 0);
}

static struct ws_context *new_context(const struct context_config *config, struct ws_context *share)
{
    struct ws_context *out = NULL;
    assert_int_equal(ws->ops->create_context(ws, &out, config, share), 0);
    return out;
}

static void expect_refused(const struct context_config *config, struct ws_context *share, const char *message)
{
    struct ws_context *none = NULL;
    assert_int_equal(ws->ops->create_context(ws, &none, config, share), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), message);
    assert_null(none);
}

static void test_opening(void **state)
{
    (void)state;
    reset();
    assert_int_equal(open_as((struct window_settings){.fullscreen = true}), 0);
    expect_log("display, covered\nGLX\n");
    assert_string_equal(ws->description, "windows on X11");
    assert_false(ws->headless);
    assert_false(ws->is_offscreen);
    assert_true(ws->settings.fullscreen);
    close_all();
    expect_log("GLX ends\n");
    assert_int_equal(open_as((struct window_settings){.fullscreen = true, .headless = true}), 0);
    expect_log("display\nGLX\n");
    assert_string_equal(ws->description, "hidden windows on X11");
    assert_true(ws->headless);
    close_all();
    reset();
    made_up.lacks_display = true;
    assert_int_equal(open_as((struct window_settings){0}), TRACE_ERR_IO);
    reset();
    made_up.lacks_glx = true;
    assert_int_equal(open_as((struct window_settings){.creation = CREATE_BY_GLX}), TRACE_ERR_IO);
    assert_int_equal(made_up.open, 0);
    assert_int_equal(open_as((struct window_settings){0}), 0);
    assert_int_equal(ws->ops->choose_configs(ws, NULL, NULL, 5), 0);
    assert_false(ws->ops->choose_visual(ws, NULL, NULL));
    close_all();
}

/* GLX or EGL as in the trace, or the other one; or what the user wants. */
static void test_the_api(void **state)
{
    (void)state;
    reset();
    assert_int_equal(open_as((struct window_settings){0}), 0);
    context = new_context(&by_glx, NULL);
    other = new_context(&by_egl, NULL);
    expect_log("display\nGLX\nGLX context 1, shares 0\nEGL\nEGL context 2, shares 0\n");
    assert_null(ws->ops->egl_handles(ws, context).display);
    assert_null(ws->ops->egl_handles(ws, context).context);
    assert_ptr_equal(ws->ops->egl_handles(ws, other).display, &made_up);
    assert_non_null(ws->ops->egl_handles(ws, other).context);
    ws->ops->destroy_context(ws, new_context(&by_egl, context)); /* as the one that it shares with */
    ws->ops->destroy_context(ws, new_context(&by_glx, other));
    expect_log("GLX context 3, shares 1\nGLX context 3 ends\nEGL context 4, shares 2\nEGL context 4 ends\n");
    made_up.refuses_context = "GLX";
    ws->ops->destroy_context(ws, new_context(&by_glx, NULL));
    expect_log("EGL context 5, shares 0\nEGL context 5 ends\n");
    expect_refused(&by_glx, context, "no context of GLX");
    made_up.refuses_context = "EGL";
    ws->ops->destroy_context(ws, new_context(&by_egl, NULL));
    expect_log("GLX context 6, shares 0\nGLX context 6 ends\n");
    ws->ops->destroy_context(ws, context);
    ws->ops->destroy_context(ws, other);
    close_all();
    expect_log("GLX context 1 ends\nEGL context 2 ends\nGLX ends\nEGL ends\n");
}

static void expect_api(enum context_creation creation, const struct context_config *config, const char *log)
{
    reset();
    made_up.lacks_glx = creation == CREATE_AS_IN_TRACE;
    assert_int_equal(open_as((struct window_settings){.creation = creation}), 0);
    log_text[0] = '\0';
    context = new_context(config, NULL);
    expect_log(log);
    ws->ops->destroy_context(ws, context);
    made_up.refuses_context = creation == CREATE_BY_GLX ? "GLX" : "EGL";
    expect_refused(config, NULL, creation == CREATE_BY_GLX ? "no context of GLX" : "no context of EGL");
    close_all();
}

static void test_the_wanted_api(void **state)
{
    (void)state;
    expect_api(CREATE_BY_EGL, &by_glx, "EGL\nEGL context 1, shares 0\n");
    expect_api(CREATE_BY_GLX, &by_egl, "GLX context 1, shares 0\n");
    expect_api(CREATE_AS_IN_TRACE, &by_glx, "EGL\nEGL context 1, shares 0\n"); /* there is no GLX */
    reset();
    made_up.lacks_egl = true;
    assert_int_equal(open_as((struct window_settings){0}), 0);
    log_text[0] = '\0';
    context = new_context(&by_egl, NULL);
    expect_log("GLX context 1, shares 0\n");
    ws->ops->destroy_context(ws, context);
    close_all();
}

static void open_window(bool headless)
{
    reset();
    assert_int_equal(open_as((struct window_settings){.headless = headless}), 0);
    context = new_context(&by_glx, NULL);
    other = new_context(&by_glx, context);
    log_text[0] = '\0';
    assert_int_equal(ws->ops->create_drawable(ws, &window, context, NULL, 40, 30), 0);
}

static void close_window(void)
{
    log_text[0] = '\0';
    ws->ops->destroy_drawable(ws, window);
    ws->ops->destroy_context(ws, context);
    ws->ops->destroy_context(ws, other);
    close_all();
}

static void test_windows(void **state)
{
    struct buffer_config buffers = {.depth = 16, .srgb = true};
    struct ws_drawable *second;
    (void)state;
    open_window(false);
    expect_log("window 3: 40x30, depth 24\nGLX surface 4 of 3\nwindow 3 is shown\n");
    assert_int_equal(ws->ops->create_drawable(ws, &second, context, &buffers, 4, 5), 0);
    expect_log("window 5: 4x5, depth 16\nGLX surface 6 of 5, srgb\nwindow 5 is shown\n");
    ws->ops->destroy_drawable(ws, second);
    expect_log("GLX surface 6 ends\nwindow 5 ends\n");
    assert_int_equal(ws->ops->resize(ws, window, 50, 60, true), 0);
    expect_log("window 3: 50x60\nGLX swaps 4\n");
    made_up.refuses_size = true;
    assert_int_equal(ws->ops->resize(ws, window, 50, 60, true), TRACE_ERR_UNSUPPORTED);
    expect_log("window 3: 50x60\n");
    ws->ops->swap_buffers(ws, window);
    expect_log("GLX swaps 4\n");
    close_window();
    open_window(true);
    expect_log("window 3: 40x30, depth 24\nGLX surface 4 of 3\n"); /* it stays hidden */
    close_window();
}

static void test_refused_windows(void **state)
{
    struct ws_drawable *none = NULL;
    (void)state;
    open_window(false);
    log_text[0] = '\0';
    made_up.refuses_window = true;
    assert_int_equal(ws->ops->create_drawable(ws, &none, context, NULL, 4, 5), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no window");
    made_up.refuses_window = false;
    made_up.refuses_surface = true;
    assert_int_equal(ws->ops->create_drawable(ws, &none, context, NULL, 4, 5), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no surface");
    expect_log("window 5: 4x5, depth 24\nwindow 5 ends\n");
    made_up.refuses_surface = false;
    made_up.refuses_config = true;
    struct buffer_config buffers = {.depth = 16};
    assert_int_equal(ws->ops->create_drawable(ws, &none, context, &buffers, 4, 5), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no configuration");
    expect_log("");
    assert_null(none);
    buffers.depth = 24; /* the context's own is good for that */
    assert_int_equal(ws->ops->create_drawable(ws, &none, context, &buffers, 4, 5), 0);
    ws->ops->destroy_drawable(ws, none);
    close_window();
}

static void bind(struct ws_context *c, struct ws_drawable *draw, struct ws_drawable *read)
{
    assert_int_equal(ws->ops->make_current(ws, c, draw, read), 0);
}

static const struct context_config no_visual = {.buffers = {.depth = 24, .pbuffers_only = true}};
static const struct buffer_config egl_pbuffer = {.depth = 24, .front_is_back = true, .srgb = true};

/* A pbuffer stands for one of EGL, and for what no window can be. */
static void test_pbuffers(void **state)
{
    struct buffer_config buffers = {.depth = 16};
    struct ws_drawable *pbuffer;
    (void)state;
    open_window(false);
    struct ws_context *egl = new_context(&by_egl, NULL), *without = new_context(&no_visual, NULL);
    log_text[0] = '\0';
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, egl, &egl_pbuffer, 4, 5), 0);
    expect_log("EGL pbuffer 7: 4x5, srgb\n");
    bind(egl, pbuffer, pbuffer);
    expect_log("EGL binds 5, 7, 7\nback buffer, reads the front\n"); /* it does not wait for the display */
    ws->ops->destroy_drawable(ws, pbuffer);
    expect_log("EGL releases\nEGL pbuffer 7 ends\n");
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, context, &egl_pbuffer, 4, 5), 0);
    expect_log("window 8: 4x5, depth 24\nGLX surface 9 of 8, srgb\nwindow 8 is shown\n"); /* of GLX */
    ws->ops->destroy_drawable(ws, pbuffer);
    log_text[0] = '\0';
    bind(without, NULL, NULL);
    expect_log("GLX pbuffer 10: 32x32\nGLX binds 6, 10, 10\n");
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, without, &buffers, 6, 7), 0);
    ws->ops->swap_buffers(ws, pbuffer);
    ws->ops->destroy_drawable(ws, pbuffer);
    expect_log("GLX pbuffer 11: 6x7\nGLX swaps 11\nGLX pbuffer 11 ends\n");
    /* what a context for windows draws to has a visual */
    buffers.pbuffers_only = true;
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, context, &buffers, 6, 7), 0);
    expect_log("window 12: 6x7, depth 16\nGLX surface 13 of 12\nwindow 12 is shown\n");
    ws->ops->destroy_drawable(ws, pbuffer);
    ws->ops->destroy_context(ws, without);
    ws->ops->destroy_context(ws, egl);
    close_window();
}

/* A window takes the place of a pbuffer that there cannot be, if it has a visual. */
static void test_refused_pbuffers(void **state)
{
    struct ws_drawable *pbuffer = NULL;
    (void)state;
    open_window(false);
    struct ws_context *egl = new_context(&by_egl, NULL), *without = new_context(&no_visual, NULL);
    log_text[0] = '\0';
    made_up.refuses_pbuffer = true;
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, egl, &egl_pbuffer, 4, 5), 0);
    expect_log("window 7: 4x5, depth 24\nEGL surface 8 of 7, srgb\nwindow 7 is shown\n");
    bind(egl, pbuffer, pbuffer);
    expect_log("EGL binds 5, 8, 8\nEGL does not wait for 8\n");
    ws->ops->destroy_drawable(ws, pbuffer);
    pbuffer = NULL;
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, without, NULL, 4, 5), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "no pbuffer");
    assert_null(pbuffer);
    ws->ops->destroy_context(ws, without);
    ws->ops->destroy_context(ws, egl);
    close_window();
}

/* Another one takes the place of a pbuffer: at once, or when it is bound. */
static void test_sizes_of_pbuffers(void **state)
{
    struct ws_drawable *pbuffer;
    (void)state;
    open_window(false);
    struct ws_context *without = new_context(&no_visual, NULL);
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, without, NULL, 4, 5), 0);
    log_text[0] = '\0';
    assert_int_equal(ws->ops->resize(ws, pbuffer, 6, 7, true), 0);
    assert_int_equal(ws->ops->resize(ws, pbuffer, 8, 9, true), 0);
    expect_log("");
    bind(without, pbuffer, pbuffer);
    expect_log("GLX pbuffer 7: 8x9\nGLX binds 5, 7, 7\nGLX pbuffer 6 ends\n");
    assert_int_equal(ws->ops->resize(ws, pbuffer, 10, 11, true), 0);
    expect_log("GLX pbuffer 8: 10x11\nGLX binds 5, 8, 8\nGLX pbuffer 7 ends\n");
    bind(without, window, pbuffer);
    expect_log("GLX binds 5, 4, 8\nGLX does not wait for 4\n");
    assert_int_equal(ws->ops->resize(ws, pbuffer, 12, 13, true), 0);
    expect_log("GLX pbuffer 9: 12x13\nGLX binds 5, 4, 9\nGLX pbuffer 8 ends\n");
    made_up.refuses_pbuffer = true;
    assert_int_equal(ws->ops->resize(ws, pbuffer, 14, 15, true), TRACE_ERR_IO);
    bind(without, pbuffer, pbuffer); /* it stays as it was */
    expect_log("GLX binds 5, 9, 9\n");
    made_up.refuses_pbuffer = false;
    made_up.refuses_binding = true;
    assert_int_equal(ws->ops->resize(ws, pbuffer, 16, 17, true), TRACE_ERR_UNSUPPORTED);
    expect_log("GLX pbuffer 10: 16x17\nGLX binds 5, 10, 10\n");
    ws->ops->destroy_drawable(ws, pbuffer);
    expect_log("GLX releases\nGLX pbuffer 9 ends\nGLX pbuffer 10 ends\n");
    ws->ops->destroy_context(ws, without);
    close_window();
}

/* What is only drawn to or only read from has its size, too. */
static void test_sizes_of_one_pbuffer(void **state)
{
    struct ws_drawable *pbuffer;
    (void)state;
    open_window(false);
    struct ws_context *without = new_context(&no_visual, NULL);
    assert_int_equal(ws->ops->create_drawable(ws, &pbuffer, without, NULL, 4, 5), 0);
    bind(without, window, window);
    log_text[0] = '\0';
    assert_int_equal(ws->ops->resize(ws, pbuffer, 6, 7, true), 0);
    bind(without, window, pbuffer);
    expect_log("GLX pbuffer 7: 6x7\nGLX binds 5, 4, 7\nGLX pbuffer 6 ends\n");
    bind(without, window, window);
    log_text[0] = '\0';
    assert_int_equal(ws->ops->resize(ws, pbuffer, 8, 9, true), 0);
    bind(without, pbuffer, window);
    expect_log("GLX pbuffer 8: 8x9\nGLX binds 5, 8, 4\nGLX pbuffer 7 ends\n");
    ws->ops->destroy_drawable(ws, pbuffer);
    ws->ops->destroy_context(ws, without);
    close_window();
}

static void test_bindings(void **state)
{
    (void)state;
    open_window(false);
    log_text[0] = '\0';
    assert_null(ws->ops->get_proc(ws, "glClear"));
    bind(context, window, window);
    expect_log("GLX binds 1, 4, 4\nGLX does not wait for 4\n");
    assert_non_null(ws->ops->get_proc(ws, "glClear"));
    assert_null(ws->ops->get_proc(ws, "glNothing"));
    bind(context, window, NULL);
    expect_log("GLX binds 1, 4, 4\n"); /* it is known not to wait */
    bind(other, window, window);
    expect_log("GLX releases\nGLX binds 2, 4, 4\n");
    bind(NULL, NULL, NULL);
    expect_log("GLX releases\n");
    bind(NULL, NULL, NULL);
    expect_log("");
    made_up.refuses_binding = true;
    assert_int_equal(ws->ops->make_current(ws, context, window, window), TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(), "the context cannot draw to this drawable");
    close_window();
}

/* A driver that cannot bind nothing gets a window of the context's own. */
static void test_nothing_is_bound(void **state)
{
    (void)state;
    open_window(false);
    log_text[0] = '\0';
    bind(context, NULL, NULL);
    expect_log("window 5: 32x32, depth 24\nGLX surface 6 of 5\nGLX binds 1, 6, 6\n");
    bind(context, NULL, window);
    expect_log("GLX binds 1, 6, 4\n");
    bind(context, NULL, NULL);
    expect_log("GLX binds 1, 6, 6\n");
    made_up.refuses_window = true;
    assert_int_equal(ws->ops->make_current(ws, other, NULL, NULL), TRACE_ERR_IO);
    close_window();
    reset();
    made_up.binds_nothing = true;
    assert_int_equal(open_as((struct window_settings){0}), 0);
    context = new_context(&(struct context_config){.major = 3, .buffers = {.depth = 24}}, NULL);
    log_text[0] = '\0';
    bind(context, NULL, NULL);
    expect_log("GLX binds 1, 0, 0\n");
    made_up.refuses_binding = true;
    assert_int_equal(ws->ops->make_current(ws, context, NULL, NULL), TRACE_ERR_UNSUPPORTED);
    expect_log("GLX binds 1, 0, 0\nwindow 2: 32x32, depth 24\nGLX surface 3 of 2\nGLX binds 1, 3, 3\n");
    ws->ops->destroy_context(ws, context);
    expect_log("GLX releases\nGLX surface 3 ends\nwindow 2 ends\nGLX context 1 ends\n");
    close_all();
}

/* GLX needs a surface for contexts of older versions. Those of any version have a later one. */
static void test_old_contexts(void **state)
{
    (void)state;
    reset();
    made_up.binds_nothing = true;
    assert_int_equal(open_as((struct window_settings){0}), 0);
    context = new_context(&(struct context_config){.major = 2, .minor = 1, .buffers = {.depth = 24}}, NULL);
    log_text[0] = '\0';
    bind(context, NULL, NULL);
    expect_log("window 2: 32x32, depth 24\nGLX surface 3 of 2\nGLX binds 1, 3, 3\n");
    ws->ops->destroy_context(ws, context);
    context = new_context(&by_glx, NULL);
    log_text[0] = '\0';
    bind(context, NULL, NULL);
    expect_log("GLX binds 4, 0, 0\n");
    ws->ops->destroy_context(ws, context);
    close_all();
}

/* A context of EGL that has been bound to nothing gets a back buffer with its first window. */
static void test_first_windows(void **state)
{
    (void)state;
    static const struct context_config single = {.through_egl = true,
                                                 .buffers = {.depth = 24, .single_buffered = true}};
    static const struct {
        const struct context_config *config;
        bool binds_nothing_first;
        const char *log;
        const struct buffer_config *buffers;
    } cases[] = {
        {&by_egl, true, "EGL binds 1, 0, 0\nEGL binds 1, 3, 3\nback buffer\nEGL does not wait for 3\n", NULL},
        {&by_egl, false, "EGL binds 1, 3, 3\nEGL does not wait for 3\nEGL binds 1, 0, 0\n", NULL},
        {&single, true, "EGL binds 1, 0, 0\nEGL binds 1, 3, 3\nEGL does not wait for 3\n", NULL},
        {&by_egl, false, "EGL binds 1, 2, 2\nback buffer, reads the front\nEGL binds 1, 0, 0\n",
         &egl_pbuffer},
        {&by_egl, true, "EGL binds 1, 0, 0\nEGL binds 1, 2, 2\nback buffer, reads the front\n", &egl_pbuffer},
        {&single, false, "EGL binds 1, 2, 2\nEGL binds 1, 0, 0\n", &egl_pbuffer},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset();
        made_up.binds_nothing = true;
        assert_int_equal(open_as((struct window_settings){0}), 0);
        context = new_context(cases[i].config, NULL);
        assert_int_equal(ws->ops->create_drawable(ws, &window, context, cases[i].buffers, 40, 30), 0);
        log_text[0] = '\0';
        if (cases[i].binds_nothing_first)
            bind(context, NULL, NULL);
        bind(context, window, window);
        if (!cases[i].binds_nothing_first)
            bind(context, NULL, NULL);
        expect_log(cases[i].log);
        log_text[0] = '\0';
        bind(context, window, window);
        expect_log(cases[i].buffers != NULL ? "EGL binds 1, 2, 2\n" : "EGL binds 1, 3, 3\n"); /* once */
        ws->ops->destroy_drawable(ws, window);
        ws->ops->destroy_context(ws, context);
        close_all();
    }
}

/* What selects no buffers does so on. */
static void test_no_buffers(void **state)
{
    (void)state;
    reset();
    made_up.binds_nothing = true;
    made_up.selected = (struct surface_buffers){.is_known = true, .draw = GL_NONE, .read = GL_NONE};
    assert_int_equal(open_as((struct window_settings){0}), 0);
    context = new_context(&by_egl, NULL);
    assert_int_equal(ws->ops->create_drawable(ws, &window, context, NULL, 40, 30), 0);
    bind(context, NULL, NULL);
    log_text[0] = '\0';
    bind(context, window, window);
    expect_log("EGL binds 1, 3, 3\ndraws to 0x0, reads 0x0\nEGL does not wait for 3\n");
    ws->ops->destroy_drawable(ws, window);
    ws->ops->destroy_context(ws, context);
    close_all();
}

/* What is bound is released before it ends. */
static void test_ends(void **state)
{
    (void)state;
    open_window(false);
    bind(context, window, window);
    log_text[0] = '\0';
    ws->ops->destroy_context(ws, context);
    expect_log("GLX releases\nGLX context 1 ends\n");
    bind(other, window, window);
    log_text[0] = '\0';
    ws->ops->destroy_drawable(ws, window);
    expect_log("GLX releases\nGLX surface 4 ends\nwindow 3 ends\n");
    context = other;
    assert_int_equal(ws->ops->create_drawable(ws, &window, context, NULL, 40, 30), 0);
    bind(context, NULL, window); /* it is read from */
    log_text[0] = '\0';
    ws->ops->destroy_drawable(ws, window);
    expect_log("GLX releases\nGLX surface 6 ends\nwindow 5 ends\n");
    ws->ops->destroy_context(ws, context);
    log_text[0] = '\0';
    close_all();
    expect_log("GLX ends\n"); /* nothing is bound */
}

static void test_mixed_apis(void **state)
{
    struct ws_context *egl;
    (void)state;
    open_window(false);
    egl = new_context(&by_egl, NULL);
    bind(egl, NULL, NULL);
    assert_int_equal(ws->ops->make_current(ws, egl, window, NULL), TRACE_ERR_UNSUPPORTED);
    assert_int_equal(ws->ops->make_current(ws, egl, NULL, window), TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(),
                        "a GLX context cannot draw to an EGL surface, nor an EGL context to a GLX drawable");
    ws->ops->destroy_context(ws, egl);
    close_window();
}

static void test_the_rest(void **state)
{
    struct buffer_config buffers = {.is_float = true};
    (void)state;
    open_window(false);
    assert_string_equal(ws->ops->find_lacking(ws, &buffers), "floating-point colours");
    buffers = (struct buffer_config){.accumulation = {16}, .stereo = true};
    assert_null(ws->ops->find_lacking(ws, &buffers));
    assert_true(ws->ops->poll_events(ws, false));
    assert_false(ws->ops->poll_events(ws, true));
    assert_int_equal(ws->ops->choose_configs(ws, NULL, NULL, 5), 5);
    assert_true(ws->ops->choose_visual(ws, NULL, NULL));
    made_up.has_no_visual = true;
    assert_false(ws->ops->choose_visual(ws, NULL, NULL));
    made_up.has_no_visual = false;
    static const int attribs[] = {7, 0};
    struct buffer_config found[2];
    assert_int_equal(ws->ops->choose_configs(ws, attribs, found, 2), 2);
    assert_int_equal(found[1].depth, 7);
    assert_true(ws->ops->choose_visual(ws, attribs, &found[0]));
    assert_int_equal(found[0].depth, 7);
    assert_int_equal(ws->ops->replace(&ws, &buffers), TRACE_ERR_UNSUPPORTED);
    close_window();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_the_api),
        cmocka_unit_test(test_the_wanted_api),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_refused_windows),
        cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_pbuffers),
        cmocka_unit_test(test_refused_pbuffers),
        cmocka_unit_test(test_sizes_of_pbuffers),
        cmocka_unit_test(test_sizes_of_one_pbuffer),
        cmocka_unit_test(test_nothing_is_bound),
        cmocka_unit_test(test_old_contexts),
        cmocka_unit_test(test_first_windows),
        cmocka_unit_test(test_no_buffers),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_mixed_apis),
        cmocka_unit_test(test_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
