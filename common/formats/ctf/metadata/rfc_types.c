/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/rfc_types.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* --- integers and enumerations --------------------------------------------------------------------- */

/* The natural alignment of a basic type, or that of a byte (section 4.1.2). */
static unsigned usual_align(const struct ctf_trace *trace, unsigned size)
{
    if (trace->is_byte_packed)
        return size % 8 == 0 ? 8 : 1;
    return size == 8 || size == 16 || size == 32 || size == 64 ? size : size % 8 == 0 ? 8 : 1;
}

/* The document gives no default for "align". Version 1.5 of the format has this one. */
static unsigned default_align(uint64_t size)
{
    return size % 8 == 0 ? 8 : 1;
}

static int fill_integer(const struct rfc_types *t, const struct rfc_node *type, struct ctf_class *out)
{
    struct ctf_integer *i = &out->u.integer;
    unsigned known = rfc_parents_size(t, type, &i->is_signed);
    uint64_t size = known, unit = 0, align;
    int rc = rfc_attribute_number(t, type, "size", 64, &size);
    i->base = 10;
    if (rc == 0 && size == 0)
        rc = tsdl_fail(t->parser, type->line, "an integer type has no size");
    if (rc != 0)
        return rc;
    align = known != 0 && rfc_attribute_find(t, type, "size") == NULL ? usual_align(t->parser->trace, known)
                                                                      : default_align(size);
    rc = rfc_attribute_align(t, type, &align);
    if (rc == 0)
        rc = rfc_attribute_bool(t, type, "signed", &i->is_signed);
    if (rc == 0)
        rc = rfc_attribute_order(t, type, &i->order);
    if (rc == 0)
        rc = rfc_attribute_base(t, type, &i->base);
    if (rc == 0)
        rc = rfc_attribute_number(t, type, "unit_size", 64, &unit);
    if (rc == 0 && (unit & (unit - 1)) != 0)
        rc = tsdl_fail(t->parser, type->line, "a \"unit_size\" must be a power of two");
    i->size = (uint8_t)size;
    i->unit = (uint16_t)unit;
    out->align = (uint32_t)align;
    return rc;
}

/* { value , string } */
static int fill_label(const struct rfc_types *t, const struct rfc_node *item, struct ctf_label *out)
{
    const struct rfc_node *value = item->items, *name = value != NULL ? value->next : NULL;
    if (item->kind != RFC_BLOCK || name == NULL || value->kind != RFC_NUMBER ||
        (name->kind != RFC_WORD && name->kind != RFC_STRING))
        return tsdl_fail(t->parser, item->line, "an entry of a map must be { NUMBER, NAME }");
    *out = (struct ctf_label){name->text, {value->number, value->number}};
    return 0;
}

static int fill_labels(const struct rfc_types *t, const struct rfc_node *type, struct ctf_integer *i)
{
    const struct rfc_node *map = rfc_attribute_find(t, type, "map");
    struct ctf_label *labels;
    uint32_t count = 0;
    int rc = 0;
    i->is_enum = true;
    if (map == NULL)
        return tsdl_fail(t->parser, type->line, "an enumeration has no map");
    for (const struct rfc_node *item = map->items; item != NULL; item = item->next)
        count++;
    labels = arena_alloc(&t->parser->trace->arena, count * sizeof *labels);
    if (labels == NULL)
        return TRACE_ERR_MEMORY;
    count = 0;
    for (const struct rfc_node *item = map->items; rc == 0 && item != NULL; item = item->next)
        rc = fill_label(t, item, &labels[count++]);
    i->labels = labels;
    i->label_count = count;
    return rc;
}

/* --- compound types -------------------------------------------------------------------------------- */

/* A field is { type, name }. */
static int fill_member(struct rfc_types *t, const struct rfc_node *field, struct ctf_member *out)
{
    struct rfc_node *type = field->items, *name = type != NULL ? type->next : NULL;
    if (field->kind != RFC_BLOCK || name == NULL || name->next != NULL ||
        (name->kind != RFC_WORD && name->kind != RFC_STRING))
        return tsdl_fail(t->parser, field->line, "a field must be { TYPE, NAME }");
    out->name = out->written = name->text;
    return rfc_type_make(t, type, &out->type);
}

