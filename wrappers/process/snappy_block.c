/* SPDX-License-Identifier: MIT */
#include "process/snappy_block.h"

#include "base/varint.h"

#include <string.h>

#define FRAGMENT  65536u /* so that offsets fit in 16 bits */
#define HASH_BITS 12
#define MIN_MATCH 4u
#define MAX_COPY  64u

/* Element tags: the low two bits of the first byte. */
enum { TAG_LITERAL = 0, TAG_COPY_2 = 2 };

size_t snappy_block_bound(size_t size)
{
    return 32 + size + size / 6;
}

static uint32_t load32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static uint32_t hash(uint32_t bytes)
{
    return (bytes * 0x9e3779b1u) >> (32 - HASH_BITS);
}

static uint8_t *put_literal(uint8_t *out, const uint8_t *from, size_t size)
{
    if (size == 0)
        return out;
    size_t n = size - 1;
    if (n < 60) {
        *out++ = (uint8_t)(n << 2 | TAG_LITERAL);
    } else {
        unsigned bytes = n < 0x100 ? 1 : n < 0x10000 ? 2 : n < 0x1000000 ? 3 : 4;
        *out++ = (uint8_t)((59 + bytes) << 2 | TAG_LITERAL);
        for (unsigned i = 0; i < bytes; ++i)
            *out++ = (uint8_t)(n >> (8 * i));
    }
    memcpy(out, from, size);
    return out + size;
}

static uint8_t *put_copy(uint8_t *out, size_t offset, size_t size)
{
    while (size > 0) {
        size_t n = size < MAX_COPY ? size : MAX_COPY;
        *out++ = (uint8_t)((n - 1) << 2 | TAG_COPY_2);
        *out++ = (uint8_t)offset;
        *out++ = (uint8_t)(offset >> 8);
        size -= n;
    }
    return out;
}

static size_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;
    while (b < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(b - start);
}

/* Offsets and positions are relative to the fragment. Copies do not refer to other fragments. */
static uint8_t *compress_fragment(const uint8_t *in, size_t size, uint8_t *out)
{
    uint16_t table[1 << HASH_BITS];
    memset(table, 0, sizeof table);
    const uint8_t *end = in + size, *literal = in, *p = in + 1;
    unsigned misses = 32; /* the search step grows where nothing matches */
    while (size >= MIN_MATCH + 1 && p + MIN_MATCH <= end) {
        uint32_t bytes = load32(p);
        uint16_t *slot = &table[hash(bytes)];
        const uint8_t *candidate = in + *slot;
        *slot = (uint16_t)(p - in);
        if (candidate >= p || load32(candidate) != bytes) {
            p += misses++ >> 5;
            continue;
        }
        size_t n = MIN_MATCH + match_length(candidate + MIN_MATCH, p + MIN_MATCH, end);
        out = put_literal(out, literal, (size_t)(p - literal));
        out = put_copy(out, (size_t)(p - candidate), n);
        p += n;
        literal = p;
        misses = 32;
    }
    return put_literal(out, literal, (size_t)(end - literal));
}

size_t snappy_block_compress(const uint8_t *in, size_t size, uint8_t *out)
{
    uint8_t *start = out;
    out += varint_put(out, size);
    for (size_t at = 0; at < size; at += FRAGMENT)
        out = compress_fragment(in + at, size - at < FRAGMENT ? size - at : FRAGMENT, out);
    return (size_t)(out - start);
}
