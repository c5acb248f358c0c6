/* SPDX-License-Identifier: MIT */
#include "state/state_buffer.h"

#include <string.h>

#include "objects/replay_state.h"

/* Binds the buffer where this disturbs least. Returns false if it cannot be bound for a while. */
static bool bind(struct state_dump *d, GLuint buffer, GLenum *target, GLint *bound)
{
    bool has_copies = state_has_version(d, 31, 30);
    *target = has_copies ? GL_COPY_READ_BUFFER : GL_ARRAY_BUFFER;
    *bound = state_get_integer(d, has_copies ? GL_COPY_READ_BUFFER_BINDING : GL_ARRAY_BUFFER_BINDING, 0);
    if (!replay_can_bind_buffer(d->r, (GLint)buffer) || !replay_can_bind_buffer(d->r, *bound))
        return false;
    d->r->gl.glBindBuffer(*target, buffer);
    state_no_error(d);
    return true;
}

static void unbind(struct state_dump *d, GLenum target, GLint bound)
{
    d->r->gl.glBindBuffer(target, (GLuint)bound);
    state_no_error(d);
}

GLint state_buffer_size(struct state_dump *d, GLuint buffer)
{
    GLenum target;
    GLint bound, size = 0;
    if (d->r->gl.glBindBuffer == NULL || d->r->gl.glGetBufferParameteriv == NULL || buffer == 0 ||
        !bind(d, buffer, &target, &bound))
        return 0;
    d->r->gl.glGetBufferParameteriv(target, GL_BUFFER_SIZE, &size);
    bool is_known = state_no_error(d);
    unbind(d, target, bound);
    return is_known ? size : 0;
}

static bool read_mapped(struct state_dump *d, GLenum target, GLintptr offset, GLsizeiptr size, void *out)
{
    if (d->gl.glMapBufferRange == NULL || d->gl.glUnmapBuffer == NULL || !state_has_version(d, 30, 30))
        return false;
    const void *bytes = d->gl.glMapBufferRange(target, offset, size, GL_MAP_READ_BIT);
    if (!state_no_error(d) || bytes == NULL)
        return false;
    memcpy(out, bytes, (size_t)size);
    d->gl.glUnmapBuffer(target);
    return state_no_error(d);
}

bool state_read_buffer(struct state_dump *d, GLuint buffer, GLintptr offset, GLsizeiptr size, void *out)
{
    GLenum target;
    bool is_read = false;
    GLint bound, available = state_buffer_size(d, buffer);
    if (offset < 0 || size <= 0 || offset > available || size > available - offset ||
        !bind(d, buffer, &target, &bound))
        return false;
    if (d->gl.glGetBufferSubData != NULL && !d->context->is_es) {
        d->gl.glGetBufferSubData(target, offset, size, out);
        is_read = state_no_error(d);
    } else {
        is_read = read_mapped(d, target, offset, size, out);
    }
    unbind(d, target, bound);
    return is_read;
}
