/* SPDX-License-Identifier: MIT
 * GLX.
 */
#include <GL/glx.h>
#include <GL/glxext.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "windows/glx_configs.h"
#include "windows/x11_api.h"
#include "windows/x11_errors.h"

enum { MAX_ATTRIBS = 32 };

struct x11_glx {
    struct x11_api base;
    const char *extensions;
    PFNGLXCREATECONTEXTATTRIBSARBPROC create_context; /* NULL: contexts are of any version */
    PFNGLXSWAPINTERVALEXTPROC swap_interval;          /* NULL: GLX cannot do that */
};

static bool has_extension(const struct x11_glx *g, const char *name)
{
    return g->extensions != NULL && strstr(g->extensions, name) != NULL;
}

static int choose_config(struct x11_api *api, const struct context_config *wanted, void **config,
                         XVisualInfo *visual)
{
    GLXFBConfig found;
    struct buffer_config buffers = wanted->buffers;
    bool is_found = glx_find_config(api->display, &buffers, &found, visual);
    if (!is_found && buffers.pbuffers_only) {
        buffers.pbuffers_only = false;
        is_found = glx_find_config(api->display, &buffers, &found, visual);
    }
    if (!is_found)
        return trace_error_set(TRACE_ERR_IO, "GLX has no configuration for windows");
    *config = found;
    return 0;
}

/* --- contexts --------------------------------------------------------------------------------------- */

struct attrib_list {
    int values[MAX_ATTRIBS];
    unsigned count;
};

static void add(struct attrib_list *list, int name, int value)
{
    list->values[list->count++] = name;
    list->values[list->count++] = value;
    list->values[list->count] = None;
}

static void add_flags(struct attrib_list *list, const struct context_config *c, bool robust)
{
    int flags = (c->debug ? GLX_CONTEXT_DEBUG_BIT_ARB : 0) |
                (c->forward_compatible && c->api == CONTEXT_GL && c->major >= 3
                     ? GLX_CONTEXT_FORWARD_COMPATIBLE_BIT_ARB
                     : 0) |
                (robust ? GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB : 0);
    if (flags != 0)
        add(list, GLX_CONTEXT_FLAGS_ARB, flags);
}

/* Versions below 3.2 have no profiles. */
static void add_profile(struct attrib_list *list, const struct context_config *c)
{
    if (c->api == CONTEXT_ES)
        add(list, GLX_CONTEXT_PROFILE_MASK_ARB, GLX_CONTEXT_ES_PROFILE_BIT_EXT);
    else if (c->profile != PROFILE_ANY && 10 * c->major + c->minor >= 32)
        add(list, GLX_CONTEXT_PROFILE_MASK_ARB,
            c->profile == PROFILE_CORE ? GLX_CONTEXT_CORE_PROFILE_BIT_ARB
                                       : GLX_CONTEXT_COMPATIBILITY_PROFILE_BIT_ARB);
}

/* Version 1.0 of OpenGL stands for any. */
static void list_context_attribs(const struct x11_glx *g, struct attrib_list *list,
                                 const struct context_config *c)
{
    bool robust = c->robust || c->lose_on_reset; /* X servers do not list what Mesa supports */
    *list = (struct attrib_list){.values = {None}};
    if (c->major > 1 || (c->major == 1 && (c->minor > 0 || c->api == CONTEXT_ES))) {
        add(list, GLX_CONTEXT_MAJOR_VERSION_ARB, c->major);
        add(list, GLX_CONTEXT_MINOR_VERSION_ARB, c->minor);
    }
    add_flags(list, c, robust);
    add_profile(list, c);
    if (robust)
        add(list, GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB,
            c->lose_on_reset ? GLX_LOSE_CONTEXT_ON_RESET_ARB : GLX_NO_RESET_NOTIFICATION_ARB);
    if (c->no_error && has_extension(g, "GLX_ARB_create_context_no_error"))
        add(list, GLX_CONTEXT_OPENGL_NO_ERROR_ARB, True);
    if (c->release_without_flush && has_extension(g, "GLX_ARB_context_flush_control"))
        add(list, GLX_CONTEXT_RELEASE_BEHAVIOR_ARB, GLX_CONTEXT_RELEASE_BEHAVIOR_NONE_ARB);
}

static GLXContext try_context(const struct x11_glx *g, const struct context_config *wanted, void *config,
                              void *share)
{
    struct attrib_list list;
    if (g->create_context == NULL)
        return wanted->api == CONTEXT_GL
                   ? glXCreateNewContext(g->base.display, config, GLX_RGBA_TYPE, share, True)
                   : NULL;
    list_context_attribs(g, &list, wanted);
    return g->create_context(g->base.display, config, share, True, list.values);
}

