/* SPDX-License-Identifier: MIT */
#include "base/format_number.h"

const char format_digit_pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

/* With zeros in front. */
static void put_eight(char *out, uint32_t value)
{
    uint64_t text = digits_of_eight(value) | DIGITS_ZEROS;
    memcpy(out, &text, sizeof text);
}

size_t format_long_uint(char *out, uint64_t value)
{
    size_t n = format_uint(out, value / DIGITS_LIMIT);
    put_eight(out + n, (uint32_t)(value % DIGITS_LIMIT));
    return n + 8;
}

size_t format_sint(char *out, int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    *out = '-';
    size_t sign = value < 0;
    return sign + format_uint(out + sign, magnitude);
}

/* The eight hexadecimal digits of value, as text. */
static uint64_t hex_digits(uint32_t value)
{
    uint64_t x = value;
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = __builtin_bswap64(x);
    uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    return (x | DIGITS_ZEROS) + letters * ('a' - '0' - 10);
}

size_t format_hex(char *out, uint64_t value)
{
    unsigned count = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    value <<= 64 - 4 * count;
    uint64_t text[2] = {hex_digits((uint32_t)(value >> 32)), hex_digits((uint32_t)value)};
    memcpy(out, text, sizeof text);
    return count;
}
