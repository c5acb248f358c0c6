/* SPDX-License-Identifier: MIT
 * The indices of a draw: which vertices they name.
 */
#ifndef GL_GL_DRAW_INDICES_H
#define GL_GL_DRAW_INDICES_H

#include "context/gl_context.h"

struct gl_index_range {
    int64_t lowest, highest;
};

/* What a draw of count indices at `indices` (an address, or an offset into the bound element buffer) reads,
 * restart indices aside. False when it reads nothing, or when that cannot be found out. */
bool gl_draw_indices_range(const struct gl_context *c, uint32_t type, const void *indices, int64_t count,
                           struct gl_index_range *out);

/* Bytes of an index of this type; 0 for what is none. */
unsigned gl_draw_index_size(uint32_t type);

/* Index i of those, each of size bytes, which need not be aligned. */
uint32_t gl_draw_load_index(const void *indices, unsigned size, int64_t i);

/* Copies at most size bytes at offset of the buffer bound to target, and says how many in *copied. NULL when
 * it cannot be read. The caller frees the copy. */
void *gl_draw_read_buffer(const struct gl_context *c, uint32_t target, uint64_t offset, uint64_t size,
                          uint64_t *copied);

#endif
