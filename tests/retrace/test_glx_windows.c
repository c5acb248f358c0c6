/* SPDX-License-Identifier: MIT
 * Tests which configurations and contexts a replay asks GLX for. GLX is made up.
 */
#include "windows/glx_configs.h"
#include "windows/x11_api.h"

#include "stub_glx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"

/* --- configurations ------------------------------------------------------------------------------------- */

static void test_choosing(void **state)
{
    (void)state;
    static const int attribs[] = {GLX_DEPTH_SIZE, 5, None};
    struct buffer_config found[CONFIGS];
    Display *display = glx_reset();
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
    assert_int_equal(glx.asked, 9 * ATTRIBUTES);
}

static void test_choosing_visuals(void **state)
{
    (void)state;
    static const int attribs[] = {GLX_RGBA, GLX_DEPTH_SIZE, 5, None};
    int many[100];
    struct buffer_config found = {.depth = 77, .samples = 77};
    Display *display = glx_reset();
    assert_true(glx_choose_visual(display, attribs, &found));
    assert_string_equal(glx.log, "visual 4 12 5\n");
    assert_int_equal(found.depth, 24);
    assert_int_equal(found.samples, 0);
    assert_false(found.srgb);
    assert_int_equal(glx.freed, 1);
    assert_int_equal(glx.asked, ATTRIBUTES - 2); /* visuals are for windows, and RGBA */
    glx.count = 0;
    assert_false(glx_choose_visual(display, attribs, &found));
    /* a list that is too long is cut */
    for (int i = 0; i < 99; ++i)
        many[i] = 7;
    many[99] = None;
    glx_reset();
    assert_true(glx_choose_visual(display, many, &found));
    assert_int_equal(strlen(glx.log), strlen("visual\n") + 2 * 63);
}

static void expect_found(const struct glx_config *configs, int count, int best, bool pbuffers_only)
{
    const struct buffer_config wanted = {
        .colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8, .pbuffers_only = pbuffers_only};
    GLXFBConfig found = NULL;
    XVisualInfo visual;
    Display *display = glx_reset();
    memcpy(glx.configs, configs, sizeof glx.configs);
    glx.chosen = count;
    assert_int_equal(glx_find_config(display, &wanted, &found, &visual), best != 0);
    assert_int_equal((uintptr_t)found, best);
    if (best == 0)
        return;
    assert_int_equal(visual.depth, configs[best - 1].visual_depth);
    assert_int_equal(visual.visualid, visual.depth != 0 ? best : 0);
}

enum { W = GLX_WINDOW_BIT, P = GLX_PBUFFER_BIT, RGBA = GLX_RGBA_BIT, INDEX = GLX_COLOR_INDEX_BIT };

/* The closest one for windows with a visual, which is better without transparency. */
static void test_finding(void **state)
{
    (void)state;
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
        expect_found(cases[i].configs, cases[i].count, cases[i].best, false);
}

