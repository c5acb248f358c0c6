/* SPDX-License-Identifier: MIT
 * The vertices of a state dump.
 */
#ifndef RETRACE_STATE_VERTICES_H
#define RETRACE_STATE_VERTICES_H

#include "state/state_query.h"

/* Writes the member "buffers": the vertices in buffer objects that the program's attributes have. */
void state_dump_vertices(struct state_dump *d);

#endif
