/* SPDX-License-Identifier: MIT
 * Integers of fixed sizes, of any kind that programs have.
 */
#ifndef CTF_LOAD_H
#define CTF_LOAD_H

#include "formats/ctf/ctf_bits.h"
#include "formats/ctf/decode/ctf_program.h"

static inline uint64_t ctf_load_bits(const uint8_t *data, const struct ctf_op *op, uint64_t at)
{
    bool is_big = op->code == CTF_READ_BITS_BIG || op->code == CTF_READ_BITS_BIG_REVERSED;
    uint64_t value = is_big ? ctf_bits_big(data, at, op->size) : ctf_bits_little(data, at, op->size);
    return op->code >= CTF_READ_BITS_REVERSED ? ctf_bits_reverse(value, op->size) : value;
}

/* Reads the integer of an operation, without its sign. All its bits are in memory. */
static inline uint64_t ctf_load_integer(const uint8_t *data, const struct ctf_op *op, uint64_t at)
{
    const uint8_t *p = data + at / 8;
    uint16_t half;
    uint32_t word;
    uint64_t both;
    switch (op->code) {
    case CTF_READ_8:
        return *p;
    case CTF_READ_16:
        memcpy(&half, p, sizeof half);
        return half;
    case CTF_READ_32:
        memcpy(&word, p, sizeof word);
        return word;
    case CTF_READ_64:
        memcpy(&both, p, sizeof both);
        return both;
    case CTF_READ_16_SWAPPED:
        memcpy(&half, p, sizeof half);
        return __builtin_bswap16(half);
    case CTF_READ_32_SWAPPED:
        memcpy(&word, p, sizeof word);
        return __builtin_bswap32(word);
    case CTF_READ_64_SWAPPED:
        memcpy(&both, p, sizeof both);
        return __builtin_bswap64(both);
    default:
        return ctf_load_bits(data, op, at);
    }
}

#endif
