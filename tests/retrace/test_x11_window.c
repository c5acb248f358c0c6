/* SPDX-License-Identifier: MIT
 * Windows of X11 on an Xlib that this test makes up: what it is asked for, and what window managers do.
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/error.h"
#include "call_log.h"
#include "windows/x11_errors.h"
#include "windows/x11_window.h"

/* Atoms are numbered in this order, from 1000. */
static const char *const atom_names[] = {"WM_DELETE_WINDOW", "WM_PROTOCOLS", "_NET_WM_STATE",
                                         "_NET_WM_STATE_FULLSCREEN", "_NET_SUPPORTED"};
enum {
    DELETE = 1000,
    PROTOCOLS,
    STATE,
    FULLSCREEN,
    SUPPORTED,
    WINDOW = 7,
    COLOURS = 8,
    ROOT = 9,
    MAX_EVENTS = 4
};

static struct made_up {
    bool lacks_server, refuses_window, lacks_window;
    Atom supported[3]; /* by the window manager */
    unsigned long supported_count;
    Atom supported_type;
    int supported_format, property_status;
    bool lacks_property;
    int questions;     /* about the window, until it is as it should be */
    int width, height; /* what it then is; 0: what was asked for */
    XEvent events[MAX_EVENTS];
    int event_count;
    int polls, pauses, errors_begun, connection_checks;
} x;

static Screen screens[2] = {{.root = ROOT, .width = 640, .height = 480}, {.root = ROOT + 1}};

/* --- the library ------------------------------------------------------------------------------------ */

Status XInitThreads(void)
{
    note("threads\n");
    return 1;
}

static Display *the_display(void)
{
    static union {
        max_align_t align;
        char bytes[1024];
    } memory;
    _XPrivDisplay d = (_XPrivDisplay)(void *)memory.bytes;
    d->screens = screens;
    d->nscreens = 2;
    d->default_screen = 0;
    d->fd = 77;
    return (Display *)(void *)memory.bytes;
}

Display *XOpenDisplay(const char *name)
{
    assert_null(name);
    return x.lacks_server ? NULL : the_display();
}

Atom XInternAtom(Display *display, const char *name, Bool only_if_exists)
{
    assert_ptr_equal(display, the_display());
    assert_false(only_if_exists);
    for (size_t i = 0; i < sizeof atom_names / sizeof *atom_names; ++i)
        if (strcmp(atom_names[i], name) == 0)
            return DELETE + i;
    fail_msg("atom %s", name);
    return None;
}

void x11_errors_catch(Display *display)
{
    assert_ptr_equal(display, the_display());
    note("errors are caught\n");
}

void x11_errors_check_connection(void)
{
    x.connection_checks++;
}

void x11_errors_begin(Display *display)
{
    (void)display;
    assert_int_equal(x.errors_begun++, 0);
}

bool x11_errors_end(Display *display)
{
    (void)display;
    assert_int_equal(x.errors_begun--, 1);
    return x.refuses_window;
}

Colormap XCreateColormap(Display *display, Window window, Visual *visual, int alloc)
{
    assert_ptr_equal(display, the_display());
    assert_int_equal(alloc, AllocNone);
    note("colours of %lu, visual %d\n", window, visual != NULL);
    return COLOURS;
}

Window XCreateWindow(Display *display, Window parent, int left, int top, unsigned width, unsigned height,
                     unsigned border, int depth, unsigned kind, Visual *visual, unsigned long mask,
                     XSetWindowAttributes *set)
{
    assert_ptr_equal(display, the_display());
    assert_true(left == 0 && top == 0 && border == 0 && kind == InputOutput && visual != NULL);
    assert_int_equal(mask, CWBorderPixel | CWColormap | CWEventMask);
    assert_int_equal(set->colormap, COLOURS);
    assert_int_equal(set->event_mask, StructureNotifyMask);
    assert_int_equal(set->border_pixel, 0);
    note("window of %lu: %ux%u, depth %d\n", parent, width, height, depth);
    return WINDOW;
}

int XStoreName(Display *display, Window window, const char *name)
{
    (void)display;
    note("name of %lu: %s\n", window, name);
    return 1;
}

int XSetClassHint(Display *display, Window window, XClassHint *hint)
{
    (void)display;
    note("class of %lu: %s, %s\n", window, hint->res_name, hint->res_class);
    return 1;
}

Status XSetWMProtocols(Display *display, Window window, Atom *protocols, int count)
{
    (void)display;
    note("protocols of %lu: %lu of %d\n", window, protocols[0], count);
    return 1;
}

int XSelectInput(Display *display, Window window, long mask)
{
    (void)display;
    note("events of %lu: %ld\n", window, mask);
    return 1;
}

int XDestroyWindow(Display *display, Window window)
{
    (void)display;
    note("%lu ends\n", window);
    return 1;
}

int XFreeColormap(Display *display, Colormap colours)
{
    (void)display;
    note("colours %lu end\n", colours);
    return 1;
}

