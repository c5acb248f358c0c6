/* SPDX-License-Identifier: MIT */
#include "call/missing_arrays.h"

#include "base/error.h"
#include "call/array_objects.h"
#include "objects/replay_state.h"
#include "spec_ids.h"

#include <GL/glext.h>

/* Why an array is missing. */
enum {
    UNKNOWN, /* its contents are not in the trace */
    UNSET,   /* no call has set it, but one may follow */
    IS_NULL, /* the trace gives NULL for its address. Another call, or glPopClientAttrib(), may set it */
};

const uint64_t missing_arrays_nowhere[4];

static bool is_attribute(unsigned function)
{
    return function == SPEC_FN_glVertexAttribPointer || function == SPEC_FN_glVertexAttribIPointer ||
           function == SPEC_FN_glVertexAttribLPointer;
}

bool client_array_is_attribute(uint64_t slot)
{
    return is_attribute((unsigned)(slot >> 48));
}

uint64_t client_array_slot_of(unsigned function, const struct replay_context *context, uint64_t index)
{
    if (is_attribute(function))
        function = SPEC_FN_glVertexAttribPointer;
    return (uint64_t)function << 48 | (context->vertex_array & 0xffffff) << 24 | (index & 0xffffff);
}

uint64_t client_array_slot(const struct replay_call *c, const struct replay_context *context, uint64_t index)
{
    return client_array_slot_of(c->function->spec->alias, context, index);
}

static int note_missing(struct replayer *r, uint64_t slot, unsigned reason)
{
    struct array_object *arrays = array_object_edit(r->current);
    return arrays != NULL ? int_map_set(&arrays->missing, slot, reason) : TRACE_ERR_MEMORY;
}

static void remove_missing(struct replayer *r, uint64_t slot)
{
    if (array_object_get(r->current)->missing.len > 0)
        int_map_remove(&r->current->arrays->missing, slot);
}

int missing_arrays_set(struct replayer *r, uint64_t slot, bool missing)
{
    if (missing)
        return note_missing(r, slot, UNKNOWN);
    remove_missing(r, slot);
    return 0;
}

int missing_arrays_set_offset(struct replayer *r, uint64_t slot, uint64_t offset)
{
    if (offset != 0) {
        struct array_object *arrays = array_object_edit(r->current);
        return arrays != NULL ? int_map_set(&arrays->offsets, slot, offset) : TRACE_ERR_MEMORY;
    }
    if (array_object_get(r->current)->offsets.len > 0)
        int_map_remove(&r->current->arrays->offsets, slot);
    return 0;
}

/* The arrays that glEnableClientState() takes. */
static const struct client_state {
    unsigned function;             /* that sets it */
    GLenum array, pointer, buffer; /* as GL calls it, its address and its buffer */
} client_states[] = {
    {SPEC_FN_glVertexPointer, GL_VERTEX_ARRAY, GL_VERTEX_ARRAY_POINTER, GL_VERTEX_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glNormalPointer, GL_NORMAL_ARRAY, GL_NORMAL_ARRAY_POINTER, GL_NORMAL_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glColorPointer, GL_COLOR_ARRAY, GL_COLOR_ARRAY_POINTER, GL_COLOR_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glIndexPointer, GL_INDEX_ARRAY, GL_INDEX_ARRAY_POINTER, GL_INDEX_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glEdgeFlagPointer, GL_EDGE_FLAG_ARRAY, GL_EDGE_FLAG_ARRAY_POINTER,
     GL_EDGE_FLAG_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glTexCoordPointer, GL_TEXTURE_COORD_ARRAY, GL_TEXTURE_COORD_ARRAY_POINTER,
     GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glFogCoordPointer, GL_FOG_COORD_ARRAY, GL_FOG_COORD_ARRAY_POINTER,
     GL_FOG_COORD_ARRAY_BUFFER_BINDING},
    {SPEC_FN_glSecondaryColorPointer, GL_SECONDARY_COLOR_ARRAY, GL_SECONDARY_COLOR_ARRAY_POINTER,
     GL_SECONDARY_COLOR_ARRAY_BUFFER_BINDING},
};
enum { CLIENT_STATES = sizeof client_states / sizeof client_states[0] };

