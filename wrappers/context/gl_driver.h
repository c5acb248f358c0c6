/* SPDX-License-Identifier: MIT
 * Questions to the real driver about the calling thread's current context. A question that the context's API
 * does not know makes a GL error that the program would see: ask only what it has, and nothing between
 * glBegin() and glEnd().
 */
#ifndef CONTEXT_GL_DRIVER_H
#define CONTEXT_GL_DRIVER_H

#include "runtime/length.h"

/* For struct spec_state. */
extern const struct spec_driver gl_driver;

/* What glGetProgramiv answers; 0 when it does not. */
int32_t gl_driver_program_integer(uint32_t program, uint32_t pname);

/* What glGetIntegerv, glIsEnabled, glGetPointerv, glGetVertexAttribiv, glGetVertexAttribPointerv, and
 * glGetBufferParameteriv answer; 0, false and NULL when they do not. */
int32_t gl_driver_integer(uint32_t pname);
bool gl_driver_is_enabled(uint32_t capability);
void *gl_driver_pointer(uint32_t pname);
int32_t gl_driver_attribute(uint32_t index, uint32_t pname);
void *gl_driver_attribute_pointer(uint32_t index);
int32_t gl_driver_buffer(uint32_t target, uint32_t pname);

/* Does the context have this extension? version: of the context, as in struct gl_context. */
bool gl_driver_has_extension(unsigned version, const char *name);

#endif
