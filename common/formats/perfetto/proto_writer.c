/* SPDX-License-Identifier: MIT */
#include "formats/perfetto/proto_writer.h"

#include "base/utf8.h"
#include "base/varint.h"

#define LENGTH_BYTES 4 /* of a message: padded, because it is written before the length is known */

enum wire_type {
    WIRE_VARINT = 0,
    WIRE_64_BITS = 1,
    WIRE_LENGTH = 2,
};

/* Makes room for a field without its contents, and writes its tag. Returns NULL if there is no memory. */
static uint8_t *begin_field(struct proto_writer *w, unsigned field, enum wire_type type, size_t room)
{
    if (buf_reserve(&w->out, 2 * VARINT_MAX_BYTES + room) != 0) {
        w->failed = true;
        return NULL;
    }
    uint8_t *p = w->out.data + w->out.len;
    return p + varint_put(p, (uint64_t)field << 3 | type);
}

static void end_field(struct proto_writer *w, const uint8_t *p)
{
    w->out.len = (size_t)(p - w->out.data);
}

void proto_put_uint(struct proto_writer *w, unsigned field, uint64_t value)
{
    uint8_t *p = begin_field(w, field, WIRE_VARINT, 0);
    if (p != NULL)
        end_field(w, p + varint_put(p, value));
}

void proto_put_double(struct proto_writer *w, unsigned field, double value)
{
    uint64_t bits;
    uint8_t *p = begin_field(w, field, WIRE_64_BITS, sizeof bits);
    if (p == NULL)
        return;
    memcpy(&bits, &value, sizeof bits);
    for (size_t i = 0; i < sizeof bits; ++i)
        *p++ = (uint8_t)(bits >> 8 * i);
    end_field(w, p);
}

void proto_put_bytes(struct proto_writer *w, unsigned field, const void *bytes, size_t count)
{
    uint8_t *p = begin_field(w, field, WIRE_LENGTH, count);
    if (p == NULL)
        return;
    p += varint_put(p, count);
    if (count > 0)
        memcpy(p, bytes, count);
    end_field(w, p + count);
}

void proto_put_text(struct proto_writer *w, unsigned field, const char *text, size_t count)
{
    struct buf repaired = BUF_INIT;
    if (utf8_is_valid(text, count))
        proto_put_bytes(w, field, text, count);
    else if (utf8_append_repaired(&repaired, text, count) == 0)
        proto_put_bytes(w, field, repaired.data, repaired.len);
    else
        w->failed = true;
    buf_fini(&repaired);
}

size_t proto_begin(struct proto_writer *w, unsigned field)
{
    uint8_t *p = begin_field(w, field, WIRE_LENGTH, LENGTH_BYTES);
    if (p != NULL)
        end_field(w, p + LENGTH_BYTES);
    return w->out.len;
}

void proto_end(struct proto_writer *w, size_t mark)
{
    size_t length = w->out.len - mark;
    if (w->failed || length > PROTO_MESSAGE_MAX) {
        w->failed = true;
        return;
    }
    uint8_t *p = w->out.data + mark - LENGTH_BYTES;
    for (size_t i = 0; i < LENGTH_BYTES; ++i)
        p[i] = (uint8_t)((length >> 7 * i & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}
