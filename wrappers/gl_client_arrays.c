/* SPDX-License-Identifier: MIT
 * Vertex arrays in client memory: follows gl*Pointer and the states around it. The memory is only read by
 * draws (gl_client_draws.c), so that is when it is recorded.
 */
#include "capture_hooks.h"
#include "gl_enums.h"

#include <string.h>

static uint32_t component_size(uint32_t type)
{
    switch (type) {
    case SPEC_GL_BYTE:
    case SPEC_GL_UNSIGNED_BYTE:
        return 1;
    case SPEC_GL_SHORT:
    case SPEC_GL_UNSIGNED_SHORT:
    case SPEC_GL_HALF_FLOAT:
    case SPEC_GL_HALF_FLOAT_OES:
        return 2;
    case SPEC_GL_DOUBLE:
    case SPEC_GL_INT64:
    case SPEC_GL_UNSIGNED_INT64:
        return 8;
    default:
        return 4;
    }
}

static uint32_t element_size(uint32_t components, uint32_t type)
{
    switch (type) {
    case SPEC_GL_UNSIGNED_INT_2_10_10_10_REV:
    case SPEC_GL_INT_2_10_10_10_REV:
    case SPEC_GL_UNSIGNED_INT_10F_11F_11F_REV:
        return 4; /* all components in one word */
    default:
        return (components == SPEC_GL_BGRA ? 4 : components) * component_size(type);
    }
}

static bool find_parameter(const struct spec_function *f, const char *name, unsigned *index)
{
    for (unsigned i = 0; i < f->param_count; ++i) {
        if (strcmp(f->params[i].name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static uint32_t argument(const struct spec_function *f, const union spec_arg *args, const char *name,
                         uint32_t otherwise)
{
    unsigned i;
    return find_parameter(f, name, &i) ? (uint32_t)args[i].u : otherwise;
}

/* components: for calls without a size argument. */
static void set_pointer(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        unsigned array, uint32_t components, uint32_t type)
{
    struct gl_vertex_array *arrays = t->context->arrays;
    unsigned pointer;
    if (array >= GL_ARRAY_COUNT || !find_parameter(f, "pointer", &pointer))
        return;
    struct gl_array_pointer *p = &arrays->arrays[array];
    p->function = f->id;
    p->parameter = (uint8_t)pointer;
    p->element = element_size(argument(f, args, "size", components), argument(f, args, "type", type));
    p->stride = argument(f, args, "stride", 0);
    if (p->stride == 0)
        p->stride = p->element;
    for (unsigned i = 0; i < f->param_count && i < sizeof p->arguments / sizeof p->arguments[0]; ++i)
        p->arguments[i] = args[i];
    uint64_t bit = (uint64_t)1 << array;
    if (t->context->sizes.array_buffer || args[pointer].p == NULL)
        arrays->in_memory &= ~bit;
    else
        arrays->in_memory |= bit;
}

DEFINE_HOOK(vertex_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_VERTEX, 4, SPEC_GL_FLOAT);
}

DEFINE_HOOK(normal_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_NORMAL, 3, SPEC_GL_FLOAT);
}

DEFINE_HOOK(color_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_COLOR, 4, SPEC_GL_FLOAT);
}

DEFINE_HOOK(secondary_color_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_SECONDARY_COLOR, 3, SPEC_GL_FLOAT);
}

DEFINE_HOOK(index_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_INDEX, 1, SPEC_GL_FLOAT);
}

DEFINE_HOOK(edge_flag_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_EDGE_FLAG, 1, SPEC_GL_UNSIGNED_BYTE);
}

DEFINE_HOOK(fog_coord_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_pointer(t, f, args, GL_ARRAY_FOG_COORD, 1, SPEC_GL_FLOAT);
}

DEFINE_HOOK(tex_coord_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (t->context->active_texture < GL_TEXTURE_ARRAYS)
        set_pointer(t, f, args, GL_ARRAY_TEXTURE_0 + t->context->active_texture, 4, SPEC_GL_FLOAT);
}

