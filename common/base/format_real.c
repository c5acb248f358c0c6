/* SPDX-License-Identifier: MIT */
#include "base/format_number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 uint128;

#define MAX_SCALE     27 /* the product of the 53 bits of a double and 5^27 is below 2^116 */
#define MAX_DIGITS    17
#define MANTISSA_UNIT (UINT64_C(1) << 52) /* 1.0 in the mantissa of a double; too large for subnormals */

static const uint64_t powers_of_5[MAX_SCALE + 1] = {UINT64_C(1),
                                                    UINT64_C(5),
                                                    UINT64_C(25),
                                                    UINT64_C(125),
                                                    UINT64_C(625),
                                                    UINT64_C(3125),
                                                    UINT64_C(15625),
                                                    UINT64_C(78125),
                                                    UINT64_C(390625),
                                                    UINT64_C(1953125),
                                                    UINT64_C(9765625),
                                                    UINT64_C(48828125),
                                                    UINT64_C(244140625),
                                                    UINT64_C(1220703125),
                                                    UINT64_C(6103515625),
                                                    UINT64_C(30517578125),
                                                    UINT64_C(152587890625),
                                                    UINT64_C(762939453125),
                                                    UINT64_C(3814697265625),
                                                    UINT64_C(19073486328125),
                                                    UINT64_C(95367431640625),
                                                    UINT64_C(476837158203125),
                                                    UINT64_C(2384185791015625),
                                                    UINT64_C(11920928955078125),
                                                    UINT64_C(59604644775390625),
                                                    UINT64_C(298023223876953125),
                                                    UINT64_C(1490116119384765625),
                                                    UINT64_C(7450580596923828125)};

static const uint64_t powers_of_10[18] = {UINT64_C(1),
                                          UINT64_C(10),
                                          UINT64_C(100),
                                          UINT64_C(1000),
                                          UINT64_C(10000),
                                          UINT64_C(100000),
                                          UINT64_C(1000000),
                                          UINT64_C(10000000),
                                          UINT64_C(100000000),
                                          UINT64_C(1000000000),
                                          UINT64_C(10000000000),
                                          UINT64_C(100000000000),
                                          UINT64_C(1000000000000),
                                          UINT64_C(10000000000000),
                                          UINT64_C(100000000000000),
                                          UINT64_C(1000000000000000),
                                          UINT64_C(10000000000000000),
                                          UINT64_C(100000000000000000)};

/* Computes mantissa * 2^exponent * 10^scale, rounded to an integer, ties to even, with exact integer
 * arithmetic. scale is 0 to MAX_SCALE. Returns false if the product has more than 64 bits or the shift is out
 * of range. */
static bool scale_exactly(uint64_t mantissa, int exponent, int scale, uint64_t *out)
{
    uint128 product = (uint128)mantissa * powers_of_5[scale];
    int shift = exponent + scale; /* exponent of the remaining power of two */
    if (shift >= 0) {
        if (shift > 60 || product >> (64 - shift) != 0)
            return false;
        *out = (uint64_t)product << shift;
        return true;
    }
    if (shift <= -127)
        return false;
    uint128 whole = product >> -shift;
    uint128 rest = product - (whole << -shift);
    uint128 half = (uint128)1 << (-shift - 1);
    if (whole >> 63 != 0)
        return false;
    *out = (uint64_t)whole + (rest > half || (rest == half && (whole & 1) != 0));
    return true;
}

/* Finds exactly `digits` decimal digits and the decimal exponent of the first one. Returns false if the value
 * is too large or too small for the fast path. */
static bool find_digits(double value, unsigned digits, uint64_t *out, int *exponent10)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent2 = (int)(bits >> 52) - 1023;
    uint64_t mantissa = (bits & (MANTISSA_UNIT - 1)) | MANTISSA_UNIT;
    int guess = (exponent2 * 1233) >> 12;      /* log10(2) in 12 bits; the shift rounds down */
    for (int e = guess; e <= guess + 1; ++e) { /* the guess is exact or one too small */
        int scale = (int)digits - 1 - e;
        uint64_t n;
        if (scale < 0 || scale > MAX_SCALE || !scale_exactly(mantissa, exponent2 - 52, scale, &n))
            return false;
        if (n < powers_of_10[digits]) {
            *out = n;
            *exponent10 = e;
            return true;
        }
    }
    return false; /* rounding up has added a digit, which is rare */
}

/* Does the same for a value that a float can hold, for at most FLOAT_DIGITS digits. The product of a 24-bit
 * mantissa and at most 10^12 is exact in a double, and the conversion to an integer rounds it correctly. */
