/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_encode.h"

#include "base/error.h"
#include "base/utf8.h"
#include "formats/ctf/decode/ctf_texts.h"
#include "formats/ctf/write/ctf_encode_floats.h"
#include "formats/ctf/write/ctf_encode_texts.h"
#include "formats/ctf/write/ctf_store.h"

#include <string.h>

static const struct trace_value nothing = {.type = TRACE_NONE};

static int write_field(struct ctf_encoder *e, const struct ctf_program *p, uint32_t index,
                       const struct trace_value *v);

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- bits ------------------------------------------------------------------------------------------ */

static int extend(struct buf *out, size_t end)
{
    if (buf_reserve(out, end + sizeof(uint64_t) - out->len) != 0)
        return no_memory();
    memset(out->data + out->len, 0, end - out->len);
    out->len = end;
    return 0;
}

/* Makes room for bits, and sets them to 0. */
static inline int reserve(struct ctf_encoder *e, uint64_t bits)
{
    const uint64_t zero = 0;
    struct buf *out = e->out;
    size_t end = (size_t)((e->at + bits + 7) / 8);
    if (end <= out->len)
        return 0;
    if (end - out->len > sizeof zero || out->cap - out->len < sizeof zero)
        return extend(out, end);
    memcpy(out->data + out->len, &zero, sizeof zero); /* what is behind the end does not matter */
    out->len = end;
    return 0;
}

static inline int align(struct ctf_encoder *e, const struct ctf_op *op)
{
    uint64_t at = (e->at + op->align_mask) & ~(uint64_t)op->align_mask;
    if (at == e->at)
        return 0;
    int rc = reserve(e, at - e->at);
    e->at = at;
    return rc;
}

/* --- integers -------------------------------------------------------------------------------------- */

static uint64_t number_of(const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_TRUE:
        return 1;
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_NONE:
        return 0;
    case TRACE_CHOICE:
        return number_of(&v->u.items[0]);
    default:
        return v->u.uint;
    }
}

static int put_leb128(struct ctf_encoder *e, const struct ctf_op *op, uint64_t value)
{
    bool is_last = false;
    while (!is_last) {
        uint8_t byte = value & 0x7f;
        value = op->is_signed ? (uint64_t)((int64_t)value >> 7) : value >> 7;
        is_last = op->is_signed
                      ? (value == 0 && (byte & 0x40) == 0) || (value == UINT64_MAX && (byte & 0x40) != 0)
                      : value == 0;
        if (reserve(e, 8) != 0)
            return TRACE_ERR_MEMORY;
        e->out->data[e->at / 8] = is_last ? byte : byte | 0x80;
        e->at += 8;
    }
    return 0;
}

/* Notes the value, and the place, for others that need them. Returns the value of a field that has a role. */
static inline uint64_t keep(struct ctf_encoder *e, const struct ctf_op *op, uint64_t at, uint64_t value)
{
    if (op->role != CTF_NO_ROLE) {
        if (op->role != CTF_CPU)
            value = e->told->values[op->role];
        if (e->marks != NULL && op->code != CTF_READ_LEB128)
            e->marks[op->role] = (struct ctf_mark){op, at};
    }
    if (op->slot != CTF_NO_SLOT)
        e->slots[op->slot] = value;
    return value;
}

static inline int put_integer(struct ctf_encoder *e, const struct ctf_op *op, uint64_t value)
{
    if (align(e, op) != 0)
        return TRACE_ERR_MEMORY;
    if (op->code == CTF_READ_LEB128)
        return put_leb128(e, op, keep(e, op, e->at, value));
    uint64_t skip = 0;
    if (op->unit != 0 && e->at % op->unit + op->size > op->unit)
        skip = op->unit - e->at % op->unit;
    if (reserve(e, skip + op->size) != 0)
        return TRACE_ERR_MEMORY;
    ctf_store_integer(e->out->data, op, e->at + skip, keep(e, op, e->at + skip, value));
    e->at += skip + op->size;
    return 0;
}

void ctf_encode_late(struct ctf_encoder *e, const struct ctf_mark *mark, uint64_t value)
{
    if (mark->op != NULL)
        ctf_store_integer(e->out->data, mark->op, mark->at, value);
}

/* Two integers of 64 bits. */
static int put_quad(struct ctf_encoder *e, const struct ctf_op *op, const struct trace_value *v)
{
    uint64_t high = 0, low = 0;
    if (v->type == TRACE_DOUBLE)
        ctf_quad_from_double(v->u.f64, &high, &low);
    int rc = align(e, op);
    if (rc == 0)
        rc = put_integer(e, op + 1, op->is_high_first ? high : low);
    return rc == 0 ? put_integer(e, op + 1, op->is_high_first ? low : high) : rc;
}

