/* SPDX-License-Identifier: MIT
 * Questions to the real driver about the calling thread's current context.
 */
#ifndef WRAPPERS_GL_DRIVER_H
#define WRAPPERS_GL_DRIVER_H

#include "runtime/length.h"

/* For struct spec_state. */
extern const struct spec_driver gl_driver;

/* What glGetProgramiv answers; 0 when it does not. */
int32_t gl_driver_program_integer(uint32_t program, uint32_t pname);

#endif
