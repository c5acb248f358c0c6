/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_encode_bits.h"

#include "formats/ctf/write/ctf_store.h"

static bool selects_same(const struct ctf_op *in, const struct ctf_op *out)
{
    if (in->selection_count != out->selection_count)
        return false;
    for (uint32_t i = 0; i < in->selection_count; ++i) {
        const struct ctf_selection *a = &in->u.selections[i], *b = &out->u.selections[i];
        if (a->range.from != b->range.from || a->range.to != b->range.to || a->part != b->part)
            return false;
    }
    return true;
}

/* A field whose role is not that of a processor gets a value of the writer's. */
static bool writes_same(const struct ctf_op *in, const struct ctf_op *out)
{
    bool is_selection = in->code == CTF_READ_VARIANT || in->code == CTF_READ_OPTIONAL;
    return in->code == out->code && in->size == out->size && in->unit == out->unit &&
           in->encoding == out->encoding && in->align_mask == out->align_mask && in->next == out->next &&
           in->count == out->count && in->is_high_first == out->is_high_first &&
           (out->role == CTF_NO_ROLE || out->role == CTF_CPU) &&
           (in->code == CTF_READ_STRUCT || in->length == out->length) &&
           (!is_selection || (in->is_signed == out->is_signed && selects_same(in, out)));
}

bool ctf_program_writes_same(const struct ctf_program *in, const struct ctf_program *out, uint64_t *align)
{
    if (in->count != out->count)
        return false;
    for (uint32_t i = 0; i < in->count; ++i) {
        if (!writes_same(&in->ops[i], &out->ops[i]))
            return false;
        if (*align <= in->ops[i].align_mask)
            *align = (uint64_t)in->ops[i].align_mask + 1;
    }
    return true;
}

static inline bool is_of_bytes(const struct ctf_op *op)
{
    return op->code < CTF_READ_BITS && op->align_mask == 7;
}

bool ctf_encode_copy(struct ctf_encoder *e, const struct ctf_short_header *header,
                     const struct ctf_event_bits *bits, uint64_t align)
{
    const uint8_t *data = ctf_event_bits_data(bits);
    if (header->id == NULL || header->begin_mask != 7 || !is_of_bytes(header->id) ||
        !is_of_bytes(header->time))
        return false;
    struct buf *out = e->out;
    uint64_t time_at = e->at + header->id->size, fields_at = time_at + header->time->size;
    size_t head = (size_t)(fields_at - e->at) / 8, fields = (size_t)(bits->end - bits->begin) / 8;
    if (data == NULL || ((bits->begin | bits->end | e->at) & 7) != 0 ||
        ((bits->begin ^ fields_at) & (align - 1)) != 0 || out->len != e->at / 8 ||
        buf_reserve(out, head + fields) != 0)
        return false;
    ctf_store_integer(out->data, header->id, e->at, e->told->values[CTF_EVENT_CLASS_ID]);
    ctf_store_integer(out->data, header->time, time_at, e->told->values[CTF_TIMESTAMP]);
    memcpy(out->data + out->len + head, data, fields);
    out->len += head + fields;
    e->at = fields_at + fields * 8;
    return true;
}
