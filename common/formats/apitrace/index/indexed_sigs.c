/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/indexed_sigs.h"

#include "base/error.h"
#include "base/varint.h"
#include "formats/apitrace/format.h"

/* Highest ratio of the section's size to its stored size; no real text compresses better. */
#define MAX_RATIO 256

static int misfit(void)
{
    return trace_error_set(TRACE_ERR_FORMAT, "the signatures in the index are damaged");
}

/* The head of a signature: kind, distance of its event from the previous one, and size of id and body. If the
 * body is not in the index, also its offset in the event, and its id. */
struct sig_head {
    uint64_t kind;
    uint64_t distance;
    uint64_t size;
    uint64_t at;
    uint64_t id;
    bool refers;
    size_t length; /* size of the head itself */
};

static int read_numbers(const uint8_t *bytes, size_t count, unsigned from, unsigned to, uint64_t *numbers,
                        size_t *length)
{
    for (unsigned i = from; i < to; ++i) {
        int used = varint_get(bytes + *length, bytes + count, &numbers[i]);
        if (used <= 0)
            return misfit();
        *length += (size_t)used;
    }
    return 0;
}

static bool is_sound(const struct sig_head *head, uint64_t left)
{
    if (head->kind >= TRACE_SIG_KINDS)
        return false;
    if (head->refers)
        return head->id < TRACE_ID_LIMIT && head->size > TRACE_SIG_INLINE_LIMIT;
    return head->size <= left - head->length;
}

static int read_head(struct trace_index *t, uint64_t at, uint64_t left, struct sig_head *head)
{
    uint8_t bytes[5 * VARINT_MAX_BYTES];
    uint64_t numbers[5] = {0};
    size_t count = left < sizeof bytes ? (size_t)left : sizeof bytes;
    int rc = trace_index_read_section(t, TRACE_SECTION_SIGNATURES, at, bytes, count);
    *head = (struct sig_head){0};
    if (rc == 0)
        rc = read_numbers(bytes, count, 0, 3, numbers, &head->length);
    head->refers = (numbers[0] & TRACE_SIG_REFERENCE) != 0;
    if (rc == 0 && head->refers)
        rc = read_numbers(bytes, count, 3, 5, numbers, &head->length);
    if (rc != 0)
        return rc;
    head->kind = numbers[0] & ~(uint64_t)TRACE_SIG_REFERENCE;
    head->distance = numbers[1];
    head->size = numbers[2];
    head->at = numbers[3];
    head->id = numbers[4];
    return is_sound(head, left) ? 0 : misfit();
}

/* The reference must be after the previous one. Otherwise the whole stream could be read for each of many
 * signatures. */
static int refer(struct trace_sig_place *place, const struct sig_head *head, struct trace_indexed_sig *out)
{
    uint64_t event = place->event + head->distance;
    uint64_t start = event + head->at;
    if (start < event || start < place->end || start + head->size < start)
        return misfit();
    *out = (struct trace_indexed_sig){.kind = (enum trace_sig_kind)head->kind,
                                      .event = event,
                                      .id = (uint32_t)head->id,
                                      .stream_offset = start,
                                      .stream_bytes = head->size};
    *place = (struct trace_sig_place){place->at + head->length, event, start + head->size};
    return 0;
}

int trace_indexed_sig_next(struct trace_index *t, struct trace_sig_place *place, uint64_t limit,
                           struct buf *bytes, struct trace_indexed_sig *out, bool *found)
{
    uint64_t size = trace_index_section_size(t, TRACE_SECTION_SIGNATURES);
    struct sig_head head;
    uint64_t id;
    *found = false;
    if (size / MAX_RATIO > trace_index_section_stored_size(t, TRACE_SECTION_SIGNATURES))
        return misfit();
    if (place->at >= size)
        return 0;
    int rc = read_head(t, place->at, size - place->at, &head);
    if (rc != 0 || place->event + head.distance >= limit)
        return rc;
    buf_clear(bytes);
    if (head.refers) {
        rc = refer(place, &head, out);
        *found = rc == 0;
        return rc;
    }
    rc = buf_reserve(bytes, (size_t)head.size);
    if (rc == 0)
        rc = trace_index_read_section(t, TRACE_SECTION_SIGNATURES, place->at + head.length, bytes->data,
                                      (size_t)head.size);
    if (rc != 0)
        return rc;
    bytes->len = (size_t)head.size;
    int used = varint_get(bytes->data, bytes->data + bytes->len, &id);
    if (used <= 0 || id >= TRACE_ID_LIMIT)
        return misfit();
    place->at += head.length + head.size;
    place->event += head.distance;
    *out = (struct trace_indexed_sig){.kind = (enum trace_sig_kind)head.kind,
                                      .event = place->event,
                                      .id = (uint32_t)id,
                                      .body = bytes->data + used,
                                      .size = bytes->len - (size_t)used};
    *found = true;
    return 0;
}

const char *trace_indexed_sig_name(const struct trace_indexed_sig *sig, size_t *length)
{
    uint64_t size;
    int used = sig->body != NULL ? varint_get(sig->body, sig->body + sig->size, &size) : 0;
    if (used <= 0 || size > sig->size - (size_t)used)
        return NULL;
    *length = (size_t)size;
    return (const char *)sig->body + used;
}
