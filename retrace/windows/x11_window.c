/* SPDX-License-Identifier: MIT */
#include "windows/x11_window.h"

#include <X11/Xatom.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "windows/x11_errors.h"

/* How often, and how long, a window manager is asked for what it has to do. */
enum { ATTEMPTS = 200, SHOW_ATTEMPTS = 40, PAUSE_NANOSECONDS = 5000000, WAIT_MILLISECONDS = 100 };

int x11_screen_open(struct x11_screen *s, bool fullscreen)
{
    const char *name = getenv("DISPLAY");
    XInitThreads(); /* replaying threads share the connection */
    *s = (struct x11_screen){.display = XOpenDisplay(NULL), .fullscreen = fullscreen};
    if (s->display == NULL)
        return trace_error_set(TRACE_ERR_IO, "there is no X server at DISPLAY=%s", name != NULL ? name : "");
    x11_errors_catch(s->display);
    s->delete_window = XInternAtom(s->display, "WM_DELETE_WINDOW", False);
    s->protocols = XInternAtom(s->display, "WM_PROTOCOLS", False);
    s->state = XInternAtom(s->display, "_NET_WM_STATE", False);
    s->fullscreen_state = XInternAtom(s->display, "_NET_WM_STATE_FULLSCREEN", False);
    return 0;
}

/* A window manager that knows how to cover the screen says so in a property of the root window. */
static bool manager_covers_screen(const struct x11_screen *s)
{
    Atom supported = XInternAtom(s->display, "_NET_SUPPORTED", False), type;
    int format;
    unsigned long count = 0, rest;
    unsigned char *data = NULL;
    bool found = false;
    if (XGetWindowProperty(s->display, DefaultRootWindow(s->display), supported, 0, 1024, False, XA_ATOM,
                           &type, &format, &count, &rest, &data) != Success ||
        data == NULL)
        return false;
    for (unsigned long i = 0; type == XA_ATOM && format == 32 && i < count && !found; ++i)
        found = ((const Atom *)(const void *)data)[i] == s->fullscreen_state;
    XFree(data);
    return found;
}

/* Without such a window manager, the window is put there, and none gets in the way. */
static void cover_screen(struct x11_screen *s, Window id)
{
    int screen = DefaultScreen(s->display);
    if (manager_covers_screen(s)) {
        XChangeProperty(s->display, id, s->state, XA_ATOM, 32, PropModeReplace,
                        (const unsigned char *)&s->fullscreen_state, 1);
        return;
    }
    XSetWindowAttributes attributes = {.override_redirect = True};
    XChangeWindowAttributes(s->display, id, CWOverrideRedirect, &attributes);
    XMoveResizeWindow(s->display, id, 0, 0, (unsigned)DisplayWidth(s->display, screen),
                      (unsigned)DisplayHeight(s->display, screen));
}

/* What window managers show, and that they tell when the user closes the window instead of ending us. */
static void describe(struct x11_screen *s, Window id)
{
    static char name[] = "trace-cli retrace", class[] = "trace-cli";
    XClassHint hint = {.res_name = class, .res_class = class};
    XStoreName(s->display, id, name);
    XSetClassHint(s->display, id, &hint);
    XSetWMProtocols(s->display, id, &s->delete_window, 1);
}

int x11_window_open(struct x11_screen *s, struct x11_window *out, const XVisualInfo *visual, int width,
                    int height)
{
    Window root = RootWindow(s->display, visual->screen);
    x11_errors_begin(s->display);
    out->colours = XCreateColormap(s->display, root, visual->visual, AllocNone);
    XSetWindowAttributes attributes = {.colormap = out->colours, .event_mask = StructureNotifyMask};
    out->id =
        XCreateWindow(s->display, root, 0, 0, (unsigned)width, (unsigned)height, 0, visual->depth,
                      InputOutput, visual->visual, CWBorderPixel | CWColormap | CWEventMask, &attributes);
    describe(s, out->id);
    if (!x11_errors_end(s->display))
        return 0;
    x11_errors_begin(s->display); /* neither need exist */
    x11_window_close(s, out);
    x11_errors_end(s->display);
    return trace_error_set(TRACE_ERR_IO, "the X server refuses a window of %dx%d", width, height);
}

/* Nothing is told of its end, which is not the user's doing. */
void x11_window_close(struct x11_screen *s, struct x11_window *w)
{
    XSelectInput(s->display, w->id, NoEventMask);
    XDestroyWindow(s->display, w->id);
    XFreeColormap(s->display, w->colours);
    w->id = None;
}

static void pause_for_manager(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NANOSECONDS}, NULL);
}

void x11_window_show(struct x11_screen *s, const struct x11_window *w)
{
    XWindowAttributes now;
    if (s->fullscreen)
        cover_screen(s, w->id);
    XMapRaised(s->display, w->id);
    for (int i = 0; i < SHOW_ATTEMPTS; ++i) {
        if (!XGetWindowAttributes(s->display, w->id, &now) || now.map_state != IsUnmapped)
            break;
        pause_for_manager();
    }
}

int x11_window_resize(struct x11_screen *s, const struct x11_window *w, int width, int height)
{
    XWindowAttributes now;
    if (s->fullscreen)
        return 0;
    XResizeWindow(s->display, w->id, (unsigned)width, (unsigned)height);
    for (int i = 0; i < ATTEMPTS; ++i) {
        if (!XGetWindowAttributes(s->display, w->id, &now) || (now.width == width && now.height == height))
            return 0;
        pause_for_manager();
    }
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "the window manager refused a window of %dx%d", width,
                           height);
}

static void wait_for_event(const struct x11_screen *s)
{
    struct pollfd connection = {.fd = ConnectionNumber(s->display), .events = POLLIN};
    poll(&connection, 1, WAIT_MILLISECONDS); /* a signal ends it, too */
}

/* A window manager asks for it. */
static bool wants_to_close(const struct x11_screen *s, const XEvent *event)
{
    return event->type == ClientMessage && event->xclient.message_type == s->protocols &&
           (Atom)event->xclient.data.l[0] == s->delete_window;
}

bool x11_poll_events(struct x11_screen *s, bool wait)
{
    XEvent event;
    x11_errors_check_connection();
    if (wait && XPending(s->display) == 0)
        wait_for_event(s);
    while (XPending(s->display) > 0) {
        XNextEvent(s->display, &event);
        s->closed |= event.type == DestroyNotify || wants_to_close(s, &event);
    }
    return !s->closed;
}