#define FLOAT_DIGITS    7
#define FLOAT_MAX_SCALE 12

/* Rounds a number from 0 to 2^52, ties to even. */
static uint64_t round_to_even(double value)
{
    uint64_t n = (uint64_t)value;
    double rest = value - (double)n;
    return n + (rest > 0.5 || (rest == 0.5 && n % 2 == 1));
}

static bool find_float_digits(double value, unsigned digits, uint64_t *out, int *exponent10)
{
    static const double powers[FLOAT_MAX_SCALE + 1] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                                       1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent2 = (int)(bits >> 52) - 1023;
    int guess = (exponent2 * 1233) >> 12; /* log10(2) in 12 bits; the shift rounds down */
    for (int e = guess; e <= guess + 1; ++e) {
        int scale = (int)digits - 1 - e;
        if (scale < 0 || scale > FLOAT_MAX_SCALE)
            return false;
        uint64_t n = round_to_even(value * powers[scale]);
        if (n < powers_of_10[digits]) {
            *out = n;
            *exponent10 = e;
            return true;
        }
    }
    return false;
}

static bool is_float(double value)
{
    return (double)(float)value == value;
}

static size_t put_exponent(char *out, int exponent)
{
    size_t n = 0;
    out[n++] = 'e';
    out[n++] = exponent < 0 ? '-' : '+';
    unsigned e = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (e < 10)
        out[n++] = '0';
    return n + format_uint(out + n, e);
}

/* The digits of a number, and how many there are without trailing zeros. */
struct digits {
    char text[2 * MAX_DIGITS]; /* with spare bytes */
    unsigned shown;
};

/* Gets the digits of value, which has `digits` of them. */
static void get_digits(struct digits *d, uint64_t value, unsigned digits)
{
    const uint64_t limit = DIGITS_LIMIT;
    unsigned first = digits == MAX_DIGITS;
    d->text[0] = (char)('0' + value / (limit * limit)); /* the first of 17 digits */
    value = first ? value % (limit * limit) : value * powers_of_10[16 - digits];
    uint64_t high = digits_of_eight((uint32_t)(value / limit));
    uint64_t low = digits_of_eight((uint32_t)(value % limit));
    d->shown = first;
    if (low != 0)
        d->shown += 16 - (unsigned)__builtin_clzll(low) / 8;
    else if (high != 0)
        d->shown += 8 - (unsigned)__builtin_clzll(high) / 8;
    high |= DIGITS_ZEROS;
    low |= DIGITS_ZEROS;
    memcpy(d->text + first, &high, sizeof high);
    memcpy(d->text + first + 8, &low, sizeof low);
}

/* Formats digits as %g does: without trailing zeros, in scientific notation if the exponent is below -4 or at
 * least `digits`. */
static size_t lay_out(char *out, uint64_t value, unsigned digits, int exponent)
{
    struct digits d;
    get_digits(&d, value, digits);
    bool scientific = exponent < -4 || exponent >= (int)digits;
    if (!scientific && exponent < 0) {
        size_t zeros = 1 + (size_t)-exponent; /* "0.000": the number of zeros, and the point */
        memcpy(out, "0.000", 5);
        memcpy(out + zeros, d.text, MAX_DIGITS);
        return zeros + d.shown;
    }
    unsigned before = scientific ? 1 : (unsigned)exponent + 1; /* number of digits before the point */
    memcpy(out, d.text, MAX_DIGITS);
    out[before] = '.';
    memcpy(out + before + 1, d.text + before, MAX_DIGITS);
    size_t n = d.shown > before ? d.shown + 1 : before;
    return scientific ? n + put_exponent(out + n, exponent) : n;
}

/* A decimal below 100 with at most four digits after the point has no shorter form, and is frequent in
 * programs. For values that a float can hold, the product is exact. Returns false for other values. */
static bool find_short_decimal(double magnitude, uint32_t *ten_thousandths)
{
    if (!(magnitude < 100.0) || !is_float(magnitude))
        return false;
    *ten_thousandths = (uint32_t)(magnitude * 1e4);
    return (double)*ten_thousandths == magnitude * 1e4;
}

/* Writes eight digits, of which four follow the point and up to two before it are shown. */
static size_t put_short_decimal(char *out, uint32_t ten_thousandths)
{
    uint64_t digits = digits_of_eight(ten_thousandths);
    unsigned zeros = digits >> 16 & 0xff ? 2 : 3; /* leading zeros */
    unsigned before = 4 - zeros;
    uint64_t fraction = digits >> 32;
    uint64_t text = digits | DIGITS_ZEROS;
    text = (text & UINT32_MAX) >> 8 * zeros | UINT64_C(0x2e) << 8 * before | (text >> 32) << 8 * (before + 1);
    memcpy(out, &text, sizeof text);
    return fraction == 0 ? before : before + 9 - (size_t)__builtin_clzll(fraction) / 8;
}

