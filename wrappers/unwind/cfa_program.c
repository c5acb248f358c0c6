/* SPDX-License-Identifier: MIT */
#include "unwind/cfa_program.h"

#include <string.h>

#if defined __aarch64__
enum { REGISTER_FP = 29, REGISTER_SP = 31 };
#elif defined __i386__
enum { REGISTER_FP = 5, REGISTER_SP = 4 };
#else
enum { REGISTER_FP = 6, REGISTER_SP = 7 };
#endif

#define REMEMBERED 8 /* highest number of remembered states; compilers nest two */

enum {
    DW_CFA_advance_loc = 1, /* in the two high bits; the operand is in the others */
    DW_CFA_offset = 2,
    DW_CFA_restore = 3,
    DW_CFA_nop = 0,
    DW_CFA_set_loc = 0x01,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc2 = 0x03,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0a,
    DW_CFA_restore_state = 0x0b,
    DW_CFA_def_cfa = 0x0c,
    DW_CFA_def_cfa_register = 0x0d,
    DW_CFA_def_cfa_offset = 0x0e,
    DW_CFA_def_cfa_expression = 0x0f,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_offset_sf = 0x15,
    DW_CFA_val_expression = 0x16,
    DW_CFA_AARCH64_negate_ra_state = 0x2d,
    DW_CFA_GNU_args_size = 0x2e,
    DW_CFA_GNU_negative_offset_extended = 0x2f,
    DW_OP_deref = 0x06,
    DW_OP_breg0 = 0x70,
    DW_EH_PE_absptr = 0x00,
    DW_EH_PE_udata2 = 0x02,
    DW_EH_PE_udata4 = 0x03,
    DW_EH_PE_udata8 = 0x04,
    DW_EH_PE_sdata2 = 0x0a,
    DW_EH_PE_sdata4 = 0x0b,
    DW_EH_PE_sdata8 = 0x0c,
    DW_EH_PE_pcrel = 0x10,
    DW_EH_PE_datarel = 0x30,
};

/* Where the caller's value of a register is. */
enum saved_kind { SAVED_NOT, SAVED_UNDEFINED, SAVED_ELSEWHERE, SAVED_AT };

struct saved {
    uint8_t kind; /* enum saved_kind */
    uint8_t base; /* enum frame_base; for SAVED_AT */
    int64_t offset;
};

struct row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    uint8_t cfa_kind; /* enum cfa_kind if it is given by an expression; otherwise CFA_UNKNOWN */
    bool cfa_is_expression;
    struct saved fp, return_address;
};

struct machine {
    const struct frame_entry *entry;
    struct row row, initial;
    struct row remembered[REMEMBERED];
    struct saved other; /* a register that is not needed */
    unsigned depth;
    uintptr_t location;
    bool failed;
};

uint64_t frame_bytes_fixed(struct frame_bytes *b, unsigned size)
{
    uint64_t value = 0;
    if ((size_t)(b->end - b->at) < size) {
        b->failed = true;
        b->at = b->end;
        return 0;
    }
    memcpy(&value, b->at, size); /* little-endian, as on all supported machines */
    b->at += size;
    return value;
}

uint64_t frame_bytes_unsigned(struct frame_bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = frame_bytes_fixed(b, 1);
        value |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return value;
    }
    b->failed = true;
    return 0;
}

int64_t frame_bytes_signed(struct frame_bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64;) {
        uint64_t byte = frame_bytes_fixed(b, 1);
        value |= (byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) == 0)
            return (int64_t)(value | (shift < 64 && (byte & 0x40) != 0 ? ~(uint64_t)0 << shift : 0));
    }
    b->failed = true;
    return 0;
}

void frame_bytes_skip(struct frame_bytes *b, uint64_t size)
{
    if (size > (uint64_t)(b->end - b->at)) {
        b->failed = true;
        size = (uint64_t)(b->end - b->at);
    }
    b->at += size;
}

uintptr_t frame_bytes_pointer(struct frame_bytes *b, uint8_t encoding, uintptr_t data)
{
    uintptr_t base = 0;
    uint8_t relative = encoding & 0x70;
    if (relative == DW_EH_PE_pcrel)
        base = (uintptr_t)b->at;
    else if (relative == DW_EH_PE_datarel)
        base = data;
    else if (relative != 0)
        b->failed = true;
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
        return base + (uintptr_t)frame_bytes_fixed(b, sizeof(uintptr_t));
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return base + (uintptr_t)frame_bytes_fixed(b, 8);
    case DW_EH_PE_udata4:
        return base + frame_bytes_fixed(b, 4);
    case DW_EH_PE_sdata4:
        return base + (uintptr_t)(int64_t)(int32_t)frame_bytes_fixed(b, 4);
    case DW_EH_PE_udata2:
        return base + frame_bytes_fixed(b, 2);
    case DW_EH_PE_sdata2:
        return base + (uintptr_t)(int64_t)(int16_t)frame_bytes_fixed(b, 2);
    default:
        b->failed = true;
        return 0;
    }
}

