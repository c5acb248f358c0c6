/* SPDX-License-Identifier: MIT */
#include "state/state_parameters.h"

#include "state/state_units.h"

/* Writes an object with all its parameters as a member. */
static void write_object(struct state_dump *d, const char *name, const struct state_object *object)
{
    state_key(&d->w, name);
    state_begin_object(&d->w);
    state_write_parameters(d, object);
    state_end_object(&d->w);
}

/* --- the fixed pipeline ---------------------------------------------------------------------------- */

static void write_materials(struct state_dump *d)
{
    if (d->context->is_es)
        return;
    write_object(d, "GL_FRONT", &(struct state_object){.kind = STATE_KIND_MATERIAL, .target = GL_FRONT});
    write_object(d, "GL_BACK", &(struct state_object){.kind = STATE_KIND_MATERIAL, .target = GL_BACK});
}

static void write_lights(struct state_dump *d)
{
    enum { MOST = 256 };
    GLint count = state_get_integer(d, GL_MAX_LIGHTS, 0);
    for (GLint i = 0; i < count && i < MOST; ++i) {
        GLenum light = GL_LIGHT0 + (GLenum)i;
        if (!state_is_enabled(d, light))
            continue;
        state_key_format(&d->w, "GL_LIGHT%d", i);
        state_begin_object(&d->w);
        state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_LIGHT, .target = light});
        state_end_object(&d->w);
    }
}

static void write_arb_programs(struct state_dump *d)
{
    if (state_is_enabled(d, GL_FRAGMENT_PROGRAM_ARB))
        write_object(
            d, "GL_FRAGMENT_PROGRAM_ARB",
            &(struct state_object){.kind = STATE_KIND_ARB_PROGRAM, .target = GL_FRAGMENT_PROGRAM_ARB});
    if (state_is_enabled(d, GL_VERTEX_PROGRAM_ARB))
        write_object(d, "GL_VERTEX_PROGRAM_ARB",
                     &(struct state_object){.kind = STATE_KIND_ARB_PROGRAM, .target = GL_VERTEX_PROGRAM_ARB});
}

/* --- vertex attributes and buffers ----------------------------------------------------------------- */

static void write_vertex_attribs(struct state_dump *d)
{
    enum { MOST = 256 };
    GLint count = state_get_integer(d, GL_MAX_VERTEX_ATTRIBS, 0);
    for (GLint i = 0; i < count && i < MOST; ++i) {
        GLint buffer = 0;
        state_key_format(&d->w, "GL_VERTEX_ATTRIB_ARRAY%d", i);
        state_begin_object(&d->w);
        state_write_parameters(d,
                               &(struct state_object){.kind = STATE_KIND_VERTEX_ATTRIB, .target = (GLenum)i});
        if (d->r->gl.glGetVertexAttribiv != NULL)
            d->r->gl.glGetVertexAttribiv((GLuint)i, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &buffer);
        if (state_no_error(d))
            state_write_label(d, GL_BUFFER, (GLuint)buffer, "GL_VERTEX_ATTRIB_ARRAY_BUFFER_LABEL");
        state_end_object(&d->w);
    }
}

/* A target of buffers. */
struct buffer_target {
    GLenum target, binding;
    GLenum counter; /* number of its indexed bindings; 0: there are none */
    GLenum start, size;
    const char *name, *binding_name, *start_name, *size_name;
};

#define PLAIN(name)                                                                                          \
    {                                                                                                        \
        name, name##_BINDING, 0, 0, 0, #name, NULL, NULL, NULL                                               \
    }
#define INDEXED(name, counter)                                                                               \
    {                                                                                                        \
        name, name##_BINDING, counter, name##_START, name##_SIZE, #name, #name "_BINDING", #name "_START",   \
            #name "_SIZE"                                                                                    \
    }
static const struct buffer_target buffer_targets[] = {
    PLAIN(GL_ARRAY_BUFFER),
    PLAIN(GL_COPY_READ_BUFFER),
    PLAIN(GL_COPY_WRITE_BUFFER),
    PLAIN(GL_DRAW_INDIRECT_BUFFER),
    PLAIN(GL_DISPATCH_INDIRECT_BUFFER),
    PLAIN(GL_ELEMENT_ARRAY_BUFFER),
    PLAIN(GL_PIXEL_PACK_BUFFER),
    PLAIN(GL_PIXEL_UNPACK_BUFFER),
    PLAIN(GL_QUERY_BUFFER),
    INDEXED(GL_SHADER_STORAGE_BUFFER, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS),
    /* GL_TEXTURE_BUFFER asks for the buffer; GL_TEXTURE_BUFFER_BINDING has the same value. */
    PLAIN(GL_TEXTURE_BUFFER),
    INDEXED(GL_TRANSFORM_FEEDBACK_BUFFER, GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS),
    INDEXED(GL_UNIFORM_BUFFER, GL_MAX_UNIFORM_BUFFER_BINDINGS),
};
#undef PLAIN
#undef INDEXED

