/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/rfc_print.h"

#include "base/error.h"
#include "formats/ctf/metadata/rfc_headers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define ALIAS_LABELS 3 /* enumerations with so many labels are declared once */

struct rfc_printer {
    struct buf *out;
    struct int_map aliases; /* maps addresses of enumerations to the numbers in their names */
    bool failed;
};

static void print_type(struct rfc_printer *p, const struct ctf_class *type);

__attribute__((format(printf, 2, 3))) static void print(struct rfc_printer *p, const char *format, ...)
{
    char number[96];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(number, sizeof number, format, list);
    va_end(list);
    p->failed |=
        length < 0 || length >= (int)sizeof number || buf_append(p->out, number, (size_t)length) != 0;
}

static void put(struct rfc_printer *p, const char *text)
{
    p->failed |= buf_append_string(p->out, text) != 0;
}

/* A word of the language, or a text in quotation marks. */
static void put_name(struct rfc_printer *p, const char *name)
{
    bool is_word = isalpha((unsigned char)*name) != 0 || *name == '_';
    for (const char *c = name; *c != '\0'; ++c)
        is_word &= isascii(*c) != 0 && (isalnum((unsigned char)*c) != 0 || *c == '_');
    if (is_word) {
        put(p, name);
        return;
    }
    put(p, "\"");
    for (const char *c = name; *c != '\0'; ++c)
        if (*c == '"' || *c == '\\')
            print(p, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            print(p, "\\%03o", (unsigned)(unsigned char)*c);
        else
            print(p, "%c", *c);
    put(p, "\"");
}

/* --- types ------------------------------------------------------------------------------------------ */

static void put_order(struct rfc_printer *p, uint8_t order)
{
    if (order != CTF_ORDER_DEFAULT)
        print(p, " byte_order = %s;", order == CTF_BIG_ENDIAN ? "be" : "le");
}

static void put_map(struct rfc_printer *p, const struct ctf_integer *i)
{
    put(p, " map = {");
    for (uint32_t n = 0; n < i->label_count; ++n) {
        if (i->is_signed)
            print(p, " { %" PRId64 ", ", (int64_t)i->labels[n].range.from);
        else
            print(p, " { %" PRIu64 ", ", i->labels[n].range.from);
        put_name(p, i->labels[n].name);
        put(p, " },");
    }
    put(p, " };");
}

static void print_integer(struct rfc_printer *p, const struct ctf_class *type)
{
    const struct ctf_integer *i = &type->u.integer;
    print(p, "{ parent = %s; size = %u; signed = %s; align = %" PRIu32 ";", i->is_enum ? "enum" : "integer",
          (unsigned)i->size, i->is_signed ? "true" : "false", type->align);
    if (i->base != 10)
        print(p, " base = %u;", (unsigned)i->base);
    put_order(p, i->order);
    if (i->is_enum)
        put_map(p, i);
    put(p, " }");
}

/* Section 4.1.7 is empty; the first version of the document had this there. */
static void print_float(struct rfc_printer *p, const struct ctf_class *type)
{
    bool is_single = type->u.real.size == 32;
    print(p, "{ parent = floating_point; exp_dig = %d; mant_dig = %d; align = %" PRIu32 ";",
          is_single ? 8 : 11, is_single ? 24 : 53, type->align);
    put_order(p, type->u.real.order);
    put(p, " }");
}

static void print_field(struct rfc_printer *p, const char *name, const struct ctf_class *type)
{
    put(p, " { ");
    print_type(p, type);
    put(p, ", ");
    put_name(p, name);
    put(p, " },");
}

static void print_fields(struct rfc_printer *p, const struct ctf_class *structure)
{
    for (uint32_t i = 0; structure != NULL && i < structure->u.structure.count; ++i)
        print_field(p, structure->u.structure.members[i].written, structure->u.structure.members[i].type);
}

static void print_array(struct rfc_printer *p, const struct ctf_class *type)
{
    if (type->kind == CTF_ARRAY) {
        print(p, "{ parent = array; length = %" PRIu64 "; elem_type = ", type->u.array.length);
    } else {
        put(p, "{ parent = sequence; length_type = ");
        print_type(p, type->u.array.count_type);
        put(p, "; elem_type = ");
    }
    print_type(p, type->u.array.element);
    put(p, "; }");
}

static void print_type(struct rfc_printer *p, const struct ctf_class *type)
{
    uint64_t alias;
    if (type->kind == CTF_INTEGER && int_map_get(&p->aliases, (uintptr_t)type, &alias)) {
        print(p, "enum_%" PRIu64, alias);
        return;
    }
    put(p, "type ");
    switch (type->kind) {
    case CTF_FLOAT:
        print_float(p, type);
        break;
    case CTF_STRING:
        put(p, "{ parent = string; encoding = UTF8; }");
        break;
    case CTF_STRUCT:
        put(p, "{ parent = struct; fields = {");
        print_fields(p, type);
        put(p, " }; }");
        break;
    case CTF_ARRAY:
    case CTF_SEQUENCE:
        print_array(p, type);
        break;
    default:
        print_integer(p, type);
    }
}

/* --- enumerations that several fields have --------------------------------------------------------- */

static void declare_enumerations(struct rfc_printer *p, const struct ctf_class *type)
{
    if (type == NULL)
        return;
    if (type->kind == CTF_STRUCT) {
        for (uint32_t i = 0; i < type->u.structure.count; ++i)
            declare_enumerations(p, type->u.structure.members[i].type);
        return;
    }
    if (type->kind == CTF_ARRAY || type->kind == CTF_SEQUENCE) {
        declare_enumerations(p, type->u.array.element);
        return;
    }
    if (type->kind != CTF_INTEGER || type->u.integer.label_count < ALIAS_LABELS ||
        int_map_get(&p->aliases, (uintptr_t)type, NULL))
        return;
    print(p, "type enum_%zu ", p->aliases.len);
    print_integer(p, type);
    put(p, "\n");
    p->failed |= int_map_set(&p->aliases, (uintptr_t)type, p->aliases.len) != 0;
}

/* --- blocks ----------------------------------------------------------------------------------------- */

static void print_section(struct rfc_printer *p, const struct ctf_stream_class *s)
{
    bool is_type1 = s->event_header->u.structure.members[0].type->u.integer.size == 5;
    declare_enumerations(p, s->common_context);
    put(p, "section {\n  name = ");
    put_name(p, s->file_name);
    print(p, ";\n  event {\n    header_type = type%d;\n    context { ", is_type1 ? 1 : 2);
    if (s->common_context != NULL)
        print_type(p, s->common_context);
    else
        put(p, "event_size = false;");
    put(p, " }\n  }\n}\n");
}

static void print_event(struct rfc_printer *p, const struct ctf_stream_class *s,
                        const struct ctf_event_class *e)
{
    declare_enumerations(p, e->context);
    declare_enumerations(p, e->payload);
    put(p, "event {\n  name = ");
    put_name(p, e->name);
    print(p, ";\n  id = %" PRIu64 ";\n  section = ", e->id);
    put_name(p, s->file_name);
    put(p, ";\n  fields = type { parent = struct; fields = {");
    if (e->context != NULL)
        print_field(p, RFC_CONTEXT_FIELD, e->context);
    print_fields(p, e->payload);
    put(p, " }; };\n}\n");
}

int rfc_print_metadata(const struct ctf_trace *t, struct buf *out)
{
    struct rfc_printer p = {.out = out};
    put(&p, "trace {\n  major = 1;\n  minor = 1;\n}\n");
    for (size_t i = 0; i < t->stream_count; ++i)
        print_section(&p, t->streams[i]);
    for (size_t i = 0; i < t->stream_count; ++i)
        for (size_t n = 0; n < t->streams[i]->event_count; ++n)
            print_event(&p, t->streams[i], t->streams[i]->events[n]);
    int_map_fini(&p.aliases);
    return p.failed ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
}
