/* SPDX-License-Identifier: MIT */
#include "call/draw_ranges.h"

#include <string.h>

#include "objects/replay_state.h"
#include "spec_ids.h"

static int find_argument(const struct replay_call *c, const char *name)
{
    const struct spec_function *f = c->function->spec;
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(spec_string(spec_param(f, i)->name), name) == 0)
            return (int)i;
    return -1;
}

int64_t draw_argument(const struct replay_call *c, const char *name, int64_t otherwise)
{
    int i = find_argument(c, name);
    return i >= 0 ? c->args[i].i : otherwise;
}

/* --- buffers ---------------------------------------------------------------------------------------- */

/* Returns up to size bytes at offset of the bound buffer, which exist until the call has been replayed, or
 * NULL. *got: how many there are. The program's errors have been kept before. */
static const uint8_t *read_buffer(struct replayer *r, GLenum target, uint64_t offset, uint64_t size,
                                  uint64_t *got)
{
    const struct gl_functions *gl = &r->gl;
    GLint available = 0;
    *got = 0;
    if (gl->glGetBufferSubData == NULL || gl->glGetBufferParameteriv == NULL || r->current->is_es)
        return NULL;
    gl->glGetBufferParameteriv(target, GL_BUFFER_SIZE, &available);
    if (available > 0 && offset < (uint64_t)available)
        *got = size < (uint64_t)available - offset ? size : (uint64_t)available - offset;
    uint8_t *bytes = *got > 0 ? arena_alloc(&r->scratch, *got) : NULL;
    if (bytes != NULL)
        gl->glGetBufferSubData(target, (GLintptr)offset, (GLsizeiptr)*got, bytes);
    if (gl->glGetError() == GL_NO_ERROR)
        return bytes;
    replay_clear_errors(r);
    return NULL;
}

/* --- vertices --------------------------------------------------------------------------------------- */

static void add_vertices(struct draw_range *d, int64_t first, int64_t count)
{
    if (count > 0 && first + count > 0 && (uint64_t)(first + count) > d->end)
        d->end = (uint64_t)(first + count);
}

static enum spec_type index_type(GLenum type)
{
    return type == GL_UNSIGNED_BYTE    ? SPEC_U8
           : type == GL_UNSIGNED_SHORT ? SPEC_U16
           : type == GL_UNSIGNED_INT   ? SPEC_U32
                                       : SPEC_VOID;
}

static void add_indexed(struct replayer *r, struct draw_range *d, GLenum type, const void *indices,
                        int64_t count, int64_t base, bool reads_buffers)
{
    enum spec_type element = index_type(type);
    uint64_t size = element != SPEC_VOID ? spec_type_size(element) : 0, got;
    if (element == SPEC_VOID || count <= 0)
        return;
    if (r->current->state.element_buffer && !reads_buffers) {
        d->is_incomplete = true;
        return;
    }
    if (r->current->state.element_buffer) {
        indices = read_buffer(r, GL_ELEMENT_ARRAY_BUFFER, (uintptr_t)indices, (uint64_t)count * size, &got);
        count = (int64_t)(got / size);
    }
    for (int64_t i = 0; indices != NULL && i < count; ++i) {
        union spec_arg index;
        spec_load(element, indices, (size_t)i, &index);
        if (index.i != d->restart)
            add_vertices(d, (uint32_t)(index.i + base), 1);
    }
}

static void add_multiple(struct replayer *r, struct draw_range *d, const struct replay_call *c,
                         bool reads_buffers)
{
    const GLint *counts = (const void *)(intptr_t)draw_argument(c, "count", 0);
    const GLint *firsts = (const void *)(intptr_t)draw_argument(c, "first", 0);
    const GLint *bases = (const void *)(intptr_t)draw_argument(c, "basevertex", 0);
    const void *const *indices = (const void *)(intptr_t)draw_argument(c, "indices", 0);
    int64_t draws = draw_argument(c, "drawcount", draw_argument(c, "primcount", 0));
    for (int64_t i = 0; counts != NULL && i < draws; ++i)
        if (firsts != NULL)
            add_vertices(d, firsts[i], counts[i]);
        else if (indices != NULL)
            add_indexed(r, d, (GLenum)draw_argument(c, "type", 0), indices[i], counts[i],
                        bases != NULL ? bases[i] : 0, reads_buffers);
}

/* --- indirect draws --------------------------------------------------------------------------------- */

