/* SPDX-License-Identifier: MIT
 * Tests that contexts and drawables have the buffers that the program's had: as it asked for them, and as it
 * was told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#include "windows/window_system.h"

#define PLAIN_CONTEXT "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x31\n"
#define CONTEXT       "glXCreateNewContext dpy=0x10 config=0x20 render_type=32788 share_list=0x0 direct=1 = 0x30\n"
#define CHOOSE        "glXChooseFBConfig dpy=0x10 screen=0 attrib_list="
#define RETURNED      " nelements=[2] = [0x20,0x21]\n"

/* Fails the test unless context 1 has these buffers. */
static void expect_context(const struct replay_options *options, const char *calls, const char *api,
                           const char *buffers)
{
    char expected[200];
    snprintf(expected, sizeof expected, "context 1: %s%s, shares with 0\ncontext 1 ends\n", api, buffers);
    stub_gl_reset("4.6");
    stub_gl_replay_all(options, calls);
    stub_gl_expect(expected);
}

/* The replay asks for what the program asked for, although drivers may have given it more bits. */
static void test_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *attributes, *buffers;
    } cases[] = {
        {"[0]", " alpha 0"},
        {"[8,1,9,1,10,1,11,1,12,1,13,1,0]", " or more"},
        {"[11,0,12,0,13,0,0]", " alpha 0 depth 0 stencil 0"},
        {"[12,32,11,8,13,1,100000,1,100001,4,0]", " depth 32 or more samples 4"},
        {"[11,8,14,16,15,16,16,16,17,16,0]", " accumulation 16 16 16 16"},
        {"[11,8,14,8,15,15,16,1,17,17,0]", " accumulation 16 16 16 17"},
        {"[11,8,14,1,15,1,16,1,0]", " accumulation 16 16 16 0"},
        {"[11,8,8370,1,0]", " srgb"},
        {"[11,8,32785,4,0]", " float"},
        {"[11,8,5,0,0]", " single"},
        {"[11,8,5,-1,12,-1,6,-1,0]", ""},
        {"[11,8,6,1,7,2,0]", " auxiliary 2 stereo"},
        {"[8,10,9,10,10,10,11,2,0]", " rgb 10 10 10"},
        {"[11,8,32784,1,0]", ""},
        {"[11,8,32784,5,0]", ""},
        {"[11,8,32784,6,0]", " pbuffers"},
        {"[12,4000000000,11,-5,0]", " alpha 0 depth 64 or more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400];
        snprintf(calls, sizeof calls, CHOOSE "%s" RETURNED CONTEXT, cases[i].attributes);
        expect_context(NULL, calls, "gl 0.0", cases[i].buffers);
    }
}

/* If the trace contains the attributes of the configuration, these count, not what the program asked for. */
static void test_told(void **state)
{
    (void)state;
    expect_context(NULL,
                   CHOOSE "[12,1,0]" RETURNED
                          "glXGetFBConfigAttrib dpy=0x10 config=0x20 attribute=12 value=[16] = 0\n"
                          "glXGetFBConfigAttrib dpy=0x10 config=0x20 attribute=100001 value=[8] = 0\n"
                          "glXGetFBConfigAttrib dpy=0x10 config=0x21 attribute=13 value=[1] = 0\n" CONTEXT,
                   "gl 0.0", " alpha 0 depth 16 samples 8");
    /* windows are only what can be windows in the trace */
#define TOLD(attribute, value)                                                                               \
    "glXGetFBConfigAttrib dpy=0x10 config=0x20 attribute=" attribute " value=[" value "] = 0\n"
    expect_context(NULL, TOLD("32784", "6") CONTEXT, "gl 0.0", " pbuffers");
    expect_context(NULL, TOLD("32784", "6") TOLD("32784", "7") CONTEXT, "gl 0.0", "");
    expect_context(NULL, TOLD("32779", "0") CONTEXT, "gl 0.0", " pbuffers");
    expect_context(NULL, TOLD("32784", "6") TOLD("32779", "99") CONTEXT, "gl 0.0", "");
    expect_context(
        NULL, TOLD("32784", "6") "glXGetVisualFromFBConfig dpy=0x10 config=0x20 = [(visualid=33)]\n" CONTEXT,
        "gl 0.0", "");
    expect_context(NULL, TOLD("32784", "6") "glXGetVisualFromFBConfig dpy=0x10 config=0x20 = 0x0\n" CONTEXT,
                   "gl 0.0", " pbuffers");
    /* the rest of this configuration is unknown */
    expect_context(NULL, "glXGetFBConfigAttrib dpy=0x10 config=0x20 attribute=5 value=[0] = 0\n" CONTEXT,
                   "gl 0.0", " single");
    expect_context(NULL, CONTEXT, "gl 0.0", "");
}

