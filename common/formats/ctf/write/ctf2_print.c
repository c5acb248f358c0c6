/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf2_print.h"

#include "formats/ctf/metadata/ctf2_types.h"
#include "formats/ctf/write/ctf_count_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_class(struct ctf2_printer *p, const struct ctf_class *type, const char *count_name);

/* --- properties ------------------------------------------------------------------------------------ */

void ctf2_print_name(struct ctf2_printer *p, const char *name)
{
    json_repaired_text(&p->out, name, strlen(name));
    json_splice(&p->out, ":", 1, false);
}

static void print_value(struct ctf2_printer *p, const char *text)
{
    json_repaired_text(&p->out, text, strlen(text));
}

/* All 64 bits, as the format needs them. */
static void print_uint(struct ctf2_printer *p, uint64_t value)
{
    char digits[24];
    json_raw(&p->out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value));
}

static void print_sint(struct ctf2_printer *p, int64_t value)
{
    char digits[24];
    json_raw(&p->out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, value));
}

void ctf2_print_text(struct ctf2_printer *p, const char *name, const char *text)
{
    if (text == NULL)
        return;
    ctf2_print_name(p, name);
    print_value(p, text);
}

void ctf2_print_uint(struct ctf2_printer *p, const char *name, uint64_t value)
{
    ctf2_print_name(p, name);
    print_uint(p, value);
}

void ctf2_print_sint(struct ctf2_printer *p, const char *name, int64_t value)
{
    ctf2_print_name(p, name);
    print_sint(p, value);
}

void ctf2_print_class(struct ctf2_printer *p, const char *name, const struct ctf_class *type)
{
    if (type == NULL)
        return;
    ctf2_print_name(p, name);
    print_class(p, type, NULL);
}

/* --- ranges and names of values --------------------------------------------------------------------- */

static void print_range(struct ctf2_printer *p, const struct ctf_range *range, bool is_signed)
{
    json_begin(&p->out, '[');
    if (is_signed) {
        print_sint(p, (int64_t)range->from);
        print_sint(p, (int64_t)range->to);
    } else {
        print_uint(p, range->from);
        print_uint(p, range->to);
    }
    json_end(&p->out, ']');
}

/* A range that begins with a negative number is one of a signed selector: numbers from 2^63 on are not known
 * to select anything. */
static void print_ranges(struct ctf2_printer *p, const struct ctf_range *ranges, uint32_t count)
{
    ctf2_print_name(p, "selector-field-ranges");
    json_begin(&p->out, '[');
    for (uint32_t i = 0; i < count; ++i)
        print_range(p, &ranges[i], (int64_t)ranges[i].from < 0);
    json_end(&p->out, ']');
}

/* The ranges of labels with the same name belong together, in the place of the first one. */
static void print_labels(struct ctf2_printer *p, const char *property, const struct ctf_integer *i,
                         bool is_signed)
{
    struct string_map last = {.slots = NULL};
    uint32_t *next = calloc(i->label_count + (size_t)1, sizeof *next); /* with that name; 0: none */
    bool *is_later = calloc(i->label_count + (size_t)1, sizeof *is_later);
    bool has_memory = next != NULL && is_later != NULL;
    for (uint32_t n = 0; has_memory && n < i->label_count; ++n) {
        uint64_t before;
        is_later[n] = string_map_get(&last, i->labels[n].name, &before);
        if (is_later[n])
            next[before] = n;
        has_memory = string_map_set(&last, i->labels[n].name, n) == 0;
    }
    p->out.failed |= !has_memory;
    ctf2_print_name(p, property);
    json_begin(&p->out, '{');
    for (uint32_t n = 0; has_memory && n < i->label_count; ++n) {
        if (is_later[n])
            continue;
        ctf2_print_name(p, i->labels[n].name);
        json_begin(&p->out, '[');
        print_range(p, &i->labels[n].range, is_signed);
        for (uint32_t more = next[n]; more != 0; more = next[more])
            print_range(p, &i->labels[more].range, is_signed);
        json_end(&p->out, ']');
    }
    json_end(&p->out, '}');
    free(next);
    free(is_later);
    string_map_fini(&last);
}

/* --- numbers ---------------------------------------------------------------------------------------- */

