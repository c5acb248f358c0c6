/* SPDX-License-Identifier: MIT
 * The textures of a state dump.
 */
#ifndef RETRACE_STATE_TEXTURES_H
#define RETRACE_STATE_TEXTURES_H

#include "state/state_query.h"

/* Writes the member "textures": all levels of the textures that are bound to units, and images of shaders. */
void state_dump_textures(struct state_dump *d);

#endif