static void write_indexed(struct state_dump *d, GLenum pname, GLint index, const char *name)
{
    GLint value = 0;
    d->gl.glGetIntegeri_v(pname, (GLuint)index, &value);
    if (!state_no_error(d))
        return;
    state_key(&d->w, name);
    state_integer(&d->w, value);
}

static void write_indexed_bindings(struct state_dump *d, const struct buffer_target *t)
{
    enum { MOST = 4096 };
    GLint count = t->counter != 0 && d->gl.glGetIntegeri_v != NULL ? state_get_integer(d, t->counter, 0) : 0;
    if (count <= 0)
        return;
    state_key(&d->w, "i");
    state_begin_array(&d->w);
    for (GLint i = 0; i < count && i < MOST; ++i) {
        state_begin_object(&d->w);
        write_indexed(d, t->binding, i, t->binding_name);
        write_indexed(d, t->start, i, t->start_name);
        write_indexed(d, t->size, i, t->size_name);
        state_end_object(&d->w);
    }
    state_end_array(&d->w);
}

static void write_buffers(struct state_dump *d)
{
    for (size_t i = 0; i < sizeof buffer_targets / sizeof *buffer_targets; ++i) {
        const struct buffer_target *t = &buffer_targets[i];
        state_key(&d->w, t->name);
        state_begin_object(&d->w);
        if (state_get_integer(d, t->binding, 0) != 0)
            state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_BUFFER, .target = t->target});
        write_indexed_bindings(d, t);
        state_end_object(&d->w);
    }
}

/* --- textures and samplers ------------------------------------------------------------------------- */

static void write_texture(struct state_dump *d, const struct state_target *t, GLuint texture)
{
    GLenum image = t->target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : t->target;
    state_key(&d->w, state_enum_name(d, t->target));
    state_begin_object(&d->w);
    state_write_label(d, GL_TEXTURE, texture, "GL_TEXTURE_LABEL");
    if (t->target != GL_TEXTURE_BUFFER)
        state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_TEXTURE, .target = t->target});
    if (!d->context->is_es || d->context->version >= 31)
        state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_TEXTURE_LEVEL, .target = image});
    state_end_object(&d->w);
}

static void write_textures(struct state_dump *d, const struct state_units *units, GLint unit)
{
    for (size_t i = 0; i < STATE_TARGET_COUNT; ++i) {
        const struct state_target *t = &state_targets[i];
        bool enabled;
        GLuint texture;
        bool used = state_unit_has(d, units, unit, t, &enabled, &texture);
        if (t->is_fixed_function && unit < units->coords) {
            state_key(&d->w, state_enum_name(d, t->target));
            state_write_boolean(d, enabled);
        }
        if (used)
            write_texture(d, t, texture);
    }
}

static void write_sampler(struct state_dump *d)
{
    GLint sampler = d->gl.glGetSamplerParameteriv != NULL ? state_get_integer(d, GL_SAMPLER_BINDING, -1) : -1;
    if (sampler < 0 || d->context->is_es)
        return;
    state_key(&d->w, "GL_SAMPLER_BINDING");
    state_integer(&d->w, sampler);
    if (sampler == 0)
        return;
    state_key(&d->w, "GL_SAMPLER");
    state_begin_object(&d->w);
    state_write_label(d, GL_SAMPLER, (GLuint)sampler, "GL_SAMPLER_LABEL");
    state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_SAMPLER, .target = (GLenum)sampler});
    state_end_object(&d->w);
}

static void write_environment(struct state_dump *d)
{
    if (d->context->is_es)
        return;
    write_object(d, "GL_TEXTURE_ENV",
                 &(struct state_object){.kind = STATE_KIND_TEXTURE_ENVIRONMENT, .target = GL_TEXTURE_ENV});
    write_object(d, "GL_TEXTURE_FILTER_CONTROL",
                 &(struct state_object){.kind = STATE_KIND_TEXTURE_FILTER_CONTROL,
                                        .target = GL_TEXTURE_FILTER_CONTROL});
    write_object(d, "GL_POINT_SPRITE",
                 &(struct state_object){.kind = STATE_KIND_POINT_SPRITE, .target = GL_POINT_SPRITE});
}

static void write_units(struct state_dump *d)
{
    struct state_units units;
    state_units_init(d, &units);
    for (GLint unit = 0; unit < units.count; ++unit) {
        state_select_unit(d, &units, unit);
        state_key_format(&d->w, "GL_TEXTURE%d", unit);
        state_begin_object(&d->w);
        state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_TEXTURE_UNIT});
        write_textures(d, &units, unit);
        write_sampler(d);
        if (unit < units.coords)
            write_environment(d);
        state_end_object(&d->w);
    }
    state_restore_unit(d, &units);
}

/* --- framebuffers and labels ----------------------------------------------------------------------- */

