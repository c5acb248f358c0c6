/* SPDX-License-Identifier: MIT */
#include "objects/replay_state.h"

#include <stddef.h>

#include "runtime/driver_sizes.h"

/* A lost context may report errors endlessly. */
enum { MAX_ERRORS = 64 };

void replay_clear_errors(struct replayer *r)
{
    for (int i = 0; i < MAX_ERRORS && r->gl.glGetError() != GL_NO_ERROR; ++i)
        continue;
}

void replay_keep_error(struct replayer *r)
{
    GLenum error = GL_NO_ERROR;
    if (r->is_inspecting) {
        replay_clear_errors(r);
        return;
    }
    for (int i = 0; i < MAX_ERRORS && (error = r->gl.glGetError()) != GL_NO_ERROR; ++i)
        if (r->current->error == GL_NO_ERROR)
            r->current->error = error;
}

bool replay_keep_call_error(struct replayer *r)
{
    r->call_error = r->gl.glGetError();
    if (r->current->error == GL_NO_ERROR)
        r->current->error = r->call_error;
    return r->call_error != GL_NO_ERROR;
}

GLenum replay_take_error(struct replayer *r)
{
    GLenum error;
    replay_keep_error(r);
    error = r->current->error;
    r->current->error = GL_NO_ERROR;
    return error;
}

struct gl_access replay_gl_access(const struct replayer *r)
{
    return (struct gl_access){&r->gl, r->current->is_es, r->current->version};
}

GLint replay_get_integer(struct replayer *r, GLenum pname, GLint fallback)
{
    GLint values[16] = {0};
    replay_keep_error(r);
    r->gl.glGetIntegerv(pname, values);
    if (r->gl.glGetError() == GL_NO_ERROR)
        return values[0];
    replay_clear_errors(r);
    return fallback;
}

static bool can_bind(GLboolean (*is)(GLuint), GLint name)
{
    return name == 0 || is == NULL || is((GLuint)name) != GL_FALSE;
}

bool replay_can_bind_texture(const struct replayer *r, GLint name)
{
    return can_bind(r->gl.glIsTexture, name);
}

bool replay_can_bind_renderbuffer(const struct replayer *r, GLint name)
{
    return can_bind(r->gl.glIsRenderbuffer, name);
}

bool replay_can_bind_buffer(const struct replayer *r, GLint name)
{
    return can_bind(r->gl.glIsBuffer, name);
}

/* Old versions may have framebuffer objects by an extension, whose only binding has the same number. */
GLint replay_draw_framebuffer(struct replayer *r)
{
    struct replay_context *context = r->current;
    bool has_framebuffers = context->version >= (context->is_es ? 20 : 30);
    if (context->inside_begin || context->lacks_framebuffers)
        return 0;
    GLint bound = replay_get_integer(r, GL_DRAW_FRAMEBUFFER_BINDING, -1);
    context->lacks_framebuffers = bound == -1 && !has_framebuffers;
    return bound != -1 ? bound : 0;
}

static void refresh_pixel_store(struct replayer *r, struct replay_context *context)
{
    /* The versions of OpenGL ES that have a parameter. Desktop OpenGL has all of them. */
    static const struct {
        GLenum pname;
        int es_version;
        size_t offset;
    } parameters[] = {
        {GL_UNPACK_ALIGNMENT, 10, offsetof(struct spec_state, unpack.alignment)},
        {GL_UNPACK_ROW_LENGTH, 30, offsetof(struct spec_state, unpack.row_length)},
        {GL_UNPACK_SKIP_ROWS, 30, offsetof(struct spec_state, unpack.skip_rows)},
        {GL_UNPACK_SKIP_PIXELS, 30, offsetof(struct spec_state, unpack.skip_pixels)},
        {GL_UNPACK_IMAGE_HEIGHT, 30, offsetof(struct spec_state, unpack.image_height)},
        {GL_UNPACK_SKIP_IMAGES, 30, offsetof(struct spec_state, unpack.skip_images)},
        {GL_PACK_ALIGNMENT, 10, offsetof(struct spec_state, pack.alignment)},
        {GL_PACK_ROW_LENGTH, 30, offsetof(struct spec_state, pack.row_length)},
        {GL_PACK_SKIP_ROWS, 30, offsetof(struct spec_state, pack.skip_rows)},
        {GL_PACK_SKIP_PIXELS, 30, offsetof(struct spec_state, pack.skip_pixels)},
        {GL_PACK_IMAGE_HEIGHT, 999, offsetof(struct spec_state, pack.image_height)},
        {GL_PACK_SKIP_IMAGES, 999, offsetof(struct spec_state, pack.skip_images)},
    };
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; ++i) {
        bool alignment =
            parameters[i].pname == GL_UNPACK_ALIGNMENT || parameters[i].pname == GL_PACK_ALIGNMENT;
        int32_t value = alignment ? 4 : 0;
        /* ES 2 has them with GL_EXT_unpack_subimage, so query them there, too. */
        if (!context->is_es || parameters[i].es_version <= context->version || context->version == 20)
            value = replay_get_integer(r, parameters[i].pname, value);
        *(int32_t *)((char *)&context->state + parameters[i].offset) = value;
    }
    context->pixel_store_stale = false;
}