static int put_float(struct ctf_encoder *e, const struct ctf_op *op, const struct trace_value *v)
{
    uint64_t bits = 0;
    uint32_t word = 0;
    if (op->size == 128)
        return put_quad(e, op, v);
    if (op->size == 16) {
        bits = v->type == TRACE_FLOAT ? ctf_half_from_float(v->u.f32) : 0;
    } else if (op->size == 32) {
        float single = v->type == TRACE_DOUBLE ? (float)v->u.f64 : v->type == TRACE_FLOAT ? v->u.f32 : 0;
        memcpy(&word, &single, sizeof word);
        bits = word;
    } else {
        double both = v->type == TRACE_DOUBLE ? v->u.f64 : v->type == TRACE_FLOAT ? (double)v->u.f32 : 0;
        memcpy(&bits, &both, sizeof bits);
    }
    return put_integer(e, op + 1, bits);
}

/* --- strings --------------------------------------------------------------------------------------- */

static int put_bytes(struct ctf_encoder *e, const void *bytes, uint64_t count, uint64_t room)
{
    if (reserve(e, room * 8) != 0)
        return TRACE_ERR_MEMORY;
    if (count > 0)
        memcpy(e->out->data + e->at / 8, bytes, (size_t)(count < room ? count : room));
    e->at += room * 8;
    return 0;
}

static int put_wide_string(struct ctf_encoder *e, const struct trace_value *v)
{
    char text[UTF8_MAX_BYTES];
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < v->count && v->u.wstring[i] != 0; ++i) {
        size_t size =
            utf8_encode(text, utf8_is_character(v->u.wstring[i]) ? v->u.wstring[i] : UINT32_C(0xfffd));
        rc = put_bytes(e, text, size, size);
    }
    return rc == 0 ? put_bytes(e, NULL, 0, 1) : rc;
}

/* A text of another encoding than UTF-8, in so many bytes; UINT64_MAX: as many as it has, and a NUL. */
static int put_encoded(struct ctf_encoder *e, const struct ctf_op *op, const struct trace_value *v,
                       uint64_t room)
{
    struct buf text = BUF_INIT;
    int rc = 0;
    if (v->type == TRACE_STRING)
        rc = ctf_text_encode(&text, v->u.string, strnlen(v->u.string, (size_t)v->count), op->encoding);
    if (rc == 0)
        rc = put_bytes(e, text.data, text.len,
                       room != UINT64_MAX ? room : text.len + ctf_text_unit(op->encoding));
    buf_fini(&text);
    return rc;
}

static int put_string(struct ctf_encoder *e, const struct ctf_op *op, const struct trace_value *v)
{
    if (align(e, op) != 0)
        return TRACE_ERR_MEMORY;
    if (op->encoding != CTF_UTF8)
        return put_encoded(e, op, v, UINT64_MAX);
    if (v->type == TRACE_WSTRING)
        return put_wide_string(e, v);
    size_t count = v->type == TRACE_STRING ? strnlen(v->u.string, (size_t)v->count) : 0;
    return put_bytes(e, v->u.string, count, count + 1);
}

/* --- arrays ---------------------------------------------------------------------------------------- */

static int put_elements(struct ctf_encoder *e, const struct ctf_program *p, const struct ctf_op *op,
                        uint32_t element, uint64_t count, const struct trace_value *v)
{
    const struct ctf_op *first = &p->ops[element];
    bool is_bytes = v->type == TRACE_BLOB || v->type == TRACE_STRING;
    int rc = align(e, op);
    if (rc == 0 && op->role == CTF_UUID)
        return put_bytes(e, e->told->uuid, sizeof e->told->uuid, count);
    if (rc == 0 && op->encoding != CTF_UTF8)
        return put_encoded(e, op, v, count);
    if (rc == 0 && is_bytes && first->code == CTF_READ_8)
        return put_bytes(e, v->u.blob, v->count, count);
    bool is_array = v->type == TRACE_ARRAY;
    if (rc == 0 && is_array && first->code <= CTF_READ_LEB128 &&
        (v->element == TRACE_UINT || v->element == TRACE_SINT)) {
        for (uint64_t i = 0; rc == 0 && i < count; ++i)
            rc = put_integer(e, first, i < v->count ? v->u.uints[i] : 0);
        return rc;
    }
    for (uint64_t i = 0; rc == 0 && i < count; ++i) {
        struct trace_value item = nothing;
        if (is_array && i < v->count)
            trace_array_get(v, i, &item);
        rc = write_field(e, p, element, &item);
    }
    return rc;
}

static uint64_t count_of(const struct trace_value *v)
{
    return v->type == TRACE_ARRAY || v->type == TRACE_BLOB || v->type == TRACE_STRING ? v->count : 0;
}

static int put_prefixed(struct ctf_encoder *e, const struct ctf_program *p, uint32_t index,
                        const struct trace_value *v)
{
    const struct ctf_op *op = &p->ops[index];
    uint64_t count = count_of(v);
    int rc = align(e, op);
    if (rc == 0)
        rc = put_integer(e, op + 1, count);
    return rc == 0 ? put_elements(e, p, op + 2, index + 2, count, v) : rc;
}

