/* SPDX-License-Identifier: MIT
 * Formats floats with seven digits; most arguments of graphics calls are such floats. The only branch that
 * depends on the value checks that its size is usual.
 */
#include "base/format_number.h"

#define SMALLEST 0x38d1b717u /* 1e-4f and 9999999.0f: floats between them are shown without an exponent. */
#define LARGEST  0x4b18967fu /* The bits of positive floats have the same order as the floats. */

#define MIN_EXPONENT (-4) /* the decimal exponent of SMALLEST */
#define MAX_EXPONENT 6

/* The position of the point among the seven digits, indexed by decimal exponent. */
struct layout {
    uint64_t before; /* mask of the digits before the point, if the point is among the digits */
    uint64_t point;  /* the character '.' after those digits */
    uint8_t whole; /* number of digits before the point that are always shown; 0: all follow "0.", "0.0", … */
    uint8_t offset; /* offset of the digits in the text */
    uint8_t extra;  /* number of other bytes if there are digits after the point */
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

/* Returns magnitude * 10^scale, rounded to an integer, ties to even. The product of a float's 24 bits and
 * 5^11 is exact. Adding 2^52 rounds it, because the lowest bit of the sum is 1. */
static uint32_t round_to_integer(double product)
{
    uint64_t bits;
    product += 0x1p52;
    memcpy(&bits, &product, sizeof bits);
    return (uint32_t)bits;
}

/* Finds seven digits, of which the first is not 0, and the position of the point. magnitude is 0 or in the
 * range of this fast path. */
static uint32_t find_seven_digits(float magnitude, uint32_t bits, const struct layout **layout)
{
    /* Indexed by 6 minus the exponent of the highest of the seven digits, from 6 down to -5. */
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    int exponent2 = (int)(bits >> 23) - 127 * (bits != 0);
    int exponent = exponent2 * 1233 >> 12; /* log10(2) in 12 bits */
    /* The exponent is exact or one too small. */
    exponent += (double)magnitude * powers[6 - exponent] >= 9999999.5;
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
    unsigned shown = 8 - (unsigned)__builtin_clzll(digits | 1) / 8; /* without trailing zeros */
    uint64_t text = digits | DIGITS_ZEROS >> 8;
    text = (text & layout->before) | layout->point | (text & ~layout->before) << 8;

    *out = '-';
    out += sign;
    memcpy(out, "0.000000", 8);
    memcpy(out + layout->offset, &text, sizeof text);
    return sign + layout->whole + (shown > layout->whole) * (shown - layout->whole + layout->extra);
}