int XMapRaised(Display *display, Window window)
{
    (void)display;
    note("%lu is mapped\n", window);
    return 1;
}

Status XGetWindowAttributes(Display *display, Window window, XWindowAttributes *out)
{
    (void)display;
    assert_int_equal(window, WINDOW);
    bool is_done = x.questions-- <= 0;
    *out = (XWindowAttributes){.map_state = is_done ? IsViewable : IsUnmapped,
                               .width = is_done ? x.width : x.width + 1,
                               .height = is_done ? x.height : x.height + 1};
    return !x.lacks_window;
}

int XResizeWindow(Display *display, Window window, unsigned width, unsigned height)
{
    (void)display;
    note("%lu: %ux%u\n", window, width, height);
    return 1;
}

int XMoveResizeWindow(Display *display, Window window, int left, int top, unsigned width, unsigned height)
{
    (void)display;
    note("%lu: %ux%u at %d,%d\n", window, width, height, left, top);
    return 1;
}

int XChangeWindowAttributes(Display *display, Window window, unsigned long mask, XSetWindowAttributes *set)
{
    (void)display;
    assert_int_equal(mask, CWOverrideRedirect);
    note("%lu is unmanaged: %d\n", window, set->override_redirect);
    return 1;
}

int XChangeProperty(Display *display, Window window, Atom property, Atom type, int format, int mode,
                    const unsigned char *data, int count)
{
    Atom first;
    (void)display;
    memcpy(&first, data, sizeof first);
    assert_true(type == XA_ATOM && format == 32 && mode == PropModeReplace);
    note("property %lu of %lu: %lu of %d\n", property, window, first, count);
    return 1;
}

int XGetWindowProperty(Display *display, Window window, Atom property, long offset, long length, Bool deletes,
                       Atom wanted, Atom *type, int *format, unsigned long *count, unsigned long *rest,
                       unsigned char **data)
{
    (void)display;
    assert_int_equal(window, ROOT);
    assert_int_equal(property, SUPPORTED);
    assert_true(offset == 0 && length >= 1024 && !deletes && wanted == XA_ATOM);
    *type = x.supported_type;
    *format = x.supported_format;
    *count = x.supported_count;
    *rest = 0;
    *data = NULL;
    if (!x.lacks_property) {
        *data = malloc(x.supported_count * sizeof(Atom)); /* as large as it is */
        memcpy(*data, x.supported, x.supported_count * sizeof(Atom));
    }
    return x.property_status;
}

int XFree(void *data)
{
    free(data);
    return 1;
}

int XPending(Display *display)
{
    (void)display;
    return x.event_count;
}

int XNextEvent(Display *display, XEvent *out)
{
    (void)display;
    *out = x.events[--x.event_count];
    return 1;
}

int poll(struct pollfd *descriptors, nfds_t count, int milliseconds)
{
    assert_int_equal(count, 1);
    assert_int_equal(descriptors->fd, 77);
    assert_int_equal(descriptors->events, POLLIN);
    assert_true(milliseconds >= 10 && milliseconds <= 1000);
    x.polls++;
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    assert_null(rest);
    assert_true(time->tv_sec == 0 && time->tv_nsec >= 1000000 && time->tv_nsec < 100000000);
    x.pauses++;
    return 0;
}

/* --- tests ------------------------------------------------------------------------------------------ */

static struct x11_screen screen;
static struct x11_window window;

static void open_screen(bool fullscreen)
{
    x = (struct made_up){.supported_type = XA_ATOM, .supported_format = 32, .property_status = Success};
    log_text[0] = '\0';
    assert_int_equal(x11_screen_open(&screen, fullscreen), 0);
    expect_log("threads\nerrors are caught\n");
    window = (struct x11_window){.id = WINDOW, .colours = COLOURS};
}

static void test_screens(void **state)
{
    (void)state;
    open_screen(true);
    assert_true(screen.fullscreen);
    assert_false(screen.closed);
    assert_int_equal(screen.delete_window, DELETE);
    assert_int_equal(screen.protocols, PROTOCOLS);
    assert_int_equal(screen.state, STATE);
    assert_int_equal(screen.fullscreen_state, FULLSCREEN);
    x.lacks_server = true;
    setenv("DISPLAY", ":5", 1);
    assert_int_equal(x11_screen_open(&screen, false), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "there is no X server at DISPLAY=:5");
    unsetenv("DISPLAY");
    assert_int_equal(x11_screen_open(&screen, false), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "there is no X server at DISPLAY=");
}

static void test_windows(void **state)
{
    static Visual visual;
    const XVisualInfo info = {.visual = &visual, .screen = 1, .depth = 30};
    (void)state;
    open_screen(false);
    window = (struct x11_window){0};
    assert_int_equal(x11_window_open(&screen, &window, &info, 40, 30), 0);
    expect_log("colours of 10, visual 1\nwindow of 10: 40x30, depth 30\nname of 7: trace-cli retrace\n"
               "class of 7: trace-cli, trace-cli\nprotocols of 7: 1000 of 1\n");
    x11_window_close(&screen, &window);
    expect_log("events of 7: 0\n7 ends\ncolours 8 end\n");
    assert_int_equal(window.id, None);
    x.refuses_window = true;
    assert_int_equal(x11_window_open(&screen, &window, &info, 40, 30), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "the X server refuses a window of 40x30");
    assert_non_null(strstr(log_text, "events of 7: 0\n7 ends\ncolours 8 end\n"));
    assert_int_equal(x.errors_begun, 0);
}

