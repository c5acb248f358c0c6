/* SPDX-License-Identifier: MIT
 * Compresses Snappy blocks. It is made for streams of events, where most bytes are those of an earlier event
 * and a few in between differ. The preloaded library contains it, too.
 */
#ifndef APITRACE_SNAPPY_COMPRESS_H
#define APITRACE_SNAPPY_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

/* The highest size of a compressed block of size bytes. */
size_t trace_snappy_bound(size_t size);

/* Compresses size bytes, at most 2^32 - 1, to out, which has room for trace_snappy_bound(size). Returns the
 * compressed size. */
size_t trace_snappy_compress(const uint8_t *in, size_t size, uint8_t *out);

#endif
