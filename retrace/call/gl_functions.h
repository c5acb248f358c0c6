/* SPDX-License-Identifier: MIT
 * The OpenGL functions that the replayer calls for its own purposes: errors, state queries, snapshots. A
 * member is NULL until a context has been current, or if the driver does not have the function.
 */
#ifndef RETRACE_GL_FUNCTIONS_H
#define RETRACE_GL_FUNCTIONS_H

#include <GL/gl.h>
#include <GL/glext.h>

#include "call/function_table.h"

#define GL_FUNCTION_LIST(X)                                                                                  \
    X(void, glBeginConditionalRender, (GLuint, GLenum))                                                      \
    X(void, glEndConditionalRender, (void))                                                                  \
    X(void, glBindBuffer, (GLenum, GLuint))                                                                  \
    X(void, glBindFramebuffer, (GLenum, GLuint))                                                             \
    X(void, glBlitFramebuffer, (GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum)) \
    X(void, glClear, (GLbitfield))                                                                           \
    X(void, glClearBufferfi, (GLenum, GLint, GLfloat, GLint))                                                \
    X(void, glClearColor, (GLfloat, GLfloat, GLfloat, GLfloat))                                              \
    X(void, glClearDepth, (GLdouble))                                                                        \
    X(void, glClearDepthf, (GLfloat))                                                                        \
    X(void, glClearStencil, (GLint))                                                                         \
    X(void, glCopyTexImage2D, (GLenum, GLint, GLenum, GLint, GLint, GLsizei, GLsizei, GLint))                \
    X(void, glDebugMessageCallback, (GLDEBUGPROC, const void *))                                             \
    X(void, glDebugMessageCallbackKHR, (GLDEBUGPROC, const void *))                                          \
    X(void, glDebugMessageInsert, (GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar *))                 \
    X(void, glDebugMessageInsertKHR, (GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar *))              \
    X(const GLubyte *, glGetStringi, (GLenum, GLuint))                                                       \
    X(void, glScissor, (GLint, GLint, GLsizei, GLsizei))                                                     \
    X(void, glStringMarkerGREMEDY, (GLsizei, const void *))                                                  \
    X(void, glColorMask, (GLboolean, GLboolean, GLboolean, GLboolean))                                       \
    X(void, glColorMaski, (GLuint, GLboolean, GLboolean, GLboolean, GLboolean))                              \
    X(void, glScissorIndexed, (GLuint, GLint, GLint, GLsizei, GLsizei))                                      \
    X(void, glDisablei, (GLenum, GLuint))                                                                    \
    X(void, glEnablei, (GLenum, GLuint))                                                                     \
    X(void, glDrawBuffers, (GLsizei, const GLenum *))                                                        \
    X(void, glDepthMask, (GLboolean))                                                                        \
    X(void, glStencilMaskSeparate, (GLenum, GLuint))                                                         \
    X(void, glDeleteFramebuffers, (GLsizei, const GLuint *))                                                 \
    X(void, glDeleteRenderbuffers, (GLsizei, const GLuint *))                                                \
    X(void, glDisable, (GLenum))                                                                             \
    X(void, glDrawBuffer, (GLenum))                                                                          \
    X(void, glEnable, (GLenum))                                                                              \
    X(void, glFramebufferRenderbuffer, (GLenum, GLenum, GLenum, GLuint))                                     \
    X(void, glGenFramebuffers, (GLsizei, GLuint *))                                                          \
    X(void, glGenRenderbuffers, (GLsizei, GLuint *))                                                         \
    X(GLboolean, glIsBuffer, (GLuint))                                                                       \
    X(GLboolean, glIsEnabled, (GLenum))                                                                      \
    X(GLboolean, glIsRenderbuffer, (GLuint))                                                                 \
    X(GLboolean, glIsTexture, (GLuint))                                                                      \
    X(void, glRenderbufferStorage, (GLenum, GLenum, GLsizei, GLsizei))                                       \
    X(void, glRenderbufferStorageMultisample, (GLenum, GLsizei, GLenum, GLsizei, GLsizei))                   \
    X(void, glClientActiveTexture, (GLenum))                                                                 \
    X(GLenum, glClientWaitSync, (GLsync, GLbitfield, GLuint64))                                              \
    X(void, glFinish, (void))                                                                                \
    X(void, glBindVertexArray, (GLuint))                                                                     \
    X(void, glFlush, (void))                                                                                 \
    X(void, glGetBufferParameteriv, (GLenum, GLenum, GLint *))                                               \
    X(void, glGetBufferSubData, (GLenum, GLintptr, GLsizeiptr, void *))                                      \
    X(GLenum, glGetError, (void))                                                                            \
    X(void, glGetFramebufferAttachmentParameteriv, (GLenum, GLenum, GLenum, GLint *))                        \
    X(void, glGetDoublev, (GLenum, GLdouble *))                                                              \
    X(void, glGetFloatv, (GLenum, GLfloat *))                                                                \
    X(void, glGetIntegerv, (GLenum, GLint *))                                                                \
    X(void, glGetNamedBufferParameteriv, (GLuint, GLenum, GLint *))                                          \
    X(void, glGetPointerv, (GLenum, void **))                                                                \
    X(void, glGetIntegeri_v, (GLenum, GLuint, GLint *))                                                      \
    X(void, glGetVertexAttribPointerv, (GLuint, GLenum, void **))                                            \
    X(void, glGetVertexAttribiv, (GLuint, GLenum, GLint *))                                                  \
    X(void, glGetProgramBinary, (GLuint, GLsizei, GLsizei *, GLenum *, void *))                              \
    X(GLint, glGetUniformLocation, (GLuint, const GLchar *))                                                 \
    X(void, glGetUniformIndices, (GLuint, GLsizei, const GLchar *const *, GLuint *))                         \
    X(void, glGetActiveUniformsiv, (GLuint, GLsizei, const GLuint *, GLenum, GLint *))                       \
    X(GLuint, glGetSubroutineIndex, (GLuint, GLenum, const GLchar *))                                        \
    X(GLuint, glGetUniformBlockIndex, (GLuint, const GLchar *))                                              \
    X(GLuint, glGetProgramResourceIndex, (GLuint, GLenum, const GLchar *))                                   \
    X(void, glGetProgramiv, (GLuint, GLenum, GLint *))                                                       \
    X(void, glGetQueryObjectuiv, (GLuint, GLenum, GLuint *))                                                 \
    X(void, glGetRenderbufferParameteriv, (GLenum, GLenum, GLint *))                                         \
    X(const GLubyte *, glGetString, (GLenum))                                                                \
    X(void, glGetTexLevelParameteriv, (GLenum, GLint, GLenum, GLint *))                                      \
    X(void, glBindRenderbuffer, (GLenum, GLuint))                                                            \
    X(void, glBindTexture, (GLenum, GLuint))                                                                 \
    X(void, glPixelStorei, (GLenum, GLint))                                                                  \
    X(void, glPixelTransferf, (GLenum, GLfloat))                                                             \
    X(void, glReadBuffer, (GLenum))                                                                          \
    X(void, glReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *))

struct gl_functions {
    GL_FUNCTION_LIST(FUNCTION_TABLE_MEMBER)
};

/* Looks up all functions. A context must be current. */
void gl_functions_load(struct gl_functions *gl, struct window_system *ws);

#endif
