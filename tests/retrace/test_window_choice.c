/* SPDX-License-Identifier: MIT
 * Tests which window system is opened, in all environments, and what it is replaced by. The window systems
 * themselves are made up.
 */
#include "windows/window_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"

/* --- window systems ----------------------------------------------------------------------------------- */

static char tried[10], closed[10]; /* a letter for each: x11, glfw, egl */
static const char *refusing;       /* those that cannot be opened */
static const char *lacking;        /* those that lack buffers */

static struct made_up {
    struct window_system base;
    char letter;
} systems[3];

static void note(char *letters, char letter)
{
    size_t length = strlen(letters);
    letters[length] = letter;
    letters[length + 1] = '\0';
}

static void close_system(struct window_system *ws)
{
    note(closed, ((struct made_up *)ws)->letter);
}

static const char *find_lacking(struct window_system *ws, const struct buffer_config *buffers)
{
    (void)buffers;
    return strchr(lacking, ((struct made_up *)ws)->letter) != NULL ? "stereo" : NULL;
}

static const struct window_system_ops asks = {.close = close_system, .find_lacking = find_lacking},
                                      takes_all = {.close = close_system};

static int open_system(struct window_system **out, int i, char letter, bool is_offscreen)
{
    struct made_up *made = &systems[i];
    note(tried, letter);
    if (strchr(refusing, letter) != NULL)
        return trace_error_set(TRACE_ERR_IO, "%c cannot be opened", letter);
    *made = (struct made_up){.base = {.ops = &asks, .is_offscreen = is_offscreen}, .letter = letter};
    snprintf(made->base.description, sizeof made->base.description, "the system %c", letter);
    *out = &made->base;
    return 0;
}

int window_system_open_x11(struct window_system **out, const struct window_settings *settings)
{
    (void)settings;
    return open_system(out, 0, 'x', false);
}

int window_system_open_glfw(struct window_system **out, const struct window_settings *settings)
{
    (void)settings;
    return open_system(out, 1, 'g', false);
}

int window_system_open_egl(struct window_system **out, const struct window_settings *settings)
{
    (void)settings;
    return open_system(out, 2, 'e', true);
}

/* displays: x: DISPLAY, w: WAYLAND_DISPLAY, E: empty ones. */
static void set_up(const char *displays, const char *refused, const char *poor)
{
    tried[0] = closed[0] = '\0';
    refusing = refused;
    lacking = poor;
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    if (strchr(displays, 'E') != NULL) {
        setenv("DISPLAY", "", 1);
        setenv("WAYLAND_DISPLAY", "", 1);
    }
    if (strchr(displays, 'x') != NULL)
        setenv("DISPLAY", ":0", 1);
    if (strchr(displays, 'w') != NULL)
        setenv("WAYLAND_DISPLAY", "wayland-0", 1);
}

/* --- tests -------------------------------------------------------------------------------------------- */

#define REFUSED    "cannot open a window system (--headless needs none): "
#define NO_DISPLAY "neither DISPLAY nor WAYLAND_DISPLAY is set"

