/* SPDX-License-Identifier: MIT */
#include "stub_glx.h"

#include "windows/x11_errors.h"

#include <GL/glxext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct glx_config usual = {24, 24, GLX_WINDOW_BIT, GLX_RGBA_BIT};

struct stub_glx glx;

struct _XDisplay glx_connection;
static Screen screens[3];

Display *glx_reset(void)
{
    memset(&glx, 0, sizeof glx);
    for (int i = 0; i < CONFIGS; ++i)
        glx.configs[i] = usual;
    glx.count = glx.chosen = 1;
    glx.extensions = "GLX_ARB_create_context GLX_EXT_swap_control";
    glx_connection.default_screen = 2;
    glx_connection.screens = screens;
    return &glx_connection;
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
    assert_ptr_equal(display, &glx_connection);
    note("begin\n");
}

bool x11_errors_end(Display *display)
{
    assert_ptr_equal(display, &glx_connection);
    note("end\n");
    return glx.has_error;
}

/* Configurations are numbers from 1 on. */
static GLXFBConfig *list_configs(int screen, int count, int *out, bool is_there)
{
    *out = CONFIGS; /* also without a list */
    if (!is_there)
        return NULL;
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
    return list_configs(screen, glx.chosen, count, !glx.chooses_none);
}

GLXFBConfig *glXGetFBConfigs(Display *display, int screen, int *count)
{
    (void)display;
    note("all\n");
    return list_configs(screen, glx.count, count, !glx.has_none);
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
    glx.asked++;
    if (attribute == SRGB) { /* what this one does not know is not told */
        *value = True;
        return GLX_BAD_ATTRIBUTE;
    }
    *value = value_of(&glx.configs[(uintptr_t)config - 1], attribute);
    if (attribute == glx.other && (uintptr_t)config == 1)
        *value ^= attribute == GLX_RENDER_TYPE ? GLX_RGBA_FLOAT_BIT_ARB : 1;
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
    assert_int_not_equal(attribute, GLX_DRAWABLE_TYPE);
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

const char glx_context = 'c';

static GLXContext create_context(Display *display, GLXFBConfig config, GLXContext share, Bool direct,
                                 const int *attribs)
{
    (void)display;
    note("config %d, share %d, direct %d:", (int)(uintptr_t)config, share != NULL, direct);
    note_list(attribs, true);
    return glx.refuses ? NULL : (GLXContext)(uintptr_t)&glx_context;
}

GLXContext glXCreateNewContext(Display *display, GLXFBConfig config, int type, GLXContext share, Bool direct)
{
    (void)display;
    note("old context of type %#x, config %d, share %d, direct %d\n", type, (int)(uintptr_t)config,
         share != NULL, direct);
    return glx.refuses ? NULL : (GLXContext)(uintptr_t)&glx_context;
}

void glx_swap_interval(Display *display, GLXDrawable drawable, int interval)
{
    (void)display;
    note("interval of %d: %d\n", (int)drawable, interval);
}

void (*glXGetProcAddressARB(const GLubyte *name))(void)
{
    if (strcmp((const char *)name, "glXCreateContextAttribsARB") == 0)
        return (void (*)(void))create_context;
    if (strcmp((const char *)name, "glXSwapIntervalEXT") == 0)
        return (void (*)(void))glx_swap_interval;
    return NULL;
}

void glXDestroyContext(Display *display, GLXContext context)
{
    (void)display;
    assert_ptr_equal(context, &glx_context);
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

GLXPbuffer glXCreatePbuffer(Display *display, GLXFBConfig config, const int *attribs)
{
    (void)display;
    note("pbuffer of config %d:", (int)(uintptr_t)config);
    note_list(attribs, true);
    return glx.refuses ? None : 200;
}

void glXDestroyPbuffer(Display *display, GLXPbuffer pbuffer)
{
    (void)display;
    note("destroy pbuffer %d\n", (int)pbuffer);
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