/* glVertexAttrib*Pointer(index, …) */
DEFINE_HOOK(attrib_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].u < GL_GENERIC_ARRAYS)
        set_pointer(t, f, args, GL_ARRAY_GENERIC_0 + (unsigned)args[0].u, 4, SPEC_GL_FLOAT);
}

static void enable_array(struct gl_context *c, unsigned array, bool enable)
{
    if (array >= GL_ARRAY_COUNT)
        return;
    uint64_t bit = (uint64_t)1 << array;
    if (enable)
        c->arrays->enabled |= bit;
    else
        c->arrays->enabled &= ~bit;
}

static unsigned array_of_client_state(const struct gl_context *c, uint32_t state)
{
    switch (state) {
    case SPEC_GL_VERTEX_ARRAY:
        return GL_ARRAY_VERTEX;
    case SPEC_GL_NORMAL_ARRAY:
        return GL_ARRAY_NORMAL;
    case SPEC_GL_COLOR_ARRAY:
        return GL_ARRAY_COLOR;
    case SPEC_GL_SECONDARY_COLOR_ARRAY:
        return GL_ARRAY_SECONDARY_COLOR;
    case SPEC_GL_INDEX_ARRAY:
        return GL_ARRAY_INDEX;
    case SPEC_GL_EDGE_FLAG_ARRAY:
        return GL_ARRAY_EDGE_FLAG;
    case SPEC_GL_FOG_COORD_ARRAY:
        return GL_ARRAY_FOG_COORD;
    case SPEC_GL_TEXTURE_COORD_ARRAY:
        return c->active_texture < GL_TEXTURE_ARRAYS ? GL_ARRAY_TEXTURE_0 + c->active_texture
                                                     : GL_ARRAY_COUNT;
    default:
        return GL_ARRAY_COUNT;
    }
}

static void set_client_state(struct gl_context *c, uint32_t state, bool enable)
{
    if (state == SPEC_GL_PRIMITIVE_RESTART_NV)
        c->primitive_restart = enable;
    else
        enable_array(c, array_of_client_state(c, state), enable);
}

DEFINE_HOOK(enable_client_state)
{
    UNUSED_HOOK_ARGUMENTS;
    set_client_state(t->context, (uint32_t)args[0].u, true);
}

DEFINE_HOOK(disable_client_state)
{
    UNUSED_HOOK_ARGUMENTS;
    set_client_state(t->context, (uint32_t)args[0].u, false);
}

DEFINE_HOOK(enable_attrib)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].u < GL_GENERIC_ARRAYS)
        enable_array(t->context, GL_ARRAY_GENERIC_0 + (unsigned)args[0].u, true);
}

DEFINE_HOOK(disable_attrib)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].u < GL_GENERIC_ARRAYS)
        enable_array(t->context, GL_ARRAY_GENERIC_0 + (unsigned)args[0].u, false);
}

DEFINE_HOOK(attrib_divisor)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].u < GL_GENERIC_ARRAYS)
        t->context->arrays->arrays[GL_ARRAY_GENERIC_0 + args[0].u].divisor = (uint32_t)args[1].u;
}

DEFINE_HOOK(client_active_texture)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->active_texture = (uint32_t)args[0].u - SPEC_GL_TEXTURE0;
}

static void set_capability(struct gl_context *c, uint32_t capability, bool enable)
{
    if (capability == SPEC_GL_PRIMITIVE_RESTART)
        c->primitive_restart = enable;
    else if (capability == SPEC_GL_PRIMITIVE_RESTART_FIXED_INDEX)
        c->primitive_restart_fixed = enable;
}

DEFINE_HOOK(enable)
{
    UNUSED_HOOK_ARGUMENTS;
    set_capability(t->context, (uint32_t)args[0].u, true);
}

DEFINE_HOOK(disable)
{
    UNUSED_HOOK_ARGUMENTS;
    set_capability(t->context, (uint32_t)args[0].u, false);
}

DEFINE_HOOK(restart_index)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->restart_index = (uint32_t)args[0].u;
}

DEFINE_HOOK(lock_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->locked_count = args[0].i >= 0 && args[1].i > 0 ? (uint32_t)(args[0].i + args[1].i) : 0;
}

DEFINE_HOOK(unlock_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->locked_count = 0;
}

