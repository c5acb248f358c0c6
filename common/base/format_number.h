/* SPDX-License-Identifier: MIT
 * Numbers as text, with the same result as printf() and several times faster.
 * Functions write to out, without a NUL, and return the number of bytes.
 */
#ifndef BASE_FORMAT_NUMBER_H
#define BASE_FORMAT_NUMBER_H

#include "base/format_digits.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Room that the functions need at out. They may write more bytes than they return. */
#define FORMAT_INT_BYTES  24
#define FORMAT_HEX_BYTES  16
#define FORMAT_REAL_BYTES 40

size_t format_long_uint(char *out, uint64_t value); /* value is at least DIGITS_LIMIT */

static inline size_t format_uint(char *out, uint64_t value)
{
    if (value >= DIGITS_LIMIT)
        return format_long_uint(out, value);
    uint64_t digits = digits_of_eight((uint32_t)value);
    /* The last digit may be 0, too. */
    unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) / 8;
    uint64_t text = (digits | DIGITS_ZEROS) >> zeros * 8;
    memcpy(out, &text, sizeof text);
    return 8 - zeros;
}

size_t format_sint(char *out, int64_t value);

extern const char format_digit_pairs[201]; /* "00" to "99" */

/* Writes exactly count digits, with leading zeros. value must not have more. */
static inline void format_digits(char *out, uint64_t value, unsigned count)
{
    char *p = out + count;
    while (p - out >= 8) {
        uint64_t digits = digits_of_eight((uint32_t)(value % DIGITS_LIMIT)) | DIGITS_ZEROS;
        p -= sizeof digits;
        memcpy(p, &digits, sizeof digits);
        value /= DIGITS_LIMIT;
    }
    while (p - out >= 2) {
        p -= 2;
        memcpy(p, format_digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (p != out)
        *out = (char)('0' + value % 10);
}

/* Writes lower-case hexadecimal digits, without 0x. */
static inline size_t format_hex(char *out, uint64_t value)
{
    unsigned count = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    hex_digits_of(out, value << (64 - 4 * count));
    return count;
}

/* Writes upper-case hexadecimal digits, without 0x. */
static inline size_t format_upper_hex(char *out, uint64_t value)
{
    size_t count = format_hex(out, value);
    uint64_t text[2];
    memcpy(text, out, sizeof text);
    for (int i = 0; i < 2; ++i) /* only letters have bit 6 */
        text[i] -= (text[i] & UINT64_C(0x4040404040404040)) >> 1;
    memcpy(out, text, sizeof text);
    return count;
}

/* Writes what printf's %.*g does: 1 to 17 significant digits, correctly rounded; an exponent of two digits or
 * more; "inf", "nan", "-nan". */
size_t format_real(char *out, double value, unsigned digits);

/* Does the same for a float, with 7 digits. */
size_t format_float7(char *out, float value);

/* Write the fewest digits that distinguish the value from all others of its type. For a float they also do so
 * if they are read as a double, which is then rounded. The layout is that of format_real() with 7 digits for
 * a float and 16 for a double, or more if the value needs more. At most FORMAT_REAL_BYTES. */
size_t format_float(char *out, float value);
size_t format_double(char *out, double value);

#endif
