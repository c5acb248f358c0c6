/* SPDX-License-Identifier: MIT
 * Tests which configurations and contexts a replay asks GLX for. GLX is made up.
 */
#include "windows/glx_configs.h"
#include "windows/x11_api.h"
#include "windows/x11_errors.h"

#include <GL/glxext.h>
#include <X11/Xlibint.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#undef min
#undef max

/* --- GLX ------------------------------------------------------------------------------------------------ */

enum { CONFIGS = 4, SRGB = 0x20b2 };

/* What is not listed is as in `usual`. */
struct glx_config {
    int depth, visual_depth, drawables, renders; /* visual_depth 0: it has none */
};
static const struct glx_config usual = {24, 24, GLX_WINDOW_BIT, GLX_RGBA_BIT};

static struct {
    struct glx_config configs[CONFIGS];
    int count, chosen; /* how many there are, and have all that is wanted */
    bool lacks_glx, refuses;
    bool has_error; /* of the X server */
    const char *extensions;
    char log[1000];
    int freed;
} glx;

static struct _XDisplay connection;
static Screen screens[3];

static Display *reset(void)
{
    memset(&glx, 0, sizeof glx);
    for (int i = 0; i < CONFIGS; ++i)
        glx.configs[i] = usual;
    glx.count = glx.chosen = 1;
    glx.extensions = "GLX_ARB_create_context GLX_EXT_swap_control";
    connection.default_screen = 2;
    connection.screens = screens;
    return &connection;
}

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    size_t length = strlen(glx.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(glx.log + length, sizeof glx.log - length, format, arguments);
    va_end(arguments);
}

static void note_list(const int *list, bool has_values)
{
    for (; *list != None; list += has_values ? 2 : 1)
        note(has_values ? " %#x=%d" : " %d", list[0], list[1]);
    note("\n");
}

int XFree(void *memory)
{
    glx.freed++;
    free(memory);
    return 1;
}

void x11_errors_begin(Display *display)
{
    assert_ptr_equal(display, &connection);
    note("begin\n");
}

bool x11_errors_end(Display *display)
{
    assert_ptr_equal(display, &connection);
    note("end\n");
    return glx.has_error;
}

/* Configurations are numbers from 1 on. */
static GLXFBConfig *list_configs(int screen, int count, int *out)
{
    GLXFBConfig *list = calloc(CONFIGS, sizeof *list);
    assert_int_equal(screen, 2);
    for (int i = 0; i < CONFIGS; ++i)
        list[i] = (GLXFBConfig)(uintptr_t)(i + 1);
    *out = count;
    return list;
}

GLXFBConfig *glXChooseFBConfig(Display *display, int screen, const int *attribs, int *count)
{
    (void)display;
    note("choose");
    note_list(attribs, true);
    return list_configs(screen, glx.chosen, count);
}

GLXFBConfig *glXGetFBConfigs(Display *display, int screen, int *count)
{
    (void)display;
    note("all\n");
    return list_configs(screen, glx.count, count);
}

static int value_of(const struct glx_config *c, int attribute)
{
    switch (attribute) {
    case GLX_DEPTH_SIZE:
        return c->depth;
    case GLX_DRAWABLE_TYPE:
        return c->drawables;
    case GLX_RENDER_TYPE:
        return c->renders;
    case GLX_DOUBLEBUFFER:
        return True;
    case GLX_STENCIL_SIZE:
    case GLX_RED_SIZE:
    case GLX_GREEN_SIZE:
    case GLX_BLUE_SIZE:
    case GLX_ALPHA_SIZE:
        return 8;
    default:
        return 0;
    }
}

int glXGetFBConfigAttrib(Display *display, GLXFBConfig config, int attribute, int *value)
{
    (void)display;
    if (attribute == SRGB) { /* what this one does not know is not told */
        *value = True;
        return GLX_BAD_ATTRIBUTE;
    }
    *value = value_of(&glx.configs[(uintptr_t)config - 1], attribute);
    return Success;
}

