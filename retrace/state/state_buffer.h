/* SPDX-License-Identifier: MIT
 * Reads the contents of buffer objects.
 */
#ifndef RETRACE_STATE_BUFFER_H
#define RETRACE_STATE_BUFFER_H

#include "state/state_query.h"

/* Returns the size of the buffer object in bytes; 0 if it is not known. */
GLint state_buffer_size(struct state_dump *d, GLuint buffer);

/* Reads bytes of the buffer object. Returns false if they are not all there, or the program has mapped it. */
bool state_read_buffer(struct state_dump *d, GLuint buffer, GLintptr offset, GLsizeiptr size, void *out);

#endif
