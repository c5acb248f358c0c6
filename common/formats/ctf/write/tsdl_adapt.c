/* SPDX-License-Identifier: MIT
 * Classes of other dialects as classes of CTF 1.8, which has no integers of variable length, no optional
 * fields, and variants only by labels: one by ranges of values needs a selector whose labels have the ranges
 * and the names of its options.
 */
#include "formats/ctf/write/ctf_enclosing.h"
#include "formats/ctf/write/tsdl_print.h"

#include <stdbool.h>

struct adapter {
    struct ctf_trace *trace;
    struct ctf_enclosing enclosing;
};

static int adapt(struct adapter *a, const struct ctf_class *in, const struct ctf_class **out);

/* --- references -------------------------------------------------------------------------------------- */

/* Whether a structure within the one in which the field stands has a field of its name: it would be found
 * instead. */
static bool is_shadowed(const struct adapter *a, uint32_t ups, const char *name)
{
    for (uint32_t i = 0; i < ups; ++i)
        if (ctf_struct_find_member(ctf_enclosing_at(&a->enclosing, i), name) != NULL)
            return true;
    return false;
}

/* Returns the class of a field in an enclosing structure; NULL: it is not there. */
static const struct ctf_class *find_field(const struct adapter *a, const struct ctf_reference *r,
                                          uint32_t ups)
{
    const struct ctf_class *c = ctf_enclosing_at(&a->enclosing, ups);
    for (uint32_t i = ups; c != NULL && i < r->count; ++i) {
        const struct ctf_member *m = c->kind == CTF_STRUCT ? ctf_struct_find_member(c, r->names[i]) : NULL;
        c = m != NULL ? m->type : NULL;
    }
    return c;
}

/* References become names of this language. Those to an enclosing structure find it by themselves. *field is
 * the class of the field that is referred to; NULL: unknown. */
static int adapt_reference(struct adapter *a, struct ctf_reference *r, const struct ctf_class **field,
                           bool *can)
{
    uint32_t ups = 0;
    *field = NULL;
    while (ups < r->count && r->names[ups][0] == '\0')
        ++ups;
    if (r->scope == CTF_NO_SCOPE && r->count > ups) {
        *can = ups < a->enclosing.depth && !is_shadowed(a, ups, r->names[ups]);
        *field = *can ? find_field(a, r, ups) : NULL;
    }
    const char **names = arena_alloc(&a->trace->arena, (r->count + 1) * sizeof *names);
    int rc = names != NULL ? 0 : -1;
    for (uint32_t i = ups; rc == 0 && i < r->count; ++i)
        rc = tsdl_write_name(a->trace, r->names[i], &names[i - ups]);
    r->names = names;
    r->count -= ups;
    return rc;
}

/* --- compounds --------------------------------------------------------------------------------------- */

/* Names that differ may be written alike: then *can becomes false. */
static int adapt_name(struct adapter *a, const char *name, struct string_map *seen, const char **written,
                      bool *can)
{
    int rc = tsdl_write_name(a->trace, name, written);
    if (rc == 0)
        *can = !string_map_get(seen, *written, NULL);
    return rc == 0 && *can ? string_map_set(seen, *written, 1) : rc;
}

/* ctf_adapt_members */
static int adapt_members(void *adapter, struct ctf_class *c, struct string_map *seen, bool *can)
{
    struct adapter *a = adapter;
    struct ctf_member *members =
        arena_copy(&a->trace->arena, c->u.structure.members, c->u.structure.count * sizeof *members);
    int rc = members != NULL ? 0 : -1;
    for (uint32_t i = 0; rc == 0 && *can && i < c->u.structure.count; ++i) {
        rc = adapt_name(a, members[i].name, seen, &members[i].written, can);
        if (rc == 0 && *can)
            rc = adapt(a, members[i].type, &members[i].type);
        *can = *can && members[i].type != NULL;
    }
    c->u.structure.members = members;
    return rc;
}

