/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_declarators.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

#define DIMENSIONS_MAX 16

void tsdl_members_fini(struct tsdl_members *m)
{
    free(m->items);
    string_map_fini(&m->names);
}

/* --- references ------------------------------------------------------------------------------------ */

/* Finds the scope with whose name the path begins. Returns what follows the name. */
static const char *find_scope(const char *path, enum ctf_scope *scope)
{
    static const struct {
        const char *name;
        enum ctf_scope scope;
    } scopes[] = {{"trace.packet.header.", CTF_PACKET_HEADER}, {"stream.packet.context.", CTF_PACKET_CONTEXT},
                  {"stream.event.header.", CTF_EVENT_HEADER},  {"stream.event.context.", CTF_COMMON_CONTEXT},
                  {"event.context.", CTF_SPECIFIC_CONTEXT},    {"event.fields.", CTF_PAYLOAD}};
    *scope = CTF_NO_SCOPE;
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; ++i) {
        size_t length = strlen(scopes[i].name);
        if (strncmp(path, scopes[i].name, length) == 0) {
            *scope = scopes[i].scope;
            return path + length;
        }
    }
    return path;
}

int tsdl_make_reference(struct tsdl_parser *p, const char *path, uint32_t line, struct ctf_reference *out)
{
    char *rest = (char *)find_scope(path, &out->scope);
    uint32_t count = 1;
    for (const char *dot = rest; (dot = strchr(dot, '.')) != NULL; ++dot)
        ++count;
    const char **names = arena_alloc(&p->trace->arena, count * sizeof *names);
    if (names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; i < count; ++i) { /* the path is the parser's own copy */
        char *dot = strchr(rest, '.');
        names[i] = rest;
        if (dot != NULL) {
            *dot = '\0';
            rest = dot + 1;
        }
    }
    out->count = count;
    out->names = names;
    out->line = line;
    return 0;
}

/* --- arrays ---------------------------------------------------------------------------------------- */

struct dimension {
    uint64_t length;
    struct ctf_reference count; /* no names: the length counts */
};

static int parse_dimension(struct tsdl_parser *p, struct dimension *d)
{
    uint32_t line = p->token.line;
    const char *path;
    *d = (struct dimension){.length = 0};
    int rc = tsdl_expect_sign(p, '[');
    if (rc == 0 && p->token.kind == TSDL_WORD) {
        rc = tsdl_take_path(p, &path);
        if (rc == 0)
            rc = tsdl_make_reference(p, path, line, &d->count);
    } else if (rc == 0) {
        bool is_negative;
        rc = tsdl_take_number(p, &d->length, &is_negative);
        if (rc == 0 && is_negative)
            rc = tsdl_fail(p, line, "the length of an array must not be negative");
    }
    return rc == 0 ? tsdl_expect_sign(p, ']') : rc;
}

static const struct ctf_class *make_array(struct tsdl_parser *p, const struct ctf_class *element,
                                          const struct dimension *d)
{
    bool is_text = element->kind == CTF_INTEGER && element->u.integer.is_character;
    bool is_sequence = d->count.count > 0;
    enum ctf_kind kind =
        is_text ? (is_sequence ? CTF_TEXT_SEQUENCE : CTF_TEXT) : (is_sequence ? CTF_SEQUENCE : CTF_ARRAY);
    struct ctf_class *c = ctf_trace_new_class(p->trace, kind, element->align);
    if (c == NULL)
        return NULL;
    c->u.array.element = is_text ? NULL : element;
    c->u.array.length = d->length;
    c->u.array.count = d->count;
    return c;
}

/* The first dimension is the outermost. */
static int parse_dimensions(struct tsdl_parser *p, const struct ctf_class **type)
{
    struct dimension dimensions[DIMENSIONS_MAX];
    size_t count = 0;
    int rc = 0;
    while (rc == 0 && tsdl_at_sign(p, '[')) {
        if (count == DIMENSIONS_MAX)
            return tsdl_fail(p, 0, "an array has more than %d dimensions", DIMENSIONS_MAX);
        rc = parse_dimension(p, &dimensions[count++]);
    }
    while (rc == 0 && count > 0) {
        *type = make_array(p, *type, &dimensions[--count]);
        rc = *type != NULL ? 0 : TRACE_ERR_MEMORY;
    }
    return rc;
}

/* A bit field lies within a unit of the size of its type. */
static int parse_bit_field(struct tsdl_parser *p, const struct ctf_class **type)
{
    uint32_t line = p->token.line;
    uint64_t size;
    bool is_negative, had;
    int rc = tsdl_skip_sign(p, ':', &had);
    if (rc != 0 || !had)
        return rc;
    rc = tsdl_take_number(p, &size, &is_negative);
    if (rc != 0)
        return rc;
    if ((*type)->kind != CTF_INTEGER || size < 1 || size > (*type)->u.integer.size)
        return tsdl_fail(p, line, "a bit field of %" PRIu64 " bits does not fit its type", size);
    struct ctf_class *c = ctf_trace_new_class(p->trace, CTF_INTEGER, 1);
    if (c == NULL)
        return TRACE_ERR_MEMORY;
    c->u.integer = (*type)->u.integer;
    c->u.integer.unit = c->u.integer.size;
    c->u.integer.size = (uint8_t)size;
    c->u.integer.is_character = false;
    *type = c;
    return 0;
}

/* --- all ------------------------------------------------------------------------------------------- */

/* Users see names without the underscore that keeps them apart from keywords. */
static int add_member(struct tsdl_parser *p, struct tsdl_members *m, const char *name,
                      const struct ctf_class *type, uint32_t line)
{
    if (string_map_get(&m->names, name, NULL))
        return tsdl_fail(p, line, "the name \"%s\" is declared twice", name);
    if (ARRAY_RESERVE(m->items, m->count, m->room) != 0 || string_map_set(&m->names, name, m->count) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    m->items[m->count++] = (struct ctf_member){name[0] == '_' ? name + 1 : name, name, type};
    return 0;
}

static int parse_declarator(struct tsdl_parser *p, const struct ctf_class *type, struct tsdl_members *out)
{
    uint32_t line = p->token.line;
    const char *name;
    int rc = tsdl_take_name(p, &name, "the name of a field");
    if (rc == 0)
        rc = parse_dimensions(p, &type);
    if (rc == 0)
        rc = parse_bit_field(p, &type);
    return rc == 0 ? add_member(p, out, name, type, line) : rc;
}

int tsdl_parse_declarators(struct tsdl_parser *p, const struct ctf_class *type, struct tsdl_members *out)
{
    bool more = true;
    int rc = 0;
    while (rc == 0 && more) {
        rc = parse_declarator(p, type, out);
        if (rc == 0)
            rc = tsdl_skip_sign(p, ',', &more);
    }
    return rc == 0 ? tsdl_expect_sign(p, ';') : rc;
}
