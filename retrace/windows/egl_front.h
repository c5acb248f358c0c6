/* SPDX-License-Identifier: MIT
 * Front buffers without a display server. A pbuffer has one buffer, so a drawable with a back buffer gets a
 * second pbuffer when a program selects the front one. The context draws to and reads from the one that it
 * has selected. A swap copies the colours of the back buffer. Depth and stencil are in the pbuffer that is
 * drawn to.
 */
#ifndef RETRACE_EGL_FRONT_H
#define RETRACE_EGL_FRONT_H

#include "windows/egl_pbuffers.h"

/* The context of these is about to be bound to the drawables. Mesa keeps with a context what it draws to, but
 * with a context and a drawable what it reads from. */
void egl_front_expect(const struct egl_bindings *next);

/* The context has been bound. If that is for the first time, selects what the program's driver did: a context
 * draws to the back buffer if its configuration has one, and reads from that of a drawable that has one.
 * Returns true if the driver takes the only buffer of a pbuffer for a front buffer. */
bool egl_front_begin(const struct egl_bindings *now);

/* Binds the surfaces of the buffers that the context has selected. Returns false if EGL cannot bind them. */
bool egl_front_bind(const struct egl_screen *s, const struct egl_bindings *now);

/* Asks the context what it has selected, and binds the surfaces for that. While a program draws to both
 * buffers, they are one; then the front buffer becomes a copy of the back buffer. Errors: those of
 * egl_create_pbuffer(). */
int egl_front_follow(const struct egl_screen *s, const struct egl_bindings *now);

/* After a swap, the front buffer shows the back buffer: at once if the drawable is bound, otherwise when it
 * will be. keep: the drawable gets a front buffer if it has none, and is bound. Errors: likewise. */
int egl_front_show(const struct egl_screen *s, const struct egl_bindings *now, struct ws_drawable *drawable,
                   bool keep);

/* Binds the pbuffer that has depth and stencil of the drawable that is read from; begin false: what the
 * context has selected again. Returns true if that is another one. */
bool egl_front_read_depth(const struct egl_screen *s, const struct egl_bindings *now, bool begin);

/* Makes up for swaps of the drawables that are bound now, and for front buffers that they lack. Errors:
 * likewise. */
int egl_front_catch_up(const struct egl_screen *s, const struct egl_bindings *now);

#endif
