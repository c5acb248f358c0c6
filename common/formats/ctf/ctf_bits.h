/* SPDX-License-Identifier: MIT
 * Integers of any size at any bit. In little endian the first bit is the lowest one of its byte, and of the
 * integer; in big endian the highest one of both.
 */
#ifndef CTF_BITS_H
#define CTF_BITS_H

#include <stdint.h>

/* Read size bits, 1 to 64, from bit `at` on. */
static inline uint64_t ctf_bits_little(const uint8_t *data, uint64_t at, unsigned size)
{
    const uint8_t *p = data + at / 8;
    unsigned skipped = (unsigned)(at % 8), got = 8 - skipped;
    uint64_t value = (uint64_t)*p >> skipped;
    for (; got < size; got += 8)
        value |= (uint64_t) * ++p << got;
    return size == 64 ? value : value & ((UINT64_C(1) << size) - 1);
}

static inline uint64_t ctf_bits_big(const uint8_t *data, uint64_t at, unsigned size)
{
    const uint8_t *p = data + at / 8;
    unsigned skipped = (unsigned)(at % 8), got = 8 - skipped;
    uint64_t value = *p & (0xffu >> skipped);
    while (got + 8 <= size) {
        value = value << 8 | *++p;
        got += 8;
    }
    if (got < size)
        value = value << (size - got) | (uint64_t)(p[1] >> (8 - (size - got)));
    else if (got > size)
        value >>= got - size;
    return value;
}

/* The lowest `size` bits in the other order. */
static inline uint64_t ctf_bits_reverse(uint64_t value, unsigned size)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < size; ++i)
        out |= (value >> i & 1) << (size - 1 - i);
    return out;
}

static inline uint64_t ctf_bits_extend(uint64_t value, unsigned size)
{
    return (uint64_t)((int64_t)(value << (64 - size)) >> (64 - size));
}

#endif
