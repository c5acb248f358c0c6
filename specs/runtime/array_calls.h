/* SPDX-License-Identifier: MIT
 * Calls that set vertex arrays.
 */
#ifndef RUNTIME_ARRAY_CALLS_H
#define RUNTIME_ARRAY_CALLS_H

#include <stdbool.h>

#include "runtime/spec.h"

/* Returns true if gl*Pointer(…) or glInterleavedArrays() has an error by its arguments alone (OpenGL 4.6,
 * section 10.3), so that the array stays as it was: a stride, a size or a type that no array has, or a
 * combination of them. False if that is not certain. is_es: of a context of OpenGL ES. */
bool spec_array_is_refused(const struct spec_function *f, const union spec_arg *args, bool is_es);

/* Every driver has so many generic attributes. */
#define SPEC_ATTRIBUTES_MIN 8

/* Returns the number of the generic attribute that such a call sets, which is an error from
 * GL_MAX_VERTEX_ATTRIBS on; 0 if it sets another array. */
uint32_t spec_array_attribute(const struct spec_function *f, const union spec_arg *args);

/* Every driver takes strides of up to so many bytes. */
#define SPEC_STRIDE_MIN 2048

/* Returns the stride of such a call, in bytes; 0: it has none. In OpenGL 4.4, a stride above
 * GL_MAX_VERTEX_ATTRIB_STRIDE is an error (OpenGL 4.6, section 10.3.1). In OpenGL ES 3.1, it should be, but
 * drivers take it. */
int64_t spec_array_stride(const struct spec_function *f, const union spec_arg *args);

#endif