/* Returns NULL for attributes. */
static const struct client_state *client_state(unsigned function)
{
    if (function == SPEC_FN_glInterleavedArrays)
        function = SPEC_FN_glVertexPointer;
    for (unsigned i = 0; i < CLIENT_STATES; ++i)
        if (client_states[i].function == function)
            return &client_states[i];
    return NULL;
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

/* Texture coordinates have an array for each unit. */
static void select_unit(const struct replayer *r, const struct client_state *state, GLuint unit)
{
    if (state != NULL && state->array == GL_TEXTURE_COORD_ARRAY && r->gl.glClientActiveTexture != NULL)
        r->gl.glClientActiveTexture(unit != 0 ? unit : GL_TEXTURE0);
}

bool client_array_is_enabled(struct replayer *r, uint64_t slot)
{
    const struct gl_functions *gl = &r->gl;
    unsigned function = (unsigned)(slot >> 48);
    GLuint index = slot & 0xffffff;
    bool enabled = false;
    const struct client_state *state = client_state(function);
    select_unit(r, state, index);
    if (state != NULL && gl->glIsEnabled != NULL)
        enabled = gl->glIsEnabled(state->array) != GL_FALSE;
    else if (client_array_is_attribute(slot) && gl->glGetVertexAttribiv != NULL)
        enabled = is_attribute_in_memory(gl, index);
    select_unit(r, state, r->current->client_texture);
    return enabled;
}

/* Returns true if the array is not in a buffer. *pointer: where the driver reads it then. */
static bool is_in_memory(struct replayer *r, uint64_t slot, void **pointer)
{
    const struct gl_functions *gl = &r->gl;
    const struct client_state *state = client_state((unsigned)(slot >> 48));
    GLuint index = slot & 0xffffff;
    GLint buffer = 0;
    *pointer = NULL;
    if (gl->glGetPointerv == NULL || gl->glGetVertexAttribPointerv == NULL)
        return false;
    if (state == NULL) {
        gl->glGetVertexAttribPointerv(index, GL_VERTEX_ATTRIB_ARRAY_POINTER, pointer);
        return is_attribute_in_memory(gl, index);
    }
    select_unit(r, state, index);
    gl->glGetPointerv(state->pointer, pointer);
    gl->glGetIntegerv(state->buffer, &buffer);
    select_unit(r, state, r->current->client_texture);
    return buffer == 0;
}

/* Returns true if the array has lost its buffer, so that the driver takes its offset for an address. One of
 * interleaved arrays is farther away by less than a vertex. */
static bool has_lost_buffer(struct replayer *r, uint64_t slot, uint64_t offset)
{
    enum { LARGEST_VERTEX = 64 };
    const struct gl_functions *gl = &r->gl;
    const struct client_state *state = client_state((unsigned)(slot >> 48));
    GLint buffer = 0;
    void *pointer = NULL;
    if (client_array_is_attribute(slot)) {
        gl->glGetVertexAttribiv(slot & 0xffffff, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
        gl->glGetVertexAttribPointerv(slot & 0xffffff, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    } else if (state != NULL) {
        select_unit(r, state, slot & 0xffffff);
        gl->glGetIntegerv(state->buffer, &buffer);
        gl->glGetPointerv(state->pointer, &pointer);
        select_unit(r, state, r->current->client_texture);
    }
    return buffer == 0 && (uintptr_t)pointer >= offset && (uintptr_t)pointer - offset < LARGEST_VERTEX;
}

int missing_arrays_update(struct replayer *r)
{
    const struct int_map *offsets = &array_object_get(r->current)->offsets;
    int rc = 0;
    if (offsets->len == 0 || r->current->inside_begin || r->gl.glGetVertexAttribiv == NULL ||
        r->gl.glGetVertexAttribPointerv == NULL || r->gl.glGetPointerv == NULL)
        return 0;
    replay_keep_error(r);
    for (size_t i = 0; i < offsets->cap && rc == 0; ++i)
        if (offsets->slots[i].state == INT_MAP_USED &&
            has_lost_buffer(r, offsets->slots[i].key, offsets->slots[i].value))
            rc = missing_arrays_set(r, offsets->slots[i].key, true);
    replay_clear_errors(r);
    return rc;
}

/* Returns true if no call has set the array, so that the driver has no memory for it. */
static bool is_unset(struct replayer *r, uint64_t slot, void **pointer)
{
    return is_in_memory(r, slot, pointer) && (*pointer == NULL || *pointer == missing_arrays_nowhere);
}

/* Programs leave arrays enabled that their shaders do not use. A draw may do without these, but Mesa reads
 * all of them for display lists and for glArrayElement(), and edge flags always. */
static bool is_read(uint64_t slot, const void *unset, bool reads_all)
{
    return unset == missing_arrays_nowhere || reads_all || slot >> 48 == SPEC_FN_glEdgeFlagPointer;
}

static int note_unset(struct replayer *r, uint64_t slot)
{
    void *pointer;
    replay_keep_error(r);
    bool unset = is_unset(r, slot, &pointer);
    replay_clear_errors(r);
    return unset ? note_missing(r, slot, UNSET) : 0;
}

int missing_arrays_set_null(struct replayer *r, uint64_t slot)
{
    return note_missing(r, slot, IS_NULL);
}

int missing_arrays_refuse(struct replayer *r, uint64_t slot)
{
    return note_missing(r, slot, UNSET);
}

int missing_arrays_enable_state(struct replayer *r, GLenum array, uint64_t unit)
{
    for (unsigned i = 0; i < CLIENT_STATES; ++i)
        if (client_states[i].array == array)
            return note_unset(r, client_array_slot_of(client_states[i].function, r->current,
                                                      array == GL_TEXTURE_COORD_ARRAY ? unit : 0));
    return 0;
}

int missing_arrays_enable_attribute(struct replayer *r, uint64_t index)
{
    return r->gl.glGetVertexAttribiv != NULL
               ? note_unset(r, client_array_slot_of(SPEC_FN_glVertexAttribPointer, r->current, index))
               : 0;
}

GLuint client_array_divisor(struct replayer *r, uint64_t slot)
{
    GLint divisor = 0;
    if (client_array_is_attribute(slot) && r->gl.glGetVertexAttribiv != NULL)
        r->gl.glGetVertexAttribiv(slot & 0xffffff, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &divisor);
    return (GLuint)divisor;
}

static bool is_still_missing(struct replayer *r, uint64_t slot, uint64_t reason, bool reads_all)
{
    void *pointer;
    if (!client_array_is_enabled(r, slot))
        return false;
    if (reason == UNKNOWN)
        return true;
    if (!is_unset(r, slot, &pointer)) { /* it was set in the meantime */
        remove_missing(r, slot);
        return false;
    }
    return reason == IS_NULL || is_read(slot, pointer, reads_all);
}

bool missing_arrays_enabled(struct replayer *r, bool reads_all)
{
    struct replay_context *context = r->current;
    const struct int_map *missing = &array_object_get(context)->missing;
    if (missing->len == 0)
        return false;
    if (context->inside_begin || context->version == 0)
        return context->lacks_array;
    replay_keep_error(r);
    context->lacks_array = false;
    for (size_t i = 0; i < missing->cap && !context->lacks_array; ++i)
        if (missing->slots[i].state == INT_MAP_USED)
            context->lacks_array =
                is_still_missing(r, missing->slots[i].key, missing->slots[i].value, reads_all);
    replay_clear_errors(r);
    return context->lacks_array;
}

int missing_arrays_fail(const struct replay_call *c)
{
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the contents of a client array are not in the trace",
                           spec_string(c->function->spec->name));
}
