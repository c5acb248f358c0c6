/* SPDX-License-Identifier: MIT
 * Asks the driver about the buffer object that a call's first argument refers to, by name or by binding
 * point. Not between glBegin() and glEnd().
 */
#ifndef GL_GL_BUFFER_QUERIES_H
#define GL_GL_BUFFER_QUERIES_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

/* The first argument of such a function is a name, not a binding point. */
bool gl_call_names_buffer(const struct spec_function *f);

/* Returns the buffer's name, or 0 if there is none. */
uint32_t gl_call_buffer(const struct capture_thread *t, const struct spec_function *f,
                        const union spec_arg *args);

/* In bytes. Returns 0 if the size does not fit in the result of the query. */
uint64_t gl_call_buffer_size(const struct spec_function *f, const union spec_arg *args);
bool gl_call_buffer_is_mapped(const struct spec_function *f, const union spec_arg *args);

#endif