enum { ARRAYS_WORDS = 4, ELEMENTS_WORDS = 5 };

/* One structure: count, instances, first vertex or index, [base vertex,] base instance. */
static void add_structure(struct replayer *r, struct draw_range *d, const struct replay_call *c,
                          const uint8_t *structure, bool is_indexed)
{
    uint32_t w[ELEMENTS_WORDS] = {0};
    memcpy(w, structure, (is_indexed ? ELEMENTS_WORDS : ARRAYS_WORDS) * sizeof *w);
    uint64_t instances = w[1] > 0 ? (uint64_t)w[1] + w[is_indexed ? 4 : 3] : 0;
    if (w[0] == 0 || w[1] == 0)
        return;
    if (instances > d->instances)
        d->instances = instances;
    if (!is_indexed) {
        add_vertices(d, w[2], w[0]);
        return;
    }
    GLenum type = (GLenum)draw_argument(c, "type", 0);
    uint64_t size = index_type(type) != SPEC_VOID ? spec_type_size(index_type(type)) : 0;
    add_indexed(r, d, type, (const void *)(uintptr_t)(w[2] * size), w[0], (int32_t)w[3], true);
}

/* Returns the structures of the draws, in the bound buffer or in memory. */
static const uint8_t *find_structures(struct replayer *r, const struct replay_call *c, uint64_t size,
                                      uint64_t *got)
{
    int i = find_argument(c, "indirect"); /* every such draw has it */
    *got = 0;
    if (r->current->state.indirect_buffer)
        return read_buffer(r, GL_DRAW_INDIRECT_BUFFER, c->args[i].u, size, got);
    if (spec_param(c->function->spec, (unsigned)i)->form != SPEC_FORM_BLOB || c->given[i] == UINT64_MAX)
        return NULL;
    *got = c->given[i] < size ? c->given[i] : size;
    return c->args[i].p;
}

static void add_indirect(struct replayer *r, struct draw_range *d, const struct replay_call *c)
{
    bool is_indexed = strstr(spec_string(c->function->spec->name), "Elements") != NULL;
    uint64_t size = (is_indexed ? ELEMENTS_WORDS : ARRAYS_WORDS) * sizeof(uint32_t), got;
    int64_t given_stride = draw_argument(c, "stride", 0);
    uint64_t stride = given_stride > 0 ? (uint64_t)given_stride : size;
    int64_t draws =
        draw_argument(c, "maxdrawcount", draw_argument(c, "drawcount", draw_argument(c, "primcount", 1)));
    if (draws <= 0 || draws > INT32_MAX)
        return;
    const uint8_t *structures = find_structures(r, c, ((uint64_t)draws - 1) * stride + size, &got);
    for (uint64_t at = 0; structures != NULL && draws-- > 0 && at + size <= got; at += stride)
        add_structure(r, d, c, structures + at, is_indexed);
}

/* --- all draws -------------------------------------------------------------------------------------- */

void draw_range_find(struct replayer *r, const struct replay_call *c, struct draw_range *d,
                     bool reads_buffers)
{
    const char *name = spec_string(c->function->spec->name);
    int64_t instances = draw_argument(c, "instancecount", draw_argument(c, "primcount", 1));
    *d = (struct draw_range){.restart = d->restart};
    if (c->function->spec->alias == SPEC_FN_glArrayElement) {
        if ((uint32_t)c->args[0].i != d->restart)
            add_vertices(d, c->args[0].i, 1);
        return;
    }
    if (strstr(name, "MultiMode") != NULL) { /* no driver has it */
        d->is_incomplete = true;
        return;
    }
    if (strstr(name, "Indirect") != NULL) {
        d->is_incomplete = !reads_buffers;
        if (reads_buffers)
            add_indirect(r, d, c);
        return;
    }
    if (strncmp(name, "glMultiDraw", 11) == 0) {
        add_multiple(r, d, c, reads_buffers);
        return;
    }
    if (instances <= 0)
        return;
    d->instances = (uint64_t)instances + (uint32_t)draw_argument(c, "baseinstance", 0);
    if (strstr(name, "Elements") != NULL)
        add_indexed(r, d, (GLenum)draw_argument(c, "type", 0),
                    (const void *)(intptr_t)draw_argument(c, "indices", 0), draw_argument(c, "count", 0),
                    draw_argument(c, "basevertex", 0), reads_buffers);
    else
        add_vertices(d, draw_argument(c, "first", 0), draw_argument(c, "count", 0));
}
