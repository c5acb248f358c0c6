/* SPDX-License-Identifier: MIT
 * The calls that set vertex arrays. Those of arrays in client memory are left out (gl_client_arrays.h).
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "gl/gl_array_state.h"
#include "runtime/array_calls.h"

#include "spec_ids.h"

#include <string.h>

enum { MAX_ARRAY_ARGUMENTS = 8 }; /* of a function that sets an array */

static void mark(struct gl_context *c, unsigned array, unsigned end)
{
    if (array < end)
        c->arrays->client_pointers |= (uint64_t)1 << array;
}

/* GL is asked: it is not between glBegin() and glEnd(). */
static bool is_refused(const struct gl_context *c, const struct spec_function *f, const union spec_arg *args)
{
    if (spec_array_is_refused(f, args, c->profile == GL_PROFILE_ES) ||
        gl_stride_is_refused(c, spec_array_stride(f, args)))
        return true;
    uint32_t attribute = spec_array_attribute(f, args);
    return attribute >= SPEC_ATTRIBUTES_MIN &&
           attribute >= (uint32_t)gl_driver_integer(SPEC_GL_MAX_VERTEX_ATTRIBS);
}

/* Core profiles and vertex array objects have no arrays in client memory (OpenGL 4.6, section 10.3.1). */
static bool is_address_refused(const struct gl_context *c)
{
    if (c->core || c->arrays == &c->default_arrays)
        return c->core;
    return c->version >= 30 ||
           gl_driver_has_extension(c->version, c->profile == GL_PROFILE_ES ? "GL_OES_vertex_array_object"
                                                                           : "GL_ARB_vertex_array_object");
}

/* A call that points to the program's memory is left out: no trace has addresses of the program. If it fails,
 * it is recorded for its error. It has NULL then, which no driver looks at; if the address is the error, it
 * has one where nothing is. So is a call between glBegin() and glEnd(), although drivers may take it (OpenGL
 * 2.1, section 2.6.3). Returns true if the call may set an array. */
static bool points_to_memory(struct capture_thread *t, const struct spec_function *f,
                             const union spec_arg *args)
{
    static const uintptr_t nothing = 1;
    struct gl_context *c = t->context;
    unsigned pointer = f->param_count - 1u;
    if (args[pointer].p == NULL || c->sizes.array_buffer)
        return false;
    gl_context_identify(c);
    t->omit = true;
    bool needs_address = !c->in_begin && is_address_refused(c);
    if (!c->in_begin && !needs_address && !is_refused(c, f, args))
        return true;
    union spec_arg without_address[MAX_ARRAY_ARGUMENTS];
    memcpy(without_address, args, pointer * sizeof *args);
    without_address[pointer] = spec_arg_ptr(needs_address ? (const void *)nothing : NULL);
    capture_fake_call(t, f->id, without_address);
    return c->in_begin || needs_address;
}

/* gl*Pointer(…, pointer) of a fixed-function array */
DEFINE_HOOK(array_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (!points_to_memory(t, f, args))
        return;
    enum gl_array array = gl_array_set_by(f->id);
    if (array == GL_ARRAY_TEXTURE_0)
        mark(c, GL_ARRAY_TEXTURE_0 + gl_client_unit(c), GL_ARRAY_INDEX);
    else
        mark(c, array, GL_ARRAY_COUNT);
}

/* glMultiTexCoordPointerEXT(unit, size, type, stride, pointer) */
DEFINE_HOOK(multi_tex_coord_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!points_to_memory(t, f, args))
        return;
    uint64_t unit = args[0].u - SPEC_GL_TEXTURE0;
    if (unit < GL_TEXTURE_ARRAYS)
        mark(t->context, GL_ARRAY_TEXTURE_0 + (unsigned)unit, GL_ARRAY_INDEX);
}

static void set_attribute(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args)
{
    if (!points_to_memory(t, f, args))
        return;
    if (args[0].u < GL_GENERIC_ARRAYS)
        mark(t->context, GL_ARRAY_GENERIC_0 + (unsigned)args[0].u, GL_ARRAY_COUNT);
}

/* glVertexAttrib*Pointer(index, …) */
DEFINE_HOOK(attrib_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    set_attribute(t, f, args);
}

DEFINE_HOOK(attrib_integer_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_INTEGER_ARRAYS;
    set_attribute(t, f, args);
}

DEFINE_HOOK(attrib_long_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_LONG_ARRAYS;
    set_attribute(t, f, args);
}

DEFINE_HOOK(attrib_divisor)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if ((c->used & GL_USES_DIVISORS) != 0)
        return;
    gl_context_identify(c);
    static const char *const extensions[] = {"GL_ARB_instanced_arrays", "GL_EXT_instanced_arrays",
                                             "GL_ANGLE_instanced_arrays", "GL_NV_instanced_arrays"};
    bool has = c->version >= (c->profile == GL_PROFILE_ES ? 30 : 33);
    for (unsigned i = 0; !has && !c->in_begin && i < 4; ++i)
        has = gl_driver_has_extension(c->version, extensions[i]);
    if (has)
        c->used |= GL_USES_DIVISORS;
}

DEFINE_HOOK(lock_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_LOCKED_ARRAYS;
}

/* --- glInterleavedArrays(format, stride, pointer) ----------------------------------------------------- */

static void complete_interleaved_arrays(struct capture_thread *t)
{
    static const uint16_t states[] = {SPEC_GL_SECONDARY_COLOR_ARRAY, SPEC_GL_FOG_COORD_ARRAY,
                                      SPEC_GL_EDGE_FLAG_ARRAY,       SPEC_GL_TEXTURE_COORD_ARRAY,
                                      SPEC_GL_INDEX_ARRAY,           SPEC_GL_COLOR_ARRAY,
                                      SPEC_GL_NORMAL_ARRAY,          SPEC_GL_VERTEX_ARRAY};
    if (t->context->in_begin)
        return;
    for (unsigned i = t->context->version >= 14 ? 0 : 2; i < sizeof states / sizeof states[0]; ++i) {
        const union spec_arg args[1] = {{.u = states[i]}};
        bool enabled = gl_driver_is_enabled(states[i]);
        capture_fake_call(t, enabled ? SPEC_FN_glEnableClientState : SPEC_FN_glDisableClientState, args);
    }
}

/* With client-side arrays, this is recorded as the calls that it is equivalent to. */
DEFINE_HOOK(interleaved_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (!points_to_memory(t, f, args))
        return;
    mark(c, GL_ARRAY_TEXTURE_0 + gl_client_unit(c), GL_ARRAY_INDEX);
    mark(c, GL_ARRAY_COLOR, GL_ARRAY_COUNT);
    mark(c, GL_ARRAY_NORMAL, GL_ARRAY_COUNT);
    mark(c, GL_ARRAY_VERTEX, GL_ARRAY_COUNT);
    t->complete = complete_interleaved_arrays;
}
