/* SPDX-License-Identifier: MIT
 * Reads what EGL images show where only a framebuffer object can read it: in OpenGL ES.
 */
#ifndef GL_EGL_IMAGE_READER_H
#define GL_EGL_IMAGE_READER_H

#include "gl/gl_texels.h"

/* Reads the image of the display (EGLImage, EGLDisplay). A context of its own has the framebuffer object, so
 * the program's names stay as they are, and a thread of its own has the context, so nothing is bound in the
 * program's thread, and its EGL errors stay. What the program has drawn must be finished. Without a result,
 * out->pixels is NULL: the display has no contexts without surfaces (EGL_KHR_surfaceless_context), or no
 * thread can be made. The caller frees the pixels. The context is kept for the next reading. */
void egl_image_read(void *display, void *image, struct gl_texels *out);

/* The program is going to terminate the display: it must not have a context more than without recording. */
void egl_image_reader_terminate(const void *display);

/* It has done so: what another thread has read meanwhile has left no context, either. */
void egl_image_reader_forget(const void *display);

#endif
