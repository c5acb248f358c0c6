/* SPDX-License-Identifier: MIT
 * Draws from client memory: before such a draw, fake gl*Pointer calls record the part of each array that it
 * reads.
 */
#include "capture_hooks.h"
#include "capture_process.h"
#include "gl_enums.h"

#include <stdlib.h>
#include <string.h>

/* What a draw reads: vertices [0, vertices), instances [0, instances). */
struct draw_range {
    uint64_t vertices;
    uint64_t instances;
};

static uint64_t client_arrays(const struct gl_context *c)
{
    return c->arrays->enabled & c->arrays->in_memory;
}

static void fake_bind_array_buffer(struct capture_thread *t, uint32_t buffer)
{
    const union spec_arg args[2] = {{.u = SPEC_GL_ARRAY_BUFFER}, {.u = buffer}};
    capture_fake_call(t, SPEC_FN_glBindBuffer, args);
}

static void fake_client_active_texture(struct capture_thread *t, uint32_t unit)
{
    const union spec_arg args[1] = {{.u = SPEC_GL_TEXTURE0 + unit}};
    capture_fake_call(t, SPEC_FN_glClientActiveTexture, args);
}

static void record_array(struct capture_thread *t, const struct gl_array_pointer *p,
                         const struct draw_range *range)
{
    uint64_t elements = range->vertices;
    if (p->divisor != 0)
        elements = range->instances == 0 ? 0 : (range->instances - 1) / p->divisor + 1;
    if (elements == 0)
        return;
    const struct capture_override memory = {p->parameter, p->arguments[p->parameter].p,
                                            (int64_t)((elements - 1) * p->stride + p->element)};
    capture_fake_call_with(t, p->function, p->arguments, &memory);
}

static void record_arrays(struct capture_thread *t, const struct draw_range *range)
{
    struct gl_context *c = t->context;
    uint32_t buffer = c->buffers[GL_BUFFER_ARRAY], unit = c->active_texture;
    if (buffer != 0)
        fake_bind_array_buffer(t, 0);
    for (unsigned i = 0; i < GL_ARRAY_COUNT; ++i) {
        if ((client_arrays(c) >> i & 1) == 0)
            continue;
        bool texture = i >= GL_ARRAY_TEXTURE_0 && i < GL_ARRAY_GENERIC_0;
        if (texture && unit != i - GL_ARRAY_TEXTURE_0)
            fake_client_active_texture(t, unit = i - GL_ARRAY_TEXTURE_0);
        record_array(t, &c->arrays->arrays[i], range);
    }
    if (unit != c->active_texture)
        fake_client_active_texture(t, c->active_texture);
    if (buffer != 0)
        fake_bind_array_buffer(t, buffer);
}

static int64_t argument(const struct spec_function *f, const union spec_arg *args, const char *name,
                        int64_t otherwise)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(f->params[i].name, name) == 0)
            return args[i].i;
    return otherwise;
}

static uint64_t instances(const struct spec_function *f, const union spec_arg *args)
{
    int64_t n = argument(f, args, "instancecount", argument(f, args, "primcount", 1));
    return n > 0 ? (uint64_t)(n + argument(f, args, "baseinstance", 0)) : 0;
}

/* glDrawArrays*(mode, first, count, …) */
DEFINE_HOOK(draw_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    if (client_arrays(t->context) == 0 || args[1].i < 0 || args[2].i <= 0)
        return;
    const struct draw_range range = {(uint64_t)(args[1].i + args[2].i), instances(f, args)};
    record_arrays(t, &range);
}

/* glMultiDrawArrays*(mode, first[], count[], drawcount) */
DEFINE_HOOK(multi_draw_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    const int32_t *first = args[1].p, *count = args[2].p;
    struct draw_range range = {0, 1};
    if (client_arrays(t->context) == 0 || first == NULL || count == NULL)
        return;
    for (int64_t i = 0; i < args[3].i; ++i)
        if (first[i] >= 0 && count[i] > 0 && (uint64_t)first[i] + (uint64_t)count[i] > range.vertices)
            range.vertices = (uint64_t)first[i] + (uint64_t)count[i];
    record_arrays(t, &range);
}

