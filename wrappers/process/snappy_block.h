/* SPDX-License-Identifier: MIT
 * A small Snappy block compressor for use inside traced programs, since libsnappy would load libstdc++ into
 * them.
 */
#ifndef PROCESS_SNAPPY_BLOCK_H
#define PROCESS_SNAPPY_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Returns the highest compressed size of size bytes. */
size_t snappy_block_bound(size_t size);

/* Compresses size bytes (below 4 GiB) into out, which must have room for snappy_block_bound(size). Returns
 * the number of bytes written. The result is a raw Snappy block (Snappy format description, sections 1 and
 * 2). */
size_t snappy_block_compress(const uint8_t *in, size_t size, uint8_t *out);

#endif
