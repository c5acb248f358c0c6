/* SPDX-License-Identifier: MIT
 * Integers of fixed sizes, of any kind that is written: the reverse of ctf_load.h.
 */
#ifndef CTF_STORE_H
#define CTF_STORE_H

#include "formats/ctf/decode/ctf_program.h"

#include <string.h>

/* The bits are 0. */
static inline void ctf_store_bits(uint8_t *data, const struct ctf_op *op, uint64_t at, uint64_t value)
{
    bool is_big = op->code == CTF_READ_BITS_BIG;
    for (unsigned i = 0; i < op->size; ++i) {
        unsigned bit = is_big ? op->size - 1U - i : i;
        uint64_t place = at + i;
        if ((value >> bit & 1) != 0)
            data[place / 8] |= (uint8_t)(is_big ? 0x80 >> place % 8 : 1 << place % 8);
    }
}

/* Writes the integer of an operation, for which there is room. */
static inline void ctf_store_integer(uint8_t *data, const struct ctf_op *op, uint64_t at, uint64_t value)
{
    uint8_t *p = data + at / 8;
    uint16_t half = (uint16_t)value;
    uint32_t word = (uint32_t)value;
    switch (op->code) {
    case CTF_READ_8:
        *p = (uint8_t)value;
        return;
    case CTF_READ_16_SWAPPED:
        half = __builtin_bswap16(half); /* fall through */
    case CTF_READ_16:
        memcpy(p, &half, sizeof half);
        return;
    case CTF_READ_32_SWAPPED:
        word = __builtin_bswap32(word); /* fall through */
    case CTF_READ_32:
        memcpy(p, &word, sizeof word);
        return;
    case CTF_READ_64_SWAPPED:
        value = __builtin_bswap64(value); /* fall through */
    case CTF_READ_64:
        memcpy(p, &value, sizeof value);
        return;
    default:
        ctf_store_bits(data, op, at, value);
    }
}

#endif