static void test_opening(void **state)
{
    (void)state;
    static const struct {
        const char *displays, *refused;
        bool headless;
        enum context_creation creation;
        const char *tried;
        const char *error; /* NULL: it is opened */
    } cases[] = {
        {"x", "", false, CREATE_AS_IN_TRACE, "x", NULL},
        {"w", "", false, CREATE_AS_IN_TRACE, "g", NULL},
        {"xw", "", false, CREATE_AS_IN_TRACE, "x", NULL},
        {"xw", "x", false, CREATE_AS_IN_TRACE, "xg", NULL},
        {"x", "x", false, CREATE_AS_IN_TRACE, "x", REFUSED "x cannot be opened"},
        {"w", "g", false, CREATE_AS_IN_TRACE, "g", REFUSED "g cannot be opened"},
        {"xw", "xg", false, CREATE_AS_IN_TRACE, "xg", REFUSED "g cannot be opened"},
        {"", "", false, CREATE_AS_IN_TRACE, "", REFUSED NO_DISPLAY},
        {"E", "", false, CREATE_AS_IN_TRACE, "", REFUSED NO_DISPLAY},
        {"", "", true, CREATE_AS_IN_TRACE, "e", NULL},
        {"x", "", true, CREATE_AS_IN_TRACE, "e", NULL},
        {"x", "e", true, CREATE_AS_IN_TRACE, "ex", NULL},
        {"w", "e", true, CREATE_AS_IN_TRACE, "eg", NULL},
        {"", "e", true, CREATE_AS_IN_TRACE, "e", "e cannot be opened"},
        {"x", "", true, CREATE_BY_EGL, "e", NULL},
        {"x", "", true, CREATE_BY_GLX, "x", NULL},
        {"", "", true, CREATE_BY_GLX, "",
         "cannot open a window system (--contexts=GLX needs one): " NO_DISPLAY},
        {"x", "x", true, CREATE_BY_GLX, "x",
         "cannot open a window system (--contexts=GLX needs one): x cannot be opened"},
        {"x", "ex", true, CREATE_AS_IN_TRACE, "ex", "cannot open a window system: x cannot be opened"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct window_settings settings = {.headless = cases[i].headless,
                                                 .creation = cases[i].creation};
        struct window_system *ws = NULL;
        set_up(cases[i].displays, cases[i].refused, "");
        int rc = window_system_open(&ws, &settings);
        assert_string_equal(tried, cases[i].tried);
        assert_int_equal(rc, cases[i].error == NULL ? 0 : TRACE_ERR_IO);
        if (cases[i].error != NULL) {
            assert_string_equal(trace_error_message(), cases[i].error);
            continue;
        }
        assert_int_equal(ws->settings.headless, cases[i].headless);
        assert_int_equal(ws->settings.creation, cases[i].creation);
    }
}

/* Windows are replaced by EGL without a display server, and the other way round. */
static void test_replacing(void **state)
{
    (void)state;
    static const struct {
        bool from_windows;
        const char *displays, *refused, *lacking;
        enum context_creation creation;
        const char *tried, *closed;
    } cases[] = {
        {true, "x", "", "", CREATE_AS_IN_TRACE, "", ""},
        {true, "x", "", "x", CREATE_AS_IN_TRACE, "e", "x"},
        {true, "x", "e", "x", CREATE_AS_IN_TRACE, "e", ""},
        {true, "x", "", "xe", CREATE_AS_IN_TRACE, "e", "e"},
        {true, "x", "", "x", CREATE_BY_EGL, "e", "x"},
        {true, "x", "", "x", CREATE_BY_GLX, "", ""},
        {false, "x", "", "", CREATE_AS_IN_TRACE, "", ""},
        {false, "x", "", "e", CREATE_AS_IN_TRACE, "x", "e"},
        {false, "w", "", "e", CREATE_AS_IN_TRACE, "g", "e"},
        {false, "x", "", "ex", CREATE_AS_IN_TRACE, "x", "x"},
        {false, "x", "", "e", CREATE_BY_EGL, "", ""},
        {false, "", "", "e", CREATE_AS_IN_TRACE, "", ""},
        {false, "xw", "x", "e", CREATE_AS_IN_TRACE, "xg", "e"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct window_settings settings = {.headless = true, .creation = cases[i].creation};
        struct window_system *ws = NULL;
        set_up(cases[i].displays, cases[i].refused, cases[i].lacking);
        refusing = "";
        (cases[i].from_windows ? window_system_open_x11 : window_system_open_egl)(&ws, &settings);
        refusing = cases[i].refused;
        struct window_system *before = ws;
        ws->settings = settings;
        tried[0] = '\0';
        int rc = window_system_replace(&ws, &(struct buffer_config){.stereo = true});
        assert_string_equal(tried, cases[i].tried);
        assert_string_equal(closed, cases[i].closed);
        bool is_needed = strchr(cases[i].lacking, cases[i].from_windows ? 'x' : 'e') != NULL;
        bool is_replaced = closed[0] == (cases[i].from_windows ? 'x' : 'e');
        assert_int_equal(rc, is_needed && !is_replaced ? TRACE_ERR_UNSUPPORTED : 0);
        assert_int_equal(ws != before, is_replaced);
        assert_true(ws->settings.headless);
        if (rc == 0)
            continue;
        assert_string_equal(trace_error_message(),
                            cases[i].from_windows
                                ? "drawables have no stereo: the system x"
                                : "drawables have no stereo: the system e (windows of GLX may "
                                  "have them; is DISPLAY set?)");
    }
}

/* One that takes all buffers lacks none. */
static void test_taking_all(void **state)
{
    (void)state;
    const struct window_settings settings = {.headless = true};
    struct window_system *ws = NULL;
    set_up("x", "", "xe");
    assert_int_equal(window_system_open_x11(&ws, &settings), 0);
    ws->ops = &takes_all;
    assert_int_equal(window_system_replace(&ws, &(struct buffer_config){.stereo = true}), 0);
    assert_string_equal(tried, "x");
    assert_string_equal(closed, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_replacing),
        cmocka_unit_test(test_taking_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