XVisualInfo *glXGetVisualFromFBConfig(Display *display, GLXFBConfig config)
{
    (void)display;
    const struct glx_config *c = &glx.configs[(uintptr_t)config - 1];
    if (c->visual_depth == 0)
        return NULL;
    XVisualInfo *visual = calloc(1, sizeof *visual);
    visual->depth = c->visual_depth;
    visual->visualid = (uintptr_t)config;
    return visual;
}

XVisualInfo *glXChooseVisual(Display *display, int screen, int *attribs)
{
    (void)display;
    assert_int_equal(screen, 2);
    note("visual");
    note_list(attribs, false);
    return glx.count > 0 ? calloc(1, sizeof(XVisualInfo)) : NULL;
}

int glXGetConfig(Display *display, XVisualInfo *visual, int attribute, int *value)
{
    (void)display, (void)visual;
    assert_int_not_equal(attribute, GLX_RENDER_TYPE);
    return glXGetFBConfigAttrib(display, (GLXFBConfig)(uintptr_t)1, attribute, value);
}

Bool glXQueryExtension(Display *display, int *error, int *event)
{
    (void)display, (void)error, (void)event;
    return !glx.lacks_glx;
}

const char *glXQueryExtensionsString(Display *display, int screen)
{
    (void)display;
    assert_int_equal(screen, 2);
    return glx.extensions;
}

static const char some_context = 'c';

static GLXContext create_context(Display *display, GLXFBConfig config, GLXContext share, Bool direct,
                                 const int *attribs)
{
    (void)display;
    note("config %d, share %d, direct %d:", (int)(uintptr_t)config, share != NULL, direct);
    note_list(attribs, true);
    return glx.refuses ? NULL : (GLXContext)(uintptr_t)&some_context;
}

GLXContext glXCreateNewContext(Display *display, GLXFBConfig config, int type, GLXContext share, Bool direct)
{
    (void)display;
    note("old context of type %#x, config %d, share %d, direct %d\n", type, (int)(uintptr_t)config,
         share != NULL, direct);
    return glx.refuses ? NULL : (GLXContext)(uintptr_t)&some_context;
}

static void swap_interval(Display *display, GLXDrawable drawable, int interval)
{
    (void)display;
    note("interval of %d: %d\n", (int)drawable, interval);
}

void (*glXGetProcAddressARB(const GLubyte *name))(void)
{
    if (strcmp((const char *)name, "glXCreateContextAttribsARB") == 0)
        return (void (*)(void))create_context;
    if (strcmp((const char *)name, "glXSwapIntervalEXT") == 0)
        return (void (*)(void))swap_interval;
    return NULL;
}

void glXDestroyContext(Display *display, GLXContext context)
{
    (void)display;
    assert_ptr_equal(context, &some_context);
    note("destroy a context\n");
}

GLXWindow glXCreateWindow(Display *display, GLXFBConfig config, Window window, const int *attribs)
{
    (void)display;
    assert_null(attribs);
    note("window %d of config %d\n", (int)window, (int)(uintptr_t)config);
    return glx.refuses ? None : window + 100;
}

void glXDestroyWindow(Display *display, GLXWindow window)
{
    (void)display;
    note("destroy window %d\n", (int)window);
}

Bool glXMakeContextCurrent(Display *display, GLXDrawable draw, GLXDrawable read, GLXContext context)
{
    (void)display;
    note("current: %d, %d, %d\n", (int)draw, (int)read, context != NULL);
    return !glx.refuses;
}

void glXSwapBuffers(Display *display, GLXDrawable drawable)
{
    (void)display;
    note("swap %d\n", (int)drawable);
}

/* --- configurations ------------------------------------------------------------------------------------- */