static struct saved *saved_register(struct machine *m, uint64_t number)
{
    if (number == m->entry->return_register)
        return &m->row.return_address;
    return number == REGISTER_FP ? &m->row.fp : &m->other;
}

static void save_at(struct machine *m, uint64_t number, int64_t offset)
{
    *saved_register(m, number) = (struct saved){SAVED_AT, BASE_CFA, offset};
}

static void save_as(struct machine *m, uint64_t number, enum saved_kind kind)
{
    *saved_register(m, number) = (struct saved){.kind = (uint8_t)kind};
}

static void restore(struct machine *m, uint64_t number)
{
    if (number == m->entry->return_register)
        m->row.return_address = m->initial.return_address;
    else if (number == REGISTER_FP)
        m->row.fp = m->initial.fp;
}

/* Reads expressions of the forms `register + offset` and `the word at register + offset`; compilers write no
 * others for code that a backtrace passes through. *deref says which form it is. */
static bool read_expression(struct frame_bytes *b, uint64_t *number, int64_t *offset, bool *deref)
{
    uint64_t size = frame_bytes_unsigned(b);
    struct frame_bytes e = *b;
    frame_bytes_skip(b, size);
    e.end = b->at;
    uint64_t operation = frame_bytes_fixed(&e, 1);
    *number = operation - DW_OP_breg0;
    *offset = frame_bytes_signed(&e);
    *deref = e.at < e.end && frame_bytes_fixed(&e, 1) == DW_OP_deref;
    return operation >= DW_OP_breg0 && operation < DW_OP_breg0 + 32 && !e.failed && e.at == e.end;
}

static void define_cfa_by_expression(struct machine *m, struct frame_bytes *b)
{
    uint64_t number;
    bool deref;
    m->row.cfa_is_expression = true;
    m->row.cfa_kind = CFA_UNKNOWN;
    if (!read_expression(b, &number, &m->row.cfa_offset, &deref))
        return;
    if (number == REGISTER_SP)
        m->row.cfa_kind = deref ? CFA_AT_SP : CFA_SP;
    else if (number == REGISTER_FP)
        m->row.cfa_kind = deref ? CFA_AT_FP : CFA_FP;
}

static void save_by_expression(struct machine *m, struct frame_bytes *b)
{
    struct saved *saved = saved_register(m, frame_bytes_unsigned(b));
    uint64_t number;
    bool deref;
    *saved = (struct saved){.kind = SAVED_ELSEWHERE};
    int64_t offset;
    if (read_expression(b, &number, &offset, &deref) && !deref &&
        (number == REGISTER_SP || number == REGISTER_FP))
        *saved = (struct saved){SAVED_AT, number == REGISTER_SP ? BASE_SP : BASE_FP, offset};
}

static void define_cfa(struct machine *m, uint64_t number, int64_t offset)
{
    m->row.cfa_register = number;
    m->row.cfa_offset = offset;
    m->row.cfa_is_expression = false;
}

static void remember(struct machine *m)
{
    if (m->depth < REMEMBERED)
        m->remembered[m->depth++] = m->row;
    else
        m->failed = true;
}

static void recall(struct machine *m)
{
    if (m->depth > 0)
        m->row = m->remembered[--m->depth];
    else
        m->failed = true;
}

/* Runs an instruction about the canonical frame address. Returns false for others. */
static bool run_cfa_instruction(struct machine *m, struct frame_bytes *b, uint8_t code)
{
    const int64_t factor = m->entry->data_factor;
    uint64_t number;
    switch (code) {
    case DW_CFA_def_cfa:
        number = frame_bytes_unsigned(b);
        define_cfa(m, number, (int64_t)frame_bytes_unsigned(b));
        return true;
    case DW_CFA_def_cfa_sf:
        number = frame_bytes_unsigned(b);
        define_cfa(m, number, frame_bytes_signed(b) * factor);
        return true;
    case DW_CFA_def_cfa_register:
        define_cfa(m, frame_bytes_unsigned(b), m->row.cfa_offset);
        return true;
    case DW_CFA_def_cfa_offset:
        define_cfa(m, m->row.cfa_register, (int64_t)frame_bytes_unsigned(b));
        return true;
    case DW_CFA_def_cfa_offset_sf:
        define_cfa(m, m->row.cfa_register, frame_bytes_signed(b) * factor);
        return true;
    case DW_CFA_def_cfa_expression:
        define_cfa_by_expression(m, b);
        return true;
    default:
        return false;
    }
}