/* One interleaved format (OpenGL 4.6 compatibility profile, table 10.6): components, 0 for an array that it
 * does not have, and offsets in bytes. */
struct interleaved_format {
    uint8_t texture, color, normal, vertex;
    bool byte_color;
    uint8_t color_at, normal_at, vertex_at, stride;
};

static const struct interleaved_format interleaved_formats[] = {
    {0, 0, 0, 2, false, 0, 0, 0, 8},     /* GL_V2F */
    {0, 0, 0, 3, false, 0, 0, 0, 12},    /* GL_V3F */
    {0, 4, 0, 2, true, 0, 0, 4, 12},     /* GL_C4UB_V2F */
    {0, 4, 0, 3, true, 0, 0, 4, 16},     /* GL_C4UB_V3F */
    {0, 3, 0, 3, false, 0, 0, 12, 24},   /* GL_C3F_V3F */
    {0, 0, 3, 3, false, 0, 0, 12, 24},   /* GL_N3F_V3F */
    {0, 4, 3, 3, false, 0, 16, 28, 40},  /* GL_C4F_N3F_V3F */
    {2, 0, 0, 3, false, 0, 0, 8, 20},    /* GL_T2F_V3F */
    {4, 0, 0, 4, false, 0, 0, 16, 32},   /* GL_T4F_V4F */
    {2, 4, 0, 3, true, 8, 0, 12, 24},    /* GL_T2F_C4UB_V3F */
    {2, 3, 0, 3, false, 8, 0, 20, 32},   /* GL_T2F_C3F_V3F */
    {2, 0, 3, 3, false, 0, 8, 20, 32},   /* GL_T2F_N3F_V3F */
    {2, 4, 3, 3, false, 8, 24, 36, 48},  /* GL_T2F_C4F_N3F_V3F */
    {4, 4, 3, 4, false, 16, 32, 44, 60}, /* GL_T4F_C4F_N3F_V4F */
};

#define GL_V2F 0x2A20 /* the first of the formats, which are numbered in the table's order */

static void set_interleaved(struct capture_thread *t, unsigned array, uint32_t function, uint32_t components,
                            uint32_t type, int32_t stride, const uint8_t *pointer)
{
    enable_array(t->context, array, components != 0);
    if (components == 0)
        return;
    const struct spec_function *f = &spec_functions[function];
    const union spec_arg with_size[4] = {
        {.u = components}, {.u = type}, {.i = stride}, {.p = (void *)pointer}};
    set_pointer(t, f, with_size + (f->param_count == 3), array, components, type);
}

/* glInterleavedArrays(format, stride, pointer) */
DEFINE_HOOK(interleaved_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    uint64_t index = args[0].u - GL_V2F;
    if (index >= sizeof interleaved_formats / sizeof interleaved_formats[0])
        return;
    const struct interleaved_format *i = &interleaved_formats[index];
    int32_t stride = args[1].i != 0 ? (int32_t)args[1].i : i->stride;
    const uint8_t *p = args[2].p;
    unsigned texture = t->context->active_texture < GL_TEXTURE_ARRAYS ? t->context->active_texture : 0;
    set_interleaved(t, GL_ARRAY_TEXTURE_0 + texture, SPEC_FN_glTexCoordPointer, i->texture, SPEC_GL_FLOAT,
                    stride, p);
    set_interleaved(t, GL_ARRAY_COLOR, SPEC_FN_glColorPointer, i->color,
                    i->byte_color ? SPEC_GL_UNSIGNED_BYTE : SPEC_GL_FLOAT, stride, p + i->color_at);
    set_interleaved(t, GL_ARRAY_NORMAL, SPEC_FN_glNormalPointer, i->normal, SPEC_GL_FLOAT, stride,
                    p + i->normal_at);
    set_interleaved(t, GL_ARRAY_VERTEX, SPEC_FN_glVertexPointer, i->vertex, SPEC_GL_FLOAT, stride,
                    p + i->vertex_at);
    enable_array(t->context, GL_ARRAY_EDGE_FLAG, false);
    enable_array(t->context, GL_ARRAY_INDEX, false);
}
