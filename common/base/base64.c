/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

#include <stdint.h>

size_t base64_encode(char *out, const void *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *in = bytes;
    char *p = out;
    for (; count > 0; in += 3) {
        size_t n = count < 3 ? count : 3;
        uint32_t group = (uint32_t)in[0] << 16 | (n > 1 ? (uint32_t)in[1] << 8 : 0) | (n > 2 ? in[2] : 0);
        *p++ = digits[group >> 18];
        *p++ = digits[group >> 12 & 63];
        *p++ = n > 1 ? digits[group >> 6 & 63] : '=';
        *p++ = n > 2 ? digits[group & 63] : '=';
        count -= n;
    }
    return (size_t)(p - out);
}