static int adapt_array(struct adapter *a, struct ctf_class *c, bool *can)
{
    const struct ctf_class *field;
    int rc = 0;
    if (c->u.array.element != NULL)
        rc = adapt(a, c->u.array.element, &c->u.array.element);
    *can = c->u.array.element != NULL || (c->kind != CTF_ARRAY && c->kind != CTF_SEQUENCE);
    if (rc == 0 && *can && c->u.array.count_type == NULL && c->u.array.count.count > 0)
        rc = adapt_reference(a, &c->u.array.count, &field, can);
    return rc;
}

/* Whether the labels that select the option have its ranges, in their order. */
static bool is_selected(const struct ctf_integer *selector, const struct ctf_option *option)
{
    const enum ctf_naming naming = ctf_option_naming(selector, option);
    uint32_t count = 0;
    for (uint32_t i = 0; i < selector->label_count; ++i) {
        if (!ctf_label_selects(selector->labels[i].name, option, naming))
            continue;
        const struct ctf_range *range = &selector->labels[i].range;
        if (count == option->range_count || range->from != option->ranges[count].from ||
            range->to != option->ranges[count].to)
            return false;
        ++count;
    }
    return count == option->range_count;
}

static int adapt_options(struct adapter *a, const struct ctf_integer *selector, struct ctf_class *c,
                         struct string_map *seen, bool *can)
{
    struct ctf_option *options =
        arena_copy(&a->trace->arena, c->u.variant.options, c->u.variant.count * sizeof *options);
    int rc = options != NULL ? 0 : -1;
    for (uint32_t i = 0; rc == 0 && *can && i < c->u.variant.count; ++i) {
        *can = options[i].name != NULL;
        if (*can)
            rc = adapt_name(a, options[i].name, seen, &options[i].written, can);
        *can = rc == 0 && *can && is_selected(selector, &options[i]);
        if (*can)
            rc = adapt(a, options[i].type, &options[i].type);
        *can = *can && options[i].type != NULL;
        options[i].range_count = 0;
    }
    c->u.variant.options = options;
    return rc;
}

static int adapt_variant(struct adapter *a, struct ctf_class *c, bool *can)
{
    struct string_map seen = {.slots = NULL};
    const struct ctf_class *selector;
    int rc = adapt_reference(a, &c->u.variant.selector, &selector, can);
    *can = *can && selector != NULL && selector->kind == CTF_INTEGER && selector->u.integer.is_enum;
    if (rc == 0 && *can)
        rc = adapt_options(a, &selector->u.integer, c, &seen, can);
    string_map_fini(&seen);
    return rc;
}

/* --- all --------------------------------------------------------------------------------------------- */

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

static int adapt(struct adapter *a, const struct ctf_class *in, const struct ctf_class **out)
{
    struct ctf_class *c = arena_copy(&a->trace->arena, in, sizeof *in);
    bool can = true;
    int rc = c != NULL ? 0 : -1;
    *out = NULL;
    if (rc == 0 && in->kind <= CTF_BITS)
        can = !in->u.integer.is_variable && in->u.integer.unit == 0 && in->kind == CTF_INTEGER &&
              (!in->u.integer.is_enum || in->u.integer.label_count > 0);
    else if (rc == 0 && in->kind == CTF_STRUCT)
        rc = ctf_enclosing_adapt(&a->enclosing, in, c, adapt_members, a, &can);
    else if (rc == 0 && in->kind >= CTF_ARRAY && in->kind <= CTF_BLOB_SEQUENCE)
        rc = adapt_array(a, c, &can);
    else if (rc == 0 && in->kind == CTF_VARIANT)
        rc = adapt_variant(a, c, &can);
    else if (in->kind == CTF_OPTIONAL)
        can = false;
    if (rc == 0 && can)
        *out = c;
    return rc;
}

int tsdl_adapt(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
               const struct ctf_class **out)
{
    bool is = is_all_written(in);
    if (is && from->dialect != CTF_1) {
        struct adapter a = {.trace = t};
        return adapt(&a, in, out);
    }
    *out = is ? in : NULL;
    return 0;
}