/* --- variants and structures ----------------------------------------------------------------------- */

static const struct ctf_selection *find_selection(const struct ctf_op *op, uint64_t selector)
{
    for (uint32_t i = 0; i < op->selection_count; ++i)
        if (ctf_range_has(&op->u.selections[i].range, selector, op->is_signed))
            return &op->u.selections[i];
    return NULL;
}

static int put_variant(struct ctf_encoder *e, const struct ctf_program *p, uint32_t index,
                       const struct trace_value *v)
{
    const struct ctf_op *op = &p->ops[index];
    const struct ctf_selection *selection = find_selection(op, e->slots[op->from_slot]);
    if (selection == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "no alternative of a variant is selected");
    uint32_t part = index + 1;
    for (uint32_t i = 0; i < selection->part; ++i)
        part = p->ops[part].next;
    return write_field(e, p, part, v->type == TRACE_CHOICE ? &v->u.items[0] : &nothing);
}

/* Arrays whose elements differ are structures, too. */
static bool has_items(const struct trace_value *v)
{
    return v->type == TRACE_STRUCT || v->type == TRACE_REPR ||
           (v->type == TRACE_ARRAY && v->element == TRACE_NONE);
}

/* A structure of integers of whole bytes (the length in struct ctf_op), which most events consist of: room
 * for all is made at once. */
static int put_integers(struct ctf_encoder *e, const struct ctf_op *op, const struct trace_value *v)
{
    const struct trace_value *items = v->type == TRACE_STRUCT ? v->u.items : NULL;
    uint64_t left = items != NULL ? v->count : 0;
    if (reserve(e, op->length) != 0)
        return TRACE_ERR_MEMORY;
    for (const struct ctf_op *part = op + 1, *end = part + op->count; part < end; ++part) {
        uint64_t value = 0;
        if (!part->is_hidden && left > 0) {
            value = number_of(items++);
            --left;
        }
        ctf_store_integer(e->out->data, part, e->at, keep(e, part, e->at, value));
        e->at += part->size;
    }
    return 0;
}

static int put_struct(struct ctf_encoder *e, const struct ctf_program *p, uint32_t index,
                      const struct trace_value *v)
{
    const struct ctf_op *op = &p->ops[index];
    if (op->length != 0 && e->at % 8 == 0 && (v->type == TRACE_STRUCT || v->type == TRACE_NONE))
        return put_integers(e, op, v);
    const struct trace_value *items = has_items(v) ? v->u.items : NULL;
    uint64_t left = v->type == TRACE_REPR ? 2 : items != NULL ? v->count : 0;
    uint32_t part = index + 1;
    int rc = align(e, op);
    for (uint32_t i = 0; rc == 0 && i < op->count; ++i, part = p->ops[part].next) {
        const struct trace_value *item = &nothing;
        if (!p->ops[part].is_hidden && left > 0) {
            item = items++;
            --left;
        }
        rc = write_field(e, p, part, item);
    }
    return rc;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int write_compound(struct ctf_encoder *e, const struct ctf_program *p, uint32_t index,
                          const struct trace_value *v)
{
    const struct ctf_op *op = &p->ops[index];
    switch (op->code) {
    case CTF_READ_FLOAT:
        return put_float(e, op, v);
    case CTF_READ_STRING:
        return put_string(e, op, v);
    case CTF_READ_STRUCT:
        return put_struct(e, p, index, v);
    case CTF_READ_ARRAY:
        return put_elements(e, p, op, index + 1, op->length, v);
    case CTF_READ_SEQUENCE:
        return put_elements(e, p, op, index + 1, e->slots[op->from_slot], v);
    case CTF_READ_PREFIXED:
        return put_prefixed(e, p, index, v);
    case CTF_READ_VARIANT:
        return put_variant(e, p, index, v);
    default: /* CTF_READ_OPTIONAL */
        if (find_selection(op, e->slots[op->from_slot]) != NULL)
            return write_field(e, p, index + 1, v);
        return 0;
    }
}

static int write_field(struct ctf_encoder *e, const struct ctf_program *p, uint32_t index,
                       const struct trace_value *v)
{
    const struct ctf_op *op = &p->ops[index];
    if (v->type == TRACE_CHOICE && op->code != CTF_READ_VARIANT)
        return write_field(e, p, index, &v->u.items[0]);
    return op->code <= CTF_READ_LEB128 ? put_integer(e, op, number_of(v)) : write_compound(e, p, index, v);
}

int ctf_encode(struct ctf_encoder *e, const struct ctf_program *program, const struct trace_value *value)
{
    return program->count > 0 ? write_field(e, program, 0, value) : 0;
}
