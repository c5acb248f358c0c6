/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_compile.h"

#include "base/array.h"
#include "base/error.h"
#include "formats/ctf/decode/ctf_references.h"

#include <inttypes.h>

/* A small text can declare types of more fields than there is memory. */
#define OPS_MAX       65536 /* of a type */
#define TRACE_OPS_MAX (1 << 23)

struct compilation {
    struct ctf_compiler *c;
    struct ctf_program *p;
    struct ctf_frames frames;
    unsigned depth;
};

static int compile(struct compilation *c, const struct ctf_class *type);

static void *take(struct compilation *c, size_t size)
{
    return arena_alloc(&c->c->trace->arena, size);
}

/* Appends an operation, without an end yet. Returns its index in *out. */
static int add_op(struct compilation *c, enum ctf_code code, const struct ctf_class *type, uint32_t *out)
{
    struct ctf_program *p = c->p;
    size_t count = p->count;
    if (count >= OPS_MAX)
        return trace_error_set(TRACE_ERR_FORMAT, "a type has more than %d fields", OPS_MAX);
    if (c->c->op_count == TRACE_OPS_MAX)
        return trace_error_set(TRACE_ERR_FORMAT, "all types together have more than %d fields",
                               TRACE_OPS_MAX);
    if (type->align > CTF_ALIGN_MAX)
        return trace_error_set(TRACE_ERR_FORMAT, "an alignment of %" PRIu32 " bits is more than %" PRIu32,
                               type->align, CTF_ALIGN_MAX);
    if (ARRAY_RESERVE(p->ops, count, p->room) != 0 || ARRAY_RESERVE(p->classes, count, p->class_room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    p->ops[count] = (struct ctf_op){.code = (uint8_t)code,
                                    .slot = CTF_NO_SLOT,
                                    .from_slot = CTF_NO_SLOT,
                                    .align_mask = type->align > 0 ? type->align - 1 : 0};
    p->classes[count] = type;
    *out = (uint32_t)count;
    p->count++;
    c->c->op_count++;
    return 0;
}

static void end_op(struct compilation *c, uint32_t op)
{
    c->p->ops[op].next = c->p->count;
}

static bool is_big(const struct compilation *c, uint8_t order)
{
    uint8_t which = order != CTF_ORDER_DEFAULT ? order : c->c->trace->order;
    return which == CTF_BIG_ENDIAN;
}

/* --- integers -------------------------------------------------------------------------------------- */

static enum ctf_code code_of_integer(bool is_big, bool is_reversed, unsigned size, uint32_t align)
{
    bool is_whole = align >= 8 && size >= 8 && size <= 64 && (size & (size - 1)) == 0;
    bool machine_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (is_reversed)
        return is_big ? CTF_READ_BITS_BIG_REVERSED : CTF_READ_BITS_REVERSED;
    if (!is_whole)
        return is_big ? CTF_READ_BITS_BIG : CTF_READ_BITS;
    if (size == 8)
        return CTF_READ_8;
    /* 16, 32 and 64 bits follow each other. */
    enum ctf_code first = is_big != machine_is_big ? CTF_READ_16_SWAPPED : CTF_READ_16;
    return first + (unsigned)__builtin_ctz(size) - 4;
}

static const struct trace_range_sig *make_ranges(struct compilation *c, const struct ctf_integer *i)
{
    struct trace_range_sig *sig = take(c, sizeof *sig);
    struct trace_range_label *labels = take(c, i->label_count * sizeof *labels);
    if (sig == NULL || labels == NULL)
        return NULL;
    for (uint32_t n = 0; n < i->label_count; ++n)
        labels[n] =
            (struct trace_range_label){i->labels[n].name, i->labels[n].range.from, i->labels[n].range.to};
    *sig = (struct trace_range_sig){.count = i->label_count, .is_signed = i->is_signed, .labels = labels};
    return sig;
}

/* Users see what the reader has no use for, and the processor. */
static bool is_hidden(uint8_t role)
{
    return role != CTF_NO_ROLE && role != CTF_CPU;
}

static int compile_integer(struct compilation *c, const struct ctf_class *type)
{
    const struct ctf_integer *i = &type->u.integer;
    enum ctf_code code = i->is_variable
                             ? CTF_READ_LEB128
                             : code_of_integer(is_big(c, i->order), i->is_reversed, i->size, type->align);
    uint32_t at = 0;
    int rc = add_op(c, code, type, &at);
    if (rc != 0)
        return rc;
    struct ctf_op *op = &c->p->ops[at];
    op->size = i->size;
    op->base = i->base;
    op->role = i->role;
    op->unit = (uint8_t)i->unit;
    op->is_signed = i->is_signed;
    op->is_hidden = is_hidden(i->role);
    op->shown_as = type->kind == CTF_BOOL ? CTF_AS_BOOL
                   : i->is_enum           ? CTF_AS_RANGED
                   : i->base != 10        ? CTF_AS_BASED
                                          : CTF_AS_NUMBER;
    if (op->shown_as == CTF_AS_RANGED && !c->c->is_for_writing && (op->u.ranges = make_ranges(c, i)) == NULL)
        return TRACE_ERR_MEMORY;
    end_op(c, at);
    return 0;
}

/* The bits of a floating-point number are one integer, or the first of two of 64 bits. */
static int compile_float(struct compilation *c, const struct ctf_class *type)
{
    const struct ctf_float *real = &type->u.real;
    bool is_quad = real->size == 128;
    struct ctf_class *bits =
        ctf_trace_new_class(c->c->trace, CTF_INTEGER, is_quad && type->align > 8 ? 8 : type->align);
    uint32_t at = 0;
    if (bits == NULL)
        return TRACE_ERR_MEMORY;
    bits->u.integer = (struct ctf_integer){.size = is_quad ? 64 : real->size,
                                           .base = 10,
                                           .order = real->order,
                                           .is_reversed = real->is_reversed};
    int rc = add_op(c, CTF_READ_FLOAT, type, &at);
    if (rc == 0)
        rc = compile_integer(c, bits);
    if (rc == 0) {
        c->p->ops[at].size = real->size;
        c->p->ops[at].is_high_first = is_big(c, real->order) != real->is_reversed;
        end_op(c, at);
    }
    return rc;
}

/* --- structures ------------------------------------------------------------------------------------ */

static const struct trace_struct_sig *make_struct_sig(struct compilation *c, const struct ctf_class *type,
                                                      uint32_t at, uint32_t *visible)
{
    const struct ctf_member *members = type->u.structure.members;
    struct trace_struct_sig *sig = take(c, sizeof *sig);
    const char **names = take(c, type->u.structure.count * sizeof *names);
    uint32_t count = 0;
    if (sig == NULL || names == NULL)
        return NULL;
    for (uint32_t i = 0, op = at + 1; i < type->u.structure.count; ++i, op = c->p->ops[op].next)
        if (!c->p->ops[op].is_hidden)
            names[count++] = members[i].name;
    *visible = count;
    *sig = (struct trace_struct_sig){.name = "", .count = count, .members = names};
    return sig;
}

/* The length of a structure; see struct ctf_op. */
static uint64_t length_in_bytes(const struct ctf_program *p, uint32_t at)
{
    uint64_t length = 0;
    for (uint32_t i = 0, part = at + 1; i < p->ops[at].count; ++i, part = p->ops[part].next) {
        const struct ctf_op *op = &p->ops[part];
        if (op->code >= CTF_READ_BITS || op->unit != 0 || op->align_mask != 7)
            return 0;
        length += op->size;
    }
    return p->ops[at].align_mask == 7 ? length : 0;
}

static int compile_struct(struct compilation *c, const struct ctf_class *type)
{
    uint32_t at = 0;
    int rc = add_op(c, CTF_READ_STRUCT, type, &at);
    if (rc != 0)
        return rc;
    c->frames.ops[c->frames.count++] = at;
    for (uint32_t i = 0; rc == 0 && i < type->u.structure.count; ++i)
        rc = compile(c, type->u.structure.members[i].type);
    c->frames.count--;
    if (rc != 0)
        return rc;
    struct ctf_op *op = &c->p->ops[at];
    op->count = type->u.structure.count;
    op->length = length_in_bytes(c->p, at);
    op->u.structure = make_struct_sig(c, type, at, &op->visible);
    end_op(c, at);
    return op->u.structure != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* --- arrays ---------------------------------------------------------------------------------------- */

static int compile_byte(struct compilation *c)
{
    struct ctf_class *type = ctf_trace_new_class(c->c->trace, CTF_INTEGER, 8);
    if (type == NULL)
        return TRACE_ERR_MEMORY;
    type->u.integer = (struct ctf_integer){.size = 8, .base = 10};
    return compile_integer(c, type);
}

static int compile_array(struct compilation *c, const struct ctf_class *type)
{
    bool is_fixed = type->kind == CTF_ARRAY || type->kind == CTF_TEXT || type->kind == CTF_BLOB;
    bool is_prefixed = !is_fixed && type->u.array.count_type != NULL;
    const struct ctf_class *element = type->u.array.element;
    uint16_t slot = CTF_NO_SLOT;
    uint32_t at = 0;
    int rc = add_op(c,
                    is_fixed      ? CTF_READ_ARRAY
                    : is_prefixed ? CTF_READ_PREFIXED
                                  : CTF_READ_SEQUENCE,
                    type, &at);
    if (rc == 0 && !is_fixed && !is_prefixed)
        rc = ctf_length_resolve(c->c, &c->frames, &type->u.array.count, &slot);
    if (rc == 0 && is_prefixed)
        rc = compile(c, type->u.array.count_type);
    if (rc == 0)
        rc = element != NULL ? compile(c, element) : compile_byte(c);
    if (rc != 0)
        return rc;
    struct ctf_op *op = &c->p->ops[at];
    op->length = type->u.array.length;
    op->from_slot = slot;
    op->role = type->u.array.role;
    op->is_hidden = is_hidden(op->role);
    op->is_text = type->kind == CTF_TEXT || type->kind == CTF_TEXT_SEQUENCE;
    op->encoding = op->is_text ? type->u.array.encoding : CTF_UTF8;
    op->is_blob = type->kind == CTF_BLOB || type->kind == CTF_BLOB_SEQUENCE;
    end_op(c, at);
    return 0;
}

/* --- variants and optional fields ------------------------------------------------------------------ */

static uint32_t select_by_label(const struct ctf_integer *selector, const struct ctf_option *option,
                                uint32_t part, struct ctf_selection *out)
{
    const enum ctf_naming naming = ctf_option_naming(selector, option);
    uint32_t count = 0;
    for (uint32_t i = 0; i < selector->label_count; ++i)
        if (ctf_label_selects(selector->labels[i].name, option, naming))
            out[count++] = (struct ctf_selection){selector->labels[i].range, part};
    return count;
}

static uint32_t select_by_ranges(const struct ctf_range *ranges, uint32_t count, uint32_t part,
                                 struct ctf_selection *out)
{
    for (uint32_t i = 0; i < count; ++i)
        out[i] = (struct ctf_selection){ranges[i], part};
    return count;
}

static int make_selections(struct compilation *c, const struct ctf_class *type,
                           const struct ctf_class *selector, struct ctf_op *op)
{
    const struct ctf_option *options = type->u.variant.options;
    size_t most = 1;
    for (uint32_t i = 0; i < type->u.variant.count; ++i)
        most += options[i].range_count > 0 ? options[i].range_count : selector->u.integer.label_count;
    if (most > OPS_MAX)
        return trace_error_set(TRACE_ERR_FORMAT, "a variant has more than %d ranges", OPS_MAX);
    struct ctf_selection *selections = take(c, most * sizeof *selections);
    const char **names = take(c, type->u.variant.count * sizeof *names);
    if (selections == NULL || names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; i < type->u.variant.count; ++i) {
        struct ctf_selection *at = selections + op->selection_count;
        names[i] = options[i].name;
        op->selection_count += options[i].range_count > 0
                                   ? select_by_ranges(options[i].ranges, options[i].range_count, i, at)
                                   : select_by_label(&selector->u.integer, &options[i], i, at);
    }
    op->names = names;
    op->u.selections = selections;
    return 0;
}

static int compile_variant(struct compilation *c, const struct ctf_class *type)
{
    const struct ctf_class *selector = NULL;
    uint16_t slot = CTF_NO_SLOT;
    uint32_t at = 0;
    int rc = add_op(c, CTF_READ_VARIANT, type, &at);
    if (rc == 0)
        rc = ctf_selector_resolve(c->c, &c->frames, &type->u.variant.selector, &slot, &selector);
    for (uint32_t i = 0; rc == 0 && i < type->u.variant.count; ++i)
        rc = compile(c, type->u.variant.options[i].type);
    if (rc != 0)
        return rc;
    struct ctf_op *op = &c->p->ops[at];
    op->from_slot = slot;
    op->count = type->u.variant.count;
    op->is_signed = selector->u.integer.is_signed;
    end_op(c, at);
    return make_selections(c, type, selector, op);
}

static int compile_optional(struct compilation *c, const struct ctf_class *type)
{
    static const struct ctf_range not_zero = {1, UINT64_MAX};
    const struct ctf_class *selector = NULL;
    bool is_bool = type->u.optional.range_count == 0;
    uint32_t count = is_bool ? 1 : type->u.optional.range_count, at = 0;
    uint16_t slot = CTF_NO_SLOT;
    struct ctf_selection *selections = take(c, count * sizeof *selections);
    int rc = selections != NULL ? add_op(c, CTF_READ_OPTIONAL, type, &at) : TRACE_ERR_MEMORY;
    if (rc == 0)
        rc = ctf_selector_resolve(c->c, &c->frames, &type->u.optional.selector, &slot, &selector);
    if (rc == 0)
        rc = compile(c, type->u.optional.type);
    if (rc != 0)
        return rc;
    struct ctf_op *op = &c->p->ops[at];
    op->from_slot = slot;
    op->is_signed = !is_bool && selector->u.integer.is_signed;
    op->u.selections = selections;
    op->selection_count =
        select_by_ranges(is_bool ? &not_zero : type->u.optional.ranges, count, 0, selections);
    end_op(c, at);
    return 0;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int compile_string(struct compilation *c, const struct ctf_class *type)
{
    uint32_t at = 0;
    int rc = add_op(c, CTF_READ_STRING, type, &at);
    if (rc == 0) {
        c->p->ops[at].encoding = type->u.encoding;
        end_op(c, at);
    }
    return rc;
}

static int compile_any(struct compilation *c, const struct ctf_class *type)
{
    switch (type->kind) {
    case CTF_INTEGER:
    case CTF_BOOL:
    case CTF_BITS:
        return compile_integer(c, type);
    case CTF_FLOAT:
        return compile_float(c, type);
    case CTF_STRING:
        return compile_string(c, type);
    case CTF_STRUCT:
        return compile_struct(c, type);
    case CTF_VARIANT:
        return compile_variant(c, type);
    case CTF_OPTIONAL:
        return compile_optional(c, type);
    default:
        return compile_array(c, type);
    }
}

static int compile(struct compilation *c, const struct ctf_class *type)
{
    if (c->depth >= CTF_FRAMES_MAX)
        return trace_error_set(TRACE_ERR_FORMAT, "more than %d types are nested", CTF_FRAMES_MAX);
    c->depth++;
    int rc = compile_any(c, type);
    c->depth--;
    return rc;
}

static bool is_silent(const struct ctf_op *op)
{
    for (const struct ctf_op *part = op + 1, *end = part + op->count; part < end; ++part)
        if (part->slot != CTF_NO_SLOT || part->role != CTF_NO_ROLE)
            return false;
    return true;
}

void ctf_program_find_silent(struct ctf_program *p)
{
    for (uint32_t i = 0; i < p->count; ++i)
        if (p->ops[i].code == CTF_READ_STRUCT && p->ops[i].length != 0)
            p->ops[i].is_silent = is_silent(&p->ops[i]);
}

int ctf_program_compile(struct ctf_compiler *c, enum ctf_scope scope, const struct ctf_class *structure)
{
    struct compilation compilation = {.c = c, .p = c->programs[scope], .frames = {.scope = scope}};
    int rc = structure != NULL ? compile(&compilation, structure) : 0;
    if (rc == 0 && structure != NULL) /* there is nothing to show if only the reader needs its fields */
        compilation.p->ops[0].is_hidden =
            structure->u.structure.count > 0 && compilation.p->ops[0].visible == 0;
    return rc;
}
