/* SPDX-License-Identifier: MIT
 * Reads the indices of a draw and finds the vertices that they refer to.
 */
#ifndef GL_GL_DRAW_INDICES_H
#define GL_GL_DRAW_INDICES_H

#include "context/gl_context.h"

struct gl_index_range {
    int64_t lowest, highest;
};

/* Finds the lowest and the highest of count indices; restart indices are ignored. `indices` is an address, or
 * an offset into the bound element buffer. Returns false if the draw reads nothing, or if the indices cannot
 * be read. */
bool gl_draw_indices_range(const struct gl_context *c, uint32_t type, const void *indices, int64_t count,
                           struct gl_index_range *out);

/* Finds the index by which glArrayElement() restarts primitives. Returns false if there is none. */
bool gl_draw_indices_restart(const struct gl_context *c, uint32_t *restart);

/* Returns the size of an index of this type in bytes, or 0 for other types. */
unsigned gl_draw_index_size(uint32_t type);

/* Returns index i of an array of indices of `size` bytes each. The array need not be aligned. */
uint32_t gl_draw_load_index(const void *indices, unsigned size, int64_t i);

/* Copies up to size bytes at offset of the buffer that is bound to target. *copied receives the number of
 * bytes. The caller frees the copy. Returns NULL if the buffer cannot be read. */
void *gl_draw_read_buffer(const struct gl_context *c, uint32_t target, uint64_t offset, uint64_t size,
                          uint64_t *copied);

#endif