/* The driver is asked for a configuration with the same attributes, once for each configuration in the
 * trace. */
static void test_asked_here(void **state)
{
    (void)state;
    static const struct {
        const char *attributes, *config, *log;
        unsigned found;
    } cases[] = {
        {"[12,1,0]", "0x20", "configs for 12, 1, 0\ncontext 1: gl 0.0 depth 16, shares with 0\n", 3},
        {"[12,1,0]", "0x21", "configs for 12, 1, 0\ncontext 1: gl 0.0 depth 17, shares with 0\n", 3},
        {"[12,1,0]", "0x21", "configs for 12, 1, 0\ncontext 1: gl 0.0 depth 16, shares with 0\n", 1},
        {"[12,0,11,8,0]", "0x20", "configs for 12, 0, 11\ncontext 1: gl 0.0 depth 16, shares with 0\n",
         3}, /* not its end */
        {"[12,32,0]", "0x21", "context 1: gl 0.0 alpha 0 depth 32 or more, shares with 0\n", 0},
        {"[0]", "0x20", "configs for 0, 0, 0\ncontext 1: gl 0.0 depth 16, shares with 0\n", 3},
        {"0x0", "0x21", "configs for 0, 0, 0\ncontext 1: gl 0.0 depth 17, shares with 0\n", 3},
        {"[32787,7,0]", "0x20", "context 1: gl 0.0 alpha 0, shares with 0\n", 3}, /* GLX_FBCONFIG_ID */
        {"[32779,7,0]", "0x20", "context 1: gl 0.0 alpha 0, shares with 0\n", 3}, /* GLX_VISUAL_ID */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400], log[200];
        snprintf(calls, sizeof calls,
                 CHOOSE
                 "%s" RETURNED
                 "glXCreateNewContext dpy=0x10 config=%s render_type=32788 share_list=0x0 direct=1 = 0x30\n",
                 cases[i].attributes, cases[i].config);
        snprintf(log, sizeof log, "%scontext 1 ends\n", cases[i].log);
        stub_gl_reset("4.6");
        stub_gl.found_configs = cases[i].found;
        stub_gl_replay_all(NULL, calls);
        stub_gl_expect(log);
    }
}

