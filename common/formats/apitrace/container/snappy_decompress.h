/* SPDX-License-Identifier: MIT
 * Decompresses Snappy blocks. Complete blocks are decompressed faster than by libsnappy. Blocks whose end is
 * missing are decompressed as far as possible, so that their calls can be recovered; libsnappy rejects them.
 */
#ifndef TRACE_SNAPPY_DECOMPRESS_H
#define TRACE_SNAPPY_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *size receives how many bytes the block is decompressed to, as it says itself. Returns false if it does not
 * say so in the way that Snappy prescribes: below 2^32, in at most 5 bytes. */
bool trace_snappy_size(const uint8_t *block, size_t count, size_t *size);

/* Returns the number of bytes written to out, at most cap and at most the block's size. Stops at the first
 * element that is cut off, malformed, or does not fit; of a literal that is cut off, the existing bytes are
 * written. *whole: the block is well-formed and was decompressed completely. */
size_t trace_snappy_decompress(const uint8_t *block, size_t count, uint8_t *out, size_t cap, bool *whole);

#endif