static void test_showing(void **state)
{
    (void)state;
    open_screen(false);
    x.questions = 3;
    x11_window_show(&screen, &window);
    expect_log("7 is mapped\n");
    assert_int_equal(x.pauses, 3);
    x.questions = 100000; /* it is never shown */
    x11_window_show(&screen, &window);
    assert_true(x.pauses >= 20 && x.pauses <= 100);
    x.pauses = 0;
    x.lacks_window = true;
    x11_window_show(&screen, &window);
    assert_int_equal(x.pauses, 0);
}

static void test_sizes(void **state)
{
    (void)state;
    open_screen(false);
    log_text[0] = '\0';
    x.width = 40;
    x.height = 30;
    x.questions = 5;
    assert_int_equal(x11_window_resize(&screen, &window, 40, 30), 0);
    expect_log("7: 40x30\n");
    assert_int_equal(x.pauses, 5);
    assert_int_equal(x11_window_resize(&screen, &window, 41, 30), TRACE_ERR_UNSUPPORTED);
    assert_string_equal(trace_error_message(), "the window manager refused a window of 41x30");
    assert_true(x.pauses >= 100 && x.pauses <= 1000);
    assert_int_equal(x11_window_resize(&screen, &window, 40, 31), TRACE_ERR_UNSUPPORTED);
    x.lacks_window = true; /* nobody will see it */
    assert_int_equal(x11_window_resize(&screen, &window, 40, 31), 0);
    log_text[0] = '\0';
    open_screen(true);
    x.questions = 100000;
    assert_int_equal(x11_window_resize(&screen, &window, 40, 31), 0);
    expect_log(""); /* it covers the screen */
}

#define MANAGED   "property 1002 of 7: 1003 of 1\n7 is mapped\n"
#define UNMANAGED "7 is unmanaged: 1\n7: 640x480 at 0,0\n7 is mapped\n"

static void expect_covering(struct made_up manager, const char *log)
{
    open_screen(true);
    x = manager;
    x11_window_show(&screen, &window);
    expect_log(log);
}

/* A manager that can cover the screen is asked to; any other is kept away. */
static void test_covering_the_screen(void **state)
{
    struct made_up m = {.supported_type = XA_ATOM, .supported_format = 32, .property_status = Success};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        struct made_up able = m;
        able.supported_count = 3;
        able.supported[i] = FULLSCREEN;
        expect_covering(able, MANAGED);
        able.supported_count = (unsigned long)i; /* it is behind the end */
        expect_covering(able, UNMANAGED);
    }
    m.supported_count = 1;
    m.supported[0] = FULLSCREEN;
    expect_covering(m, MANAGED);
    m.supported_type = XA_CARDINAL;
    expect_covering(m, UNMANAGED);
    m.supported_type = XA_ATOM;
    m.supported_format = 16;
    expect_covering(m, UNMANAGED);
    m.supported_format = 32;
    m.lacks_property = true;
    expect_covering(m, UNMANAGED);
    m.property_status = BadWindow;
    expect_covering(m, UNMANAGED);
}

static void send(XEvent event)
{
    x.events[x.event_count++] = event;
}

static XEvent message(Atom type, Atom first)
{
    XEvent event = {.xclient = {.type = ClientMessage, .message_type = type}};
    event.xclient.data.l[0] = (long)first;
    return event;
}

static void test_events(void **state)
{
    (void)state;
    open_screen(false);
    assert_true(x11_poll_events(&screen, false));
    assert_int_equal(x.polls, 0);
    assert_int_equal(x.connection_checks, 1);
    assert_true(x11_poll_events(&screen, true));
    assert_int_equal(x.polls, 1);
    send((XEvent){.type = ConfigureNotify});
    send(message(PROTOCOLS, STATE));
    send(message(STATE, DELETE));
    assert_true(x11_poll_events(&screen, true));
    assert_int_equal(x.polls, 1); /* there was something */
    assert_int_equal(x.event_count, 0);
    XEvent other = message(PROTOCOLS, DELETE);
    other.type = ConfigureNotify;
    send(other);
    assert_true(x11_poll_events(&screen, false));
    send((XEvent){.type = ConfigureNotify});
    send(message(PROTOCOLS, DELETE));
    assert_false(x11_poll_events(&screen, false));
    assert_false(x11_poll_events(&screen, false)); /* it stays closed */
    screen.closed = false;
    send((XEvent){.type = DestroyNotify});
    assert_false(x11_poll_events(&screen, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screens),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_showing),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_covering_the_screen),
        cmocka_unit_test(test_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
