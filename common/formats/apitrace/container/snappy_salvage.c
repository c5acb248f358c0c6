/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/snappy_salvage.h"

#include "base/varint.h"

#include <string.h>

/* Elements are named by the low two bits of their first byte. */
enum { ELEMENT_LITERAL = 0, ELEMENT_COPY_1 = 1 }; /* 2, 3: copies with a 2- and 4-byte offset */

static uint32_t read_le(const uint8_t *p, unsigned bytes)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < bytes; ++i)
        v |= (uint32_t)p[i] << (8 * i);
    return v;
}

/* A literal of 1 to 60 bytes has its length - 1 in the tag; longer ones in 1 to 4 bytes after it. A literal
 * that the input cuts gives its first bytes. Returns the input bytes used, 0 to stop. */
static size_t salvage_literal(const uint8_t *p, size_t left, uint8_t *out, size_t room, size_t *written)
{
    size_t head = 1;
    size_t length = (size_t)(p[0] >> 2) + 1;
    if (length > 60) {
        unsigned bytes = (unsigned)length - 60;
        if (left < 1 + bytes)
            return 0;
        length = (size_t)read_le(p + 1, bytes) + 1;
        head += bytes;
    }
    size_t n = length < left - head ? length : left - head;
    n = n < room ? n : room;
    memcpy(out, p + head, n);
    *written = n;
    return n == length ? head + n : 0;
}

static size_t salvage_copy(const uint8_t *p, size_t left, uint8_t *out, size_t done, size_t room,
                           size_t *written)
{
    static const unsigned offset_bytes[4] = {0, 1, 2, 4};
    unsigned kind = p[0] & 3;
    size_t head = 1 + offset_bytes[kind];
    if (left < head)
        return 0;
    size_t length = (size_t)(p[0] >> 2) + 1;
    size_t offset = read_le(p + 1, offset_bytes[kind]);
    if (kind == ELEMENT_COPY_1) {
        length = (size_t)((p[0] >> 2) & 7) + 4;
        offset |= (size_t)(p[0] >> 5) << 8;
    }
    if (offset == 0 || offset > done || length > room)
        return 0;
    const uint8_t *from = out - offset;
    for (size_t i = 0; i < length; ++i) /* may overlap: byte by byte repeats a pattern */
        out[i] = from[i];
    *written = length;
    return head;
}

size_t trace_snappy_salvage(const uint8_t *block, size_t count, uint8_t *out, size_t cap)
{
    uint64_t size = 0;
    int used = varint_get(block, block + count, &size);
    if (used <= 0)
        return 0;
    if (size < cap)
        cap = (size_t)size;
    size_t done = 0;
    for (size_t at = (size_t)used; at < count && done < cap;) {
        const uint8_t *p = block + at;
        size_t written = 0;
        size_t taken = (p[0] & 3) == ELEMENT_LITERAL
                           ? salvage_literal(p, count - at, out + done, cap - done, &written)
                           : salvage_copy(p, count - at, out + done, done, cap - done, &written);
        done += written;
        at += taken;
        if (taken == 0)
            break;
    }
    return done;
}
