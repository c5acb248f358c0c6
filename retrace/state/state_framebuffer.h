/* SPDX-License-Identifier: MIT
 * The pictures of a state dump: of what is drawn to, and of textures.
 */
#ifndef RETRACE_STATE_FRAMEBUFFER_H
#define RETRACE_STATE_FRAMEBUFFER_H

#include "state/state_query.h"

/* Writes the member "framebuffer": the colours, depths and stencils of the window or of the draw framebuffer.
 * Samples are resolved. */
void state_dump_framebuffer(struct state_dump *d);

#endif
