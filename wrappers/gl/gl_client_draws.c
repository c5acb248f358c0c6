/* SPDX-License-Identifier: MIT
 * Draw calls: determines which vertices of client-side arrays they read, so that fake gl*Pointer calls before
 * the draw can record them.
 */
#include "capture/capture_hooks.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "gl/gl_client_arrays.h"
#include "gl/gl_draw_indices.h"
#include "memory/program_memory.h"
#include "process/capture_process.h"

#include <stdlib.h>
#include <string.h>

static const struct gl_array_range nothing = {UINT64_MAX, 0, 1, 0};

/* Adds the vertices [first, first + count) to the range. */
static void add_vertices(struct gl_array_range *r, int64_t first, int64_t count)
{
    if (first < 0)
        count += first, first = 0; /* undefined behaviour in GL, but the vertices from 0 on may be read */
    if (count <= 0)
        return;
    if ((uint64_t)first < r->first)
        r->first = (uint64_t)first;
    if ((uint64_t)(first + count) > r->end)
        r->end = (uint64_t)(first + count);
}

static void add_indexed(struct capture_thread *t, struct gl_array_range *r, uint32_t type,
                        const void *indices, int64_t count, int64_t base)
{
    struct gl_index_range range;
    if (!t->context->sizes.element_buffer && count > 0)
        gl_client_arrays_can_read(t, indices, (uint64_t)count * gl_draw_index_size(type));
    if (!gl_draw_indices_range(t->context, type, indices, count, &range))
        return;
    if (range.lowest + base > UINT32_MAX)
        base -= INT64_C(1) << 32; /* GL adds with 32 bits */
    add_vertices(r, range.lowest + base, range.highest - range.lowest + 1);
}

static int64_t argument(const struct spec_function *f, const union spec_arg *args, const char *name,
                        int64_t otherwise)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(spec_string(spec_param(f, i)->name), name) == 0)
            return args[i].i;
    return otherwise;
}

static void set_instances(struct gl_array_range *r, const struct spec_function *f, const union spec_arg *args)
{
    int64_t n = argument(f, args, "instancecount", argument(f, args, "primcount", 1));
    r->instances = n > 0 ? (uint64_t)n : 0;
    r->base_instance = (uint64_t)argument(f, args, "baseinstance", 0);
}

/* glDrawArrays*(mode, first, count, …) */
DEFINE_HOOK(draw_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!gl_client_arrays_possible(t->context))
        return;
    struct gl_array_range range = nothing;
    add_vertices(&range, args[1].i, args[2].i);
    set_instances(&range, f, args);
    gl_client_arrays_record(t, &range);
}

/* Returns true if the array that the program passed is readable. */
static bool is_array(struct capture_thread *t, const void *array, int64_t count, size_t element)
{
    return count > 0 && count < INT32_MAX && gl_client_arrays_can_read(t, array, (uint64_t)count * element);
}

/* glMultiDrawArrays*(mode, first[], count[], drawcount) */
DEFINE_HOOK(multi_draw_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    const int32_t *first = args[1].p, *count = args[2].p;
    int64_t draws = args[3].i;
    if (!gl_client_arrays_possible(t->context) || !is_array(t, first, draws, sizeof *first) ||
        !is_array(t, count, draws, sizeof *count))
        return;
    struct gl_array_range range = nothing;
    for (int64_t i = 0; i < draws; ++i)
        add_vertices(&range, first[i], count[i]);
    gl_client_arrays_record(t, &range);
}

/* glDraw*Elements*(…, count, type, indices, …) */
DEFINE_HOOK(draw_elements)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!gl_client_arrays_possible(t->context))
        return;
    struct gl_array_range range = nothing;
    set_instances(&range, f, args);
    add_indexed(t, &range, (uint32_t)argument(f, args, "type", 0),
                (const void *)(intptr_t)argument(f, args, "indices", 0), argument(f, args, "count", 0),
                argument(f, args, "basevertex", 0));
    gl_client_arrays_record(t, &range);
}

/* glMultiDrawElements*(mode, count[], type, indices[], drawcount[, basevertex[]]) */
DEFINE_HOOK(multi_draw_elements)
{
    UNUSED_HOOK_ARGUMENTS;
    const int32_t *count = args[1].p;
    const int32_t *base = (const int32_t *)(intptr_t)argument(f, args, "basevertex", 0);
    const void *const *indices = args[3].p;
    int64_t draws = args[4].i;
    if (!gl_client_arrays_possible(t->context) || !is_array(t, count, draws, sizeof *count) ||
        !is_array(t, indices, draws, sizeof *indices) ||
        (base != NULL && !is_array(t, base, draws, sizeof *base)))
        return;
    struct gl_array_range range = nothing;
    for (int64_t i = 0; i < draws; ++i)
        add_indexed(t, &range, (uint32_t)args[2].u, indices[i], count[i], base != NULL ? base[i] : 0);
    gl_client_arrays_record(t, &range);
}

/* --- indirect draws: the parameters are in memory or in a buffer ---------------------------------------- */

enum { ARRAYS_COMMAND = 4, ELEMENTS_COMMAND = 5 }; /* in 32-bit words */

