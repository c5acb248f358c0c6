/* SPDX-License-Identifier: MIT
 * Converts an element of a vertex array to the immediate-mode call that specifies it.
 */
#ifndef GL_GL_ELEMENT_VALUES_H
#define GL_GL_ELEMENT_VALUES_H

#include "gl/gl_client_arrays.h"

/* Records a fake glVertex3fv(), glColor4ubv(), … with the values of the element. */
void gl_element_values_record(struct capture_thread *t, const struct gl_client_array *a, uint32_t element);

#endif
