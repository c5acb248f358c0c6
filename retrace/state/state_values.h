/* SPDX-License-Identifier: MIT
 * Values of the types of GLSL, for a state dump.
 */
#ifndef RETRACE_STATE_VALUES_H
#define RETRACE_STATE_VALUES_H

#include "state/state_writer.h"

#include <GL/gl.h>
#include <GL/glext.h>

/* What a type such as GL_FLOAT_MAT2x3 consists of. */
struct state_glsl_type {
    GLenum component; /* GL_FLOAT, GL_DOUBLE, GL_INT, GL_UNSIGNED_INT, GL_BOOL; GL_NONE: unknown type */
    unsigned columns; /* of a matrix; otherwise 1 */
    unsigned rows;    /* components of a vector, or of a column */
};

/* Samplers and images are integers: the units that they use. */
struct state_glsl_type state_glsl_type(GLenum type);

/* Returns the bytes of a component. */
size_t state_component_size(GLenum component);

/* How a value is stored. */
struct state_layout {
    size_t matrix_stride; /* bytes from column to column, or from row to row; 0: none are between */
    bool is_row_major;
};

/* Writes the value: a number, an array of numbers, or an array of columns. */
void state_write_glsl(struct state_writer *w, const struct state_glsl_type *type, const void *value,
                      const struct state_layout *layout);

/* Returns the bytes from the beginning of a value to its end. */
size_t state_glsl_size(const struct state_glsl_type *type, const struct state_layout *layout);

#endif
