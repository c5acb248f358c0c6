/* SPDX-License-Identifier: MIT
 * LEB128 unsigned integers, the `uint` of the apitrace format: seven bits a byte, least significant first,
 * the top bit set on every byte but the last.
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VARINT_MAX_BYTES 10

/* Writes value to out, which has room for VARINT_MAX_BYTES. Returns the number of bytes. */
static inline size_t varint_put(uint8_t *out, uint64_t value)
{
    size_t n = 0;
    while (value >= 0x80) {
        out[n++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (uint8_t)value;
    return n;
}

/* Returns the value of up to eight bytes with seven bits each. Adjacent groups are joined in three steps: to
 * 14, 28 and 56 bits. */
static inline uint64_t varint_join(uint64_t bytes)
{
    bytes = (bytes & UINT64_C(0x007f007f007f007f)) | (bytes & UINT64_C(0x7f007f007f007f00)) >> 1;
    bytes = (bytes & UINT64_C(0x00003fff00003fff)) | (bytes & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (bytes & UINT64_C(0x0fffffff)) | (bytes & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* Reads a varint of up to eight bytes, without a loop. Eight bytes must be readable at p. Returns the bytes
 * used; 0 if the varint is longer. */
static inline size_t varint_get_short(const uint8_t *p, uint64_t *value)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    uint64_t ends = ~bytes & UINT64_C(0x8080808080808080);
    if (ends == 0)
        return 0;
    unsigned bits = (unsigned)__builtin_ctzll(ends) + 1;
    *value = varint_join(bytes & UINT64_MAX >> (64 - bits));
    return bits / 8;
}

/* Reads a varint from [p, end). Returns the bytes used; 0 if the input ends inside the varint; -1 if the
 * value does not fit in 64 bits. Padding with zero bits is accepted. */
static inline int varint_get(const uint8_t *p, const uint8_t *end, uint64_t *value)
{
    size_t used = end - p >= 8 ? varint_get_short(p, value) : 0;
    if (used != 0)
        return (int)used;
    uint64_t v = 0;
    unsigned shift = 0;
    for (const uint8_t *s = p; s < end; ++s, shift += 7) {
        uint64_t bits = *s & 0x7f;
        if (shift > 63 ? bits != 0 : (shift == 63 && bits > 1))
            return -1;
        if (shift <= 63)
            v |= bits << shift;
        if ((*s & 0x80) == 0) {
            *value = v;
            return (int)(s - p) + 1;
        }
        if (shift > 126)
            return -1;
    }
    return 0;
}

#endif
