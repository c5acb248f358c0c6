/* SPDX-License-Identifier: MIT
 * Which vertices and instances a draw reads.
 */
#ifndef RETRACE_DRAW_RANGES_H
#define RETRACE_DRAW_RANGES_H

#include "replayer.h"

/* Vertices are those below `end`. */
struct draw_range {
    uint64_t end;
    uint64_t instances; /* the first and all further ones */
    int64_t restart;    /* an index that is not a vertex; -1: none */
    bool is_incomplete; /* indices or parameters are in a buffer, which was not read */
};

/* Finds the range of a draw or of glArrayElement(), whose arguments have been decoded, given d->restart.
 * reads_buffers: indices and parameters that are in buffers are read, which waits for the GPU. What OpenGL ES
 * has in buffers cannot be read. */
void draw_range_find(struct replayer *r, const struct replay_call *c, struct draw_range *d,
                     bool reads_buffers);

/* Returns the value of an argument with this name, or else `otherwise`. */
int64_t draw_argument(const struct replay_call *c, const char *name, int64_t otherwise);

#endif