static void test_choosing(void **state)
{
    (void)state;
    static const int attribs[] = {GLX_DEPTH_SIZE, 5, None};
    struct buffer_config found[CONFIGS];
    Display *display = reset();
    glx.chosen = 3;
    glx.count = 4;
    glx.configs[1].depth = 16;
    assert_int_equal(glx_choose_configs(display, attribs, found, CONFIGS), 3);
    assert_string_equal(glx.log, "choose 0xc=5\n");
    assert_int_equal(found[0].depth, 24);
    assert_int_equal(found[1].depth, 16);
    assert_int_equal(found[1].stencil, 8);
    assert_false(found[1].srgb);
    assert_int_equal(glx_choose_configs(display, NULL, found, CONFIGS), 4);
    assert_int_equal(glx_choose_configs(display, NULL, found, 2), 2);
    assert_int_equal(glx.freed, 3);
}

static void test_choosing_visuals(void **state)
{
    (void)state;
    static const int attribs[] = {GLX_RGBA, GLX_DEPTH_SIZE, 5, None};
    int many[100];
    struct buffer_config found = {.depth = 77, .samples = 77};
    Display *display = reset();
    assert_true(glx_choose_visual(display, attribs, &found));
    assert_string_equal(glx.log, "visual 4 12 5\n");
    assert_int_equal(found.depth, 24);
    assert_int_equal(found.samples, 0);
    assert_false(found.srgb);
    assert_int_equal(glx.freed, 1);
    glx.count = 0;
    assert_false(glx_choose_visual(display, attribs, &found));
    /* a list that is too long is cut */
    for (int i = 0; i < 99; ++i)
        many[i] = 7;
    many[99] = None;
    reset();
    assert_true(glx_choose_visual(display, many, &found));
    assert_int_equal(strlen(glx.log), strlen("visual\n") + 2 * 63);
}

static void expect_found(const struct glx_config *configs, int count, int best)
{
    const struct buffer_config wanted = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8};
    GLXFBConfig found = NULL;
    XVisualInfo visual;
    Display *display = reset();
    memcpy(glx.configs, configs, sizeof glx.configs);
    glx.chosen = count;
    assert_int_equal(glx_find_config(display, &wanted, &found, &visual), best != 0);
    assert_int_equal((uintptr_t)found, best);
    if (best != 0)
        assert_int_equal(visual.visualid, best);
}

