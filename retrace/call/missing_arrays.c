/* SPDX-License-Identifier: MIT */
#include "call/missing_arrays.h"

#include "base/error.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

uint64_t client_array_slot_of(unsigned function, const struct replay_context *context, uint64_t index)
{
    return (uint64_t)function << 48 | (context->vertex_array & 0xffffff) << 24 | (index & 0xffffff);
}

uint64_t client_array_slot(const struct replay_call *c, const struct replay_context *context, uint64_t index)
{
    return client_array_slot_of(c->function->spec->alias, context, index);
}

bool client_array_is_of(uint64_t slot, const struct replay_context *context)
{
    return (slot >> 24 & 0xffffff) == (context->vertex_array & 0xffffff);
}

int missing_arrays_set(struct replayer *r, uint64_t slot, bool missing)
{
    if (missing)
        return int_map_set(&r->current->missing_arrays, slot, true);
    if (r->current->missing_arrays.len > 0)
        int_map_remove(&r->current->missing_arrays, slot);
    return 0;
}

/* Returns what glEnableClientState() takes for the arrays of a function, or 0. */
static GLenum client_state(unsigned function)
{
    switch (function) {
    case SPEC_FN_glVertexPointer:
    case SPEC_FN_glInterleavedArrays:
        return GL_VERTEX_ARRAY;
    case SPEC_FN_glNormalPointer:
        return GL_NORMAL_ARRAY;
    case SPEC_FN_glColorPointer:
        return GL_COLOR_ARRAY;
    case SPEC_FN_glIndexPointer:
        return GL_INDEX_ARRAY;
    case SPEC_FN_glEdgeFlagPointer:
        return GL_EDGE_FLAG_ARRAY;
    case SPEC_FN_glTexCoordPointer:
        return GL_TEXTURE_COORD_ARRAY;
    case SPEC_FN_glFogCoordPointer:
        return GL_FOG_COORD_ARRAY;
    case SPEC_FN_glSecondaryColorPointer:
        return GL_SECONDARY_COLOR_ARRAY;
    default:
        return 0;
    }
}

static bool is_attribute(unsigned function)
{
    return function == SPEC_FN_glVertexAttribPointer || function == SPEC_FN_glVertexAttribIPointer ||
           function == SPEC_FN_glVertexAttribLPointer;
}

/* glVertexAttribBinding() and glBindVertexBuffer() move an attribute to a buffer without a new pointer. */
static bool is_attribute_in_memory(const struct gl_functions *gl, GLuint index)
{
    GLint enabled = 0, buffer = 0;
    gl->glGetVertexAttribiv(index, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &enabled);
    if (enabled != 0)
        gl->glGetVertexAttribiv(index, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
    return enabled != 0 && buffer == 0;
}

bool client_array_is_enabled(struct replayer *r, uint64_t slot)
{
    const struct gl_functions *gl = &r->gl;
    unsigned function = (unsigned)(slot >> 48);
    GLuint index = slot & 0xffffff;
    bool enabled = false;
    GLenum state = client_state(function);
    if (state == GL_TEXTURE_COORD_ARRAY && gl->glClientActiveTexture != NULL)
        gl->glClientActiveTexture(index != 0 ? index : GL_TEXTURE0);
    if (state != 0 && gl->glIsEnabled != NULL)
        enabled = gl->glIsEnabled(state) != GL_FALSE;
    else if (is_attribute(function) && gl->glGetVertexAttribiv != NULL)
        enabled = is_attribute_in_memory(gl, index);
    if (state == GL_TEXTURE_COORD_ARRAY && gl->glClientActiveTexture != NULL)
        gl->glClientActiveTexture(r->current->client_texture != 0 ? r->current->client_texture : GL_TEXTURE0);
    return enabled;
}

GLuint client_array_divisor(struct replayer *r, uint64_t slot)
{
    GLint divisor = 0;
    if (is_attribute((unsigned)(slot >> 48)) && r->gl.glGetVertexAttribiv != NULL)
        r->gl.glGetVertexAttribiv(slot & 0xffffff, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &divisor);
    return (GLuint)divisor;
}

bool missing_arrays_enabled(struct replayer *r)
{
    struct replay_context *context = r->current;
    const struct int_map *missing = &context->missing_arrays;
    if (missing->len == 0)
        return false;
    if (context->inside_begin || context->version == 0)
        return context->lacks_array;
    replay_keep_error(r);
    context->lacks_array = false;
    for (size_t i = 0; i < missing->cap && !context->lacks_array; ++i)
        if (missing->slots[i].state == INT_MAP_USED && client_array_is_of(missing->slots[i].key, context))
            context->lacks_array = client_array_is_enabled(r, missing->slots[i].key);
    replay_clear_errors(r);
    return context->lacks_array;
}

int missing_arrays_fail(const struct replay_call *c)
{
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the contents of a client array are not in the trace",
                           spec_string(c->function->spec->name));
}
