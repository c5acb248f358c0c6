/* SPDX-License-Identifier: MIT
 * Classes of other dialects as classes of CTF 1.8, which has no integers of variable length, no optional
 * fields, and variants only by labels.
 */
#include "formats/ctf/write/tsdl_print.h"

#include <stdbool.h>

static int adapt(struct ctf_trace *t, const struct ctf_class *in, const struct ctf_class **out);

/* References become names of this language. Those to an enclosing structure find it by themselves. */
static int adapt_reference(struct ctf_trace *t, struct ctf_reference *r)
{
    uint32_t ups = 0;
    while (ups < r->count && r->names[ups][0] == '\0')
        ++ups;
    const char **names = arena_alloc(&t->arena, (r->count + 1) * sizeof *names);
    int rc = names != NULL ? 0 : -1;
    for (uint32_t i = ups; rc == 0 && i < r->count; ++i)
        rc = tsdl_write_name(t, r->names[i], &names[i - ups]);
    r->names = names;
    r->count -= ups;
    return rc;
}

/* Names that differ may be written alike: then *can becomes false. */
static int adapt_name(struct ctf_trace *t, struct ctf_member *m, struct string_map *seen, bool *can)
{
    int rc = tsdl_write_name(t, m->name, &m->written);
    if (rc == 0)
        *can = !string_map_get(seen, m->written, NULL);
    return rc == 0 && *can ? string_map_set(seen, m->written, 1) : rc;
}

static int adapt_structure(struct ctf_trace *t, struct ctf_class *c, bool *can)
{
    struct string_map seen = {.slots = NULL};
    struct ctf_member *members =
        arena_copy(&t->arena, c->u.structure.members, c->u.structure.count * sizeof *members);
    int rc = members != NULL ? 0 : -1;
    for (uint32_t i = 0; rc == 0 && *can && i < c->u.structure.count; ++i) {
        rc = adapt_name(t, &members[i], &seen, can);
        if (rc == 0 && *can)
            rc = adapt(t, members[i].type, &members[i].type);
        *can = *can && members[i].type != NULL;
    }
    string_map_fini(&seen);
    c->u.structure.members = members;
    return rc;
}

static int adapt_array(struct ctf_trace *t, struct ctf_class *c, bool *can)
{
    int rc = 0;
    if (c->u.array.element != NULL)
        rc = adapt(t, c->u.array.element, &c->u.array.element);
    *can = c->u.array.element != NULL || (c->kind != CTF_ARRAY && c->kind != CTF_SEQUENCE);
    if (rc == 0 && c->u.array.count_type == NULL && c->u.array.count.count > 0)
        rc = adapt_reference(t, &c->u.array.count);
    return rc;
}

/* Whether values of the class are written: not numbers of other sizes and orders of bits, nor texts in other
 * encodings than UTF-8. */
static bool is_written(const struct ctf_class *c)
{
    switch (c->kind) {
    case CTF_INTEGER:
        return !c->u.integer.is_reversed;
    case CTF_FLOAT:
        return (c->u.real.size == 32 || c->u.real.size == 64) && !c->u.real.is_reversed;
    case CTF_STRING:
        return c->u.encoding == CTF_UTF8;
    case CTF_TEXT:
    case CTF_TEXT_SEQUENCE:
        return c->u.array.encoding == CTF_UTF8;
    default:
        return true;
    }
}

/* The same of all its parts. */
static bool is_all_written(const struct ctf_class *c)
{
    bool is = is_written(c);
    for (uint32_t i = 0; is && c->kind == CTF_STRUCT && i < c->u.structure.count; ++i)
        is = is_all_written(c->u.structure.members[i].type);
    for (uint32_t i = 0; is && c->kind == CTF_VARIANT && i < c->u.variant.count; ++i)
        is = is_all_written(c->u.variant.options[i].type);
    if (is && c->kind >= CTF_ARRAY && c->kind <= CTF_BLOB_SEQUENCE && c->u.array.element != NULL)
        is = is_all_written(c->u.array.element);
    return is;
}

static int adapt(struct ctf_trace *t, const struct ctf_class *in, const struct ctf_class **out)
{
    struct ctf_class *c = arena_copy(&t->arena, in, sizeof *in);
    bool can = true;
    int rc = c != NULL ? 0 : -1;
    *out = NULL;
    if (rc == 0 && in->kind <= CTF_BITS)
        can = !in->u.integer.is_variable && in->u.integer.unit == 0 && in->kind == CTF_INTEGER &&
              (!in->u.integer.is_enum || in->u.integer.label_count > 0);
    else if (rc == 0 && in->kind == CTF_STRUCT)
        rc = adapt_structure(t, c, &can);
    else if (rc == 0 && in->kind >= CTF_ARRAY && in->kind <= CTF_BLOB_SEQUENCE)
        rc = adapt_array(t, c, &can);
    else if (in->kind == CTF_VARIANT || in->kind == CTF_OPTIONAL)
        can = false;
    if (rc == 0 && can)
        *out = c;
    return rc;
}

int tsdl_adapt(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
               const struct ctf_class **out)
{
    bool is = is_all_written(in);
    if (is && from->dialect != CTF_1)
        return adapt(t, in, out);
    *out = is ? in : NULL;
    return 0;
}
