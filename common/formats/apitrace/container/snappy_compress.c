/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/snappy_compress.h"

#include "base/varint.h"

#include <stdbool.h>
#include <string.h>

#define HASH_BITS   13
#define MIN_MATCH   4u
#define MAX_COPY    64u
#define SHORT_COPY  12u /* shorter copies from less than NEAR bytes back take two bytes */
#define NEAR        2048u
#define LOOK_AHEAD  16u /* bytes that can be read where matches are searched */
#define MIN_RESUMED 6u  /* of a match with the last offset; if it is shorter, there may be a better one */
#define LONG_MATCH  12u /* after shorter ones, the data is not taken for events that are alike */
#define EACH_PLACE  16u /* so many places are looked at one by one */
#define STEP_BITS   6   /* then one more is left out each time this power of two was passed over */
#define MAX_LITERAL 60u /* longer ones have their length in bytes of its own */

/* Element tags: the low two bits of the first byte. */
enum { TAG_LITERAL = 0, TAG_COPY_1 = 1, TAG_COPY_2 = 2 };

size_t trace_snappy_bound(size_t size)
{
    return 32 + size + size / 6;
}

static inline uint32_t load32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint32_t hash(uint32_t bytes)
{
    return (bytes * UINT32_C(0x9e3779b1)) >> (32 - HASH_BITS);
}

static uint8_t *put_long_literal(uint8_t *out, const uint8_t *from, size_t size)
{
    size_t n = size - 1;
    unsigned bytes = n < 0x100 ? 1 : n < 0x10000 ? 2 : n < 0x1000000 ? 3 : 4;
    *out++ = (uint8_t)((MAX_LITERAL - 1 + bytes) << 2 | TAG_LITERAL);
    for (unsigned i = 0; i < bytes; ++i)
        *out++ = (uint8_t)(n >> (8 * i));
    memcpy(out, from, size);
    return out + size;
}

static uint8_t *put_literal(uint8_t *out, const uint8_t *from, size_t size)
{
    if (size == 0)
        return out;
    if (size > MAX_LITERAL)
        return put_long_literal(out, from, size);
    *out++ = (uint8_t)((size - 1) << 2 | TAG_LITERAL);
    memcpy(out, from, size);
    return out + size;
}

/* The same where LOOK_AHEAD bytes can be read from the literal's end. */
static inline uint8_t *put_literal_inside(uint8_t *out, const uint8_t *from, size_t size)
{
    if (size > LOOK_AHEAD)
        return put_literal(out, from, size);
    *out = (uint8_t)((size - 1) << 2 | TAG_LITERAL);
    memcpy(out + 1, from, LOOK_AHEAD);
    return size > 0 ? out + 1 + size : out;
}

static inline uint8_t *put_copy(uint8_t *out, size_t offset, size_t size)
{
    while (size > 0) {
        if (size < SHORT_COPY && size >= MIN_MATCH && offset < NEAR) {
            out[0] = (uint8_t)(offset >> 8 << 5 | (size - MIN_MATCH) << 2 | TAG_COPY_1);
            out[1] = (uint8_t)offset;
            return out + 2;
        }
        /* What is left may be short, but not shorter than a short copy. */
        size_t n = size <= MAX_COPY ? size : size < MAX_COPY + MIN_MATCH ? MAX_COPY - MIN_MATCH : MAX_COPY;
        out[0] = (uint8_t)((n - 1) << 2 | TAG_COPY_2);
        out[1] = (uint8_t)offset;
        out[2] = (uint8_t)(offset >> 8);
        out += 3;
        size -= n;
    }
    return out;
}

/* Returns the number of bytes that are the same at p and `offset` bytes before it. */
static inline size_t match_length(const uint8_t *p, size_t offset, const uint8_t *end)
{
    const uint8_t *start = p;
    while ((size_t)(end - p) >= sizeof(uint64_t)) {
        uint64_t different = load64(p) ^ load64(p - offset);
        if (different != 0)
            return (size_t)(p - start) + (size_t)__builtin_ctzll(different) / 8;
        p += sizeof different;
    }
    while (p < end && *p == *(p - offset))
        ++p;
    return (size_t)(p - start);
}

/* The byte at p differs from the one `offset` bytes before it. Returns after how many bytes there is a match
 * again; 0 if not soon. */
static inline size_t bytes_to_resume(const uint8_t *p, size_t offset)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t different = load64(p) ^ load64(p - offset);
    uint64_t same = ~(((different & low) + low) | different | low); /* bit 7 of each byte that is 0 */
    same &= same >> 8;
    same &= same >> 16;
    if (same == 0)
        return 0;
    /* Branches can be predicted, so that the search goes on before the bytes are known. */
    for (unsigned i = 1; i < sizeof different - MIN_MATCH; ++i)
        if ((same >> (8 * i) & 0x80) != 0)
            return i;
    return sizeof different - MIN_MATCH;
}

