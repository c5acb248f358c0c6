/* SPDX-License-Identifier: MIT
 * Decompresses the beginning of a Snappy block whose end is missing.
 * libsnappy rejects such a block as a whole; the calls in it are wanted.
 */
#ifndef TRACE_SNAPPY_SALVAGE_H
#define TRACE_SNAPPY_SALVAGE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the number of bytes written to out (at most cap). Stops at the first element that is cut,
 * malformed, or does not fit. */
size_t trace_snappy_salvage(const uint8_t *block, size_t count, uint8_t *out, size_t cap);

#endif
