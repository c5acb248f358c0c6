/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/tsdl_print.h"

#include "formats/ctf/write/ctf_count_name.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIAS_LABELS 3 /* enumerations with so many labels are declared once */

static void print_type(struct tsdl_printer *p, const struct ctf_class *type);

void tsdl_printf(struct tsdl_printer *p, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    if (length < 0 || buf_reserve(p->out, (size_t)length + 1) != 0) {
        p->failed = true;
    } else {
        vsnprintf((char *)p->out->data + p->out->len, (size_t)length + 1, format, again);
        p->out->len += (size_t)length;
    }
    va_end(again);
    va_end(list);
}

void tsdl_begin_line(struct tsdl_printer *p)
{
    tsdl_printf(p, "\n%*s", (int)(4 * p->depth), "");
}

void tsdl_print_text(struct tsdl_printer *p, const char *text)
{
    tsdl_printf(p, "\"");
    for (; *text != '\0'; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            tsdl_printf(p, "\\%c", c);
        else if (c == '\n')
            tsdl_printf(p, "\\n");
        else if (c < 0x20 || c == 0x7f)
            tsdl_printf(p, "\\%03o", c);
        else
            tsdl_printf(p, "%c", c);
    }
    tsdl_printf(p, "\"");
}

/* Other dialects have clocks without names, of any names, and of the same. */
void tsdl_print_clock_name(struct tsdl_printer *p, const struct ctf_clock *clock)
{
    size_t index = 0;
    bool is_good = clock->name != NULL && tsdl_is_name(clock->name);
    for (; index < p->trace->clock_count && p->trace->clocks[index] != clock; ++index) {
        const char *before = p->trace->clocks[index]->name;
        is_good = is_good && (before == NULL || strcmp(before, clock->name) != 0);
    }
    if (is_good)
        tsdl_printf(p, "%s", clock->name);
    else
        tsdl_printf(p, "clock_%zu", index);
}

/* --- numbers --------------------------------------------------------------------------------------- */

static void print_order(struct tsdl_printer *p, uint8_t order)
{
    if (order != CTF_ORDER_DEFAULT && order != p->trace->order)
        tsdl_printf(p, " byte_order = %s;", order == CTF_BIG_ENDIAN ? "be" : "le");
}

static void print_integer(struct tsdl_printer *p, const struct ctf_class *type, bool is_character)
{
    const struct ctf_integer *i = &type->u.integer;
    tsdl_printf(p, "integer { size = %u; align = %" PRIu32 "; signed = %s;", (unsigned)i->size, type->align,
                i->is_signed ? "true" : "false");
    if (i->base != 10)
        tsdl_printf(p, " base = %u;", (unsigned)i->base);
    if (is_character)
        tsdl_printf(p, " encoding = UTF8;");
    print_order(p, i->order);
    if (i->clock != NULL) {
        tsdl_printf(p, " map = clock.");
        tsdl_print_clock_name(p, i->clock);
        tsdl_printf(p, ".value;");
    }
    tsdl_printf(p, " }");
}

static void print_limit(struct tsdl_printer *p, uint64_t value, bool is_signed)
{
    if (is_signed)
        tsdl_printf(p, "%" PRId64, (int64_t)value);
    else
        tsdl_printf(p, "%" PRIu64, value);
}

static void print_enumeration(struct tsdl_printer *p, const struct ctf_class *type)
{
    const struct ctf_integer *i = &type->u.integer;
    tsdl_printf(p, "enum : ");
    print_integer(p, type, false);
    tsdl_printf(p, " {");
    p->depth++;
    for (uint32_t n = 0; n < i->label_count; ++n) {
        tsdl_begin_line(p);
        tsdl_print_text(p, i->labels[n].name);
        tsdl_printf(p, " = ");
        print_limit(p, i->labels[n].range.from, i->is_signed);
        if (i->labels[n].range.to != i->labels[n].range.from) {
            tsdl_printf(p, " ... ");
            print_limit(p, i->labels[n].range.to, i->is_signed);
        }
        tsdl_printf(p, ",");
    }
    p->depth--;
    tsdl_begin_line(p);
    tsdl_printf(p, "}");
}

