/* SPDX-License-Identifier: MIT
 * What others do to a window: waits until one with this name is visible, and closes it as a window manager
 * does, destroys it, ends the connection of its program, or prints its size, or what it wants of window
 * managers, or what it shows, as a picture (PPM). usage: x11_other NAME close|destroy|kill|size|state|picture
 * Or says what a window manager can do, as if there were one. usage: x11_other claim ATOM
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ATTEMPTS = 1200, PAUSE_NANOSECONDS = 50000000 };

/* Windows may vanish while they are looked at. */
static int ignore(Display *display, XErrorEvent *event)
{
    (void)display;
    (void)event;
    return 0;
}

static bool is_visible(Display *display, Window window, const char *name)
{
    XWindowAttributes attributes;
    char *found = NULL;
    bool is_it = XFetchName(display, window, &found) != 0 && found != NULL && strcmp(found, name) == 0 &&
                 XGetWindowAttributes(display, window, &attributes) != 0 &&
                 attributes.map_state == IsViewable;
    if (found != NULL)
        XFree(found);
    return is_it;
}

static Window find(Display *display, const char *name)
{
    Window root, parent, *windows = NULL, found = None;
    unsigned count = 0;
    XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &count);
    for (unsigned i = 0; i < count && found == None; ++i)
        if (is_visible(display, windows[i], name))
            found = windows[i];
    if (windows != NULL)
        XFree(windows);
    return found;
}

static void ask_to_close(Display *display, Window window)
{
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = window,
                                .message_type = XInternAtom(display, "WM_PROTOCOLS", False),
                                .format = 32}};
    event.xclient.data.l[0] = (long)XInternAtom(display, "WM_DELETE_WINDOW", False);
    XSendEvent(display, window, False, NoEventMask, &event);
}

static void print_size(Display *display, Window window)
{
    XWindowAttributes a;
    if (XGetWindowAttributes(display, window, &a) != 0)
        printf("%dx%d at %d,%d\n", a.width, a.height, a.x, a.y);
}

static void print_picture(Display *display, Window window)
{
    XWindowAttributes a;
    XImage *image = NULL;
    if (XGetWindowAttributes(display, window, &a) != 0)
        image = XGetImage(display, window, 0, 0, (unsigned)a.width, (unsigned)a.height, AllPlanes, ZPixmap);
    if (image == NULL)
        return;
    printf("P6\n%d %d\n255\n", a.width, a.height);
    for (int i = 0; i < a.width * a.height; ++i) {
        unsigned long pixel = XGetPixel(image, i % a.width, i / a.width);
        putchar((int)(pixel >> 16 & 0xff));
        putchar((int)(pixel >> 8 & 0xff));
        putchar((int)(pixel & 0xff));
    }
    XDestroyImage(image);
}

/* Its states, and whether window managers are to leave it alone. */
static void print_state(Display *display, Window window)
{
    XWindowAttributes attributes;
    Atom type;
    int format;
    unsigned long count = 0, rest;
    unsigned char *data = NULL;
    if (XGetWindowAttributes(display, window, &attributes) != 0 && attributes.override_redirect)
        puts("unmanaged");
    if (XGetWindowProperty(display, window, XInternAtom(display, "_NET_WM_STATE", False), 0, 16, False,
                           XA_ATOM, &type, &format, &count, &rest, &data) != Success)
        return;
    for (unsigned long i = 0; i < count; ++i) {
        char *name = XGetAtomName(display, ((const Atom *)(const void *)data)[i]);
        puts(name);
        XFree(name);
    }
    XFree(data);
}

static void claim(Display *display, const char *ability)
{
    Atom atom = XInternAtom(display, ability, False);
    XChangeProperty(display, DefaultRootWindow(display), XInternAtom(display, "_NET_SUPPORTED", False),
                    XA_ATOM, 32, PropModeReplace, (const unsigned char *)&atom, 1);
    XCloseDisplay(display);
}

int main(int argc, char **argv)
{
    Display *display = XOpenDisplay(NULL);
    Window window = None;
    if (argc != 3 || display == NULL)
        return 2;
    if (strcmp(argv[1], "claim") == 0) {
        claim(display, argv[2]);
        return 0;
    }
    XSetErrorHandler(ignore);
    for (int i = 0; i < ATTEMPTS && window == None; ++i) {
        window = find(display, argv[1]);
        if (window == None)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NANOSECONDS}, NULL);
    }
    if (window == None)
        return 1;
    if (strcmp(argv[2], "close") == 0)
        ask_to_close(display, window);
    else if (strcmp(argv[2], "destroy") == 0)
        XDestroyWindow(display, window);
    else if (strcmp(argv[2], "kill") == 0)
        XKillClient(display, window);
    else if (strcmp(argv[2], "state") == 0)
        print_state(display, window);
    else if (strcmp(argv[2], "picture") == 0)
        print_picture(display, window);
    else
        print_size(display, window);
    XCloseDisplay(display);
    return 0;
}
