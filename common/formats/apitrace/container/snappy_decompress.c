/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/snappy_decompress.h"

#include "base/little_endian.h"
#include "base/varint.h"

#include <string.h>

/* A block consists of a varint with the decompressed size, and of elements: literals, and copies of earlier
 * output. The low two bits of an element's first byte, its tag, are its kind. */
enum kind { LITERAL, COPY_1, COPY_2, COPY_4 }; /* copies, by the size of their offset */

#define STEP          16  /* bytes that are copied at a time */
#define WORD          8u  /* bytes */
#define SHORTEST      4u  /* size of the output of the shortest copies, but for rare ones */
#define MOST          64  /* highest size of an element's output, except for long literals */
#define SHORT_LITERAL 60u /* in bytes; the length of a longer literal follows its tag */

struct block {
    const uint8_t *in, *in_end;
    uint8_t *start, *out, *out_end;
};

/* What the tag of a copy means. A table avoids branches on the kind, which are hard to predict. */
struct copy {
    uint16_t high;  /* high bits of the offset */
    uint16_t mask;  /* selects the rest of the offset from the two bytes after the tag; 0 for kinds other than
                       COPY_1 and COPY_2 */
    uint8_t length; /* number of bytes */
};

#define IS(tag, kind)    (((tag)&3) == (kind))
#define UPPER(tag)       (((tag) >> 2) + 1)
#define COPY_LENGTH(tag) (IS(tag, COPY_1) ? ((tag) >> 2 & 7) + 4 : UPPER(tag))
#define C1(tag)                                                                                              \
    {                                                                                                        \
        IS(tag, COPY_1) ? (tag) >> 5 << 8 : 0,                                                               \
            IS(tag, COPY_1)   ? 0xff                                                                         \
            : IS(tag, COPY_2) ? 0xffff                                                                       \
                              : 0,                                                                           \
            COPY_LENGTH(tag)                                                                                 \
    }
#define C4(tag)  C1(tag), C1((tag) + 1), C1((tag) + 2), C1((tag) + 3)
#define C16(tag) C4(tag), C4((tag) + 4), C4((tag) + 8), C4((tag) + 12)
#define C64(tag) C16(tag), C16((tag) + 16), C16((tag) + 32), C16((tag) + 48)

static const uint8_t offset_bytes[] = {0, 1, 2, 4}; /* by kind */

static const struct copy copies[256] = {C64(0), C64(64), C64(128), C64(192)};

static size_t read_le(const uint8_t *p, unsigned bytes)
{
    size_t v = 0;
    for (unsigned i = 0; i < bytes; ++i)
        v |= (size_t)p[i] << (8 * i);
    return v;
}

/* The tag of a literal of 1 to 60 bytes contains its length - 1. For longer ones, it is in the 1 to 4 bytes
 * after the tag. Returns false if the literal is cut off or does not fit, after writing as much as possible.
 */
static bool put_literal(struct block *b)
{
    size_t left = (size_t)(b->in_end - b->in), room = (size_t)(b->out_end - b->out), head = 1;
    size_t length = UPPER(b->in[0]);
    if (length > SHORT_LITERAL) {
        unsigned bytes = (unsigned)length - SHORT_LITERAL;
        if (left < 1 + bytes)
            return false;
        length = read_le(b->in + 1, bytes) + 1;
        head += bytes;
    }
    size_t n = length < left - head ? length : left - head;
    n = n < room ? n : room;
    memcpy(b->out, b->in + head, n);
    b->in += head + n;
    b->out += n;
    return n == length;
}

/* A copy that overlaps itself repeats a pattern. */
static void put_pattern(uint8_t *out, size_t offset, size_t length)
{
    for (; length > offset; length -= offset, out += offset)
        memcpy(out, out - offset, offset);
    memcpy(out, out - offset, length);
}

static bool put_copy(struct block *b)
{
    unsigned tag = b->in[0], bytes = offset_bytes[tag & 3];
    if ((size_t)(b->in_end - b->in) < 1 + bytes)
        return false;
    size_t length = (size_t)COPY_LENGTH(tag);
    size_t offset = read_le(b->in + 1, bytes) | (IS(tag, COPY_1) ? (size_t)(tag >> 5) << 8 : 0);
    if (offset == 0 || offset > (size_t)(b->out - b->start) || length > (size_t)(b->out_end - b->out))
        return false;
    put_pattern(b->out, offset, length);
    b->in += 1 + bytes;
    b->out += length;
    return true;
}

/* Writes any element, with all checks. */
static bool put_element(struct block *b)
{
    return IS(b->in[0], LITERAL) ? put_literal(b) : put_copy(b);
}

static void copy_step(uint8_t *out, const uint8_t *from)
{
    uint8_t bytes[STEP];
    memcpy(bytes, from, STEP);
    memcpy(out, bytes, STEP);
}

/* Copies length bytes, at most MOST, in steps; there is room for MOST. Copies no unnecessary steps, because a
 * load that overlaps several recent stores has to wait for all of them. */
static void copy_steps(uint8_t *out, const uint8_t *from, size_t length)
{
    copy_step(out, from);
    if (length <= STEP)
        return;
    copy_step(out + STEP, from + STEP);
    if (length <= 2 * STEP)
        return;
    copy_step(out + 2 * STEP, from + 2 * STEP);
    copy_step(out + 3 * STEP, from + 3 * STEP);
}

/* Writes a pattern of offset bytes, fewer than STEP, as often as length says; there is room for MOST + STEP.
 * Takes it from two registers instead of the output, because a load that overlaps recent stores has to wait
 * for them. */