static void print_float(struct tsdl_printer *p, const struct ctf_class *type)
{
    bool is_single = type->u.real.size == 32;
    tsdl_printf(p, "floating_point { exp_dig = %d; mant_dig = %d; align = %" PRIu32 ";", is_single ? 8 : 11,
                is_single ? 24 : 53, type->align);
    print_order(p, type->u.real.order);
    tsdl_printf(p, " }");
}

/* --- compounds ------------------------------------------------------------------------------------- */

static bool is_array(const struct ctf_class *type)
{
    return type->kind >= CTF_ARRAY && type->kind <= CTF_BLOB_SEQUENCE;
}

static void print_reference(struct tsdl_printer *p, const struct ctf_reference *r)
{
    static const char *const scopes[] = {"trace.packet.header.", "stream.packet.context.",
                                         "stream.event.header.", "stream.event.context.",
                                         "event.context.",       "event.fields."};
    tsdl_printf(p, "%s", r->scope < CTF_SCOPES ? scopes[r->scope] : "");
    for (uint32_t i = 0; i < r->count; ++i)
        tsdl_printf(p, "%s%s", i > 0 ? "." : "", r->names[i]);
}

/* The elements' type of an array of bytes. */
static void print_byte(struct tsdl_printer *p, const struct ctf_class *array)
{
    bool is_text = array->kind == CTF_TEXT || array->kind == CTF_TEXT_SEQUENCE;
    const struct ctf_class byte = {
        .kind = CTF_INTEGER, .align = 8, .u.integer = {.size = 8, .base = is_text ? 10 : 16}};
    print_integer(p, &byte, is_text);
}

static void print_dimension(struct tsdl_printer *p, const struct ctf_class *array, const char *count_name)
{
    tsdl_printf(p, "[");
    if (array->kind == CTF_ARRAY || array->kind == CTF_TEXT || array->kind == CTF_BLOB)
        tsdl_printf(p, "%" PRIu64, array->u.array.length);
    else if (array->u.array.count_type != NULL)
        tsdl_printf(p, "%s", count_name);
    else
        print_reference(p, &array->u.array.count);
    tsdl_printf(p, "]");
}

/* Only the length of the outermost one can stand before a field: others are in structures with theirs. */
static void print_element(struct tsdl_printer *p, const struct ctf_class *type)
{
    struct ctf_class wrapped = {.kind = CTF_STRUCT, .align = type->align};
    const struct ctf_member member = {"elements", "_elements", type};
    wrapped.u.structure.count = 1;
    wrapped.u.structure.members = &member;
    bool is_prefixed = is_array(type) && type->u.array.count_type != NULL;
    print_type(p, is_prefixed ? &wrapped : type);
}

/* A dimension of the field itself, not of its elements' type. */
static bool is_dimension(const struct ctf_class *type, const struct ctf_class *outermost)
{
    return is_array(type) && (type == outermost || type->u.array.count_type == NULL);
}

/* A field whose number of elements, if it has one before it, is called so. */
static void print_counted(struct tsdl_printer *p, const char *name, const struct ctf_class *type,
                          const char *count_name)
{
    const struct ctf_class *element = type, *last = type;
    while (element != NULL && is_dimension(element, type)) {
        last = element;
        element = element->u.array.element;
    }
    if (element != NULL)
        print_element(p, element);
    else
        print_byte(p, last);
    tsdl_printf(p, " %s", name);
    for (const struct ctf_class *d = type; d != element; d = d->u.array.element)
        print_dimension(p, d, count_name);
    tsdl_printf(p, ";");
}

