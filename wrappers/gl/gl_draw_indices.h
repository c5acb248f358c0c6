/* SPDX-License-Identifier: MIT
 * The indices of a draw, and which vertices they mean.
 */
#ifndef GL_GL_DRAW_INDICES_H
#define GL_GL_DRAW_INDICES_H

#include "context/gl_context.h"

struct gl_index_range {
    int64_t lowest, highest;
};

/* The lowest and highest of count indices, apart from restart indices. `indices` is an address, or an offset
 * into the bound element buffer. False when the draw reads nothing, or when the indices cannot be read. */
bool gl_draw_indices_range(const struct gl_context *c, uint32_t type, const void *indices, int64_t count,
                           struct gl_index_range *out);

/* Bytes of an index of this type; 0 for other types. */
unsigned gl_draw_index_size(uint32_t type);

/* Index i of an array of indices, each of size bytes. The array need not be aligned. */
uint32_t gl_draw_load_index(const void *indices, unsigned size, int64_t i);

/* Copies up to size bytes at offset of the buffer that is bound to target. *copied: how many. The caller
 * frees the copy. NULL when the buffer cannot be read. */
void *gl_draw_read_buffer(const struct gl_context *c, uint32_t target, uint64_t offset, uint64_t size,
                          uint64_t *copied);

#endif
