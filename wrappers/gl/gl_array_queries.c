/* SPDX-License-Identifier: MIT
 * Queries of the formats of arrays in client memory. The calls that set these arrays are left out of the
 * trace (gl_client_arrays.h), so fake calls set their formats before the program asks for them.
 */
#include "gl/gl_array_queries.h"

#include "capture/capture_hooks.h"
#include "context/gl_enums.h"
#include "gl/gl_client_arrays.h"

#include "spec_ids.h"

static void record_format(struct capture_thread *t, unsigned array)
{
    struct gl_context *c = t->context;
    struct gl_client_array a;
    if ((c->arrays->client_pointers >> array & 1) == 0)
        return;
    gl_context_identify(c);
    c->used |= GL_USES_INTEGER_ARRAYS | GL_USES_LONG_ARRAYS; /* by glVertexAttribIFormat(), too */
    if (gl_client_array_describe(c, (enum gl_array)array, &a))
        gl_client_array_record_format(t, &a);
}

static void record_unit_format(struct capture_thread *t, uint64_t unit)
{
    if (unit < GL_TEXTURE_ARRAYS)
        record_format(t, GL_ARRAY_TEXTURE_0 + (unsigned)unit);
}

void gl_array_queries_prepare(struct capture_thread *t, uint32_t pname)
{
    struct gl_context *c = t->context;
    enum gl_array array = gl_client_arrays_possible(c) ? gl_array_asked_by(pname) : GL_ARRAY_COUNT;
    if (array == GL_ARRAY_COUNT)
        return;
    gl_context_identify(c);
    if (array == GL_ARRAY_TEXTURE_0)
        record_unit_format(t, gl_client_unit(c));
    else
        record_format(t, array);
}

/* glGetFixedv(pname, params); the other queries of this form are in gl_answers.c. */
DEFINE_HOOK(get_fixed_values)
{
    UNUSED_HOOK_ARGUMENTS;
    gl_array_queries_prepare(t, (uint32_t)args[0].u);
}

/* The binding of an attribute has its number, unless glVertexAttribBinding(), which is recorded, gave it
 * another one. */
static bool is_of_binding(uint64_t pname)
{
    return pname == SPEC_GL_VERTEX_BINDING_OFFSET || pname == SPEC_GL_VERTEX_BINDING_STRIDE ||
           pname == SPEC_GL_VERTEX_BINDING_BUFFER;
}

/* glGet*IndexedvEXT(pname, unit, values) and glGet*i_v(pname, index, values) */
DEFINE_HOOK(get_indexed_values)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!gl_client_arrays_possible(t->context))
        return;
    if (gl_array_asked_by((uint32_t)args[0].u) == GL_ARRAY_TEXTURE_0)
        record_unit_format(t, args[1].u);
    else if (is_of_binding(args[0].u) && args[1].u < GL_GENERIC_ARRAYS)
        record_format(t, GL_ARRAY_GENERIC_0 + (unsigned)args[1].u);
}

/* glGetVertexAttrib*v(index, pname, values) */
DEFINE_HOOK(get_attribute)
{
    UNUSED_HOOK_ARGUMENTS;
    bool is_of_array =
        args[1].u != SPEC_GL_CURRENT_VERTEX_ATTRIB && args[1].u != SPEC_GL_VERTEX_ATTRIB_ARRAY_ENABLED;
    if (gl_client_arrays_possible(t->context) && is_of_array && args[0].u < GL_GENERIC_ARRAYS)
        record_format(t, GL_ARRAY_GENERIC_0 + (unsigned)args[0].u);
}