/* structure: the one that the field is in; NULL for an option of a variant. */
static void print_field(struct tsdl_printer *p, const struct ctf_class *structure, const char *name,
                        const struct ctf_class *type)
{
    tsdl_begin_line(p);
    if (!is_array(type) || type->u.array.count_type == NULL) {
        print_counted(p, name, type, NULL);
        return;
    }
    char *count_name = ctf_count_name(structure, name);
    p->failed |= count_name == NULL;
    if (count_name != NULL) {
        print_type(p, type->u.array.count_type);
        tsdl_printf(p, " %s;", count_name);
        tsdl_begin_line(p);
        print_counted(p, name, type, count_name);
    }
    free(count_name);
}

static void print_variant(struct tsdl_printer *p, const struct ctf_class *type)
{
    tsdl_printf(p, "variant <");
    print_reference(p, &type->u.variant.selector);
    tsdl_printf(p, "> {");
    p->depth++;
    for (uint32_t i = 0; i < type->u.variant.count; ++i)
        print_field(p, NULL, type->u.variant.options[i].written, type->u.variant.options[i].type);
    p->depth--;
    tsdl_begin_line(p);
    tsdl_printf(p, "}");
}

void tsdl_print_members(struct tsdl_printer *p, const struct ctf_class *structure)
{
    for (uint32_t i = 0; i < structure->u.structure.count; ++i)
        print_field(p, structure, structure->u.structure.members[i].written,
                    structure->u.structure.members[i].type);
}

void tsdl_print_structure(struct tsdl_printer *p, const struct ctf_class *type)
{
    tsdl_printf(p, "struct {");
    p->depth++;
    tsdl_print_members(p, type);
    p->depth--;
    tsdl_begin_line(p);
    tsdl_printf(p, "} align(%" PRIu32 ")", type->align > 0 ? type->align : 1);
}

static void print_type(struct tsdl_printer *p, const struct ctf_class *type)
{
    uint64_t alias;
    switch (type->kind) {
    case CTF_FLOAT:
        print_float(p, type);
        break;
    case CTF_STRING:
        tsdl_printf(p, "string");
        break;
    case CTF_STRUCT:
        tsdl_print_structure(p, type);
        break;
    case CTF_VARIANT:
        print_variant(p, type);
        break;
    default:
        if (type->u.integer.is_enum && int_map_get(&p->aliases, (uintptr_t)type, &alias))
            tsdl_printf(p, "enum_%" PRIu64, alias);
        else if (type->u.integer.is_enum)
            print_enumeration(p, type);
        else
            print_integer(p, type, false);
    }
}

/* --- enumerations that several fields have --------------------------------------------------------- */

static void find_enumerations(struct tsdl_printer *p, const struct ctf_class *type)
{
    if (type == NULL)
        return;
    if (type->kind == CTF_STRUCT) {
        for (uint32_t i = 0; i < type->u.structure.count; ++i)
            find_enumerations(p, type->u.structure.members[i].type);
        return;
    }
    if (is_array(type)) {
        find_enumerations(p, type->u.array.element);
        return;
    }
    if (type->kind != CTF_INTEGER || !type->u.integer.is_enum || type->u.integer.label_count < ALIAS_LABELS ||
        int_map_get(&p->aliases, (uintptr_t)type, NULL))
        return;
    tsdl_printf(p, "\n\ntypealias ");
    print_enumeration(p, type);
    tsdl_printf(p, " := enum_%zu;", p->aliases.len);
    p->failed |= int_map_set(&p->aliases, (uintptr_t)type, p->aliases.len) != 0;
}

void tsdl_print_aliases(struct tsdl_printer *p)
{
    for (size_t i = 0; i < p->trace->stream_count; ++i) {
        const struct ctf_stream_class *s = p->trace->streams[i];
        find_enumerations(p, s->common_context);
        for (size_t n = 0; n < s->event_count; ++n) {
            find_enumerations(p, s->events[n]->context);
            find_enumerations(p, s->events[n]->payload);
        }
    }
}
