/* SPDX-License-Identifier: MIT */
#include "objects/replay_config.h"

#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "base/error.h"

/* Attributes of GLX, whose headers need those of X11. */
enum {
    GLX_HAS_RGBA = 4,
    GLX_HAS_TWO_BUFFERS = 5,
    GLX_IS_STEREO = 6,
    GLX_AUXILIARY = 7,
    GLX_RED = 8,
    GLX_GREEN = 9,
    GLX_BLUE = 10,
    GLX_ALPHA = 11,
    GLX_DEPTH = 12,
    GLX_STENCIL = 13,
    GLX_ACCUM_RED = 14,
    GLX_ACCUM_ALPHA = 17,
    GLX_VISUAL = 0x800b,
    GLX_DRAWABLES = 0x8010,
    GLX_FOR_WINDOWS = 1,
    GLX_SAMPLE_COUNT = 100001,
    GLX_RENDERABLE_TYPE = 0x8011,
    GLX_FLOAT_BIT = 4,
    GLX_SRGB_CAPABLE = 0x20b2,
    GLX_ANY = -1,
};

enum { MAX_BITS = 64 };

/* Visuals have small numbers, and handles are addresses; this keeps them apart. */
#define VISUAL_BIT (UINT64_C(1) << 63)

void replay_configs_fini(struct replay_configs *c)
{
    for (size_t i = 0; i < c->items.cap; ++i)
        if (c->items.slots[i].state == INT_MAP_USED)
            free((void *)(uintptr_t)c->items.slots[i].value);
    int_map_fini(&c->items);
}

const struct buffer_config *replay_configs_find(const struct replay_configs *c, uint64_t handle)
{
    uint64_t value;
    return handle != 0 && int_map_get(&c->items, handle, &value) ? (void *)(uintptr_t)value : NULL;
}