static void write_attachment(struct state_dump *d, GLenum target, GLenum point)
{
    const struct gl_functions *gl = &d->r->gl;
    GLint type = GL_NONE, name = 0;
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    if (!state_no_error(d) || type == GL_NONE)
        return;
    state_key(&d->w, state_enum_name(d, point));
    state_begin_object(&d->w);
    state_write_parameters(d, &(struct state_object){STATE_KIND_ATTACHMENT, target, point});
    gl->glGetFramebufferAttachmentParameteriv(target, point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &name);
    if (state_no_error(d))
        state_write_label(d, (GLenum)type, (GLuint)name, "GL_FRAMEBUFFER_ATTACHMENT_OBJECT_LABEL");
    state_end_object(&d->w);
}

static void write_framebuffer(struct state_dump *d, GLenum target, GLenum binding, const char *member)
{
    enum { MOST = 32 };
    GLint framebuffer = state_get_integer(d, binding, 0);
    if (framebuffer == 0 || d->r->gl.glGetFramebufferAttachmentParameteriv == NULL)
        return;
    GLint points = state_get_integer(d, GL_MAX_COLOR_ATTACHMENTS, 1);
    state_key(&d->w, member);
    state_begin_object(&d->w);
    state_write_label(d, GL_FRAMEBUFFER, (GLuint)framebuffer, "GL_FRAMEBUFFER_LABEL");
    for (GLint i = 0; i < points && i < MOST; ++i)
        write_attachment(d, target, GL_COLOR_ATTACHMENT0 + (GLenum)i);
    write_attachment(d, target, GL_DEPTH_ATTACHMENT);
    write_attachment(d, target, GL_STENCIL_ATTACHMENT);
    state_end_object(&d->w);
}

/* The labels of what is bound to the context. */
static void write_labels(struct state_dump *d)
{
    static const struct {
        GLenum identifier, binding;
        const char *member;
    } labels[] = {
        {GL_BUFFER, GL_ARRAY_BUFFER_BINDING, "GL_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_COLOR_ARRAY_BUFFER_BINDING, "GL_COLOR_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_EDGE_FLAG_ARRAY_BUFFER_BINDING, "GL_EDGE_FLAG_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING, "GL_ELEMENT_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_FOG_COORDINATE_ARRAY_BUFFER_BINDING, "GL_FOG_COORDINATE_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_INDEX_ARRAY_BUFFER_BINDING, "GL_INDEX_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_NORMAL_ARRAY_BUFFER_BINDING, "GL_NORMAL_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_SECONDARY_COLOR_ARRAY_BUFFER_BINDING, "GL_SECONDARY_COLOR_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_TEXTURE_BUFFER, "GL_TEXTURE_BUFFER_LABEL"},
        {GL_BUFFER, GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING, "GL_TEXTURE_COORD_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, "GL_TRANSFORM_FEEDBACK_BUFFER_LABEL"},
        {GL_BUFFER, GL_VERTEX_ARRAY_BUFFER_BINDING, "GL_VERTEX_ARRAY_BUFFER_LABEL"},
        {GL_BUFFER, GL_WEIGHT_ARRAY_BUFFER_BINDING, "GL_WEIGHT_ARRAY_BUFFER_LABEL"},
        {GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER_BINDING, "GL_DRAW_FRAMEBUFFER_LABEL"},
        {GL_FRAMEBUFFER, GL_READ_FRAMEBUFFER_BINDING, "GL_READ_FRAMEBUFFER_LABEL"},
        {GL_PROGRAM, GL_CURRENT_PROGRAM, "GL_CURRENT_PROGRAM_LABEL"},
        {GL_PROGRAM_PIPELINE, GL_PROGRAM_PIPELINE_BINDING, "GL_PROGRAM_PIPELINE_LABEL"},
        {GL_RENDERBUFFER, GL_RENDERBUFFER_BINDING, "GL_RENDERBUFFER_LABEL"},
        {GL_TRANSFORM_FEEDBACK, GL_TRANSFORM_FEEDBACK_BINDING, "GL_TRANSFORM_FEEDBACK_LABEL"},
        {GL_VERTEX_ARRAY, GL_VERTEX_ARRAY_BINDING, "GL_VERTEX_ARRAY_LABEL"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; ++i)
        state_write_label(d, labels[i].identifier, (GLuint)state_get_integer(d, labels[i].binding, 0),
                          labels[i].member);
}

void state_dump_parameters(struct state_dump *d)
{
    state_key(&d->w, "parameters");
    state_begin_object(&d->w);
    state_write_parameters(d, &(struct state_object){.kind = STATE_KIND_CONTEXT});
    write_materials(d);
    write_lights(d);
    write_vertex_attribs(d);
    write_arb_programs(d);
    write_buffers(d);
    write_units(d);
    write_framebuffer(d, GL_DRAW_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER_BINDING, "GL_DRAW_FRAMEBUFFER");
    write_framebuffer(d, GL_READ_FRAMEBUFFER, GL_READ_FRAMEBUFFER_BINDING, "GL_READ_FRAMEBUFFER");
    write_labels(d);
    state_end_object(&d->w);
}