/* The closest one for windows with a visual, which is better without transparency. */
static void test_finding(void **state)
{
    (void)state;
    enum { W = GLX_WINDOW_BIT, P = GLX_PBUFFER_BIT, RGBA = GLX_RGBA_BIT, INDEX = GLX_COLOR_INDEX_BIT };
    static const struct {
        struct glx_config configs[CONFIGS];
        int count, best;
    } cases[] = {
        {{{24, 24, W, RGBA}, {24, 24, W, RGBA}}, 2, 1},
        {{{16, 24, W, RGBA}, {24, 24, W, RGBA}}, 2, 2},
        {{{32, 24, W, RGBA}, {16, 24, W, RGBA}, {25, 24, W, RGBA}}, 3, 3},
        {{{24, 24, P, RGBA}, {16, 24, W | P, RGBA}}, 2, 2},
        {{{24, 24, W, INDEX}, {16, 24, W, RGBA | INDEX}}, 2, 2},
        {{{24, 0, W, RGBA}, {16, 24, W, RGBA}}, 2, 2},
        {{{24, 32, W, RGBA}, {24, 24, W, RGBA}}, 2, 2},
        {{{24, 32, W, RGBA}, {16, 24, W, RGBA}}, 2, 1},
        {{{24, 32, W, RGBA}, {24, 32, W, RGBA}}, 2, 1},
        {{{16, 24, W, RGBA}, {24, 32, W, RGBA}}, 2, 2},
        {{{16, 24, W, RGBA}, {16, 32, W, RGBA}, {16, 24, W, RGBA}}, 3, 1},
        {{{24, 24, P, RGBA}, {24, 0, W, RGBA}}, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        expect_found(cases[i].configs, cases[i].count, cases[i].best);
}

static void test_candidates(void **state)
{
    (void)state;
    const struct buffer_config wanted = {.colour = {1, 2, 3, 4},
                                         .depth = 5,
                                         .stencil = 6,
                                         .accumulation = {7, 8, 9, 10},
                                         .samples = 11,
                                         .auxiliary = 12,
                                         .single_buffered = true,
                                         .stereo = true};
    GLXFBConfig found;
    XVisualInfo visual;
    Display *display = reset();
    assert_true(glx_find_config(display, &wanted, &found, &visual));
    assert_string_equal(glx.log,
                        "choose 0x8010=1 0x8011=1 0x5=0 0x6=1 0x7=12 0x8=1 0x9=2 0xa=3 0xb=4 0xc=5 0xd=6 "
                        "0xe=7 0xf=8 0x10=9 0x11=10 0x186a1=11\n");
    assert_int_equal(glx.freed, 2);
    reset(); /* none has all of it */
    glx.chosen = 0;
    glx.count = 2;
    glx.configs[0].drawables = GLX_PBUFFER_BIT;
    assert_true(glx_find_config(display, &wanted, &found, &visual));
    assert_int_equal((uintptr_t)found, 2);
    assert_non_null(strstr(glx.log, "all\n"));
    assert_int_equal(glx.freed, 3);
}

/* --- contexts and windows ------------------------------------------------------------------------------- */

static struct x11_api *open_glx(void)
{
    struct x11_api *api = NULL;
    assert_int_equal(x11_glx_open(&api, &connection), 0);
    assert_ptr_equal(api->display, &connection);
    assert_false(api->is_egl);
    assert_false(api->binds_nothing);
    return api;
}

static void test_contexts(void **state)
{
    (void)state;
    static const struct {
        struct context_config wanted;
        const char *attribs;
    } cases[] = {
        {{.api = CONTEXT_GL}, ""},
        {{.major = 1}, ""},
        {{.major = 1, .minor = 1}, " 0x2091=1 0x2092=1"},
        {{.major = 2}, " 0x2091=2 0x2092=0"},
        {{.major = 4, .minor = 5}, " 0x2091=4 0x2092=5"},
        {{.api = CONTEXT_ES, .major = 1}, " 0x2091=1 0x2092=0 0x9126=4"},
        {{.api = CONTEXT_ES, .major = 3, .minor = 2}, " 0x2091=3 0x2092=2 0x9126=4"},
        {{.debug = true}, " 0x2094=1"},
        {{.major = 3, .forward_compatible = true}, " 0x2091=3 0x2092=0 0x2094=2"},
        {{.major = 2, .forward_compatible = true}, " 0x2091=2 0x2092=0"},
        {{.api = CONTEXT_ES, .major = 3, .forward_compatible = true}, " 0x2091=3 0x2092=0 0x9126=4"},
        {{.major = 3, .minor = 2, .profile = PROFILE_CORE}, " 0x2091=3 0x2092=2 0x9126=1"},
        {{.major = 3, .minor = 2, .profile = PROFILE_COMPATIBILITY}, " 0x2091=3 0x2092=2 0x9126=2"},
        {{.major = 3, .minor = 1, .profile = PROFILE_CORE}, " 0x2091=3 0x2092=1"},
        {{.major = 3, .minor = 2}, " 0x2091=3 0x2092=2"},
        {{.robust = true}, " 0x2094=4 0x8256=33377"},
        {{.lose_on_reset = true}, " 0x2094=4 0x8256=33362"},
        {{.no_error = true}, " 0x31b3=1"},
        {{.release_without_flush = true}, " 0x2097=0"},
    };
    reset();
    glx.extensions = "GLX_ARB_create_context GLX_ARB_create_context_no_error GLX_ARB_context_flush_control";
    struct x11_api *api = open_glx();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char expected[300];
        void *context = NULL;
        glx.log[0] = '\0';
        snprintf(expected, sizeof expected, "begin\nconfig 3, share 0, direct 1:%s\nend\n", cases[i].attribs);
        assert_int_equal(
            api->ops->create_context(api, &context, &cases[i].wanted, (GLXFBConfig)(uintptr_t)3, NULL), 0);
        assert_ptr_equal(context, &some_context);
        assert_string_equal(glx.log, expected);
    }
    api->ops->close(api);
}

/* What GLX does not know is not asked for. */
static void test_old_servers(void **state)
{
    (void)state;
    const struct context_config unknown = {.no_error = true, .release_without_flush = true},
                                es = {.api = CONTEXT_ES, .major = 2}, gl = {.major = 4, .minor = 5};
    void *context;
    reset();
    struct x11_api *api = open_glx();
    assert_int_equal(api->ops->create_context(api, &context, &unknown, (GLXFBConfig)(uintptr_t)1, NULL), 0);
    assert_string_equal(glx.log, "begin\nconfig 1, share 0, direct 1:\nend\n");
    api->ops->close(api);
    static const char *const extensions[] = {NULL, "", "GLX_EXT_foo"};
    for (int i = 0; i < 3; ++i) {
        reset();
        glx.extensions = extensions[i];
        api = open_glx();
        assert_int_equal(api->ops->create_context(api, &context, &gl, (GLXFBConfig)(uintptr_t)1,
                                                  (void *)(uintptr_t)&some_context),
                         0);
        api->ops->disable_vsync(api, 5);
        assert_string_equal(glx.log, "begin\nold context of type 0x8014, config 1, share 1, direct 1\nend\n");
        assert_int_equal(api->ops->create_context(api, &context, &es, (GLXFBConfig)(uintptr_t)1, NULL),
                         TRACE_ERR_IO);
        assert_string_equal(trace_error_message(), "GLX cannot create an OpenGL ES 2.0 context");
        api->ops->close(api);
    }
    reset();
    glx.lacks_glx = true;
    assert_int_equal(x11_glx_open(&api, &connection), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "there is no GLX on this display");
}

static void test_surfaces(void **state)
{
    (void)state;
    const struct context_config wanted = {.major = 4, .minor = 5};
    uintptr_t surface = 0;
    void *context, *config;
    XVisualInfo visual;
    reset();
    struct x11_api *api = open_glx();
    assert_int_equal(api->ops->choose_config(api, &wanted, &config, &visual), 0);
    assert_int_equal((uintptr_t)config, 1);
    glx.log[0] = '\0';
    assert_int_equal(api->ops->create_surface(api, &surface, config, 7, true), 0);
    assert_int_equal(surface, 107);
    assert_true(api->ops->make_current(api, (void *)(uintptr_t)&some_context, &wanted, surface, 5));
    api->ops->swap_buffers(api, surface);
    api->ops->disable_vsync(api, surface);
    api->ops->release(api, &wanted);
    api->ops->destroy_surface(api, surface);
    api->ops->destroy_context(api, (void *)(uintptr_t)&some_context);
    assert_string_equal(glx.log,
                        "begin\nwindow 7 of config 1\nend\ncurrent: 107, 5, 1\nswap 107\n"
                        "interval of 107: 0\ncurrent: 0, 0, 0\ndestroy window 107\ndestroy a context\n");
    assert_true(api->ops->get_proc("glXSwapIntervalEXT") == (void (*)(void))swap_interval);
    glx.has_error = true;
    assert_int_equal(api->ops->create_surface(api, &surface, config, 7, true), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX cannot draw to a window");
    glx.has_error = false;
    glx.refuses = true;
    assert_int_equal(api->ops->create_surface(api, &surface, config, 7, true), TRACE_ERR_IO);
    assert_int_equal(api->ops->create_context(api, &context, &wanted, config, NULL), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX cannot create an OpenGL 4.5 context");
    assert_false(api->ops->make_current(api, (void *)(uintptr_t)&some_context, &wanted, surface, 5));
    glx.configs[0].drawables = 0;
    assert_int_equal(api->ops->choose_config(api, &wanted, &config, &visual), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX has no configuration for windows");
    api->ops->close(api);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choosing), cmocka_unit_test(test_choosing_visuals),
        cmocka_unit_test(test_finding),  cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_contexts), cmocka_unit_test(test_old_servers),
        cmocka_unit_test(test_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