static int check_names(const struct rfc_types *t, const struct rfc_node *fields)
{
    struct string_map seen = {0};
    int rc = 0;
    for (const struct rfc_node *f = fields->items; rc == 0 && f != NULL; f = f->next) {
        const char *name = f->items->next->text;
        if (string_map_get(&seen, name, NULL))
            rc = tsdl_fail(t->parser, f->line, "the field \"%s\" is declared twice", name);
        else
            rc = string_map_set(&seen, name, 1);
    }
    string_map_fini(&seen);
    return rc;
}

/* A compiler aligns a structure to the units of its bit fields. */
static void align_to_units(struct ctf_class *structure)
{
    for (uint32_t i = 0; i < structure->u.structure.count; ++i) {
        const struct ctf_class *type = structure->u.structure.members[i].type;
        if (type->kind == CTF_INTEGER && type->u.integer.unit > structure->align)
            structure->align = type->u.integer.unit;
    }
}

static int fill_struct(struct rfc_types *t, const struct rfc_node *type, struct ctf_class *out)
{
    const struct rfc_node *fields = rfc_attribute_find(t, type, "fields");
    struct ctf_member *members = NULL;
    size_t count = 0, room = 0;
    int rc = 0;
    if (fields == NULL || fields->kind != RFC_BLOCK)
        return tsdl_fail(t->parser, type->line, "a structure has no fields");
    for (const struct rfc_node *f = fields->items; rc == 0 && f != NULL; f = f->next) {
        rc = ARRAY_RESERVE(members, count, room);
        if (rc == 0)
            rc = fill_member(t, f, &members[count++]);
    }
    if (rc == 0)
        rc = check_names(t, fields);
    if (rc == 0)
        rc = ctf_struct_set_members(t->parser->trace, out, members, count);
    if (rc == 0)
        align_to_units(out);
    free(members);
    return rc;
}

static int take_type(struct rfc_types *t, const struct rfc_node *type, const char *key,
                     const struct ctf_class **out)
{
    struct rfc_node *node = rfc_attribute_find(t, type, key);
    if (node == NULL)
        return tsdl_fail(t->parser, type->line, "an array has no \"%s\"", key);
    return rfc_type_make(t, node, out);
}

static int fill_array(struct rfc_types *t, const struct rfc_node *type, struct ctf_class *out)
{
    if (rfc_attribute_find(t, type, "length") == NULL)
        return tsdl_fail(t->parser, type->line, "an array has no \"length\"");
    int rc = rfc_attribute_number(t, type, "length", UINT32_MAX, &out->u.array.length);
    if (rc == 0)
        rc = take_type(t, type, "elem_type", &out->u.array.element);
    if (rc == 0)
        out->align = out->u.array.element->align;
    return rc;
}

/* The length directly before the elements, which have their own alignment (section 4.2.3). */
static int fill_sequence(struct rfc_types *t, const struct rfc_node *type, struct ctf_class *out)
{
    int rc = take_type(t, type, "length_type", &out->u.array.count_type);
    if (rc == 0 && out->u.array.count_type->kind != CTF_INTEGER)
        rc = tsdl_fail(t->parser, type->line, "the length of a sequence must be an integer");
    if (rc == 0)
        rc = take_type(t, type, "elem_type", &out->u.array.element);
    if (rc == 0)
        out->align = out->u.array.count_type->align;
    return rc;
}

static int check_encoding(const struct rfc_types *t, const struct rfc_node *type)
{
    const struct rfc_node *node = rfc_attribute_find(t, type, "encoding");
    if (node == NULL || rfc_node_says(node, "UTF8") || rfc_node_says(node, "ASCII"))
        return 0;
    return tsdl_fail(t->parser, node->line, "\"encoding\" must be UTF8 or ASCII");
}

/* The document leaves floating-point numbers out ("unneeded for Linux kernel"). Its first version has them
 * so. */
