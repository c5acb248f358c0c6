/* SPDX-License-Identifier: MIT
 * Queries the real driver about the calling thread's current context. A query that the context's API does not
 * have would set a GL error that the program would see. So only query what the API has, and nothing between
 * glBegin() and glEnd().
 */
#ifndef CONTEXT_GL_DRIVER_H
#define CONTEXT_GL_DRIVER_H

#include "runtime/length.h"

/* The queries that struct spec_state needs. */
extern const struct spec_driver gl_driver;

/* Returns the result of glGetProgramiv, or 0 if it fails. */
int32_t gl_driver_program_integer(uint32_t program, uint32_t pname);

/* Return the results of glGetIntegerv, glGetIntegeri_v, glIsEnabled, glGetPointerv, glGetVertexAttribiv,
 * glGetVertexAttribPointerv, and glGetBufferParameteriv, or 0, false or NULL if they fail. */
int32_t gl_driver_integer(uint32_t pname);
int32_t gl_driver_indexed_integer(uint32_t pname, uint32_t index);
bool gl_driver_is_enabled(uint32_t capability);
void *gl_driver_pointer(uint32_t pname);
int32_t gl_driver_attribute(uint32_t index, uint32_t pname);
void *gl_driver_attribute_pointer(uint32_t index);
int32_t gl_driver_buffer(uint32_t target, uint32_t pname);

/* Returns true if the context has this extension. version: as in struct gl_context. */
bool gl_driver_has_extension(unsigned version, const char *name);

#endif