/* The closest one for pbuffers, which needs no visual. */
static void test_finding_for_pbuffers(void **state)
{
    (void)state;
    static const struct {
        struct glx_config configs[CONFIGS];
        int count, best;
    } cases[] = {
        {{{16, 24, W | P, RGBA}, {24, 0, P, RGBA}}, 2, 2},
        {{{24, 24, W, RGBA}, {16, 0, P, RGBA}}, 2, 2},
        {{{24, 0, P, RGBA}, {24, 24, W | P, RGBA}}, 2, 1},
        {{{24, 32, W | P, RGBA}, {24, 24, W | P, RGBA}}, 2, 2},
        {{{24, 0, P, INDEX}, {16, 24, W | P, RGBA}}, 2, 2},
        {{{24, 24, W, RGBA}}, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        expect_found(cases[i].configs, cases[i].count, cases[i].best, true);
}

/* What has no visual is for pbuffers only. Without any for pbuffers, those for windows are better than none.
 */
static void test_pbuffers_only(void **state)
{
    (void)state;
    const struct context_config wanted = {.buffers = {.depth = 24, .pbuffers_only = true}};
    struct buffer_config found[2];
    XVisualInfo visual;
    void *config = NULL;
    glx_reset();
    glx.count = glx.chosen = 2;
    glx.configs[0].drawables = GLX_PBUFFER_BIT;
    assert_int_equal(glx_choose_configs(&glx_connection, NULL, found, 2), 2);
    assert_true(found[0].pbuffers_only);
    assert_false(found[1].pbuffers_only);
    struct x11_api *api = NULL;
    assert_int_equal(x11_glx_open(&api, &glx_connection), 0);
    glx.log[0] = '\0';
    assert_int_equal(api->ops->choose_config(api, &wanted, &config, &visual), 0);
    assert_int_equal((uintptr_t)config, 1);
    assert_non_null(strstr(glx.log, "choose 0x8010=4 "));
    glx.configs[0].drawables = 0;
    assert_int_equal(api->ops->choose_config(api, &wanted, &config, &visual), 0);
    assert_int_equal((uintptr_t)config, 2);
    assert_int_equal(visual.depth, 24);
    api->ops->close(api);
}

/* Each attribute counts. */
static void test_all_attributes(void **state)
{
    (void)state;
    static const int attributes[] = {
        GLX_DOUBLEBUFFER,     GLX_STEREO,          GLX_AUX_BUFFERS,      GLX_RED_SIZE,     GLX_GREEN_SIZE,
        GLX_BLUE_SIZE,        GLX_ALPHA_SIZE,      GLX_DEPTH_SIZE,       GLX_STENCIL_SIZE, GLX_ACCUM_RED_SIZE,
        GLX_ACCUM_GREEN_SIZE, GLX_ACCUM_BLUE_SIZE, GLX_ACCUM_ALPHA_SIZE, GLX_SAMPLES,      GLX_RENDER_TYPE};
    const struct buffer_config wanted = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
        GLXFBConfig found = NULL;
        XVisualInfo visual;
        Display *display = glx_reset();
        glx.chosen = 4;
        glx.other = attributes[i];
        assert_true(glx_find_config(display, &wanted, &found, &visual));
        assert_int_equal((uintptr_t)found, 2);
        assert_true(glx.asked < 3 * ATTRIBUTES); /* the second one is what is wanted */
    }
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
    Display *display = glx_reset();
    assert_true(glx_find_config(display, &wanted, &found, &visual));
    assert_string_equal(glx.log,
                        "choose 0x8010=1 0x8011=1 0x5=0 0x6=1 0x7=12 0x8=1 0x9=2 0xa=3 0xb=4 0xc=5 0xd=6 "
                        "0xe=7 0xf=8 0x10=9 0x11=10 0x186a1=11\n");
    assert_int_equal(glx.freed, 2);
    glx_reset(); /* none has all of it */
    glx.chosen = 0;
    glx.count = 2;
    glx.configs[0].drawables = GLX_PBUFFER_BIT;
    assert_true(glx_find_config(display, &wanted, &found, &visual));
    assert_int_equal((uintptr_t)found, 2);
    assert_non_null(strstr(glx.log, "all\n"));
    assert_int_equal(glx.freed, 3);
}

/* GLX may give no list at all. */
static void test_no_lists(void **state)
{
    (void)state;
    static const int attribs[] = {GLX_DEPTH_SIZE, 5, None};
    const struct buffer_config wanted = {.depth = 24};
    struct buffer_config chosen[CONFIGS];
    GLXFBConfig found = NULL;
    XVisualInfo visual;
    Display *display = glx_reset();
    glx.chooses_none = true;
    assert_int_equal(glx_choose_configs(display, attribs, chosen, CONFIGS), 0);
    assert_int_equal(glx.freed, 0);
    assert_true(glx_find_config(display, &wanted, &found, &visual)); /* one of all */
    assert_int_equal((uintptr_t)found, 1);
    assert_int_equal(glx.freed, 2); /* the other list, and the visual */
    glx_reset();
    glx.chooses_none = glx.has_none = true;
    assert_false(glx_find_config(display, &wanted, &found, &visual));
    assert_int_equal(glx_choose_configs(display, NULL, chosen, CONFIGS), 0);
    assert_int_equal(glx.freed, 0);
}

/* --- contexts and windows ------------------------------------------------------------------------------- */

static struct x11_api *open_glx(void)
{
    struct x11_api *api = NULL;
    assert_int_equal(x11_glx_open(&api, &glx_connection), 0);
    assert_ptr_equal(api->display, &glx_connection);
    assert_null(api->egl_display);
    assert_int_equal(api->binds_nothing,
                     glx.extensions != NULL && strstr(glx.extensions, "GLX_ARB_create_context") != NULL);
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
    glx_reset();
    glx.extensions = "GLX_ARB_create_context GLX_ARB_create_context_no_error GLX_ARB_context_flush_control";
    struct x11_api *api = open_glx();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char expected[300];
        void *context = NULL;
        glx.log[0] = '\0';
        snprintf(expected, sizeof expected, "begin\nconfig 3, share 0, direct 1:%s\nend\n", cases[i].attribs);
        assert_int_equal(
            api->ops->create_context(api, &context, &cases[i].wanted, (GLXFBConfig)(uintptr_t)3, NULL), 0);
        assert_ptr_equal(context, &glx_context);
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
    glx_reset();
    struct x11_api *api = open_glx();
    assert_int_equal(api->ops->create_context(api, &context, &unknown, (GLXFBConfig)(uintptr_t)1, NULL), 0);
    assert_string_equal(glx.log, "begin\nconfig 1, share 0, direct 1:\nend\n");
    api->ops->close(api);
    static const char *const extensions[] = {NULL, "", "GLX_EXT_foo"};
    for (int i = 0; i < 3; ++i) {
        glx_reset();
        glx.extensions = extensions[i];
        api = open_glx();
        assert_int_equal(api->ops->create_context(api, &context, &gl, (GLXFBConfig)(uintptr_t)1,
                                                  (void *)(uintptr_t)&glx_context),
                         0);
        api->ops->disable_vsync(api, 5);
        assert_string_equal(glx.log, "begin\nold context of type 0x8014, config 1, share 1, direct 1\nend\n");
        assert_int_equal(api->ops->create_context(api, &context, &es, (GLXFBConfig)(uintptr_t)1, NULL),
                         TRACE_ERR_IO);
        assert_string_equal(trace_error_message(), "GLX cannot create an OpenGL ES 2.0 context");
        api->ops->close(api);
    }
    glx_reset();
    glx.lacks_glx = true;
    assert_int_equal(x11_glx_open(&api, &glx_connection), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "there is no GLX on this display");
}

static void test_surfaces(void **state)
{
    (void)state;
    const struct context_config wanted = {.major = 4, .minor = 5};
    uintptr_t surface = 0;
    void *context, *config;
    XVisualInfo visual;
    glx_reset();
    struct x11_api *api = open_glx();
    assert_int_equal(api->ops->choose_config(api, &wanted, &config, &visual), 0);
    assert_int_equal((uintptr_t)config, 1);
    glx.log[0] = '\0';
    assert_int_equal(api->ops->create_surface(api, &surface, config, 7, &wanted.buffers), 0);
    assert_int_equal(surface, 107);
    assert_true(api->ops->make_current(api, (void *)(uintptr_t)&glx_context, &wanted, surface, 5));
    api->ops->swap_buffers(api, surface);
    api->ops->disable_vsync(api, surface);
    api->ops->release(api, &wanted);
    api->ops->destroy_surface(api, surface);
    api->ops->destroy_context(api, (void *)(uintptr_t)&glx_context);
    assert_string_equal(glx.log,
                        "begin\nwindow 7 of config 1\nend\ncurrent: 107, 5, 1\nswap 107\n"
                        "interval of 107: 0\ncurrent: 0, 0, 0\ndestroy window 107\ndestroy a context\n");
    assert_true(api->ops->get_proc("glXSwapIntervalEXT") == (void (*)(void))glx_swap_interval);
    glx.has_error = true;
    assert_int_equal(api->ops->create_surface(api, &surface, config, 7, &wanted.buffers), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX cannot draw to a window");
    glx.has_error = false;
    glx.refuses = true;
    assert_int_equal(api->ops->create_surface(api, &surface, config, 7, &wanted.buffers), TRACE_ERR_IO);
    assert_int_equal(api->ops->create_context(api, &context, &wanted, config, NULL), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX cannot create an OpenGL 4.5 context");
    assert_false(api->ops->make_current(api, (void *)(uintptr_t)&glx_context, &wanted, surface, 5));
    glx.configs[0].drawables = 0;
    assert_int_equal(api->ops->choose_config(api, &wanted, &config, &visual), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX has no configuration for windows");
    api->ops->close(api);
}

static void test_pbuffers(void **state)
{
    const struct buffer_config buffers = {.pbuffers_only = true};
    uintptr_t pbuffer = 0;
    (void)state;
    glx_reset();
    struct x11_api *api = open_glx();
    assert_int_equal(api->ops->create_pbuffer(api, &pbuffer, (GLXFBConfig)(uintptr_t)3, &buffers, 4, 5), 0);
    assert_int_equal(pbuffer, 200);
    api->ops->destroy_pbuffer(api, pbuffer);
    assert_string_equal(glx.log, "begin\npbuffer of config 3: 0x8041=4 0x8040=5\nend\ndestroy pbuffer 200\n");
    glx.refuses = true;
    assert_int_equal(api->ops->create_pbuffer(api, &pbuffer, (GLXFBConfig)(uintptr_t)3, &buffers, 4, 5),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "GLX cannot create a pbuffer of 4x5");
    glx.refuses = false;
    glx.has_error = true;
    assert_int_equal(api->ops->create_pbuffer(api, &pbuffer, (GLXFBConfig)(uintptr_t)3, &buffers, 4, 5),
                     TRACE_ERR_IO);
    api->ops->close(api);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choosing),      cmocka_unit_test(test_choosing_visuals),
        cmocka_unit_test(test_finding),       cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_no_lists),      cmocka_unit_test(test_all_attributes),
        cmocka_unit_test(test_contexts),      cmocka_unit_test(test_old_servers),
        cmocka_unit_test(test_surfaces),      cmocka_unit_test(test_finding_for_pbuffers),
        cmocka_unit_test(test_pbuffers_only), cmocka_unit_test(test_pbuffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
