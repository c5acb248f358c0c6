/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_encode_floats.h"

#include <string.h>

#define HALF_BIAS   15
#define SINGLE_BIAS 127
#define DOUBLE_BIAS 1023
#define QUAD_BIAS   16383

uint16_t ctf_half_from_float(float number)
{
    uint32_t bits, fraction;
    memcpy(&bits, &number, sizeof bits);
    uint32_t sign = bits >> 31 << 15;
    int exponent = (int)(bits >> 23 & 0xff), power = exponent - SINGLE_BIAS + HALF_BIAS;
    fraction = bits & 0x7fffff;
    if (exponent == 0xff)
        return (uint16_t)(sign | 0x7c00 | fraction >> 13);
    if (power >= 0x1f)
        return (uint16_t)(sign | 0x7c00);
    if (power > 0)
        return (uint16_t)(sign | (uint32_t)power << 10 | fraction >> 13);
    if (power < -10) /* less than 2^-24 */
        return (uint16_t)sign;
    return (uint16_t)(sign | (fraction | 0x800000) >> (14 - power));
}

void ctf_quad_from_double(double number, uint64_t *high, uint64_t *low)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t sign = bits >> 63 << 63, fraction = bits & ((UINT64_C(1) << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff), power = exponent - DOUBLE_BIAS + QUAD_BIAS;
    if (exponent == 0x7ff)
        power = 0x7fff;
    if (exponent == 0 &&
        fraction != 0) { /* has no hidden bit, and the power 1: its highest bit becomes that */
        int shift = __builtin_clzll(fraction) - 11;
        power += 1 - shift;
        fraction = fraction << shift & ((UINT64_C(1) << 52) - 1);
    } else if (exponent == 0) {
        power = 0;
    }
    *high = sign | (uint64_t)power << 48 | fraction >> 4;
    *low = fraction << 60;
}
