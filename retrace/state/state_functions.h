/* SPDX-License-Identifier: MIT
 * The OpenGL functions that a state dump needs besides those of gl_functions.h. A member is NULL if the
 * driver does not have the function. Some drivers also have functions that the context lacks; these make an
 * error.
 */
#ifndef RETRACE_STATE_FUNCTIONS_H
#define RETRACE_STATE_FUNCTIONS_H

#include <GL/gl.h>
#include <GL/glext.h>

#include "call/function_table.h"

#define STATE_FUNCTION_LIST(X)                                                                               \
    X(void, glActiveTexture, (GLenum))                                                                       \
    X(void, glAttachShader, (GLuint, GLuint))                                                                \
    X(void, glBindBufferBase, (GLenum, GLuint, GLuint))                                                      \
    X(void, glBindBufferRange, (GLenum, GLuint, GLuint, GLintptr, GLsizeiptr))                               \
    X(void, glBindSampler, (GLuint, GLuint))                                                                 \
    X(void, glBufferData, (GLenum, GLsizeiptr, const void *, GLenum))                                        \
    X(GLenum, glCheckFramebufferStatus, (GLenum))                                                            \
    X(void, glCompileShader, (GLuint))                                                                       \
    X(GLuint, glCreateProgram, (void))                                                                       \
    X(GLuint, glCreateShader, (GLenum))                                                                      \
    X(void, glDeleteBuffers, (GLsizei, const GLuint *))                                                      \
    X(void, glDeleteProgram, (GLuint))                                                                       \
    X(void, glDeleteSamplers, (GLsizei, const GLuint *))                                                     \
    X(void, glDeleteShader, (GLuint))                                                                        \
    X(void, glDispatchCompute, (GLuint, GLuint, GLuint))                                                     \
    X(void, glDrawArrays, (GLenum, GLint, GLsizei))                                                          \
    X(void, glDrawBuffer, (GLenum))                                                                          \
    X(void, glEnableVertexAttribArray, (GLuint))                                                             \
    X(void, glFramebufferTexture2D, (GLenum, GLenum, GLenum, GLuint, GLint))                                 \
    X(void, glFramebufferTextureLayer, (GLenum, GLenum, GLuint, GLint, GLint))                               \
    X(void, glGenBuffers, (GLsizei, GLuint *))                                                               \
    X(void, glGenSamplers, (GLsizei, GLuint *))                                                              \
    X(void, glGetActiveAttrib, (GLuint, GLuint, GLsizei, GLsizei *, GLint *, GLenum *, GLchar *))            \
    X(void, glGetActiveUniform, (GLuint, GLuint, GLsizei, GLsizei *, GLint *, GLenum *, GLchar *))           \
    X(void, glGetActiveUniformBlockiv, (GLuint, GLuint, GLenum, GLint *))                                    \
    X(void, glGetActiveUniformsiv, (GLuint, GLsizei, const GLuint *, GLenum, GLint *))                       \
    X(void, glGetAttachedShaders, (GLuint, GLsizei, GLsizei *, GLuint *))                                    \
    X(GLint, glGetAttribLocation, (GLuint, const GLchar *))                                                  \
    X(void, glGetBooleanv, (GLenum, GLboolean *))                                                            \
    X(void, glGetBufferPointerv, (GLenum, GLenum, void **))                                                  \
    X(void, glGetBufferSubData, (GLenum, GLintptr, GLsizeiptr, void *))                                      \
    X(void, glGetFloatv, (GLenum, GLfloat *))                                                                \
    X(void, glGetInteger64i_v, (GLenum, GLuint, GLint64 *))                                                  \
    X(void, glGetIntegeri_v, (GLenum, GLuint, GLint *))                                                      \
    X(void, glGetLightfv, (GLenum, GLenum, GLfloat *))                                                       \
    X(void, glGetMaterialfv, (GLenum, GLenum, GLfloat *))                                                    \
    X(void, glGetObjectLabel, (GLenum, GLuint, GLsizei, GLsizei *, GLchar *))                                \
    X(void, glGetPointerv, (GLenum, void **))                                                                \
    X(void, glGetProgramEnvParameterdvARB, (GLenum, GLuint, GLdouble *))                                     \
    X(void, glGetProgramInterfaceiv, (GLuint, GLenum, GLenum, GLint *))                                      \
    X(void, glGetProgramLocalParameterdvARB, (GLenum, GLuint, GLdouble *))                                   \
    X(void, glGetProgramPipelineiv, (GLuint, GLenum, GLint *))                                               \
    X(void, glGetProgramResourceName, (GLuint, GLenum, GLuint, GLsizei, GLsizei *, GLchar *))                \
    X(void, glGetProgramResourceiv,                                                                          \
      (GLuint, GLenum, GLuint, GLsizei, const GLenum *, GLsizei, GLsizei *, GLint *))                        \
    X(void, glGetProgramStringARB, (GLenum, GLenum, void *))                                                 \
    X(void, glGetProgramiv, (GLuint, GLenum, GLint *))                                                       \
    X(void, glGetProgramivARB, (GLenum, GLenum, GLint *))                                                    \
    X(void, glGetSamplerParameterfv, (GLuint, GLenum, GLfloat *))                                            \
    X(void, glGetSamplerParameteriv, (GLuint, GLenum, GLint *))                                              \
    X(void, glGetShaderSource, (GLuint, GLsizei, GLsizei *, GLchar *))                                       \
    X(void, glGetShaderiv, (GLuint, GLenum, GLint *))                                                        \
    X(void, glGetTexEnvfv, (GLenum, GLenum, GLfloat *))                                                      \
    X(void, glGetTexEnviv, (GLenum, GLenum, GLint *))                                                        \
    X(void, glGetTexImage, (GLenum, GLint, GLenum, GLenum, void *))                                          \
    X(void, glGetTexParameterfv, (GLenum, GLenum, GLfloat *))                                                \
    X(void, glGetTexParameteriv, (GLenum, GLenum, GLint *))                                                  \
    X(GLint, glGetUniformLocation, (GLuint, const GLchar *))                                                 \
    X(void, glGetUniformdv, (GLuint, GLint, GLdouble *))                                                     \
    X(void, glGetUniformfv, (GLuint, GLint, GLfloat *))                                                      \
    X(void, glGetUniformiv, (GLuint, GLint, GLint *))                                                        \
    X(void, glGetUniformuiv, (GLuint, GLint, GLuint *))                                                      \
    X(void, glGetVertexAttribPointerv, (GLuint, GLenum, void **))                                            \
    X(void, glGetVertexAttribfv, (GLuint, GLenum, GLfloat *))                                                \
    X(void, glLinkProgram, (GLuint))                                                                         \
    X(void *, glMapBufferRange, (GLenum, GLintptr, GLsizeiptr, GLbitfield))                                  \
    X(void, glMemoryBarrier, (GLbitfield))                                                                   \
    X(void, glSamplerParameteri, (GLuint, GLenum, GLint))                                                    \
    X(void, glShaderSource, (GLuint, GLsizei, const GLchar *const *, const GLint *))                         \
    X(void, glTexParameteri, (GLenum, GLenum, GLint))                                                        \
    X(void, glTexSubImage2D, (GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void *))  \
    X(void, glTexSubImage3D,                                                                                 \
      (GLenum, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei, GLenum, GLenum, const void *))         \
    X(void, glUniform1i, (GLint, GLint))                                                                     \
    X(void, glUniform2i, (GLint, GLint, GLint))                                                              \
    X(GLboolean, glUnmapBuffer, (GLenum))                                                                    \
    X(void, glUseProgram, (GLuint))                                                                          \
    X(void, glVertexAttribPointer, (GLuint, GLint, GLenum, GLboolean, GLsizei, const void *))                \
    X(void, glViewport, (GLint, GLint, GLsizei, GLsizei))

struct state_functions {
    STATE_FUNCTION_LIST(FUNCTION_TABLE_MEMBER)
};

/* Looks up all functions. A context must be current. */
void state_functions_load(struct state_functions *gl, struct window_system *ws);

#endif