static unsigned index_size(uint32_t type)
{
    return type == SPEC_GL_UNSIGNED_BYTE    ? 1
           : type == SPEC_GL_UNSIGNED_SHORT ? 2
           : type == SPEC_GL_UNSIGNED_INT   ? 4
                                            : 0;
}

static uint32_t load_index(const void *indices, unsigned size, int64_t i)
{
    return size == 1   ? ((const uint8_t *)indices)[i]
           : size == 2 ? ((const uint16_t *)indices)[i]
                       : ((const uint32_t *)indices)[i];
}

/* The highest index, restart indices aside; -1 for none. */
static int64_t highest_index(const struct gl_context *c, const void *indices, unsigned size, int64_t count)
{
    uint32_t all_ones = size == 1 ? 0xff : size == 2 ? 0xffff : 0xffffffff;
    int64_t highest = -1;
    for (int64_t i = 0; i < count; ++i) {
        uint32_t index = load_index(indices, size, i);
        if ((c->primitive_restart && index == c->restart_index) ||
            (c->primitive_restart_fixed && index == all_ones))
            continue;
        if (index > highest)
            highest = index;
    }
    return highest;
}

/* Reads indices back from the element buffer; NULL when that is not possible. The caller frees them. */
static void *read_element_buffer(const struct gl_context *c, uint64_t offset, uint64_t size)
{
    void *copy = c->profile != GL_PROFILE_ES ? malloc(size) : NULL;
    if (copy == NULL)
        return NULL;
    capture_function get = real_function_find(SPEC_FN_glGetBufferSubData);
    memset(copy, 0, size);
    ((void (*)(uint32_t, intptr_t, intptr_t, void *))get)(SPEC_GL_ELEMENT_ARRAY_BUFFER, (intptr_t)offset,
                                                          (intptr_t)size, copy);
    return copy;
}

static int64_t highest_of_draw(const struct gl_context *c, const void *indices, uint32_t type, int64_t count)
{
    unsigned size = index_size(type);
    if (size == 0 || count <= 0)
        return -1;
    if (c->arrays->element_buffer == 0)
        return indices != NULL ? highest_index(c, indices, size, count) : -1;
    void *copy = read_element_buffer(c, (uintptr_t)indices, (uint64_t)count * size);
    if (copy == NULL) {
        static bool said;
        if (!said)
            capture_log("client-side vertex arrays with an index buffer: cannot read the indices back, "
                        "the arrays are not recorded");
        said = true;
        return -1;
    }
    int64_t highest = highest_index(c, copy, size, count);
    free(copy);
    return highest;
}

/* glDraw*Elements*(…, count, type, indices, …) */
DEFINE_HOOK(draw_elements)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (client_arrays(c) == 0)
        return;
    const void *indices = (const void *)(intptr_t)argument(f, args, "indices", 0);
    int64_t highest = (int64_t)c->locked_count - 1;
    if (highest < 0)
        highest = highest_of_draw(c, indices, (uint32_t)argument(f, args, "type", 0),
                                  argument(f, args, "count", 0));
    highest = highest >= 0 ? highest + argument(f, args, "basevertex", 0) : -1;
    const struct draw_range range = {(uint64_t)(highest + 1), instances(f, args)};
    if (highest >= 0)
        record_arrays(t, &range);
}

/* glMultiDrawElements*(mode, count[], type, indices[], drawcount[, basevertex[]]) */
DEFINE_HOOK(multi_draw_elements)
{
    UNUSED_HOOK_ARGUMENTS;
    const int32_t *count = args[1].p, *base = f->param_count > 5 ? args[5].p : NULL;
    const void *const *indices = args[3].p;
    struct draw_range range = {0, 1};
    if (client_arrays(t->context) == 0 || count == NULL || indices == NULL)
        return;
    for (int64_t i = 0; i < args[4].i; ++i) {
        int64_t highest = highest_of_draw(t->context, indices[i], (uint32_t)args[2].u, count[i]);
        if (highest >= 0 && base != NULL)
            highest += base[i];
        if (highest >= 0 && (uint64_t)highest + 1 > range.vertices)
            range.vertices = (uint64_t)highest + 1;
    }
    record_arrays(t, &range);
}
