/* SPDX-License-Identifier: MIT
 * Digits of numbers, computed without loops and branches: a processor cannot predict how many digits a number
 * has. The lanes of a 64-bit word hold several digits at once. The first digit is in the lowest byte, so that
 * a little-endian machine stores it first; other machines are not supported.
 */
#ifndef BASE_FORMAT_DIGITS_H
#define BASE_FORMAT_DIGITS_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define DIGITS_LIMIT 100000000u                   /* smaller numbers have up to eight digits */
#define DIGITS_ZEROS UINT64_C(0x3030303030303030) /* eight times '0' */

/* Returns the eight digits of value as numbers 0 to 9; value is below DIGITS_LIMIT. At first lanes of 32 bits
 * hold four digits each, then lanes of 16 bits two, and lanes of 8 bits one. Divisions are multiplications
 * that are exact for these dividends: below 10^4 by 100, below 100 by 10. */
static inline uint64_t digits_of_eight(uint32_t value)
{
    uint32_t high = value / 10000;
    uint64_t fours = high | (uint64_t)(value - high * 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return tens | (twos - tens * 10) << 8;
}

/* Writes the sixteen hexadecimal digits of value. */
#ifdef __SSE2__
static inline void hex_digits_of(char *out, uint64_t value)
{
    const __m128i nibble = _mm_set1_epi8(0x0f), nine = _mm_set1_epi8(9);
    __m128i bytes = _mm_cvtsi64_si128((int64_t)__builtin_bswap64(value));
    __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble), low = _mm_and_si128(bytes, nibble);
    __m128i digits = _mm_unpacklo_epi8(high, low);
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(digits, nine), _mm_set1_epi8('a' - '0' - 10));
    __m128i text = _mm_add_epi8(_mm_add_epi8(digits, _mm_set1_epi8('0')), letters);
    memcpy(out, &text, sizeof text);
}
#else
static inline uint64_t hex_digits_of_half(uint32_t value)
{
    uint64_t x = value;
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = __builtin_bswap64(x);
    uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return (x | DIGITS_ZEROS) + letters * ('a' - '0' - 10);
}

static inline void hex_digits_of(char *out, uint64_t value)
{
    uint64_t text[2] = {hex_digits_of_half((uint32_t)(value >> 32)), hex_digits_of_half((uint32_t)value)};
    memcpy(out, text, sizeof text);
}
#endif

#endif