static void print_role(struct ctf2_printer *p, uint8_t role)
{
    static const char *const names[CTF_ROLES] = {
        [CTF_MAGIC] = "packet-magic-number",
        [CTF_UUID] = "metadata-stream-uuid",
        [CTF_STREAM_CLASS_ID] = "data-stream-class-id",
        [CTF_STREAM_ID] = "data-stream-id",
        [CTF_PACKET_SIZE] = "packet-total-length",
        [CTF_CONTENT_SIZE] = "packet-content-length",
        [CTF_BEGIN_TIME] = "default-clock-timestamp",
        [CTF_END_TIME] = "packet-end-default-clock-timestamp",
        [CTF_DISCARDED_EVENTS] = "discarded-event-record-counter-snapshot",
        [CTF_SEQUENCE_NUMBER] = "packet-sequence-number",
        [CTF_EVENT_CLASS_ID] = "event-record-class-id",
        [CTF_TIMESTAMP] = "default-clock-timestamp",
    };
    if (names[role] == NULL)
        return;
    ctf2_print_name(p, "roles");
    json_begin(&p->out, '[');
    print_value(p, names[role]);
    json_end(&p->out, ']');
}

static void print_fixed(struct ctf2_printer *p, uint8_t size, uint32_t align, uint8_t order)
{
    uint8_t which = order != CTF_ORDER_DEFAULT ? order : p->trace->order;
    ctf2_print_uint(p, "length", size);
    ctf2_print_text(p, "byte-order", which == CTF_BIG_ENDIAN ? "big-endian" : "little-endian");
    if (align > 1)
        ctf2_print_uint(p, "alignment", align);
}

static const char *integer_name(const struct ctf_class *type)
{
    const struct ctf_integer *i = &type->u.integer;
    if (type->kind == CTF_BOOL)
        return "fixed-length-boolean";
    if (type->kind == CTF_BITS)
        return i->label_count > 0 ? "fixed-length-bit-map" : "fixed-length-bit-array";
    if (i->is_variable)
        return i->is_signed ? "variable-length-signed-integer" : "variable-length-unsigned-integer";
    return i->is_signed ? "fixed-length-signed-integer" : "fixed-length-unsigned-integer";
}

static void print_integer(struct ctf2_printer *p, const struct ctf_class *type)
{
    const struct ctf_integer *i = &type->u.integer;
    ctf2_print_text(p, "type", integer_name(type));
    if (!i->is_variable)
        print_fixed(p, i->size, type->align, i->order);
    if (type->kind == CTF_INTEGER && i->base != 10)
        ctf2_print_uint(p, "preferred-display-base", i->base);
    if (i->label_count > 0 && type->kind != CTF_BOOL)
        print_labels(p, type->kind == CTF_BITS ? "flags" : "mappings", i,
                     i->is_signed && type->kind == CTF_INTEGER);
    print_role(p, i->role);
}

/* --- compounds --------------------------------------------------------------------------------------- */

static bool is_prefixed(const struct ctf_class *type)
{
    return type->kind >= CTF_ARRAY && type->kind <= CTF_BLOB_SEQUENCE && type->u.array.count_type != NULL;
}

static void print_field(struct ctf2_printer *p, const char *name, const struct ctf_class *type,
                        const char *count_name)
{
    json_begin(&p->out, '{');
    ctf2_print_text(p, "name", name);
    ctf2_print_name(p, "field-class");
    print_class(p, type, count_name);
    json_end(&p->out, '}');
}

static void print_member(struct ctf2_printer *p, const struct ctf_class *structure,
                         const struct ctf_member *m)
{
    if (!is_prefixed(m->type)) {
        print_field(p, m->written, m->type, NULL);
        return;
    }
    char *count_name = ctf_count_name(structure, m->written);
    p->out.failed |= count_name == NULL;
    if (count_name != NULL) {
        print_field(p, count_name, m->type->u.array.count_type, NULL);
        print_field(p, m->written, m->type, count_name);
    }
    free(count_name);
}

static void print_structure(struct ctf2_printer *p, const struct ctf_class *type)
{
    ctf2_print_text(p, "type", "structure");
    if (type->align > 1)
        ctf2_print_uint(p, "minimum-alignment", type->align);
    ctf2_print_name(p, "member-classes");
    json_begin(&p->out, '[');
    for (uint32_t i = 0; i < type->u.structure.count; ++i)
        print_member(p, type, &type->u.structure.members[i]);
    json_end(&p->out, ']');
}

/* Elements with numbers before them are in structures with these. */
static void print_part(struct ctf2_printer *p, const char *property, const struct ctf_class *type)
{
    const struct ctf_member member = {"elements", "elements", type};
    struct ctf_class wrapped = {.kind = CTF_STRUCT, .align = type->align};
    wrapped.u.structure.count = 1;
    wrapped.u.structure.members = &member;
    ctf2_print_class(p, property, is_prefixed(type) ? &wrapped : type);
}