size_t format_real(char *out, double value, unsigned digits)
{
    uint32_t short_decimal;
    uint64_t decimal;
    int exponent;
    size_t n = 0;
    double magnitude = fabs(value);
    if (signbit(value) && !isnan(value))
        out[n++] = '-';
    if (magnitude < 1e6 && magnitude == (double)(uint32_t)magnitude && (digits >= 6 || magnitude == 0.0))
        return n + format_uint(out + n, (uint32_t)magnitude);
    if (digits >= 6 && find_short_decimal(magnitude, &short_decimal))
        return n + put_short_decimal(out + n, short_decimal);
    if (digits <= FLOAT_DIGITS && is_float(magnitude) &&
        find_float_digits(magnitude, digits, &decimal, &exponent))
        return n + lay_out(out + n, decimal, digits, exponent);
    if (isfinite(value) && digits <= 17 && find_digits(magnitude, digits, &decimal, &exponent))
        return n + lay_out(out + n, decimal, digits, exponent);
    return (size_t)snprintf(out, FORMAT_REAL_BYTES, "%.*g", (int)digits, value);
}

/* --- shortest -------------------------------------------------------------------------------------- */

/* Does the same as find_digits() for any finite value. */
static void find_digits_slowly(double value, unsigned digits, uint64_t *out, int *exponent10)
{
    char text[FORMAT_REAL_BYTES];
    snprintf(text, sizeof text, "%.*e", (int)digits - 1, value);
    char *p = text;
    for (*out = 0; *p != 'e'; ++p)
        if (*p != '.')
            *out = *out * 10 + (uint64_t)(*p - '0');
    *exponent10 = atoi(p + 1);
}

/* Returns decimal / 10^scale as a reader of the text computes it. */
static double read_digits(uint64_t decimal, int scale)
{
    static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal <= UINT64_C(1) << 53 && scale >= -22 && scale <= 22) /* both are exact: one rounding */
        return scale >= 0 ? (double)decimal / powers[scale] : (double)decimal * powers[-scale];
    char text[FORMAT_REAL_BYTES];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)decimal, -scale);
    return strtod(text, NULL);
}

/* Returns true if value is half-way between two floats: rounding twice may then differ from rounding once. */
static bool is_between_floats(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x1fffffff) == 0x10000000;
}

/* Returns true if decimal / 10^scale reads back as value. */
static bool reads_back(uint64_t decimal, int scale, double value, bool is_a_float)
{
    double found = read_digits(decimal, scale);
    if (!is_a_float)
        return found == value;
    if ((float)found != (float)value || !is_between_floats(found))
        return (float)found == (float)value;
    char text[FORMAT_REAL_BYTES];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)decimal, -scale);
    return strtof(text, NULL) == (float)value;
}

/* The type can distinguish all decimals of `few` digits; `most` digits distinguish all its values. */
static size_t format_shortest(char *out, double value, unsigned few, unsigned most, bool is_a_float)
{
    double magnitude = fabs(value);
    uint64_t decimal = 0;
    int exponent = 0;
    uint32_t short_decimal;
    if (!isfinite(value) || (magnitude < 1e6 && magnitude == (double)(uint32_t)magnitude))
        return format_real(out, value, few + 1);
    size_t sign = signbit(value) != 0;
    out[0] = '-';
    if (find_short_decimal(magnitude, &short_decimal))
        return sign + put_short_decimal(out + sign, short_decimal);
    bool subnormal = magnitude < (is_a_float ? (double)FLT_MIN : DBL_MIN);
    unsigned digits = subnormal ? 1 : few; /* subnormals have a lower precision */
    for (;; ++digits) {
        if (!(is_a_float && digits <= FLOAT_DIGITS &&
              find_float_digits(magnitude, digits, &decimal, &exponent)) &&
            !find_digits(magnitude, digits, &decimal, &exponent))
            find_digits_slowly(magnitude, digits, &decimal, &exponent);
        if (digits == most || reads_back(decimal, (int)digits - 1 - exponent, magnitude, is_a_float))
            break;
    }
    unsigned laid_out = digits > few ? digits : few + 1;
    return sign + lay_out(out + sign, decimal * powers_of_10[laid_out - digits], laid_out, exponent);
}

size_t format_float(char *out, float value)
{
    return format_shortest(out, (double)value, 6, 9, true);
}

size_t format_double(char *out, double value)
{
    return format_shortest(out, value, 15, 17, false);
}
