/* SPDX-License-Identifier: MIT
 * Decimal digits without a loop and without a branch, several at a time in the lanes of a 64-bit word: how
 * many digits a number has is what a processor cannot foresee. The first digit is in the lowest byte, where
 * it is written first: only little-endian machines are supported.
 */
#ifndef BASE_FORMAT_DIGITS_H
#define BASE_FORMAT_DIGITS_H

#include <stdint.h>

#define DIGITS_LIMIT 100000000u                   /* numbers below have up to eight */
#define DIGITS_ZEROS UINT64_C(0x3030303030303030) /* eight times '0' */

/* The eight digits of value, below DIGITS_LIMIT, as numbers 0 to 9. Lanes of 32 bits hold four digits each,
 * then lanes of 16 bits two, and lanes of 8 bits one. Each division is a multiplication that is exact for the
 * dividends that there are: below 10^4 by 100, and below 100 by 10. */
static inline uint64_t digits_of_eight(uint32_t value)
{
    uint32_t high = value / 10000;
    uint64_t fours = high | (uint64_t)(value - high * 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007f0000007f);
    uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = (twos * 103 >> 10) & UINT64_C(0x000f000f000f000f);
    return tens | (twos - tens * 10) << 8;
}

#endif
