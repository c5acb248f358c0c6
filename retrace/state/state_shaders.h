/* SPDX-License-Identifier: MIT
 * The shaders of a state dump.
 */
#ifndef RETRACE_STATE_SHADERS_H
#define RETRACE_STATE_SHADERS_H

#include "state/state_query.h"

/* Writes the member "shaders": the sources of the shaders that are used, by stage. */
void state_dump_shaders(struct state_dump *d);

#endif