/* The versions that have a target. */
enum { NEVER = 999 };
static const struct buffer_target {
    GLenum target, pname;
    int version, es_version;
    size_t offset; /* of a bool in struct spec_state */
} buffer_targets[] = {
    {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, 15, 11, offsetof(struct spec_state, array_buffer)},
    {GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING, 15, 11,
     offsetof(struct spec_state, element_buffer)},
    {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, 21, 30,
     offsetof(struct spec_state, unpack_buffer)},
    {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, 21, 30, offsetof(struct spec_state, pack_buffer)},
    {GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING, 40, 31,
     offsetof(struct spec_state, indirect_buffer)},
    {GL_QUERY_BUFFER, GL_QUERY_BUFFER_BINDING, 44, NEVER, offsetof(struct spec_state, query_buffer)},
};
enum { BUFFER_TARGETS = sizeof buffer_targets / sizeof *buffer_targets };

static bool *bound_to(struct replay_context *context, const struct buffer_target *t)
{
    return (bool *)((char *)&context->state + t->offset);
}

void replay_state_bind_buffer(struct replay_context *context, GLenum target, bool is_bound)
{
    for (unsigned i = 0; i < BUFFER_TARGETS; ++i) {
        if (buffer_targets[i].target != target)
            continue;
        *bound_to(context, &buffer_targets[i]) = is_bound;
        context->used_targets |= 1u << i;
    }
}

/* By its version, or by an extension, which a program has bound a buffer with. */
static bool may_have_target(const struct replay_context *context, unsigned i)
{
    const struct buffer_target *t = &buffer_targets[i];
    return context->version >= (context->is_es ? t->es_version : t->version) ||
           (context->used_targets & 1u << i) != 0;
}

bool replay_state_may_pack(const struct replay_context *context)
{
    unsigned i = 0;
    while (buffer_targets[i].target != GL_PIXEL_PACK_BUFFER)
        ++i;
    return may_have_target(context, i);
}

static void refresh_buffers(struct replayer *r, struct replay_context *context)
{
    for (unsigned i = 0; i < BUFFER_TARGETS; ++i)
        *bound_to(context, &buffer_targets[i]) =
            may_have_target(context, i) && replay_get_integer(r, buffer_targets[i].pname, 0) != 0;
    context->buffers_stale = false;
    context->element_buffer_stale = false;
}

/* The binding belongs to the vertex array object and changes far more often than other state, so only this is
 * queried. */
static void refresh_element_buffer(struct replayer *r, struct replay_context *context)
{
    GLint buffer = 0;
    r->gl.glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &buffer);
    context->state.element_buffer = buffer != 0;
    context->element_buffer_stale = false;
}

/* --- sizes that the driver knows ------------------------------------------------------------------------ */

/* Between glBegin() and glEnd(), questions are errors, but so is the program's call, for which they are. If
 * the driver has refused glBegin(), it answers. */
static bool begin_questions(void *context)
{
    struct replayer *r = context;
    if (r->current == NULL || r->gl.glGetError == NULL)
        return false;
    if (!r->current->inside_begin)
        replay_keep_error(r);
    return true;
}

static void end_questions(void *context)
{
    struct replayer *r = context;
    if (!r->current->inside_begin)
        replay_clear_errors(r);
}

static void (*find_function(void *context, uint32_t function))(void)
{
    struct replayer *r = context;
    union {
        void *object;
        void (*function)(void);
    } address = {.object = r->ws->ops->get_proc(r->ws, spec_string(spec_functions[function].name))};
    return address.function;
}

const struct spec_driver *replay_state_driver(struct replayer *r)
{
    r->questions = (struct spec_questions){
        .find = find_function, .begin = begin_questions, .end = end_questions, .context = r};
    r->driver = (struct spec_driver){.context = &r->questions,
                                     .get_integer = spec_ask_integer,
                                     .get_level = spec_ask_level,
                                     .get_named_level = spec_ask_named_level,
                                     .get_parameter = spec_ask_parameter,
                                     .get_named_program = spec_ask_named_program,
                                     .get_uniform_size = spec_ask_uniform_size};
    return &r->driver;
}

const struct spec_state *replay_state_get(struct replayer *r)
{
    struct replay_context *context = r->current;
    if (!context->inside_begin && r->gl.glGetIntegerv != NULL) {
        if (context->pixel_store_stale)
            refresh_pixel_store(r, context);
        if (context->buffers_stale)
            refresh_buffers(r, context);
        if (context->element_buffer_stale)
            refresh_element_buffer(r, context);
    }
    return &context->state;
}
