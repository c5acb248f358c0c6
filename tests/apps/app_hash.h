/* SPDX-License-Identifier: MIT
 * A checksum that a test program prints for what it drew or read, so that two runs can be compared. FNV-1a,
 * 64 bits, because it is small and independent of the libraries under test.
 */
#ifndef APP_HASH_H
#define APP_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t app_hash(const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

#endif
