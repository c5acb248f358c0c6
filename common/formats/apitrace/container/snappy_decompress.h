/* SPDX-License-Identifier: MIT
 * Decompresses Snappy blocks: whole ones faster than libsnappy, and the beginning of one whose end is
 * missing, which libsnappy rejects although the calls in it are wanted.
 */
#ifndef TRACE_SNAPPY_DECOMPRESS_H
#define TRACE_SNAPPY_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the number of bytes written to out, at most cap and the block's size. Stops at the first element
 * that is cut, malformed, or does not fit; of a literal that is cut, what is there is written. *whole: the
 * block is well-formed, and all of it was decompressed. */
size_t trace_snappy_decompress(const uint8_t *block, size_t count, uint8_t *out, size_t cap, bool *whole);

#endif