static void print_location(struct ctf2_printer *p, const char *property, const struct ctf_reference *r)
{
    ctf2_print_name(p, property);
    json_begin(&p->out, '{');
    if (r->scope < CTF_SCOPES)
        ctf2_print_text(p, "origin", ctf2_origins[r->scope]);
    ctf2_print_name(p, "path");
    json_begin(&p->out, '[');
    for (uint32_t i = 0; i < r->count; ++i)
        if (r->names[i][0] == '\0')
            json_null(&p->out);
        else
            print_value(p, r->names[i]);
    json_end(&p->out, ']');
    json_end(&p->out, '}');
}

static void print_encoding(struct ctf2_printer *p, uint8_t encoding)
{
    static const char *const names[] = {[CTF_UTF16LE] = "utf-16le",
                                        [CTF_UTF16BE] = "utf-16be",
                                        [CTF_UTF32LE] = "utf-32le",
                                        [CTF_UTF32BE] = "utf-32be"};
    if (encoding != CTF_UTF8)
        ctf2_print_text(p, "encoding", names[encoding]);
}

static void print_array(struct ctf2_printer *p, const struct ctf_class *type, const char *count_name)
{
    static const char *const names[] = {"static-length-array",  "dynamic-length-array",
                                        "static-length-string", "dynamic-length-string",
                                        "static-length-blob",   "dynamic-length-blob"};
    const struct ctf_reference count = {.scope = CTF_NO_SCOPE, .count = 1, .names = &count_name};
    bool is_fixed = type->kind == CTF_ARRAY || type->kind == CTF_TEXT || type->kind == CTF_BLOB;
    ctf2_print_text(p, "type", names[type->kind - CTF_ARRAY]);
    if (is_fixed)
        ctf2_print_uint(p, "length", type->u.array.length);
    else
        print_location(p, "length-field-location", count_name != NULL ? &count : &type->u.array.count);
    if (type->u.array.element != NULL) {
        if (type->align > 1)
            ctf2_print_uint(p, "minimum-alignment", type->align);
        print_part(p, "element-field-class", type->u.array.element);
    }
    if (type->kind == CTF_TEXT || type->kind == CTF_TEXT_SEQUENCE)
        print_encoding(p, type->u.array.encoding);
    print_role(p, type->u.array.role);
}

static void print_variant(struct ctf2_printer *p, const struct ctf_class *type)
{
    ctf2_print_text(p, "type", "variant");
    print_location(p, "selector-field-location", &type->u.variant.selector);
    ctf2_print_name(p, "options");
    json_begin(&p->out, '[');
    for (uint32_t i = 0; i < type->u.variant.count; ++i) {
        const struct ctf_option *option = &type->u.variant.options[i];
        json_begin(&p->out, '{');
        ctf2_print_text(p, "name", option->name);
        print_ranges(p, option->ranges, option->range_count);
        print_part(p, "field-class", option->type);
        json_end(&p->out, '}');
    }
    json_end(&p->out, ']');
}

static void print_optional(struct ctf2_printer *p, const struct ctf_class *type)
{
    ctf2_print_text(p, "type", "optional");
    print_location(p, "selector-field-location", &type->u.optional.selector);
    if (type->u.optional.range_count > 0)
        print_ranges(p, type->u.optional.ranges, type->u.optional.range_count);
    print_part(p, "field-class", type->u.optional.type);
}

/* --- all --------------------------------------------------------------------------------------------- */

static void print_properties(struct ctf2_printer *p, const struct ctf_class *type, const char *count_name)
{
    switch (type->kind) {
    case CTF_INTEGER:
    case CTF_BOOL:
    case CTF_BITS:
        print_integer(p, type);
        break;
    case CTF_FLOAT:
        ctf2_print_text(p, "type", "fixed-length-floating-point-number");
        print_fixed(p, type->u.real.size, type->align, type->u.real.order);
        break;
    case CTF_STRING:
        ctf2_print_text(p, "type", "null-terminated-string");
        print_encoding(p, type->u.encoding);
        break;
    case CTF_STRUCT:
        print_structure(p, type);
        break;
    case CTF_VARIANT:
        print_variant(p, type);
        break;
    case CTF_OPTIONAL:
        print_optional(p, type);
        break;
    default:
        print_array(p, type, count_name);
    }
}

/* count_name: of the field that has the number of elements, if it is not one that the class refers to. */
static void print_class(struct ctf2_printer *p, const struct ctf_class *type, const char *count_name)
{
    uint64_t alias;
    char name[32];
    if (int_map_get(&p->aliases, (uintptr_t)type, &alias)) {
        json_string(&p->out, name, (size_t)snprintf(name, sizeof name, "enum-%" PRIu64, alias));
        return;
    }
    json_begin(&p->out, '{');
    print_properties(p, type, count_name);
    json_end(&p->out, '}');
}
