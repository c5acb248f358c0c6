/* SPDX-License-Identifier: MIT */
#include "state/state_parameter_table.h"

#include <stdlib.h>

/* --- asking ---------------------------------------------------------------------------------------- */

/* The functions below return false if the driver lacks the function for this kind of object. */

#define ASK(function, ...) return (function) != NULL ? (function)(__VA_ARGS__), true : false

static bool ask_integers(struct state_dump *d, const struct state_object *o, GLenum pname, GLint *out)
{
    const struct gl_functions *base = &d->r->gl;
    const struct state_functions *gl = &d->gl;
    switch (o->kind) {
    case STATE_KIND_CONTEXT:
    case STATE_KIND_TEXTURE_UNIT:
        ASK(base->glGetIntegerv, pname, out);
    case STATE_KIND_VERTEX_ATTRIB:
        ASK(base->glGetVertexAttribiv, o->target, pname, out);
    case STATE_KIND_ARB_PROGRAM:
        ASK(gl->glGetProgramivARB, o->target, pname, out);
    case STATE_KIND_BUFFER:
        ASK(base->glGetBufferParameteriv, o->target, pname, out);
    case STATE_KIND_TEXTURE:
        ASK(gl->glGetTexParameteriv, o->target, pname, out);
    case STATE_KIND_TEXTURE_LEVEL:
        ASK(base->glGetTexLevelParameteriv, o->target, 0, pname, out);
    case STATE_KIND_SAMPLER:
        ASK(gl->glGetSamplerParameteriv, o->target, pname, out);
    case STATE_KIND_TEXTURE_ENVIRONMENT:
    case STATE_KIND_TEXTURE_FILTER_CONTROL:
    case STATE_KIND_POINT_SPRITE:
        ASK(gl->glGetTexEnviv, o->target, pname, out);
    default: /* an attachment */
        ASK(base->glGetFramebufferAttachmentParameteriv, o->target, o->index, pname, out);
    }
}

/* Drivers do not always convert the context's booleans to integers. */
static bool ask_booleans(struct state_dump *d, const struct state_object *o, GLenum pname, GLint *out)
{
    GLboolean values[STATE_MAX_VALUES] = {0};
    if (o->kind != STATE_KIND_CONTEXT || d->gl.glGetBooleanv == NULL)
        return ask_integers(d, o, pname, out);
    d->gl.glGetBooleanv(pname, values);
    for (int i = 0; i < STATE_MAX_VALUES; ++i)
        out[i] = values[i];
    return true;
}

static bool ask_floats(struct state_dump *d, const struct state_object *o, GLenum pname, GLfloat *out)
{
    const struct state_functions *gl = &d->gl;
    switch (o->kind) {
    case STATE_KIND_CONTEXT:
        ASK(gl->glGetFloatv, pname, out);
    case STATE_KIND_MATERIAL:
        ASK(gl->glGetMaterialfv, o->target, pname, out);
    case STATE_KIND_LIGHT:
        ASK(gl->glGetLightfv, o->target, pname, out);
    case STATE_KIND_VERTEX_ATTRIB:
        ASK(gl->glGetVertexAttribfv, o->target, pname, out);
    case STATE_KIND_TEXTURE:
        ASK(gl->glGetTexParameterfv, o->target, pname, out);
    case STATE_KIND_SAMPLER:
        ASK(gl->glGetSamplerParameterfv, o->target, pname, out);
    default: /* an environment, a filter control or a point sprite */
        ASK(gl->glGetTexEnvfv, o->target, pname, out);
    }
}

static bool ask_pointer(struct state_dump *d, const struct state_object *o, GLenum pname, void **out)
{
    const struct state_functions *gl = &d->gl;
    switch (o->kind) {
    case STATE_KIND_CONTEXT:
        ASK(gl->glGetPointerv, pname, out);
    case STATE_KIND_VERTEX_ATTRIB:
        ASK(gl->glGetVertexAttribPointerv, o->target, pname, out);
    default: /* a buffer */
        ASK(gl->glGetBufferPointerv, o->target, pname, out);
    }
}

#undef ASK

/* --- writing --------------------------------------------------------------------------------------- */

static void write_integer(struct state_dump *d, const struct state_parameter *p, GLint value)
{
    if (p->type == STATE_BOOLEAN)
        state_write_boolean(d, value);
    else if (p->type == STATE_ENUM)
        state_write_enum(d, (GLenum)value);
    else
        state_integer(&d->w, value);
}

static void write_integers(struct state_dump *d, const struct state_object *o,
                           const struct state_parameter *p)
{
    GLint values[STATE_MAX_VALUES] = {0};
    bool asked = p->type == STATE_BOOLEAN ? ask_booleans(d, o, p->pname, values)
                                          : ask_integers(d, o, p->pname, values);
    if (!asked || !state_no_error(d))
        return;
    state_key(&d->w, p->name);
    if (p->count > 1)
        state_begin_array(&d->w);
    for (unsigned i = 0; i < p->count; ++i)
        write_integer(d, p, values[i]);
    if (p->count > 1)
        state_end_array(&d->w);
}

static void write_list(struct state_dump *d, const struct state_object *o, const struct state_parameter *p)
{
    enum { LONGEST = 1 << 16 };
    GLint count = state_get_integer(d, p->counter, -1);
    GLint *values = count >= 0 && count <= LONGEST ? calloc((size_t)count + 1, sizeof *values) : NULL;
    if (values == NULL)
        return;
    if (count == 0 || (ask_integers(d, o, p->pname, values) && state_no_error(d))) {
        state_key(&d->w, p->name);
        state_begin_array(&d->w);
        for (GLint i = 0; i < count; ++i)
            write_integer(d, p, values[i]);
        state_end_array(&d->w);
    }
    free(values);
}

static void write_floats(struct state_dump *d, const struct state_object *o, const struct state_parameter *p)
{
    GLfloat values[STATE_MAX_VALUES] = {0};
    if (!ask_floats(d, o, p->pname, values) || !state_no_error(d))
        return;
    state_key(&d->w, p->name);
    if (p->count > 1)
        state_begin_array(&d->w);
    for (unsigned i = 0; i < p->count; ++i)
        state_float(&d->w, values[i]);
    if (p->count > 1)
        state_end_array(&d->w);
}

static void write_pointer(struct state_dump *d, const struct state_object *o, const struct state_parameter *p)
{
    void *value = NULL;
    if (!ask_pointer(d, o, p->pname, &value) || !state_no_error(d))
        return;
    state_key(&d->w, p->name);
    state_integer(&d->w, (int64_t)(intptr_t)value);
}

static void write_string(struct state_dump *d, const struct state_parameter *p)
{
    const char *value = (const char *)d->r->gl.glGetString(p->pname);
    if (!state_no_error(d))
        return;
    state_key(&d->w, p->name);
    if (value != NULL)
        state_string(&d->w, value);
    else
        state_null(&d->w);
}

void state_write_parameters(struct state_dump *d, const struct state_object *object)
{
    const struct state_parameter_list *list = &state_parameter_lists[object->kind];
    for (size_t i = 0; i < list->count; ++i) {
        const struct state_parameter *p = &list->parameters[i];
        if (p->type == STATE_FLOAT)
            write_floats(d, object, p);
        else if (p->type == STATE_POINTER)
            write_pointer(d, object, p);
        else if (p->type == STATE_STRING)
            write_string(d, p);
        else if (p->count == 0)
            write_list(d, object, p);
        else
            write_integers(d, object, p);
    }
}
