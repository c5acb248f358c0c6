/* SPDX-License-Identifier: MIT
 * Integers of all kinds, as ctf_decode.c reads them; what they mean to the reader, and how users see them.
 */
#ifndef CTF_INTEGERS_H
#define CTF_INTEGERS_H

#include "base/error.h"
#include "formats/ctf/decode/ctf_decoder.h"
#include "formats/ctf/decode/ctf_load.h"

/* The field needs the bits up to `end`, which are not in memory. Returns CTF_MORE, or TRACE_ERR_DAMAGED if
 * the packet does not have them. */
static inline int ctf_lack(const struct ctf_decoder *d, uint64_t end)
{
    if (end <= d->limit)
        return CTF_MORE;
    return trace_error_set(TRACE_ERR_DAMAGED, "a field ends beyond the packet's content");
}

static inline void ctf_align(struct ctf_decoder *d, const struct ctf_op *op)
{
    d->at = (d->at + op->align_mask) & ~(uint64_t)op->align_mask;
}

/* A field with a role tells the reader its value. A timestamp moves the clock. */
static inline void ctf_note_role(struct ctf_decoder *d, const struct ctf_op *op, uint64_t value)
{
    struct ctf_told *told = d->told;
    told->mask |= UINT32_C(1) << op->role;
    told->values[op->role] = value;
    told->sizes[op->role] = op->size;
    if (op->role != CTF_TIMESTAMP)
        return;
    if (op->size == 64) {
        d->clock = value;
        return;
    }
    /* The low bits of the counter, which has wrapped at most once since. */
    uint64_t mask = (UINT64_C(1) << op->size) - 1, low = d->clock & mask;
    value &= mask;
    d->clock = d->clock - low + value + (value < low ? mask + 1 : 0);
}

static inline int ctf_read_leb128(struct ctf_decoder *d, const struct ctf_op *op, uint64_t *out)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0x80;
    for (; (byte & 0x80) != 0; shift += 7) {
        if (d->at + 8 > d->end)
            return ctf_lack(d, d->at + 8);
        byte = d->data[d->at / 8];
        d->at += 8;
        if (shift >= 70)
            return trace_error_set(TRACE_ERR_DAMAGED, "an integer has more than 64 bits");
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
    }
    if (op->is_signed && shift < 64 && (byte & 0x40) != 0)
        value |= ~UINT64_C(0) << shift;
    *out = value;
    return 0;
}

/* Reads an integer of a fixed size. */
static inline int ctf_read_fixed(struct ctf_decoder *d, const struct ctf_op *op, uint64_t *out)
{
    ctf_align(d, op);
    uint64_t at = d->at;
    if (op->unit != 0 && at % op->unit + op->size > op->unit)
        at += op->unit - at % op->unit;
    if (at + op->size > d->end)
        return ctf_lack(d, at + op->size);
    uint64_t value = ctf_load_integer(d->data, op, at);
    d->at = at + op->size;
    *out = op->is_signed ? ctf_bits_extend(value, op->size) : value;
    return 0;
}

/* The value may be the length, the selector or the role of something. */
static inline void ctf_note_integer(struct ctf_decoder *d, const struct ctf_op *op, uint64_t value)
{
    if (op->slot != CTF_NO_SLOT)
        d->slots[op->slot] = value;
    if (op->role != CTF_NO_ROLE)
        ctf_note_role(d, op, value);
}

/* Returns 0, CTF_MORE or TRACE_ERR_DAMAGED. */
static inline int ctf_read_integer(struct ctf_decoder *d, const struct ctf_op *op, uint64_t *out)
{
    int rc;
    if (op->code == CTF_READ_LEB128) {
        ctf_align(d, op);
        rc = ctf_read_leb128(d, op, out);
    } else {
        rc = ctf_read_fixed(d, op, out);
    }
    if (rc == 0)
        ctf_note_integer(d, op, *out);
    return rc;
}

/* Makes the value that users see. */
static inline void ctf_show_integer(const struct ctf_op *op, uint64_t value, struct trace_value *out)
{
    bool negative = op->is_signed && (int64_t)value < 0;
    *out = (struct trace_value){.type = negative ? TRACE_SINT : TRACE_UINT, .u.uint = value};
    if (op->shown_as == CTF_AS_NUMBER)
        return;
    if (op->shown_as == CTF_AS_BOOL) {
        out->type = value != 0 ? TRACE_TRUE : TRACE_FALSE;
        return;
    }
    out->type = op->shown_as == CTF_AS_BASED ? TRACE_BASED : TRACE_RANGED;
    out->element = op->base;
    out->negative = negative;
    out->count = op->size;
    out->sig.ranges = op->u.ranges;
}

#endif
