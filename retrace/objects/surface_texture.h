/* SPDX-License-Identifier: MIT
 * Textures that show a surface of EGL (eglBindTexImage()). Each has a copy of what was drawn to the surface,
 * as it was when the texture was bound, or when the surface was last left for another one.
 */
#ifndef RETRACE_SURFACE_TEXTURE_H
#define RETRACE_SURFACE_TEXTURE_H

#include "replayer.h"

/* Lets the bound 2D texture of the current context show the surface. */
void surface_texture_bind(struct replayer *r, struct replay_drawable *surface);
void surface_texture_release(struct replay_drawable *surface);

/* Copies the surface that can be read to the bound 2D texture. */
void surface_texture_copy(struct replayer *r, const struct replay_drawable *surface);

/* Call it before the current thread binds something else than t->draw. Copies the surface to its texture, if
 * it has one and something was drawn. */
void surface_texture_leave(struct replayer *r, const struct replay_thread *t);

#endif