static int fill_float(const struct rfc_types *t, const struct rfc_node *type, struct ctf_class *out)
{
    uint64_t exponent = 0, mantissa = 0, align = 8;
    int rc = rfc_attribute_number(t, type, "exp_dig", 64, &exponent);
    if (rc == 0)
        rc = rfc_attribute_number(t, type, "mant_dig", 256, &mantissa);
    if (rc == 0)
        rc = rfc_attribute_align(t, type, &align);
    if (rc == 0)
        rc = rfc_attribute_order(t, type, &out->u.real.order);
    out->u.real.size = ctf_float_size(exponent, mantissa);
    out->align = (uint32_t)align;
    if (rc == 0 && out->u.real.size == 0)
        rc = tsdl_fail(t->parser, type->line,
                       "exp_dig and mant_dig must be 5 and 11, 8 and 24, 11 and 53, or 15 and 113");
    return rc;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int fill(struct rfc_types *t, const struct rfc_node *type, enum rfc_base base, struct ctf_class *out)
{
    int rc;
    switch (base) {
    case RFC_INTEGER:
    case RFC_BITFIELD:
        return fill_integer(t, type, out);
    case RFC_ENUM:
        rc = fill_integer(t, type, out);
        return rc == 0 ? fill_labels(t, type, &out->u.integer) : rc;
    case RFC_STRUCT:
        return fill_struct(t, type, out);
    case RFC_ARRAY:
        return fill_array(t, type, out);
    case RFC_SEQUENCE:
        return fill_sequence(t, type, out);
    case RFC_FLOAT:
        return fill_float(t, type, out);
    default:
        return check_encoding(t, type);
    }
}

static enum ctf_kind kind_of(enum rfc_base base)
{
    static const enum ctf_kind kinds[] = {
        [RFC_INTEGER] = CTF_INTEGER, [RFC_BITFIELD] = CTF_INTEGER, [RFC_ENUM] = CTF_INTEGER,
        [RFC_STRUCT] = CTF_STRUCT,   [RFC_ARRAY] = CTF_ARRAY,      [RFC_SEQUENCE] = CTF_SEQUENCE,
        [RFC_TEXT] = CTF_STRING,     [RFC_FLOAT] = CTF_FLOAT,
    };
    return kinds[base];
}

static int make_block(struct rfc_types *t, struct rfc_node *type)
{
    enum rfc_base base;
    int rc = rfc_base_find(t, type, &base);
    if (rc != 0)
        return rc;
    struct ctf_class *made = ctf_trace_new_class(t->parser->trace, kind_of(base), base == RFC_TEXT ? 8 : 1);
    if (made == NULL)
        return TRACE_ERR_MEMORY;
    rc = fill(t, type, base, made);
    type->made = made;
    return rc;
}

/* Types are made once, so that a short text cannot take much time. */
static int make_once(struct rfc_types *t, struct rfc_node *type, const struct ctf_class **out)
{
    int rc = 0;
    if (type->made == NULL) {
        if (type->is_being_made)
            return tsdl_fail(t->parser, type->line, "a type contains itself");
        if (t->depth == RFC_DEPTH_MAX)
            return tsdl_fail(t->parser, type->line, "more than %d types are nested", RFC_DEPTH_MAX);
        t->depth++;
        type->is_being_made = true;
        rc = make_block(t, type);
        type->is_being_made = false;
        t->depth--;
    }
    *out = type->made;
    return rc;
}

struct ctf_class *rfc_type_new_unsigned(struct ctf_trace *trace, unsigned size)
{
    struct ctf_class *made = ctf_trace_new_class(trace, CTF_INTEGER, usual_align(trace, size));
    if (made != NULL)
        made->u.integer = (struct ctf_integer){.size = (uint8_t)size, .base = 10};
    return made;
}

static int make_named(struct rfc_types *t, const struct rfc_node *name, const struct ctf_class **out)
{
    struct rfc_node *type = rfc_type_find(t, name->text);
    bool is_signed = false;
    if (type != NULL)
        return make_once(t, type, out);
    unsigned size = rfc_integer_name_size(name->text, &is_signed);
    if (size == 0)
        return rfc_fail_unknown(t, name, name->text);
    struct ctf_class *made = rfc_type_new_unsigned(t->parser->trace, size);
    if (made == NULL)
        return TRACE_ERR_MEMORY;
    made->u.integer.is_signed = is_signed;
    *out = made;
    return 0;
}

int rfc_type_make(struct rfc_types *t, struct rfc_node *type, const struct ctf_class **out)
{
    if (type->kind == RFC_WORD)
        return make_named(t, type, out);
    if (type->kind != RFC_BLOCK || type->text == NULL || strcmp(type->text, "type") != 0)
        return tsdl_fail(t->parser, type->line, "a type is expected: its name, or type { … }");
    return make_once(t, type, out);
}
