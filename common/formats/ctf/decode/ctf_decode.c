/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_decode.h"

#include "base/error.h"
#include "formats/ctf/decode/ctf_floats.h"
#include "formats/ctf/decode/ctf_integers.h"
#include "formats/ctf/decode/ctf_texts.h"

#include <inttypes.h>
#include <string.h>

#define EMPTY_ELEMENTS_MAX 65536 /* that have no bits, in a scope */
#define MEMORY_MAX                                                                                           \
    (UINT64_C(1) << 30) /* bytes of a scope's values: those of a bit take up to 320 times as much */

static int read_field(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                      struct trace_value *out);
static int read_compound(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                         struct trace_value *out);

/* Returns memory for so many parts of a scope, 0 or more, in *out. */
static inline int allocate(struct ctf_decoder *d, uint64_t count, size_t size, void *out)
{
    if (count > (MEMORY_MAX - d->memory) / size)
        return trace_error_set(TRACE_ERR_DAMAGED,
                               "the values of an event would take more than 1 GiB of memory");
    d->memory += count * size;
    void *memory = arena_alloc(d->arena, count * size);
    memcpy(out, &memory, sizeof memory);
    return memory != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static inline int read_scalar(struct ctf_decoder *d, const struct ctf_op *op, struct trace_value *out)
{
    uint64_t value = 0;
    int rc = ctf_read_integer(d, op, &value);
    if (rc == 0 && out != NULL)
        ctf_show_integer(op, value, out);
    return rc;
}

/* Two integers of 64 bits. The first one is the high one in big endian, and in little endian with reversed
 * bits. */
static int read_quad(struct ctf_decoder *d, const struct ctf_op *op, struct trace_value *out)
{
    const struct ctf_op *part = op + 1;
    uint64_t parts[2] = {0, 0};
    int rc = 0;
    ctf_align(d, op);
    for (int i = 0; rc == 0 && i < 2; ++i)
        rc = ctf_read_fixed(d, part, &parts[i]);
    if (rc != 0 || out == NULL)
        return rc;
    out->type = TRACE_DOUBLE;
    out->u.f64 = ctf_float_from_quad(parts[!op->is_high_first], parts[op->is_high_first]);
    return 0;
}

static int read_float(struct ctf_decoder *d, const struct ctf_op *op, struct trace_value *out)
{
    uint64_t bits = 0;
    if (op->size == 128)
        return read_quad(d, op, out);
    int rc = ctf_read_fixed(d, op + 1, &bits);
    if (rc != 0 || out == NULL)
        return rc;
    out->type = op->size == 64 ? TRACE_DOUBLE : TRACE_FLOAT;
    if (op->size == 64) {
        memcpy(&out->u.f64, &bits, sizeof bits);
    } else if (op->size == 32) {
        uint32_t single = (uint32_t)bits;
        memcpy(&out->u.f32, &single, sizeof single);
    } else {
        out->u.f32 = ctf_float_from_half((uint16_t)bits);
    }
    return 0;
}

/* --- strings --------------------------------------------------------------------------------------- */

static int read_string(struct ctf_decoder *d, const struct ctf_op *op, struct trace_value *out)
{
    ctf_align(d, op);
    if (d->at >= d->end)
        return ctf_lack(d, d->at + 8);
    const uint8_t *text = d->data + d->at / 8;
    size_t most = (size_t)(d->end / 8 - d->at / 8), length = ctf_text_length(text, most, op->encoding);
    if (length == most)
        return ctf_lack(d, d->end + 8);
    d->at += 8 * (uint64_t)(length + ctf_text_unit(op->encoding));
    return out != NULL ? ctf_text_copy(d->arena, text, length, op->encoding, out) : 0;
}

/* Characters, up to the first NUL, or bytes. */
static int read_bytes(struct ctf_decoder *d, const struct ctf_op *op, uint64_t count, struct trace_value *out)
{
    const uint8_t *bytes = d->data + d->at / 8;
    if (count * 8 > d->end - d->at)
        return ctf_lack(d, d->at + count * 8);
    d->at += count * 8;
    if (op->role == CTF_UUID && count == sizeof d->told->uuid) {
        memcpy(d->told->uuid, bytes, sizeof d->told->uuid);
        d->told->mask |= UINT32_C(1) << CTF_UUID;
    }
    if (out == NULL)
        return 0;
    size_t length = op->is_text ? ctf_text_length(bytes, (size_t)count, op->encoding) : (size_t)count;
    int rc = ctf_text_copy(d->arena, bytes, length, op->encoding, out);
    if (rc == 0 && op->is_blob)
        out->type = TRACE_BLOB;
    return rc;
}

/* --- arrays ---------------------------------------------------------------------------------------- */

static bool is_number(const struct ctf_op *op)
{
    return op->code <= CTF_READ_LEB128 && op->shown_as == CTF_AS_NUMBER;
}

/* The values are an array of integers without a type of their own. */
static int read_numbers(struct ctf_decoder *d, const struct ctf_op *element, uint64_t count,
                        struct trace_value *out)
{
    uint64_t *numbers = NULL, number = 0;
    bool negative = false;
    int rc = out != NULL ? allocate(d, count, sizeof *numbers, &numbers) : 0;
    for (uint64_t i = 0; rc == 0 && i < count; ++i) {
        rc = ctf_read_integer(d, element, &number);
        negative |= element->is_signed && (int64_t)number < 0;
        if (numbers != NULL)
            numbers[i] = number;
    }
    if (rc != 0 || out == NULL)
        return rc;
    *out = (struct trace_value){.type = TRACE_ARRAY,
                                .element = negative ? TRACE_SINT : TRACE_UINT,
                                .count = count,
                                .u.uints = numbers};
    return 0;
}

static int read_items(struct ctf_decoder *d, const struct ctf_program *p, uint32_t element, uint64_t count,
                      struct trace_value *out)
{
    struct trace_value *items = NULL;
    uint64_t before = d->at;
    int rc = out != NULL ? allocate(d, count, sizeof *items, &items) : 0;
    for (uint64_t i = 0; rc == 0 && i < count; ++i)
        rc = read_field(d, p, element, items != NULL ? &items[i] : NULL);
    if (rc == 0 && d->at == before && (d->empty += count) > EMPTY_ELEMENTS_MAX)
        rc = trace_error_set(TRACE_ERR_DAMAGED, "there are more than %d elements without bits",
                             EMPTY_ELEMENTS_MAX);
    if (rc == 0 && out != NULL)
        *out = (struct trace_value){
            .type = TRACE_ARRAY, .element = TRACE_NONE, .count = count, .u.items = items};
    return rc;
}

/* A length is checked against what the packet contains, and what is in memory, before memory is allocated for
 * it. */
static int check_length(const struct ctf_decoder *d, const struct ctf_op *element, uint64_t count)
{
    uint64_t left = d->limit > d->at ? d->limit - d->at : 0;
    uint64_t bits = element->size > 0 && element->code < CTF_READ_LEB128 ? element->size : 1;
    if (element->code >= CTF_READ_STRUCT && count <= EMPTY_ELEMENTS_MAX)
        return 0;
    if (count <= left / bits)
        return d->at + count * bits <= d->end ? 0 : CTF_MORE;
    return trace_error_set(TRACE_ERR_DAMAGED,
                           "an array of %" PRIu64 " elements ends beyond the packet's content", count);
}

static int read_elements(struct ctf_decoder *d, const struct ctf_program *p, const struct ctf_op *op,
                         uint32_t element, uint64_t count, struct trace_value *out)
{
    ctf_align(d, op);
    const struct ctf_op *first = &p->ops[element];
    int rc = check_length(d, first, count);
    if (rc != 0)
        return rc;
    if (d->at > d->end)
        return ctf_lack(d, d->at);
    if (op->is_text || op->is_blob || (op->role == CTF_UUID && first->code == CTF_READ_8))
        return read_bytes(d, op, count, out);
    return is_number(first) ? read_numbers(d, first, count, out) : read_items(d, p, element, count, out);
}

static int read_prefixed(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                         struct trace_value *out)
{
    const struct ctf_op *op = &p->ops[index];
    uint64_t count = 0;
    ctf_align(d, op);
    int rc = ctf_read_integer(d, op + 1, &count);
    return rc == 0 ? read_elements(d, p, op + 2, index + 2, count, out) : rc;
}

/* --- variants and structures ----------------------------------------------------------------------- */

static const struct ctf_selection *find_selection(const struct ctf_op *op, uint64_t selector)
{
    for (uint32_t i = 0; i < op->selection_count; ++i)
        if (ctf_range_has(&op->u.selections[i].range, selector, op->is_signed))
            return &op->u.selections[i];
    return NULL;
}

static int read_variant(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                        struct trace_value *out)
{
    const struct ctf_op *op = &p->ops[index];
    const struct ctf_selection *selection = find_selection(op, d->slots[op->from_slot]);
    struct trace_value *chosen = NULL;
    if (selection == NULL)
        return trace_error_set(TRACE_ERR_DAMAGED, "%" PRIu64 " selects no alternative of a variant",
                               d->slots[op->from_slot]);
    uint32_t part = index + 1;
    for (uint32_t i = 0; i < selection->part; ++i)
        part = p->ops[part].next;
    if (out == NULL)
        return read_field(d, p, part, NULL);
    int rc = allocate(d, 1, sizeof *chosen, &chosen);
    if (rc != 0)
        return rc;
    *out = (struct trace_value){.type = TRACE_CHOICE, .count = 1, .u.items = chosen};
    out->sig.option = op->names[selection->part];
    return read_field(d, p, part, chosen);
}

/* Nothing but integers of whole bytes (the length in struct ctf_op), which most events consist of. All are in
 * memory. items gets those that users see; NULL: they are of no interest. */
static void read_integers(struct ctf_decoder *d, const struct ctf_op *op, struct trace_value *items)
{
    for (const struct ctf_op *part = op + 1, *end = part + op->count; part < end; ++part) {
        uint64_t value = ctf_load_integer(d->data, part, d->at);
        if (part->is_signed)
            value = ctf_bits_extend(value, part->size);
        d->at += part->size;
        ctf_note_integer(d, part, value);
        if (items != NULL && !part->is_hidden)
            ctf_show_integer(part, value, items++);
    }
}

static int read_struct(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                       struct trace_value *out)
{
    const struct ctf_op *op = &p->ops[index];
    struct trace_value *items = NULL;
    int rc = 0;
    ctf_align(d, op);
    if (out != NULL) {
        if ((rc = allocate(d, op->visible, sizeof *items, &items)) != 0)
            return rc;
        *out = (struct trace_value){.type = TRACE_STRUCT, .count = op->visible, .u.items = items};
        out->sig.structure = op->u.structure;
    }
    if (op->length != 0 && d->at + op->length <= d->end) {
        if (out == NULL && op->is_silent)
            d->at += op->length;
        else
            read_integers(d, op, items);
        return 0;
    }
    uint32_t part = index + 1;
    for (uint32_t i = 0; rc == 0 && i < op->count; ++i, part = p->ops[part].next) {
        struct trace_value *item = items == NULL || p->ops[part].is_hidden ? NULL : items++;
        rc = p->ops[part].code <= CTF_READ_LEB128 ? read_scalar(d, &p->ops[part], item)
                                                  : read_compound(d, p, part, item);
    }
    return rc;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int read_compound(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                         struct trace_value *out)
{
    const struct ctf_op *op = &p->ops[index];
    if (out != NULL)
        *out = (struct trace_value){.type = TRACE_NONE};
    switch (op->code) {
    case CTF_READ_FLOAT:
        return read_float(d, op, out);
    case CTF_READ_STRING:
        return read_string(d, op, out);
    case CTF_READ_STRUCT:
        return read_struct(d, p, index, out);
    case CTF_READ_ARRAY:
        return read_elements(d, p, op, index + 1, op->length, out);
    case CTF_READ_SEQUENCE:
        return read_elements(d, p, op, index + 1, d->slots[op->from_slot], out);
    case CTF_READ_PREFIXED:
        return read_prefixed(d, p, index, out);
    case CTF_READ_VARIANT:
        return read_variant(d, p, index, out);
    default: /* CTF_READ_OPTIONAL */
        if (find_selection(op, d->slots[op->from_slot]) != NULL)
            return read_field(d, p, index + 1, out);
        return 0;
    }
}

static int read_field(struct ctf_decoder *d, const struct ctf_program *p, uint32_t index,
                      struct trace_value *out)
{
    return p->ops[index].code <= CTF_READ_LEB128 ? read_scalar(d, &p->ops[index], out)
                                                 : read_compound(d, p, index, out);
}

int ctf_decode(struct ctf_decoder *d, const struct ctf_program *program, struct trace_value *out)
{
    d->empty = 0;
    d->memory = 0;
    return program->count > 0 ? read_field(d, program, 0, out) : 0;
}

/* Returns false if it is not all in memory. */
static inline bool load(struct ctf_decoder *d, const struct ctf_op *op, uint32_t mask, uint64_t *out)
{
    mask |= op->align_mask;
    uint64_t at = (d->at + mask) & ~(uint64_t)mask;
    if (at + op->size > d->end)
        return false;
    *out = ctf_load_integer(d->data, op, at);
    d->at = at + op->size;
    return true;
}

bool ctf_decode_short_header(struct ctf_decoder *d, const struct ctf_short_header *h)
{
    uint64_t at = d->at, id, time;
    if (h->id != NULL && load(d, h->id, h->begin_mask, &id) && ctf_range_has(&h->ids, id, false) &&
        load(d, h->time, h->time_mask, &time)) {
        ctf_note_integer(d, h->id, id);
        ctf_note_integer(d, h->time, time);
        return true;
    }
    d->at = at;
    return false;
}