int replay_configs_set(struct replay_configs *c, uint64_t handle, const struct buffer_config *config)
{
    uint64_t value;
    struct buffer_config *item = NULL;
    if (handle == 0)
        return 0;
    if (int_map_get(&c->items, handle, &value))
        item = (void *)(uintptr_t)value;
    else
        item = malloc(sizeof *item);
    if (item == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a configuration");
    *item = *config;
    int rc = int_map_set(&c->items, handle, (uintptr_t)item);
    if (rc != 0)
        free(item);
    return rc;
}

uint64_t replay_visual_handle(const struct trace_value *v)
{
    if (v->type == TRACE_ARRAY && v->element == TRACE_NONE && v->count == 1)
        v = v->u.items;
    if (v->type != TRACE_STRUCT)
        return 0;
    for (uint64_t i = 0; i < v->count; ++i)
        if (strcmp(v->sig.structure->members[i], "visualid") == 0)
            return trace_value_to_uint(&v->u.items[i], 0) | VISUAL_BIT;
    return 0;
}

/* Nobody has more bits; traces are not trusted. */
static int limited(int64_t value)
{
    return value < 0 ? 0 : value > MAX_BITS ? MAX_BITS : (int)value;
}

void replay_config_set_glx(struct buffer_config *config, int64_t attribute, int64_t value)
{
    switch (attribute) {
    case GLX_HAS_TWO_BUFFERS:
        config->single_buffered = value == 0;
        break;
    case GLX_IS_STEREO:
        config->stereo = value == 1;
        break;
    case GLX_AUXILIARY:
        config->auxiliary = limited(value);
        break;
    case GLX_RED:
    case GLX_GREEN:
    case GLX_BLUE:
    case GLX_ALPHA:
        config->colour[attribute - GLX_RED] = limited(value);
        break;
    case GLX_DEPTH:
        config->depth = limited(value);
        config->deepest = false;
        break;
    case GLX_STENCIL:
        config->stencil = limited(value);
        break;
    case GLX_ACCUM_RED:
    case GLX_ACCUM_RED + 1:
    case GLX_ACCUM_RED + 2:
    case GLX_ACCUM_ALPHA:
        config->accumulation[attribute - GLX_ACCUM_RED] = limited(value);
        break;
    case GLX_SAMPLE_COUNT:
        config->samples = limited(value);
        break;
    case GLX_RENDERABLE_TYPE:
        config->is_float = (value & GLX_FLOAT_BIT) != 0;
        break;
    case GLX_VISUAL:
        config->pbuffers_only = value == 0;
        break;
    case GLX_DRAWABLES:
        config->pbuffers_only = (value & GLX_FOR_WINDOWS) == 0;
        break;
    case GLX_SRGB_CAPABLE:
        config->srgb = value == 1;
        break;
    default:
        break;
    }
}

void replay_config_set_egl(struct buffer_config *config, int64_t attribute, int64_t value)
{
    static const struct {
        EGLint egl;
        int glx;
    } sizes[] = {{EGL_RED_SIZE, GLX_RED},        {EGL_GREEN_SIZE, GLX_GREEN}, {EGL_BLUE_SIZE, GLX_BLUE},
                 {EGL_ALPHA_SIZE, GLX_ALPHA},    {EGL_DEPTH_SIZE, GLX_DEPTH}, {EGL_STENCIL_SIZE, GLX_STENCIL},
                 {EGL_SAMPLES, GLX_SAMPLE_COUNT}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        if (sizes[i].egl == attribute)
            replay_config_set_glx(config, sizes[i].glx, value);
    if (attribute == EGL_COLOR_COMPONENT_TYPE_EXT)
        config->is_float = value == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT;
}

/* Drivers give a little more than was asked for. Without depth and stencil buffers, a program that relies on
 * having got them would be replayed wrongly, so only those that it refused are left out. */
static void complete(struct buffer_config *config)
{
    for (unsigned i = 0; i < 3; ++i)
        config->colour[i] = config->colour[i] < 8 ? 8 : config->colour[i];
    for (unsigned i = 0; i < 4; ++i)
        if (config->accumulation[i] > 0 && config->accumulation[i] < 16)
            config->accumulation[i] = 16;
    if (config->colour[3] > 0 && config->colour[3] < 8)
        config->colour[3] = 8;
    if (config->depth > 0 && config->depth < 24)
        config->depth = 24;
    if (config->stencil > 0 && config->stencil < 8)
        config->stencil = 8;
}

/* deepest stays as it is unless the program asks for a depth. */
static const struct buffer_config unasked = {
    .colour = {8, 8, 8, 0}, .depth = 24, .stencil = 8, .deepest = true};

static void want_depth(struct buffer_config *config)
{
    config->deepest = !config->deepest && config->depth > 0;
}

static struct buffer_config read_pairs(const struct trace_value *attribs,
                                       void (*set)(struct buffer_config *, int64_t, int64_t))
{
    struct buffer_config config = unasked;
    for (uint64_t i = 0; attribs->type == TRACE_ARRAY && i + 1 < attribs->count; i += 2) {
        struct trace_value name, value;
        trace_array_get(attribs, i, &name);
        trace_array_get(attribs, i + 1, &value);
        int64_t wanted = trace_value_to_sint(&value, GLX_ANY);
        if (wanted != GLX_ANY)
            set(&config, trace_value_to_sint(&name, 0), wanted);
    }
    complete(&config);
    return config;
}

struct buffer_config replay_config_for_glx(const struct trace_value *attribs)
{
    struct buffer_config config = read_pairs(attribs, replay_config_set_glx);
    want_depth(&config);
    return config;
}

struct buffer_config replay_config_for_egl(const struct trace_value *attribs)
{
    struct buffer_config config = read_pairs(attribs, replay_config_set_egl);
    config.deepest = false;
    return config;
}

struct buffer_config replay_config_for_visual(const struct trace_value *attribs)
{
    struct buffer_config config = unasked;
    config.single_buffered = true; /* unless it is in the list */
    for (uint64_t i = 0; attribs->type == TRACE_ARRAY && i < attribs->count; ++i) {
        struct trace_value item;
        trace_array_get(attribs, i, &item);
        int64_t name = trace_value_to_sint(&item, 0);
        bool is_flag =
            name == 1 || name == GLX_HAS_RGBA || name == GLX_HAS_TWO_BUFFERS || name == GLX_IS_STEREO;
        struct trace_value value = {.type = TRACE_TRUE};
        if (!is_flag && ++i < attribs->count)
            trace_array_get(attribs, i, &value);
        replay_config_set_glx(&config, name, trace_value_to_sint(&value, 0));
    }
    complete(&config);
    want_depth(&config);
    return config;
}
