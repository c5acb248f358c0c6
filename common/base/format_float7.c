/* SPDX-License-Identifier: MIT
 * Floats to seven digits: what most arguments of graphics calls are.
 * Nothing here branches on the value but that it is of a usual size.
 */
#include "base/format_number.h"

#define SMALLEST 0x38d1b717u /* 1e-4f and 9999999.0f: those between are not shown with an exponent. */
#define LARGEST  0x4b18967fu /* Their bits are in the same order as they are. */

#define MIN_EXPONENT (-4) /* decimal, of values from SMALLEST */
#define MAX_EXPONENT 6

/* Where the point goes among seven digits, by decimal exponent. */
struct layout {
    uint64_t before; /* mask of the digits before the point, if it is among them */
    uint64_t point;  /* after those */
    uint8_t whole;   /* digits before the point that are always shown; 0: all come after "0.", "0.0", … */
    uint8_t offset;  /* of the digits in the text */
    uint8_t extra;   /* bytes besides digits, if any come after the point */
};

#define LAYOUT_BELOW_1(exponent)                                                                             \
    {                                                                                                        \
        UINT64_MAX, 0, 0, 1 - (exponent), 1 - (exponent)                                                     \
    }
#define LAYOUT(exponent)                                                                                     \
    {                                                                                                        \
        (UINT64_C(1) << 8 * ((exponent) + 1)) - 1, UINT64_C(0x2e) << 8 * ((exponent) + 1), (exponent) + 1,   \
            0, 1                                                                                             \
    }

static const struct layout layouts[MAX_EXPONENT - MIN_EXPONENT + 1] = {
    LAYOUT_BELOW_1(-4), LAYOUT_BELOW_1(-3), LAYOUT_BELOW_1(-2), LAYOUT_BELOW_1(-1), LAYOUT(0), LAYOUT(1),
    LAYOUT(2),          LAYOUT(3),          LAYOUT(4),          LAYOUT(5),          LAYOUT(6)};

/* magnitude * 10^scale, rounded to an integer, ties to even. The product of 24 bits of a float and 5^11 is
 * exact; adding 2^52 rounds it, as the lowest bit of the sum stands for 1. */
static uint32_t round_to_integer(double product)
{
    uint64_t bits;
    product += 0x1p52;
    memcpy(&bits, &product, sizeof bits);
    return (uint32_t)bits;
}

/* Finds seven digits, the first of which is not 0, and the place of the point. magnitude is 0 or within the
 * range of this fast path. */
static uint32_t find_seven_digits(float magnitude, uint32_t bits, const struct layout **layout)
{
    /* By exponent of the highest of seven digits, from 6 down to -5. */
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    int exponent2 = (int)(bits >> 23) - 127 * (bits != 0);
    int exponent = exponent2 * 1233 >> 12;                             /* log10(2) in 12 bits, */
    exponent += (double)magnitude * powers[6 - exponent] >= 9999999.5; /* right or one too small */
    *layout = &layouts[exponent - MIN_EXPONENT];
    return round_to_integer((double)magnitude * powers[6 - exponent]);
}

size_t format_float7(char *out, float value)
{
    const struct layout *layout;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 31;
    bits &= INT32_MAX;
    if (bits - SMALLEST > LARGEST - SMALLEST && bits != 0)
        return format_real(out, (double)value, 7);

    float magnitude;
    memcpy(&magnitude, &bits, sizeof bits);
    uint64_t digits = digits_of_eight(find_seven_digits(magnitude, bits, &layout)) >> 8;
    unsigned shown = 8 - (unsigned)__builtin_clzll(digits | 1) / 8; /* without zeros at the end */
    uint64_t text = digits | DIGITS_ZEROS >> 8;
    text = (text & layout->before) | layout->point | (text & ~layout->before) << 8;

    *out = '-';
    out += sign;
    memcpy(out, "0.000000", 8);
    memcpy(out + layout->offset, &text, sizeof text);
    return sign + layout->whole + (shown > layout->whole) * (shown - layout->whole + layout->extra);
}
