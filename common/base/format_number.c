/* SPDX-License-Identifier: MIT */
#include "base/format_number.h"

const char format_digit_pairs[201] =
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

size_t format_uint(char *out, uint64_t value)
{
    if (value < 10) {
        *out = (char)('0' + value);
        return 1;
    }
    unsigned count = count_digits(value);
    format_digits(out, value, count);
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
