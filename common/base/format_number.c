/* SPDX-License-Identifier: MIT */
#include "base/format_number.h"

const char format_digit_pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

/* Writes eight digits, with leading zeros. */
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
