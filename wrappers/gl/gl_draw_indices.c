/* SPDX-License-Identifier: MIT */
#include "gl/gl_draw_indices.h"

#include "capture/capture_thread.h"
#include "context/gl_context.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/program_memory.h"
#include "process/capture_log.h"
#include "process/capture_process.h"

#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

unsigned gl_draw_index_size(uint32_t type)
{
    return type == SPEC_GL_UNSIGNED_BYTE    ? 1
           : type == SPEC_GL_UNSIGNED_SHORT ? 2
           : type == SPEC_GL_UNSIGNED_INT   ? 4
                                            : 0;
}

uint32_t gl_draw_load_index(const void *indices, unsigned size, int64_t i)
{
    uint32_t value = 0; /* indices need not be aligned */
    memcpy(&value, (const uint8_t *)indices + (uint64_t)i * size, size);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value >>= 32 - 8 * size;
#endif
    return value;
}

bool gl_draw_indices_restart(const struct gl_context *c, uint32_t *restart)
{
    if ((c->used & GL_USES_RESTART) != 0 && gl_driver_is_enabled(SPEC_GL_PRIMITIVE_RESTART)) {
        *restart = (uint32_t)gl_driver_integer(SPEC_GL_PRIMITIVE_RESTART_INDEX);
        return true;
    }
    if ((c->used & GL_USES_RESTART_NV) != 0 && gl_driver_is_enabled(SPEC_GL_PRIMITIVE_RESTART_NV)) {
        *restart = (uint32_t)gl_driver_integer(SPEC_GL_PRIMITIVE_RESTART_INDEX_NV);
        return true;
    }
    return false;
}

/* Finds the primitive restart index of a draw. Returns false if restart is disabled. */
static bool find_restart(const struct gl_context *c, unsigned size, uint32_t *restart)
{
    if ((c->used & GL_USES_RESTART_FIXED) != 0 &&
        gl_driver_is_enabled(SPEC_GL_PRIMITIVE_RESTART_FIXED_INDEX)) {
        *restart = size == 1 ? 0xff : size == 2 ? 0xffff : 0xffffffff;
        return true;
    }
    return gl_draw_indices_restart(c, restart);
}

static bool find_range(const struct gl_context *c, const void *indices, unsigned size, int64_t count,
                       struct gl_index_range *out)
{
    uint32_t restart = 0;
    bool restarts = find_restart(c, size, &restart);
    *out = (struct gl_index_range){INT64_MAX, -1};
    for (int64_t i = 0; i < count; ++i) {
        uint32_t index = gl_draw_load_index(indices, size, i);
        if (restarts && index == restart)
            continue;
        if (index > out->highest)
            out->highest = index;
        if (index < out->lowest)
            out->lowest = index;
    }
    return out->highest >= 0;
}

/* --- buffers ----------------------------------------------------------------------------------------- */

/* Returns true for OpenGL ES 3, or an extension of earlier versions. */
static bool can_map(const struct gl_context *c)
{
    return c->version >= 30 || gl_driver_has_extension(c->version, "GL_EXT_map_buffer_range");
}

/* OpenGL ES does not have glGetBufferSubData(). */
static bool copy_by_mapping(const struct gl_context *c, uint32_t target, uint64_t offset, uint64_t size,
                            void *copy)
{
    if (!can_map(c))
        return false;
    bool core = c->version >= 30;
    capture_function map = real_function_find(core ? SPEC_FN_glMapBufferRange : SPEC_FN_glMapBufferRangeEXT);
    capture_function unmap = real_function_find(core ? SPEC_FN_glUnmapBuffer : SPEC_FN_glUnmapBufferOES);
    const void *memory = ((void *(*)(uint32_t, intptr_t, intptr_t, uint32_t))map)(
        target, (intptr_t)offset, (intptr_t)size, SPEC_GL_MAP_READ_BIT);
    if (memory == NULL)
        return false;
    memcpy(copy, memory, size);
    ((uint8_t(*)(uint32_t))unmap)(target);
    return true;
}

/* A mapped buffer can only be read, and drawn from, if the mapping is persistent. */
static bool is_locked(const struct gl_context *c, uint32_t target)
{
    bool es = c->profile == GL_PROFILE_ES;
    if (es && c->version < 30)
        return can_map(c) && gl_driver_buffer(target, SPEC_GL_BUFFER_MAPPED) != 0;
    if (gl_driver_buffer(target, SPEC_GL_BUFFER_MAPPED) == 0)
        return false;
    return es || c->version < 30 ||
           (gl_driver_buffer(target, SPEC_GL_BUFFER_ACCESS_FLAGS) & SPEC_GL_MAP_PERSISTENT_BIT) == 0;
}

void *gl_draw_read_buffer(const struct gl_context *c, uint32_t target, uint64_t offset, uint64_t size,
                          uint64_t *copied)
{
    int64_t whole = gl_driver_buffer(target, SPEC_GL_BUFFER_SIZE);
    if (whole <= 0 || offset >= (uint64_t)whole || size == 0 || is_locked(c, target))
        return NULL;
    if (size > (uint64_t)whole - offset)
        size = (uint64_t)whole - offset;
    void *copy = calloc(1, size);
    *copied = size;
    if (copy == NULL)
        return NULL;
    if (c->profile == GL_PROFILE_ES) {
        if (copy_by_mapping(c, target, offset, size, copy))
            return copy;
        free(copy);
        return NULL;
    }
    capture_function get = real_function_find(SPEC_FN_glGetBufferSubData);
    ((void (*)(uint32_t, intptr_t, intptr_t, void *))get)(target, (intptr_t)offset, (intptr_t)size, copy);
    return copy;
}

/* Indices of one or two bytes can only name few vertices. If the indices cannot be read, all those vertices
 * are recorded as far as they are readable. */
static bool guess_range(unsigned size, struct gl_index_range *out)
{
    static bool said;
    *out = (struct gl_index_range){0, size == 1 ? 0xff : 0xffff};
    if (size != 4)
        return true;
    if (!said)
        capture_log(
            "cannot read an index buffer back: the client-side vertex arrays of its draws are not recorded");
    said = true;
    return false;
}

bool gl_draw_indices_range(const struct gl_context *c, uint32_t type, const void *indices, int64_t count,
                           struct gl_index_range *out)
{
    unsigned size = gl_draw_index_size(type);
    if (size == 0 || count <= 0)
        return false;
    uint64_t bytes = (uint64_t)count * size, copied = 0;
    if (!c->sizes.element_buffer) {
        if (!program_memory_readable(indices, bytes))
            count = (int64_t)(program_memory_extent(indices, bytes) / size);
        return find_range(c, indices, size, count, out);
    }
    void *copy = gl_draw_read_buffer(c, SPEC_GL_ELEMENT_ARRAY_BUFFER, (uintptr_t)indices, bytes, &copied);
    if (copy == NULL)
        return guess_range(size, out);
    bool any = find_range(c, copy, size, (int64_t)(copied / size), out);
    free(copy);
    return any;
}
