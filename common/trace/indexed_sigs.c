/* SPDX-License-Identifier: MIT */
#include "trace/indexed_sigs.h"

#include "base/error.h"
#include "base/varint.h"
#include "trace/format.h"

#define MAX_RATIO 256 /* of the section and what is stored of it: no text is better compressed */

static int misfit(void)
{
    return error_set(ERR_FORMAT, "the signatures in the index are damaged");
}

/* What precedes a signature: kind, distance of its event from that of the one before, size of id and body. */
struct sig_head {
    uint64_t kind;
    uint64_t distance;
    uint64_t size;
    size_t length; /* of the head itself */
};

static int read_head(struct trace_trailer *t, uint64_t at, uint64_t left, struct sig_head *head)
{
    uint8_t bytes[3 * VARINT_MAX_BYTES];
    uint64_t numbers[3];
    size_t count = left < sizeof bytes ? (size_t)left : sizeof bytes;
    int rc = trace_trailer_read(t, TRACE_SECTION_SIGNATURES, at, bytes, count);
    *head = (struct sig_head){0};
    for (unsigned i = 0; i < 3 && rc == 0; ++i) {
        int used = varint_get(bytes + head->length, bytes + count, &numbers[i]);
        rc = used > 0 ? 0 : misfit();
        head->length += used > 0 ? (size_t)used : 0;
    }
    if (rc != 0)
        return rc;
    head->kind = numbers[0];
    head->distance = numbers[1];
    head->size = numbers[2];
    return head->kind < TRACE_SIG_KINDS && head->size <= left - head->length ? 0 : misfit();
}

int trace_indexed_sig_next(struct trace_trailer *t, struct trace_sig_place *place, uint64_t limit,
                           struct buf *bytes, struct trace_indexed_sig *out, bool *found)
{
    uint64_t size = trace_trailer_bytes(t, TRACE_SECTION_SIGNATURES);
    struct sig_head head;
    uint64_t id;
    *found = false;
    if (size / MAX_RATIO > trace_trailer_stored_bytes(t, TRACE_SECTION_SIGNATURES))
        return misfit();
    if (place->at >= size)
        return 0;
    int rc = read_head(t, place->at, size - place->at, &head);
    if (rc != 0 || place->event + head.distance >= limit)
        return rc;
    buf_clear(bytes);
    rc = buf_reserve(bytes, (size_t)head.size);
    if (rc == 0)
        rc = trace_trailer_read(t, TRACE_SECTION_SIGNATURES, place->at + head.length, bytes->data,
                                (size_t)head.size);
    if (rc != 0)
        return rc;
    bytes->len = (size_t)head.size;
    int used = varint_get(bytes->data, bytes->data + bytes->len, &id);
    if (used <= 0 || id >= TRACE_ID_LIMIT)
        return misfit();
    place->at += head.length + head.size;
    place->event += head.distance;
    *out = (struct trace_indexed_sig){(enum trace_sig_kind)head.kind, place->event, (uint32_t)id,
                                      bytes->data + used, bytes->len - (size_t)used};
    *found = true;
    return 0;
}
