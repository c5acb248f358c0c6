/* SPDX-License-Identifier: MIT */
#include "objects/kept_shaders.h"

#include <stdlib.h>

#include "call/function_table.h"
#include "objects/replay_state.h"

#define SHADER_FUNCTION_LIST(X)                                                                              \
    X(GLuint, glCreateShader, (GLenum))                                                                      \
    X(void, glShaderSource, (GLuint, GLsizei, const GLchar *const *, const GLint *))                         \
    X(void, glAttachShader, (GLuint, GLuint))                                                                \
    X(void, glDetachShader, (GLuint, GLuint))                                                                \
    X(void, glDeleteShader, (GLuint))                                                                        \
    X(void, glGetAttachedShaders, (GLuint, GLsizei, GLsizei *, GLuint *))                                    \
    X(void, glGetShaderiv, (GLuint, GLenum, GLint *))                                                        \
    X(void, glGetShaderSource, (GLuint, GLsizei, GLsizei *, GLchar *))

struct shader_functions {
    SHADER_FUNCTION_LIST(FUNCTION_TABLE_MEMBER)
};

enum { MOST_SHADERS = 64, LONGEST_SOURCE = 1 << 26 };

static FUNCTION_TABLE_DEFINE_LOAD(load_shader_functions, shader_functions, SHADER_FUNCTION_LIST)

    bool kept_shaders_needed(const struct replayer *r)
{
    return r->options->dump_calls.count > 0 && !r->options->check;
}

void kept_shaders_add(struct replayer *r, GLuint program, GLenum type, GLsizei count,
                      const GLchar *const *sources)
{
    struct shader_functions gl;
    load_shader_functions(&gl, r->ws);
    if (gl.glCreateShader == NULL || gl.glShaderSource == NULL || gl.glAttachShader == NULL ||
        gl.glDeleteShader == NULL)
        return;
    replay_keep_error(r);
    GLuint shader = gl.glCreateShader(type);
    gl.glShaderSource(shader, count, sources, NULL);
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader); /* when the program is deleted */
    replay_clear_errors(r);
    if (int_map_set(&r->current->group->kept_shaders, shader, program) != 0)
        replay_warn(r, "out of memory for shaders that state dumps show");
}

static GLsizei attached(const struct shader_functions *gl, GLuint program, GLuint shaders[MOST_SHADERS])
{
    GLsizei count = 0;
    if (gl->glGetAttachedShaders == NULL)
        return 0;
    gl->glGetAttachedShaders(program, MOST_SHADERS, &count, shaders);
    return count > 0 && count <= MOST_SHADERS ? count : 0;
}

static bool is_attached(const struct shader_functions *gl, GLuint program, GLuint shader)
{
    GLuint shaders[MOST_SHADERS];
    bool found = false;
    for (GLsizei i = attached(gl, program, shaders); i-- > 0;)
        found |= shaders[i] == shader;
    return found;
}

GLchar *kept_shaders_source(struct replayer *r, GLuint program, GLuint shader, GLenum *type)
{
    struct shader_functions gl;
    GLint linked = 0, kind = 0, length = 0;
    GLchar *source = NULL;
    load_shader_functions(&gl, r->ws);
    if (gl.glGetShaderiv == NULL || gl.glGetShaderSource == NULL || r->gl.glGetProgramiv == NULL)
        return NULL;
    replay_keep_error(r);
    r->gl.glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked != 0 && is_attached(&gl, program, shader)) {
        gl.glGetShaderiv(shader, GL_SHADER_TYPE, &kind);
        gl.glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &length);
    }
    if (length > 0 && length <= LONGEST_SOURCE)
        source = calloc((size_t)length + 1, 1);
    if (source != NULL)
        gl.glGetShaderSource(shader, length, NULL, source);
    replay_clear_errors(r);
    *type = (GLenum)kind;
    return source;
}

void kept_shaders_drop(struct replayer *r, GLuint program)
{
    struct int_map *kept = &r->current->group->kept_shaders;
    struct shader_functions gl;
    GLuint shaders[MOST_SHADERS];
    uint64_t of;
    if (kept->len == 0)
        return;
    load_shader_functions(&gl, r->ws);
    if (gl.glDetachShader == NULL)
        return;
    replay_keep_error(r);
    for (GLsizei i = attached(&gl, program, shaders); i-- > 0;) {
        if (!int_map_get(kept, shaders[i], &of) || of != program)
            continue;
        int_map_remove(kept, shaders[i]);
        gl.glDetachShader(program, shaders[i]);
    }
    replay_clear_errors(r);
}

void kept_shaders_forget(struct replayer *r, GLuint shader)
{
    if (r->current->group->kept_shaders.len > 0)
        int_map_remove(&r->current->group->kept_shaders, shader);
}
