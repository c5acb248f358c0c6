/* SPDX-License-Identifier: MIT
 * GLX: contexts, drawables, swaps. Displays are not needed.
 */
#include "handlers/handlers.h"

#include <stddef.h>

#include "objects/replay_context.h"
#include "objects/replay_drawable.h"
#include "call/replay_values.h"

/* Attributes of GLX_ARB_create_context, its profiles, and pbuffers. */
enum {
    CONTEXT_MAJOR_VERSION = 0x2091,
    CONTEXT_MINOR_VERSION = 0x2092,
    CONTEXT_FLAGS = 0x2094,
    CONTEXT_PROFILE_MASK = 0x9126,
    CONTEXT_RESET_NOTIFICATION_STRATEGY = 0x8256,
    CONTEXT_NO_ERROR = 0x31B3,
    CONTEXT_RELEASE_BEHAVIOR = 0x2097,
    RELEASE_FLUSH = 0x2098,
    LOSE_CONTEXT_ON_RESET = 0x8252,
    FLAG_DEBUG = 1,
    FLAG_FORWARD_COMPATIBLE = 2,
    FLAG_ROBUST = 4,
    PROFILE_BIT_CORE = 1,
    PROFILE_BIT_COMPATIBILITY = 2,
    PROFILE_BIT_ES = 4,
    PBUFFER_HEIGHT = 0x8040,
    PBUFFER_WIDTH = 0x8041,
    DRAWABLE_WIDTH = 0x801D,
    DRAWABLE_HEIGHT = 0x801E,
};

/* Creates the context that the call returned. It shares objects with argument `share`. Does nothing if the
 * call failed in the trace. */
static int create_context(struct replayer *r, struct replay_call *c, struct context_config *config,
                          unsigned share)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    if (traced == 0)
        return 0;
    const struct buffer_config *buffers = replay_buffers(r, c, 1);
    config->buffers = buffers != NULL ? *buffers : default_buffers;
    return replay_context_create(r, traced, config, replay_arg_uint(c, share, 0));
}

int handle_glx_create_context(struct replayer *r, struct replay_call *c)
{
    struct context_config config = {0};
    return create_context(r, c, &config, 2);
}

int handle_glx_create_new_context(struct replayer *r, struct replay_call *c)
{
    struct context_config config = {0};
    return create_context(r, c, &config, 3);
}

int handle_glx_create_context_attribs(struct replayer *r, struct replay_call *c)
{
    const struct trace_value *attribs = replay_arg(c, 4);
    int64_t flags = replay_attrib(attribs, CONTEXT_FLAGS, 0);
    int64_t profile = replay_attrib(attribs, CONTEXT_PROFILE_MASK, 0);
    struct context_config config = {
        .api = (profile & PROFILE_BIT_ES) != 0 ? CONTEXT_ES : CONTEXT_GL,
        .major = replay_attrib_version(attribs, CONTEXT_MAJOR_VERSION, 1),
        .minor = replay_attrib_version(attribs, CONTEXT_MINOR_VERSION, 0),
        .debug = (flags & FLAG_DEBUG) != 0,
        .forward_compatible = (flags & FLAG_FORWARD_COMPATIBLE) != 0,
        .robust = (flags & FLAG_ROBUST) != 0,
        .lose_on_reset =
            replay_attrib(attribs, CONTEXT_RESET_NOTIFICATION_STRATEGY, 0) == LOSE_CONTEXT_ON_RESET,
        .no_error = replay_attrib(attribs, CONTEXT_NO_ERROR, 0) != 0,
        .release_without_flush = replay_attrib(attribs, CONTEXT_RELEASE_BEHAVIOR, RELEASE_FLUSH) == 0,
    };
    if (config.api == CONTEXT_GL && 10 * config.major + config.minor >= 32)
        config.profile = (profile & PROFILE_BIT_COMPATIBILITY) != 0 ? PROFILE_COMPATIBILITY : PROFILE_CORE;
    return create_context(r, c, &config, 2);
}

int handle_glx_destroy_context(struct replayer *r, struct replay_call *c)
{
    replay_context_delete(r, replay_arg_uint(c, 1, 0));
    return 0;
}

/* A binding that failed in the trace is not attempted. */
static bool succeeded(const struct replayer *r, const struct replay_call *c)
{
    return r->options->ignore_results || trace_value_to_uint(&c->call->ret, 1) != 0;
}

int handle_glx_make_current(struct replayer *r, struct replay_call *c)
{
    uint64_t drawable = replay_arg_uint(c, 1, 0);
    return succeeded(r, c) ? replay_make_current(r, replay_arg_uint(c, 2, 0), drawable, drawable) : 0;
}

int handle_glx_make_context_current(struct replayer *r, struct replay_call *c)
{
    if (!succeeded(r, c))
        return 0;
    return replay_make_current(r, replay_arg_uint(c, 3, 0), replay_arg_uint(c, 1, 0),
                               replay_arg_uint(c, 2, 0));
}

int handle_glx_swap_buffers(struct replayer *r, struct replay_call *c)
{
    replay_swap_buffers(r, replay_arg_uint(c, 1, 0));
    return 0;
}

/* Windows and pixmaps: the size is found out when something is drawn. */
int handle_glx_create_drawable(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    return traced != 0 ? replay_drawable_create(r, traced, replay_buffers(r, c, 1), 0, 0) : 0;
}

int handle_glx_create_pbuffer(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    const struct trace_value *attribs = replay_arg(c, 2);
    return traced != 0 ? replay_drawable_create(r, traced, replay_buffers(r, c, 1),
                                                (int)replay_attrib(attribs, PBUFFER_WIDTH, 0),
                                                (int)replay_attrib(attribs, PBUFFER_HEIGHT, 0))
                       : 0;
}

int handle_glx_create_pbuffer_sgix(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    return traced != 0 ? replay_drawable_create(r, traced, replay_buffers(r, c, 1),
                                                (int)replay_arg_sint(c, 2, 0), (int)replay_arg_sint(c, 3, 0))
                       : 0;
}

int handle_glx_destroy_drawable(struct replayer *r, struct replay_call *c)
{
    replay_drawable_delete(r, replay_arg_uint(c, 1, 0));
    return 0;
}

/* The program has asked for a size, or the tracer has. */
int handle_glx_query_drawable(struct replayer *r, struct replay_call *c)
{
    uint64_t attribute = replay_arg_uint(c, 2, 0), traced = replay_arg_uint(c, 1, 0);
    int64_t value = replay_output(c, 3, 0);
    if (attribute == DRAWABLE_WIDTH || attribute == DRAWABLE_HEIGHT)
        replay_drawable_set_size(r, traced, attribute == DRAWABLE_WIDTH ? value : 0,
                                 attribute == DRAWABLE_HEIGHT ? value : 0);
    if ((c->call->flags & TRACE_CALL_FAKE) != 0)
        replay_drawable_tell(r, traced);
    return 0;
}
