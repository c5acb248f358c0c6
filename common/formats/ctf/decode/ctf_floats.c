/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_floats.h"

#include <string.h>

float ctf_float_from_half(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ffu,
             whole;
    float out;
    if (exponent == 0) { /* zero, or so many 2^-24 */
        out = (float)fraction / 16777216.0f;
        return sign != 0 ? -out : out;
    }
    whole = exponent == 0x1f ? 0xff : exponent + 127 - 15;
    whole = sign | whole << 23 | fraction << 13;
    memcpy(&out, &whole, sizeof out);
    return out;
}

#define QUAD_BIAS   16383
#define DOUBLE_BIAS 1023

static double make_double(uint64_t bits)
{
    double out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* Drops so many low bits of a number of 113 bits; the result is rounded to the nearest, or the even one. */
static uint64_t round_off(unsigned __int128 number, unsigned drop)
{
    unsigned __int128 kept = number >> drop, rest = number - (kept << drop),
                      half = (unsigned __int128)1 << (drop - 1);
    return (uint64_t)kept + (rest > half || (rest == half && (kept & 1) != 0));
}

double ctf_float_from_quad(uint64_t high, uint64_t low)
{
    uint64_t sign = high & UINT64_C(1) << 63, infinity = UINT64_C(0x7ff) << 52;
    unsigned __int128 fraction = (unsigned __int128)(high & ((UINT64_C(1) << 48) - 1)) << 64 | low;
    int exponent = (int)(high >> 48 & 0x7fff), power = exponent - QUAD_BIAS + DOUBLE_BIAS;
    if (exponent == 0x7fff)
        return make_double(sign | infinity |
                           (fraction != 0 ? UINT64_C(1) << 51 | (uint64_t)(fraction >> 60) : 0));
    if (exponent == 0 || power < -60) /* less than half of the smallest double */
        return make_double(sign);
    if (power >= 0x7ff)
        return make_double(sign | infinity);
    fraction |= (unsigned __int128)1 << 112;
    if (power <= 0) /* has no hidden bit, and the power 1 */
        return make_double(sign | round_off(fraction, (unsigned)(61 - power)));
    /* The hidden bit adds 1 to the power; so does rounding up to the next power of two. */
    return make_double(sign | ((((uint64_t)power - 1) << 52) + round_off(fraction, 60)));
}