static int create_context(struct x11_api *api, void **out, const struct context_config *wanted, void *config,
                          void *share)
{
    x11_errors_begin(api->display);
    GLXContext context = try_context((const struct x11_glx *)api, wanted, config, share);
    x11_errors_end(api->display);
    *out = context;
    return context != NULL
               ? 0
               : trace_error_set(TRACE_ERR_IO, "GLX cannot create an OpenGL%s %d.%d context",
                                 wanted->api == CONTEXT_ES ? " ES" : "", wanted->major, wanted->minor);
}

static void destroy_context(struct x11_api *api, void *context)
{
    glXDestroyContext(api->display, context);
}

/* --- surfaces --------------------------------------------------------------------------------------- */

static int create_surface(struct x11_api *api, uintptr_t *out, void *config, Window window,
                          const struct buffer_config *buffers)
{
    (void)buffers; /* the configuration has them */
    x11_errors_begin(api->display);
    *out = glXCreateWindow(api->display, config, window, NULL);
    return x11_errors_end(api->display) || *out == None
               ? trace_error_set(TRACE_ERR_IO, "GLX cannot draw to a window")
               : 0;
}

static void destroy_surface(struct x11_api *api, uintptr_t surface)
{
    glXDestroyWindow(api->display, surface);
}

static int create_pbuffer(struct x11_api *api, uintptr_t *out, void *config,
                          const struct buffer_config *buffers, int width, int height)
{
    const int attribs[] = {GLX_PBUFFER_WIDTH, width, GLX_PBUFFER_HEIGHT, height, None};
    (void)buffers;
    x11_errors_begin(api->display);
    *out = glXCreatePbuffer(api->display, config, attribs);
    return x11_errors_end(api->display) || *out == None
               ? trace_error_set(TRACE_ERR_IO, "GLX cannot create a pbuffer of %dx%d", width, height)
               : 0;
}

static void destroy_pbuffer(struct x11_api *api, uintptr_t pbuffer)
{
    glXDestroyPbuffer(api->display, pbuffer);
}

static bool make_current(struct x11_api *api, void *context, const struct context_config *wanted,
                         uintptr_t draw, uintptr_t read)
{
    (void)wanted;
    return glXMakeContextCurrent(api->display, draw, read, context);
}

static void release(struct x11_api *api, const struct context_config *wanted)
{
    (void)wanted;
    glXMakeContextCurrent(api->display, None, None, NULL);
}

static void swap_buffers(struct x11_api *api, uintptr_t surface)
{
    glXSwapBuffers(api->display, surface);
}

static void disable_vsync(struct x11_api *api, uintptr_t surface)
{
    const struct x11_glx *g = (const struct x11_glx *)api;
    if (g->swap_interval != NULL)
        g->swap_interval(api->display, surface, 0);
}

/* --- the rest --------------------------------------------------------------------------------------- */

static void (*get_proc(const char *name))(void)
{
    return glXGetProcAddressARB((const GLubyte *)name);
}

static void close_glx(struct x11_api *api)
{
    free(api);
}

static const struct x11_api_ops ops = {
    .close = close_glx,
    .choose_config = choose_config,
    .create_context = create_context,
    .destroy_context = destroy_context,
    .create_surface = create_surface,
    .destroy_surface = destroy_surface,
    .create_pbuffer = create_pbuffer,
    .destroy_pbuffer = destroy_pbuffer,
    .make_current = make_current,
    .release = release,
    .swap_buffers = swap_buffers,
    .disable_vsync = disable_vsync,
    .get_proc = get_proc,
};

int x11_glx_open(struct x11_api **out, Display *display)
{
    if (!glXQueryExtension(display, NULL, NULL))
        return trace_error_set(TRACE_ERR_IO, "there is no GLX on this display");
    struct x11_glx *g = calloc(1, sizeof *g);
    if (g == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the window system");
    g->base = (struct x11_api){.ops = &ops, .display = display};
    g->extensions = glXQueryExtensionsString(display, DefaultScreen(display));
    if (has_extension(g, "GLX_ARB_create_context"))
        g->create_context = (PFNGLXCREATECONTEXTATTRIBSARBPROC)get_proc("glXCreateContextAttribsARB");
    g->base.binds_nothing = g->create_context != NULL;
    if (has_extension(g, "GLX_EXT_swap_control"))
        g->swap_interval = (PFNGLXSWAPINTERVALEXTPROC)get_proc("glXSwapIntervalEXT");
    *out = &g->base;
    return 0;
}
