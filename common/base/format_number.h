/* SPDX-License-Identifier: MIT
 * Numbers to decimal text, several times faster than printf() with the same result.
 * Functions write to out without a NUL and return the number of bytes.
 */
#ifndef BASE_FORMAT_NUMBER_H
#define BASE_FORMAT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define FORMAT_INT_BYTES  20 /* room that format_uint() and format_sint() need */
#define FORMAT_HEX_BYTES  16
#define FORMAT_REAL_BYTES 40

size_t format_uint(char *out, uint64_t value);
size_t format_sint(char *out, int64_t value);
size_t format_hex(char *out, uint64_t value); /* lower case, without 0x */

/* As printf's %.*g: correctly rounded to 1 to 17 significant digits, the exponent with two digits or more,
 * "inf", "nan",
 * "-nan". */
size_t format_real(char *out, double value, unsigned digits);

#endif