static void widen_instances(struct gl_array_range *r, uint32_t count, uint32_t base)
{
    r->instances = count > r->instances ? count : r->instances;
    r->base_instance = base > r->base_instance ? base : r->base_instance;
}

/* {count, instances, first, base instance} or {count, instances, first index, base vertex, base instance} */
static void add_command(struct capture_thread *t, struct gl_array_range *r, uint32_t type,
                        const uint8_t *command)
{
    unsigned index = gl_draw_index_size(type), words = index != 0 ? ELEMENTS_COMMAND : ARRAYS_COMMAND;
    uint32_t w[ELEMENTS_COMMAND];
    memcpy(w, command, words * sizeof *w);
    if (w[1] == 0)
        return;
    widen_instances(r, w[1], w[words - 1]);
    if (index != 0)
        add_indexed(t, r, type, (const void *)((uintptr_t)w[2] * index), w[0], (int32_t)w[3]);
    else
        add_vertices(r, w[2], w[0]);
}

static void add_commands(struct capture_thread *t, struct gl_array_range *r, uint32_t type,
                         const uint8_t *commands, uint64_t size, uint64_t stride)
{
    uint64_t command = (type != 0 ? ELEMENTS_COMMAND : ARRAYS_COMMAND) * sizeof(uint32_t);
    for (uint64_t at = 0; at + command <= size; at += stride != 0 ? stride : command)
        add_command(t, r, type, commands + at);
}

/* gl*Draw*Indirect*(mode[, type], indirect[, drawcount or drawcount, maxdrawcount, stride]). The actual draw
 * count is not queried. The vertices of draws up to the maximum are recorded; some may be unnecessary. */
DEFINE_HOOK(draw_indirect)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!gl_client_arrays_possible(t->context))
        return;
    uint32_t type = (uint32_t)argument(f, args, "type", 0);
    const void *indirect = (const void *)(intptr_t)argument(f, args, "indirect", 0);
    int64_t draws = argument(f, args, "maxdrawcount", argument(f, args, "drawcount", 1)),
            stride = argument(f, args, "stride", 0);
    uint64_t command = (type != 0 ? ELEMENTS_COMMAND : ARRAYS_COMMAND) * sizeof(uint32_t);
    if (draws <= 0 || stride < 0 || (type != 0 && gl_draw_index_size(type) == 0))
        return;
    uint64_t size = (uint64_t)(draws - 1) * (stride != 0 ? (uint64_t)stride : command) + command, copied = 0;
    struct gl_array_range range = nothing;
    range.instances = 0;
    if (t->context->sizes.indirect_buffer) {
        void *copy =
            gl_draw_read_buffer(t->context, SPEC_GL_DRAW_INDIRECT_BUFFER, (uintptr_t)indirect, size, &copied);
        if (copy != NULL)
            add_commands(t, &range, type, copy, copied, (uint64_t)stride);
        free(copy);
    } else {
        if (!gl_client_arrays_can_read(t, indirect, size))
            size = program_memory_extent(indirect, size);
        add_commands(t, &range, type, indirect, size, (uint64_t)stride);
    }
    gl_client_arrays_record(t, &range);
}

#define MANY_VERTICES 0x10000

/* glDrawTransformFeedback*(mode, …): only the driver knows the number of vertices. All readable vertices are
 * recorded, up to a limit. */
DEFINE_HOOK(draw_transform_feedback)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!gl_client_arrays_possible(t->context))
        return;
    struct gl_array_range range = {.end = MANY_VERTICES};
    set_instances(&range, f, args);
    gl_client_arrays_record(t, &range);
}

/* --- what draws depend on ------------------------------------------------------------------------------ */

static uint32_t restart_usage(struct gl_context *c, uint32_t capability)
{
    bool es = c->profile == GL_PROFILE_ES;
    switch (capability) {
    case SPEC_GL_PRIMITIVE_RESTART:
        return !es && c->version >= 31 ? GL_USES_RESTART : 0;
    case SPEC_GL_PRIMITIVE_RESTART_NV:
        return gl_driver_has_extension(c->version, "GL_NV_primitive_restart") ? GL_USES_RESTART_NV : 0;
    case SPEC_GL_PRIMITIVE_RESTART_FIXED_INDEX:
        return c->version >= (es ? 30 : 43) || gl_driver_has_extension(c->version, "GL_ARB_ES3_compatibility")
                   ? GL_USES_RESTART_FIXED
                   : 0;
    default:
        return 0;
    }
}

/* glEnable(capability), glEnableClientState(state): only primitive restart is relevant. */
DEFINE_HOOK(enable)
{
    UNUSED_HOOK_ARGUMENTS;
    uint64_t capability = args[0].u;
    if (capability != SPEC_GL_PRIMITIVE_RESTART && capability != SPEC_GL_PRIMITIVE_RESTART_NV &&
        capability != SPEC_GL_PRIMITIVE_RESTART_FIXED_INDEX)
        return;
    gl_context_identify(t->context);
    if (!t->context->in_begin)
        t->context->used |= restart_usage(t->context, (uint32_t)capability);
}