/* What the first call says counts, whether or not the driver was asked. */
static void test_earlier_answers(void **state)
{
    (void)state;
    static const struct {
        unsigned found;
        const char *log;
    } cases[] = {
        {0, "context 1: gl 0.0 alpha 0 depth 32 or more, shares with 0\n"},
        {1, "configs for 12, 32, 0\nconfigs for 12, 1, 0\ncontext 1: gl 0.0 depth 16, shares with 0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char log[300];
        snprintf(log, sizeof log, "%scontext 1 ends\n", cases[i].log);
        stub_gl_reset("4.6");
        stub_gl.found_configs = cases[i].found;
        stub_gl_replay_all(NULL, CHOOSE "[12,32,0]" RETURNED CHOOSE "[12,1,0]" RETURNED CONTEXT);
        stub_gl_expect(log);
    }
    stub_gl_reset("4.6"); /* the driver has others now */
    stub_gl.found_configs = 2;
    stub_gl_replay_all(NULL,
                       CHOOSE "[12,32,0]" RETURNED
                              "glXChooseFBConfig dpy=0x10 screen=0 attrib_list=[12,1,0] nelements=[1] = "
                              "[0x21]\n"
                              "glXCreateNewContext dpy=0x10 config=0x21 render_type=32788 "
                              "share_list=0x0 direct=1 = 0x30\n");
    stub_gl_expect_line("context 1: gl 0.0 depth 17, shares with 0");
}

/* Some window systems cannot be asked. Then the program's own lists count. */
static void test_nobody_to_ask(void **state)
{
    (void)state;
    const struct window_system_ops *saved = stub_windows.ops;
    struct window_system_ops ops = *saved;
    ops.choose_configs = NULL;
    ops.choose_visual = NULL;
    ops.find_lacking = NULL;
    stub_gl_reset("4.6");
    stub_windows.ops = &ops;
    stub_gl.found_configs = 2;
    stub_gl_replay_all(NULL, "glXGetFBConfigs dpy=0x10 screen=0 nelements=[2] = [0x22,0x23]\n" CHOOSE
                             "[12,32,0]" RETURNED CONTEXT);
    stub_windows.ops = saved;
    stub_gl_expect("context 1: gl 0.0 alpha 0 depth 32 or more, shares with 0\ncontext 1 ends\n");
    stub_gl_reset("4.6");
    stub_windows.ops = &ops;
    stub_gl.found_configs = 2;
    stub_gl_replay_all(NULL, "glXChooseVisual dpy=0x10 screen=0 attribList=[4,5,12,32,0] = [(visualid=33)]\n"
                             "glXCreateContext dpy=0x10 vis=[(visualid=33)] shareList=0x0 direct=1 = 0x30\n");
    stub_windows.ops = saved;
    stub_gl_expect("context 1: gl 0.0 alpha 0 depth 32 or more, shares with 0\ncontext 1 ends\n");
}

/* All configurations are known if the driver has as many. */
static void test_all_configs(void **state)
{
    (void)state;
#define ALL "glXGetFBConfigs dpy=0x10 screen=0 nelements=[2] = [0x21,0x20]\n"
    stub_gl_reset("4.6");
    stub_gl.found_configs = 2;
    stub_gl_replay_all(NULL, ALL CONTEXT);
    stub_gl_expect("all configs\ncontext 1: gl 0.0 depth 17, shares with 0\ncontext 1 ends\n");
    stub_gl_reset("4.6");
    stub_gl.found_configs = 3;
    stub_gl_replay_all(NULL, ALL CONTEXT);
    stub_gl_expect("all configs\ncontext 1: gl 0.0, shares with 0\ncontext 1 ends\n");
#undef ALL
}

/* A list of attributes that is too long for the question is answered from itself. */
static void test_long_lists(void **state)
{
    (void)state;
    for (unsigned pairs = 31; pairs < 34; ++pairs) {
        char calls[1200] = CHOOSE "[";
        for (unsigned i = 0; i + 1 < pairs; ++i)
            strcat(calls, "8,1,");
        strcat(calls, "11,8,0]" RETURNED CONTEXT);
        stub_gl_reset("4.6");
        stub_gl.found_configs = 1;
        stub_gl_replay_all(NULL, calls);
        assert_int_equal(strstr(stub_gl.log, "configs for 8, 1, 8") != NULL, pairs < 32);
        stub_gl_expect_line(pairs < 32 ? "context 1: gl 0.0 depth 16, shares with 0"
                                       : "context 1: gl 0.0, shares with 0");
    }
}

/* The options override the trace. */
static void test_options(void **state)
{
    (void)state;
    static const struct replay_options one = {.single_buffered = true}, two = {.double_buffered = true};
    expect_context(&one, CHOOSE "[11,8,5,1,0]" RETURNED CONTEXT, "gl 0.0", " single");
    static const struct replay_options none = {.samples = 1}, eight = {.samples = 8};
    expect_context(&none, CHOOSE "[11,8,100001,4,0]" RETURNED CONTEXT, "gl 0.0", "");
    expect_context(&eight, CHOOSE "[11,8,100001,4,0]" RETURNED CONTEXT, "gl 0.0", " samples 8");
    expect_context(&two, CHOOSE "[11,8,5,0,0]" RETURNED CONTEXT, "gl 0.0", "");
}

/* If the window system has no such buffers, another one is asked, unless something has been created. */
static void test_other_windows(void **state)
{
    (void)state;
#define ACCUMULATES CHOOSE "[11,8,14,16,15,16,16,16,17,16,12,0,0]" RETURNED
    static const char made[] = "context 1: gl 0.0 depth 0 accumulation 16 16 16 16, shares with 0\n"
                               "context 1 ends\n";
    stub_gl_reset("4.6");
    stub_windows_lack_accumulation = true;
    stub_gl_replay_all(NULL, ACCUMULATES CONTEXT);
    assert_memory_equal(stub_gl.log, "other windows\n", 14);
    assert_string_equal(stub_gl.log + 14, made);
    stub_gl_reset("4.6");
    stub_windows_lack_accumulation = stub_windows_refuse_others = true;
    stub_gl_replay_all(NULL, ACCUMULATES CONTEXT);
    stub_gl_expect(made);
    stub_gl_expect_message("1: warning: there are no others\n");
    assert_null(strstr(stub_gl.messages, "makes a context current"));
    stub_gl_reset("4.6");
    stub_windows_lack_accumulation = true;
    stub_gl_replay(NULL,
                   ACCUMULATES "glXCreateNewContext dpy=0x10 config=0x20 render_type=32788 share_list=0x0 "
                               "direct=1 = 0x31\n");
    stub_gl_expect_no_line("other windows");
    stub_gl_expect_message("4: warning: drawables have no accumulation buffer: ");
    /* It is also too late if the only context has not been current yet, or has gone. */
    stub_gl_reset("4.6");
    stub_windows_lack_accumulation = true;
    stub_gl_replay_all(NULL, PLAIN_CONTEXT ACCUMULATES CONTEXT);
    stub_gl_expect_no_line("other windows");
    stub_gl_expect_message("2: warning: drawables have no accumulation buffer: ");
    stub_gl_reset("4.6");
    stub_windows_lack_accumulation = true;
    stub_gl_replay_all(NULL, PLAIN_CONTEXT "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\n"
                                           "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                                           "glXDestroyContext dpy=0x10 ctx=0x31\n" ACCUMULATES CONTEXT);
    stub_gl_expect_no_line("other windows");
    stub_gl_expect_message("5: warning: drawables have no accumulation buffer: ");
#undef ACCUMULATES
}

/* --- visuals ---------------------------------------------------------------------------------------------
 */

#define VISUAL         "[(visualid=33)]"
#define CHOOSE_VISUAL  "glXChooseVisual dpy=0x10 screen=0 attribList="
#define VISUAL_CONTEXT "glXCreateContext dpy=0x10 vis=" VISUAL " shareList=0x0 direct=1 = 0x30\n"

/* Attributes that are flags have no value. */
static void test_visuals_asked_for(void **state)
{
    static const struct {
        const char *attributes, *buffers;
    } cases[] = {
        {"[0]", " alpha 0 single"},
        {"[4,5,12,1,0]", " alpha 0 or more"},
        {"[1,5,5,0]", " alpha 0"},
        {"[5,6,11,8,0]", " stereo"},
        {"[5,3,11,8,0]", " alpha 0"}, /* GLX_LEVEL has a value */
        {"[11,1,12,0,13,0,5,0]", " depth 0 stencil 0"},
        {"[5,100001,4,0]", " alpha 0 samples 4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400];
        snprintf(calls, sizeof calls, CHOOSE_VISUAL "%s = " VISUAL "\n" VISUAL_CONTEXT, cases[i].attributes);
        expect_context(NULL, calls, "gl 0.0", cases[i].buffers);
    }
}

static void test_visuals_asked_here(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.found_configs = 1;
    stub_gl_replay_all(NULL, CHOOSE_VISUAL "[4,12,1,0] = " VISUAL "\n" VISUAL_CONTEXT);
    stub_gl_expect("visual for 4, 12, 1\ncontext 1: gl 0.0 depth 16, shares with 0\ncontext 1 ends\n");
    stub_gl_reset("4.6"); /* what has a meaning only where the trace was made */
    stub_gl.found_configs = 1;
    stub_gl_replay_all(NULL, CHOOSE_VISUAL "[4,5,32779,7,0] = " VISUAL "\n" VISUAL_CONTEXT);
    stub_gl_expect("context 1: gl 0.0 alpha 0, shares with 0\ncontext 1 ends\n");
}

/* A visual has the buffers of its configuration, and those that the trace tells. */
static void test_visuals_told(void **state)
{
    (void)state;
    expect_context(NULL,
                   CHOOSE "[11,8,100001,4,0]" RETURNED
                          "glXGetVisualFromFBConfig dpy=0x10 config=0x20 = " VISUAL "\n" VISUAL_CONTEXT,
                   "gl 0.0", " samples 4");
    expect_context(NULL,
                   "glXGetConfig dpy=0x10 visual=" VISUAL " attrib=13 value=[1] = 0\n"
                   "glXGetConfig dpy=0x10 visual=" VISUAL " attrib=12 value=[16] = 0\n"
                   "glXGetConfig dpy=0x10 visual=[(visualid=34)] attrib=12 value=[17] = 0\n" VISUAL_CONTEXT,
                   "gl 0.0", " depth 16 stencil 1");
    expect_context(NULL,
                   "glXGetVisualFromFBConfig dpy=0x10 config=0x20 = " VISUAL "\n" /* unknown */
                   "glXGetConfig dpy=0x10 visual=" VISUAL " attrib=13 value=[] = 0\n" VISUAL_CONTEXT,
                   "gl 0.0", "");
    expect_context(NULL,
                   "glXGetConfig dpy=0x10 visual=[(wrong=33)] attrib=12 value=[16] = 0\n" VISUAL_CONTEXT,
                   "gl 0.0", "");
    expect_context(NULL,
                   "glXGetConfig dpy=0x10 visual=[(visualid=33),(visualid=34)] attrib=12 value=[16] = "
                   "0\n" VISUAL_CONTEXT,
                   "gl 0.0", ""); /* two are none */
    expect_context(NULL, "glXGetConfig dpy=0x10 visual=[33] attrib=12 value=[16] = 0\n" VISUAL_CONTEXT,
                   "gl 0.0", "");
}

static void test_egl(void **state)
{
    (void)state;
#define EGL_CHOICE  "eglChooseConfig dpy=0x10 attrib_list="
#define EGL_CONFIGS " configs=[0x20] config_size=1 num_config=[1] = 1\n"
#define EGL_CONTEXT                                                                                          \
    "eglCreateContext dpy=0x10 config=0x20 share_context=0x0 attrib_list=[12440,2,12344] = 0x30\n"
    expect_context(NULL, EGL_CHOICE "[12321,8,12325,16,12326,0,12337,4,12344]" EGL_CONFIGS EGL_CONTEXT,
                   "es 2.0", " stencil 0 samples 4");
    expect_context(NULL,
                   EGL_CHOICE
                   "[12344]" EGL_CONFIGS
                   "eglGetConfigAttrib dpy=0x10 config=0x20 attribute=12325 value=[16] = 1\n" EGL_CONTEXT,
                   "es 2.0", " alpha 0 depth 16");
}

/* A drawable may have other buffers than the context. */
static void test_drawables(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, CHOOSE
                   "[11,8,100001,4,0]" RETURNED
                   "glXCreateWindow dpy=0x10 config=0x20 win=5 attrib_list=0x0 = 6\n"
                   "glXMakeCurrent dpy=0x10 drawable=6 ctx=0x30 = 1\n"
                   "eglCreateWindowSurface dpy=0x10 config=0x99 win=5 attrib_list=[12445,12425,12344] = "
                   "0x70\n"
                   "glXMakeCurrent dpy=0x10 drawable=0x70 ctx=0x30 = 1\n"
                   "eglCreateWindowSurface dpy=0x10 config=0x99 win=5 attrib_list=[12422,12421,12344] = "
                   "0x71\n"
                   "glXMakeCurrent dpy=0x10 drawable=0x71 ctx=0x30 = 1\n"
                   /* what is known of its configuration, and what its own attributes say */
                   "eglCreateWindowSurface dpy=0x10 config=0x20 win=5 attrib_list=[12422,12421,12344] = "
                   "0x72\n"
                   "glXMakeCurrent dpy=0x10 drawable=0x72 ctx=0x30 = 1\n"
                   "eglCreateWindowSurface dpy=0x10 config=0x20 win=5 attrib_list=[12344] = 0x73\n"
                   "glXMakeCurrent dpy=0x10 drawable=0x73 ctx=0x30 = 1\n");
    stub_gl_expect_line("drawable 3: of context 1, 32 x 32 samples 4");
    stub_gl_expect_line("drawable 4: of context 1, 32 x 32 srgb");
    stub_gl_expect_line("drawable 5: of context 1, 32 x 32 single");
    stub_gl_expect_line("drawable 6: of context 1, 32 x 32 samples 4 single");
    stub_gl_expect_line("drawable 7: of context 1, 32 x 32 samples 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_windows),   cmocka_unit_test(test_all_configs),
        cmocka_unit_test(test_asked_for),       cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_asked_here),      cmocka_unit_test(test_told),
        cmocka_unit_test(test_earlier_answers), cmocka_unit_test(test_nobody_to_ask),
        cmocka_unit_test(test_options),         cmocka_unit_test(test_egl),
        cmocka_unit_test(test_drawables),       cmocka_unit_test(test_visuals_asked_for),
        cmocka_unit_test(test_visuals_told),    cmocka_unit_test(test_visuals_asked_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
