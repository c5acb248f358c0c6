/* SPDX-License-Identifier: MIT
 * Passes attribute lists that are unreadable, or have no terminator, to EGL calls that fail for another
 * reason.
 *
 * expect: eglChooseConfig\(dpy = NULL, attrib_list = \{\}, configs = .*\) = EGL_FALSE
 * expect: eglCreateContext\(dpy = NULL, .* attrib_list = \{\}\) = NULL
 * expect: eglCreatePbufferSurface\(dpy = NULL, .* attrib_list = \{\}\) = NULL
 * expect: eglCreateImage\(dpy = NULL, .* attrib_list = \{\}\) = NULL
 * expect: eglTerminate
 */
#include "guarded.h"

#include <EGL/egl.h>
#include <stdio.h>

static void say(const char *what, int result)
{
    printf("%s: %d, 0x%04x\n", what, result, (unsigned)eglGetError());
}

static void try_list(const EGLint *list, const EGLAttrib *attribs, void *nowhere)
{
    say("eglChooseConfig", (int)eglChooseConfig(NULL, list, nowhere, 1 << 30, nowhere));
    say("eglCreateContext", eglCreateContext(NULL, NULL, NULL, list) != NULL);
    say("eglCreatePbufferSurface", eglCreatePbufferSurface(NULL, NULL, list) != NULL);
    say("eglCreateWindowSurface", eglCreateWindowSurface(NULL, NULL, 0, list) != NULL);
    say("eglCreateImage", eglCreateImage(NULL, NULL, 0xbad, NULL, attribs) != NULL);
    say("eglCreateSync", eglCreateSync(NULL, 0xbad, attribs) != NULL);
    say("eglGetPlatformDisplay", eglGetPlatformDisplay(0xbad, nowhere, attribs) != NULL);
}

int main(void)
{
    void *nowhere = guarded_behind();
    EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (!eglInitialize(display, NULL, NULL)) {
        fprintf(stderr, "no EGL\n");
        return 99;
    }
    try_list(nowhere, nowhere, nowhere);
    EGLint *list = guarded_room(1000 * sizeof *list);
    EGLAttrib *attribs = guarded_room(1000 * sizeof *attribs);
    for (int i = 0; i < 1000; ++i)
        attribs[i] = list[i] = EGL_RED_SIZE;
    try_list(list, attribs, nowhere);
    say("eglInitialize", (int)eglInitialize(NULL, nowhere, nowhere));
    say("eglGetConfigs", (int)eglGetConfigs(NULL, nowhere, 1 << 30, nowhere));
    say("eglGetConfigAttrib", (int)eglGetConfigAttrib(NULL, NULL, 0, nowhere));
    say("eglQuerySurface", (int)eglQuerySurface(display, NULL, EGL_WIDTH, nowhere));
    say("eglTerminate", (int)eglTerminate(display));
    return 0;
}