static void repeat_pattern(uint8_t *out, size_t offset, size_t length)
{
    const uint8_t *end = out + length;
    uint64_t low = get_u64(out - offset), high = 0;
    size_t period = offset;
    if (offset < WORD) {
        low &= ((uint64_t)1 << 8 * offset) - 1;
        for (size_t known = offset; known < WORD; known += known)
            low |= low << 8 * known;
        period = WORD / offset * offset;
    } else if (offset == WORD) {
        high = low;
    } else {
        size_t rest = 8 * (offset - WORD); /* bits of the pattern in the second register */
        high = (get_u64(out - offset + WORD) & (((uint64_t)1 << rest) - 1)) | low << rest;
    }
    for (; out < end; out += period) {
        put_u64(out, low);
        put_u64(out + WORD, high);
    }
}

static void copy_word(uint8_t *out, const uint8_t *from)
{
    put_u32(out, get_u32(from));
    __asm__ volatile("" ::: "memory"); /* compilers would make larger loads of several */
}

/* Does the same as copy_steps() and repeat_pattern(), by four bytes at a time. It is faster where the data
 * are words of four bytes, such as floats, because its loads are of one recent store each. offset is at least
 * SHORTEST. */
static void copy_words(uint8_t *out, const uint8_t *from, size_t length)
{
    static const uint8_t nothing[SHORTEST];
    copy_word(out, from);
    copy_word(out + SHORTEST, length > SHORTEST ? from + SHORTEST : nothing);
    for (size_t i = WORD; i < length; i += WORD) {
        copy_word(out + i, from + i);
        copy_word(out + i + SHORTEST, from + i + SHORTEST);
    }
}

enum { SAMPLE = 64, PART = 8192 }; /* in elements, and in bytes of input */

/* Tells from the next elements whether most copies are of whole words. That is so for few kinds of calls, but
 * for nearly all of an array of floats. */
static bool has_words(const struct block *b)
{
    const uint8_t *in = b->in;
    unsigned words = 0, count = 0;
    while (in < b->in_end && count++ < SAMPLE) {
        unsigned tag = in[0];
        if (IS(tag, LITERAL)) {
            in += 1 + UPPER(tag); /* wrong for a long one, after which the sample is as good as any */
            continue;
        }
        words += copies[tag].length % SHORTEST == 0;
        in += 1 + offset_bytes[tag & 3];
    }
    return words > count * 5 / 8;
}

/* Writes elements until the input's limit, as long as both buffers have room for any element that is not a
 * long literal. Returns false at a malformed element. */
static inline __attribute__((always_inline)) bool put_part(struct block *b, const uint8_t *limit,
                                                           bool in_words)
{
    const uint8_t *in = b->in;
    uint8_t *start = b->start, *out = b->out, *out_end = b->out_end;
    while (in < limit && out_end - out >= MOST) {
        unsigned tag = in[0];
        if (IS(tag, LITERAL) && UPPER(tag) <= SHORT_LITERAL) {
            copy_steps(out, in + 1, UPPER(tag));
            in += 1 + UPPER(tag);
            out += UPPER(tag);
            continue;
        }
        const struct copy *c = &copies[tag];
        size_t offset = c->high | (read_le(in + 1, 2) & c->mask);
        bool repeats = in_words ? offset < SHORTEST : offset < STEP && offset < c->length;
        if (offset == 0 || offset > (size_t)(out - start) || (repeats && out_end - out < MOST + STEP)) {
            b->in = in;
            b->out = out;
            if (!put_element(b))
                return false;
            in = b->in;
            out = b->out;
            continue;
        }
        if (repeats)
            repeat_pattern(out, offset, c->length);
        else if (in_words)
            copy_words(out, out - offset, c->length);
        else
            copy_steps(out, out - offset, c->length);
        in += 1 + (tag & 3);
        out += c->length;
    }
    b->in = in;
    b->out = out;
    return true;
}

/* Writes elements as long as put_part() does. Returns false at a malformed element. */
static bool put_most(struct block *b)
{
    bool ok = true;
    while (ok && b->in_end - b->in > 1 + MOST && b->out_end - b->out >= MOST) {
        size_t left = (size_t)(b->in_end - b->in) - (1 + MOST);
        const uint8_t *limit = b->in + (left < PART ? left : PART);
        ok = has_words(b) ? put_part(b, limit, true) : put_part(b, limit, false);
    }
    return ok;
}

#define SIZE_BYTES 5u /* of a number of 32 bits, as a varint */

bool trace_snappy_size(const uint8_t *block, size_t count, size_t *size)
{
    uint64_t claimed = 0;
    for (size_t i = 0; i < count && i < SIZE_BYTES; ++i) {
        claimed |= (uint64_t)(block[i] & 0x7f) << 7 * i;
        *size = (size_t)claimed;
        if ((block[i] & 0x80) == 0)
            return claimed <= UINT32_MAX;
    }
    return false;
}

size_t trace_snappy_decompress(const uint8_t *block, size_t count, uint8_t *out, size_t cap, bool *whole)
{
    uint64_t size = 0;
    int used = varint_get(block, block + count, &size);
    *whole = false;
    if (used <= 0)
        return 0;
    size_t room = size < cap ? (size_t)size : cap;
    struct block b = {block + used, block + count, out, out, out + room};
    bool ok = put_most(&b);
    while (ok && b.in < b.in_end)
        ok = put_element(&b);
    *whole = ok && (size_t)(b.out - out) == size;
    return (size_t)(b.out - out);
}
