/* SPDX-License-Identifier: MIT
 * Base64 (RFC 4648, section 4), with padding and without line ends.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stddef.h>

/* The size of count bytes in base64. */
#define BASE64_SIZE(count) (((count) + 2) / 3 * 4)

/* Writes BASE64_SIZE(count) characters to out, without a NUL. Returns their number. */
size_t base64_encode(char *out, const void *bytes, size_t count);

#endif