/* Runs an instruction about a single register. Returns false for others. */
static bool run_register_instruction(struct machine *m, struct frame_bytes *b, uint8_t code)
{
    const int64_t factor = m->entry->data_factor;
    if (code != DW_CFA_expression && (code < DW_CFA_offset_extended || code > DW_CFA_register) &&
        code != DW_CFA_offset_extended_sf && (code < DW_CFA_val_offset || code > DW_CFA_val_expression) &&
        code != DW_CFA_GNU_negative_offset_extended)
        return false;
    if (code == DW_CFA_expression) {
        save_by_expression(m, b);
        return true;
    }
    uint64_t number = frame_bytes_unsigned(b);
    if (code == DW_CFA_offset_extended)
        save_at(m, number, (int64_t)frame_bytes_unsigned(b) * factor);
    else if (code == DW_CFA_offset_extended_sf)
        save_at(m, number, frame_bytes_signed(b) * factor);
    else if (code == DW_CFA_GNU_negative_offset_extended)
        save_at(m, number, -(int64_t)frame_bytes_unsigned(b) * factor);
    else if (code == DW_CFA_restore_extended)
        restore(m, number);
    else if (code == DW_CFA_undefined || code == DW_CFA_same_value)
        save_as(m, number, code == DW_CFA_undefined ? SAVED_UNDEFINED : SAVED_NOT);
    else {
        save_as(m, number, SAVED_ELSEWHERE);
        uint64_t operand = frame_bytes_unsigned(b); /* a number of either sign, a register or a size */
        if (code == DW_CFA_val_expression)
            frame_bytes_skip(b, operand);
    }
    return true;
}

static void run_other_instruction(struct machine *m, struct frame_bytes *b, uint8_t code)
{
    switch (code) {
    case DW_CFA_nop:
    case DW_CFA_AARCH64_negate_ra_state: /* the signature is removed where the address is read */
        return;
    case DW_CFA_set_loc:
        m->location = frame_bytes_pointer(b, m->entry->pointer_encoding, 0);
        return;
    case DW_CFA_advance_loc1:
    case DW_CFA_advance_loc2:
    case DW_CFA_advance_loc4:
        m->location += frame_bytes_fixed(b, 1u << (code - DW_CFA_advance_loc1)) * m->entry->code_factor;
        return;
    case DW_CFA_remember_state:
        remember(m);
        return;
    case DW_CFA_restore_state:
        recall(m);
        return;
    case DW_CFA_GNU_args_size:
        frame_bytes_unsigned(b);
        return;
    default:
        m->failed = true;
    }
}

/* Runs until the location is after pc. */
static void run(struct machine *m, struct frame_bytes b, uintptr_t pc)
{
    while (b.at < b.end && !b.failed && !m->failed && m->location <= pc) {
        uint8_t byte = (uint8_t)frame_bytes_fixed(&b, 1), operand = byte & 0x3f;
        switch (byte >> 6) {
        case DW_CFA_advance_loc:
            m->location += operand * m->entry->code_factor;
            break;
        case DW_CFA_offset:
            save_at(m, operand, (int64_t)frame_bytes_unsigned(&b) * m->entry->data_factor);
            break;
        case DW_CFA_restore:
            restore(m, operand);
            break;
        default:
            if (!run_cfa_instruction(m, &b, byte) && !run_register_instruction(m, &b, byte))
                run_other_instruction(m, &b, byte);
        }
    }
    m->failed |= b.failed;
}

static enum cfa_kind cfa_kind_of(const struct row *row)
{
    if (row->cfa_is_expression)
        return row->cfa_kind;
    return row->cfa_register == REGISTER_SP   ? CFA_SP
           : row->cfa_register == REGISTER_FP ? CFA_FP
                                              : CFA_UNKNOWN;
}

/* Returns false if the rule cannot express the row. */
static bool digest(const struct row *row, bool signal, struct frame_rule *rule)
{
    const struct saved *fp = &row->fp, *back = &row->return_address;
    const int64_t word = (int64_t)sizeof(uintptr_t);
    if (back->kind != SAVED_AT || back->offset % word != 0 || back->offset / word < RULE_RETURN_MIN ||
        back->offset / word > RULE_RETURN_MAX || row->cfa_offset < INT32_MIN || row->cfa_offset > INT32_MAX ||
        fp->offset < INT16_MIN || fp->offset > INT16_MAX || fp->kind == SAVED_ELSEWHERE)
        return false;
    enum cfa_kind kind = cfa_kind_of(row);
    uint8_t fp_base = fp->kind == SAVED_AT ? fp->base : BASE_NONE;
    *rule =
        (struct frame_rule){.cfa = (int32_t)row->cfa_offset,
                            .fp = (int16_t)fp->offset,
                            .return_address = (int8_t)(back->offset / word),
                            .plain = (kind == CFA_SP || kind == CFA_FP) && !signal &&
                                     (fp_base == BASE_NONE || fp_base == BASE_CFA) && back->base == BASE_CFA,
                            .kind = kind,
                            .fp_base = fp_base & 3u,
                            .return_base = back->base & 3u,
                            .signal = signal};
    return true;
}

struct frame_rule cfa_program_run(const struct frame_entry *entry, uintptr_t pc)
{
    const struct frame_rule unknown = {.kind = CFA_UNKNOWN};
    struct machine m = {.entry = entry, .location = entry->start};
    run(&m, entry->initial, UINTPTR_MAX);
    m.initial = m.row;
    m.location = entry->start;
    run(&m, entry->instructions, pc);
    struct frame_rule rule = unknown;
    if (m.failed)
        return unknown;
    if (m.row.return_address.kind == SAVED_UNDEFINED)
        return (struct frame_rule){.kind = CFA_OUTERMOST};
    return digest(&m.row, entry->signal, &rule) ? rule : unknown;
}