struct search {
    const uint8_t *in;
    const uint8_t *limit; /* LOOK_AHEAD bytes before the end */
    /* By hash: where such bytes were last, counted from `in`, without the high bits. */
    uint16_t table[1 << HASH_BITS];
};

/* Returns the offset to earlier bytes that are the same as those at p, which are given, or 0. Later searches
 * find p. What is too far back for a copy is looked for nearer, at the place with the same low bits: other
 * bytes. */
static inline size_t find_bytes(struct search *s, const uint8_t *p, uint32_t bytes)
{
    uint16_t *slot = &s->table[hash(bytes)], at = (uint16_t)(p - s->in);
    size_t offset = (uint16_t)(at - *slot);
    *slot = at;
    return load32(p - offset) == bytes ? offset : 0;
}

static inline size_t find(struct search *s, const uint8_t *p)
{
    return find_bytes(s, p, load32(p));
}

/* `length` bytes that are the same as `offset` bytes before them. They begin `gap` bytes after the place that
 * was looked at. */
struct match {
    size_t offset; /* 0: there is no match */
    size_t length;
    size_t gap;
};

/* Returns the match at p, where `last` has just ended. Either the bytes there continue another earlier event,
 * or the same one goes on after a few bytes that differ, such as a number. */
static inline struct match next_match(struct search *s, const uint8_t *p, struct match last,
                                      const uint8_t *end)
{
    struct match found = {.offset = find(s, p)};
    if (found.offset != 0)
        found.length = MIN_MATCH + match_length(p + MIN_MATCH, found.offset, end);
    if (found.offset != 0 && last.length < LONG_MATCH)
        return found;
    size_t gap = bytes_to_resume(p, last.offset);
    if (gap == 0)
        return found;
    struct match resumed = {last.offset, MIN_MATCH + match_length(p + gap + MIN_MATCH, last.offset, end),
                            gap};
    bool better = found.offset != 0 ? resumed.length > found.length + gap : resumed.length >= MIN_RESUMED;
    return better ? resumed : found;
}

/* The four bytes at `at` match. Those before them may match, too, down to p. */
static inline struct match match_around(const struct search *s, const uint8_t *p, const uint8_t *at,
                                        size_t offset, const uint8_t *end)
{
    const uint8_t *rest = at + MIN_MATCH;
    while (at > p && (size_t)(at - s->in) > offset && at[-1] == *(at - offset - 1))
        --at;
    return (struct match){offset, (size_t)(rest - at) + match_length(rest, offset, end), (size_t)(at - p)};
}

/* Returns the next match after p, which has none. The steps grow where nothing matches. */
static inline struct match search_on(struct search *s, const uint8_t *p, const uint8_t *end)
{
    const uint8_t *at = p + 1;
    size_t offset;
    for (; at <= s->limit && at <= p + EACH_PLACE; at += MIN_MATCH) {
        uint64_t bytes = load64(at);
        for (unsigned i = 0; i < MIN_MATCH; ++i)
            if ((offset = find_bytes(s, at + i, (uint32_t)(bytes >> 8 * i))) != 0)
                return match_around(s, p, at + i, offset, end);
    }
    for (size_t passed = 1 << STEP_BITS; at <= s->limit; passed += passed >> STEP_BITS) {
        if ((offset = find(s, at)) != 0)
            return match_around(s, p, at, offset, end);
        at += passed >> STEP_BITS;
    }
    return (struct match){.offset = 0};
}

/* Returns the end of the output. */
static uint8_t *compress(struct search *s, const uint8_t *end, uint8_t *out)
{
    const uint8_t *p = s->in;
    struct match m = {.offset = 0};
    for (;;) {
        if (m.offset == 0)
            m = search_on(s, p, end);
        if (m.offset == 0)
            break;
        out = put_literal_inside(out, p, m.gap);
        out = put_copy(out, m.offset, m.length);
        p += m.gap + m.length;
        if (p > s->limit)
            break;
        m = next_match(s, p, m, end);
    }
    return put_literal(out, p, (size_t)(end - p));
}

size_t trace_snappy_compress(const uint8_t *in, size_t size, uint8_t *out)
{
    uint8_t *start = out;
    out += varint_put(out, size);
    if (size < 2 * LOOK_AHEAD)
        return (size_t)(put_literal(out, in, size) - start);
    struct search s;
    s.in = in;
    s.limit = in + size - LOOK_AHEAD;
    memset(s.table, 0, sizeof s.table);
    return (size_t)(compress(&s, in + size, out) - start);
}
