/* SPDX-License-Identifier: MIT */
#include "base/format_number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 uint128;

static const char digit_pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t value)
{
    static const uint64_t powers[20] = {0, /* zero has one digit */
                                        10u,
                                        100u,
                                        1000u,
                                        10000u,
                                        100000u,
                                        1000000u,
                                        10000000u,
                                        100000000u,
                                        1000000000u,
                                        10000000000u,
                                        100000000000u,
                                        1000000000000u,
                                        10000000000000u,
                                        100000000000000u,
                                        1000000000000000u,
                                        10000000000000000u,
                                        100000000000000000u,
                                        1000000000000000000u,
                                        10000000000000000000u};
    unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
    unsigned guess = bits * 1233 >> 12; /* log10(2) in 12 bits */
    return guess + (value >= powers[guess] || guess == 0);
}

/* Writes exactly count digits. */
static void put_digits(char *out, uint64_t value, unsigned count)
{
    char *p = out + count;
    while (p - out >= 2) {
        p -= 2;
        memcpy(p, digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (p != out)
        *out = (char)('0' + value % 10);
}

size_t format_uint(char *out, uint64_t value)
{
    unsigned count = count_digits(value);
    put_digits(out, value, count);
    return count;
}

size_t format_sint(char *out, int64_t value)
{
    if (value >= 0)
        return format_uint(out, (uint64_t)value);
    *out = '-';
    return 1 + format_uint(out + 1, 0 - (uint64_t)value);
}

size_t format_hex(char *out, uint64_t value)
{
    unsigned count = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    for (unsigned i = count; i-- > 0; value >>= 4)
        out[i] = "0123456789abcdef"[value & 15];
    return count;
}

/* --- floating point -------------------------------------------------------------------------------- */

#define MAX_SCALE 27 /* 53 bits of a double times 5^27 is below 2^116 */

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

/* mantissa * 2^exponent * 10^scale, rounded to an integer, ties to even; exact integer arithmetic throughout.
 * scale is 0 to MAX_SCALE. False when the product has more than 64 bits or the shift is out of reach. */
static bool scale_exactly(uint64_t mantissa, int exponent, int scale, uint64_t *out)
{
    uint128 product = (uint128)mantissa * powers_of_5[scale];
    int shift = exponent + scale; /* of the remaining power of two */
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

/* The decimal digits (exactly `digits` of them) and the decimal exponent of the first; false: too large or
 * small for the fast way. */
static bool find_digits(double value, unsigned digits, uint64_t *out, int *exponent10)
{
    int exponent2;
    double fraction = frexp(value, &exponent2); /* 0.5 to 1 */
    uint64_t mantissa = (uint64_t)(fraction * 9007199254740992.0);
    int guess = (int)floor((exponent2 - 1) * 0.30102999566398120);
    for (int e = guess; e <= guess + 1; ++e) { /* the guess is right or one too small */
        int scale = (int)digits - 1 - e;
        uint64_t n;
        if (scale < 0 || scale > MAX_SCALE || !scale_exactly(mantissa, exponent2 - 53, scale, &n))
            return false;
        if (n < powers_of_10[digits]) {
            *out = n;
            *exponent10 = e;
            return true;
        }
    }
    return false; /* rounded up to one digit more: seldom */
}

/* The same for a value that a float can hold, to at most FLOAT_DIGITS digits: times 10^12 or less the product
 * of a 24-bit mantissa is exact in a double, and the conversion to an integer rounds it correctly. */
#define FLOAT_DIGITS    7
#define FLOAT_MAX_SCALE 12

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
        uint64_t n = (uint64_t)lrint(value * powers[scale]);
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

/* Drops zeros, and then a point, at the end of a fraction. */
static size_t trim_zeros(const char *text, size_t count)
{
    while (text[count - 1] == '0')
        --count;
    return text[count - 1] == '.' ? count - 1 : count;
}

/* Lays out digits as %g does: no trailing zeros, scientific for exponents below -4 or from `digits` on. */
static size_t lay_out(char *out, uint64_t value, unsigned digits, int exponent)
{
    bool scientific = exponent < -4 || exponent >= (int)digits;
    if (!scientific && exponent < 0) {
        size_t zeros = 1 + (size_t)-exponent; /* "0.000", with the point */
        memcpy(out, "0.000", 5);
        put_digits(out + zeros, value, digits);
        return trim_zeros(out, zeros + digits);
    }
    unsigned before = scientific ? 1 : (unsigned)exponent + 1; /* digits before the point */
    uint64_t unit = powers_of_10[digits - before];
    uint64_t whole =
        value <= UINT32_MAX ? (uint32_t)value / (uint32_t)unit : value / unit; /* 32 bits: faster */
    size_t n = before;
    put_digits(out, whole, before);
    if (before < digits) {
        out[before] = '.';
        put_digits(out + before + 1, value - whole * unit, digits - before);
        n = trim_zeros(out, digits + 1);
    }
    return scientific ? n + put_exponent(out + n, exponent) : n;
}

size_t format_real(char *out, double value, unsigned digits)
{
    uint64_t decimal;
    int exponent;
    size_t n = 0;
    double magnitude = fabs(value);
    if (signbit(value) && !isnan(value))
        out[n++] = '-';
    if (magnitude < 1e6 && magnitude == (double)(uint32_t)magnitude && (digits >= 6 || magnitude == 0.0))
        return n + format_uint(out + n, (uint32_t)magnitude);
    if (digits <= FLOAT_DIGITS && is_float(magnitude) &&
        find_float_digits(magnitude, digits, &decimal, &exponent))
        return n + lay_out(out + n, decimal, digits, exponent);
    if (isfinite(value) && digits <= 17 && find_digits(magnitude, digits, &decimal, &exponent))
        return n + lay_out(out + n, decimal, digits, exponent);
    return (size_t)snprintf(out, FORMAT_REAL_BYTES, "%.*g", (int)digits, value);
}
