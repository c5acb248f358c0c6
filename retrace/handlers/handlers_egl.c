/* SPDX-License-Identifier: MIT
 * EGL: contexts, surfaces, swaps. Displays are not needed.
 */
#include "handlers/handlers.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "objects/replay_context.h"
#include "objects/replay_drawable.h"
#include "call/replay_values.h"

int handle_egl_bind_api(struct replayer *r, struct replay_call *c)
{
    if (trace_value_to_uint(&c->call->ret, 1) != 0)
        r->thread->egl_api = (unsigned)replay_arg_uint(c, 0, EGL_OPENGL_ES_API);
    return 0;
}

static bool loses_on_reset(const struct trace_value *attribs)
{
    int64_t strategy = replay_attrib(attribs, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, 0);
    return replay_attrib(attribs, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, strategy) ==
           EGL_LOSE_CONTEXT_ON_RESET;
}

int handle_egl_create_context(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    const struct trace_value *attribs = replay_arg(c, 3);
    int64_t flags = replay_attrib(attribs, EGL_CONTEXT_FLAGS_KHR, 0);
    bool desktop = r->thread->egl_api == EGL_OPENGL_API;
    const struct buffer_config *buffers = replay_buffers(r, c, 1);
    struct context_config config = {
        .api = desktop ? CONTEXT_GL : CONTEXT_ES,
        .through_egl = true,
        .major = replay_attrib_version(attribs, EGL_CONTEXT_MAJOR_VERSION, 1),
        .minor = replay_attrib_version(attribs, EGL_CONTEXT_MINOR_VERSION, 0),
        .debug = replay_attrib(attribs, EGL_CONTEXT_OPENGL_DEBUG, 0) != 0 ||
                 (flags & EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR) != 0,
        .forward_compatible = replay_attrib(attribs, EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, 0) != 0 ||
                              (flags & EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR) != 0,
        .robust = replay_attrib(attribs, EGL_CONTEXT_OPENGL_ROBUST_ACCESS, 0) != 0 ||
                  replay_attrib(attribs, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT, 0) != 0 ||
                  (flags & EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR) != 0,
        .lose_on_reset = loses_on_reset(attribs),
        .no_error = replay_attrib(attribs, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, 0) != 0,
        .release_without_flush =
            replay_attrib(attribs, EGL_CONTEXT_RELEASE_BEHAVIOR_KHR,
                          EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR) == EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR,
        .buffers = buffers != NULL ? *buffers : default_buffers,
    };
    if (traced == 0)
        return 0;
    if (desktop && 10 * config.major + config.minor >= 32) {
        int64_t profile =
            replay_attrib(attribs, EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT);
        config.profile =
            (profile & EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT) != 0 ? PROFILE_CORE : PROFILE_COMPATIBILITY;
    }
    return replay_context_create(r, traced, &config, replay_arg_uint(c, 2, 0));
}

int handle_egl_destroy_context(struct replayer *r, struct replay_call *c)
{
    replay_context_delete(r, replay_arg_uint(c, 1, 0));
    return 0;
}

/* Some properties of the buffers are attributes of the surface, in argument `list`. */
static int create_surface(struct replayer *r, struct replay_call *c, uint64_t traced, unsigned list,
                          int width, int height)
{
    const struct trace_value *attribs = replay_arg(c, list);
    const struct buffer_config *known = replay_buffers(r, c, 1);
    struct buffer_config buffers = known != NULL ? *known : default_buffers;
    buffers.srgb = replay_attrib(attribs, EGL_GL_COLORSPACE, 0) == EGL_GL_COLORSPACE_SRGB;
    buffers.single_buffered = replay_attrib(attribs, EGL_RENDER_BUFFER, 0) == EGL_SINGLE_BUFFER;
    bool is_known = known != NULL || buffers.srgb || buffers.single_buffered;
    return replay_drawable_create(r, traced, is_known ? &buffers : NULL, width, height);
}

/* Windows and pixmaps: the size is found out when something is drawn. */
int handle_egl_create_surface(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    return traced != 0 ? create_surface(r, c, traced, 3, 0, 0) : 0;
}

int handle_egl_create_pbuffer(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    const struct trace_value *attribs = replay_arg(c, 2);
    if (traced == 0)
        return 0;
    struct replay_drawable *surface;
    int rc = create_surface(r, c, traced, 2, (int)replay_attrib(attribs, EGL_WIDTH, 0),
                            (int)replay_attrib(attribs, EGL_HEIGHT, 0));
    if (rc == 0)
        rc = replay_drawable_find(r, traced, &surface);
    if (rc == 0 && surface != NULL)
        surface->keeps_swapped = true; /* the window that stands for it would lose its picture */
    return rc;
}

int handle_egl_destroy_surface(struct replayer *r, struct replay_call *c)
{
    replay_drawable_delete(r, replay_arg_uint(c, 1, 0));
    return 0;
}

int handle_egl_make_current(struct replayer *r, struct replay_call *c)
{
    if (trace_value_to_uint(&c->call->ret, 1) == 0 && !r->options->ignore_results)
        return 0;
    return replay_make_current(r, replay_arg_uint(c, 3, 0), replay_arg_uint(c, 1, 0),
                               replay_arg_uint(c, 2, 0));
}

int handle_egl_release_thread(struct replayer *r, struct replay_call *c)
{
    (void)c;
    r->thread->egl_api = 0;
    return replay_make_current(r, 0, 0, 0);
}

int handle_egl_swap_buffers(struct replayer *r, struct replay_call *c)
{
    replay_swap_buffers(r, replay_arg_uint(c, 1, 0));
    return 0;
}

/* The program has asked for a size. */
int handle_egl_query_surface(struct replayer *r, struct replay_call *c)
{
    uint64_t attribute = replay_arg_uint(c, 2, 0), traced = replay_arg_uint(c, 1, 0);
    int64_t value = replay_output(c, 3, 0);
    if (trace_value_to_uint(&c->call->ret, 1) != 0 && (attribute == EGL_WIDTH || attribute == EGL_HEIGHT))
        replay_drawable_set_size(r, traced, attribute == EGL_WIDTH ? value : 0,
                                 attribute == EGL_HEIGHT ? value : 0);
    return 0;
}
