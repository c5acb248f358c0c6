/* SPDX-License-Identifier: MIT
 * The uniforms of a state dump.
 */
#ifndef RETRACE_STATE_UNIFORMS_H
#define RETRACE_STATE_UNIFORMS_H

#include "state/state_query.h"

/* Writes the member "uniforms": the values of the uniforms of the programs that are used, those in blocks
 * included, and the parameters of assembly programs. */
void state_dump_uniforms(struct state_dump *d);

/* Writes the member "shaderstoragebufferblocks": what the program tells about them. */
void state_dump_storage_blocks(struct state_dump *d);

#endif
