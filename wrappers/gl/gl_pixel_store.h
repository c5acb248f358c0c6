/* SPDX-License-Identifier: MIT
 * Sets the program's pixel store aside while the recorder moves pixels.
 */
#ifndef GL_GL_PIXEL_STORE_H
#define GL_GL_PIXEL_STORE_H

#include "capture/capture_thread.h"
#include "context/gl_context.h"

/* Give the driver's pack state, which is the program's, its initial values, without a buffer; and the
 * program's values again. c is the current context. */
void gl_pixel_store_set_aside(const struct gl_context *c);
void gl_pixel_store_restore(const struct gl_context *c);

/* The same for the unpack state of the trace, by fake calls. The driver's stays as it is. */
void gl_pixel_store_record_initial(struct capture_thread *t);
void gl_pixel_store_record_programs(struct capture_thread *t);

#endif
