/* SPDX-License-Identifier: MIT
 * The OpenGL functions of egl_driver.h.
 */
#ifndef TESTS_EGL_DRIVER_GL_H
#define TESTS_EGL_DRIVER_GL_H

/* Returns NULL if there is no such function. */
void (*egl_driver_find_gl(const char *name))(void);

/* Adds to the log. */
__attribute__((format(printf, 1, 2))) void egl_driver_note(const char *format, ...);

#endif
