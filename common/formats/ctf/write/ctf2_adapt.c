/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf2_adapt.h"

#include "base/error.h"
#include "formats/ctf/write/ctf_enclosing.h"

#define RANGES_MAX 4096 /* of labels that select the options of a variant */

struct adapter {
    struct ctf_trace *trace;
    bool by_names; /* references are searched for in all enclosing ones */
    struct ctf_enclosing enclosing;
};

static int adapt(struct adapter *a, const struct ctf_class *in, const struct ctf_class **out);

/* --- references -------------------------------------------------------------------------------------- */

/* Returns how many structures are between the field and the one that has the name; UINT32_MAX: none has. */
static uint32_t find_enclosing(const struct adapter *a, const char *name, const struct ctf_member **member)
{
    for (uint32_t ups = 0; ups < a->enclosing.depth; ++ups)
        if ((*member = ctf_struct_find_member(ctf_enclosing_at(&a->enclosing, ups), name)) != NULL)
            return ups;
    return UINT32_MAX;
}

/* The metadata of 1.8 may put an underscore before a name. */
static const char *visible_name(const char *written)
{
    return written[0] == '_' ? written + 1 : written;
}

/* Returns the class of the field to which the names after the first one lead; NULL: there is none. */
static const struct ctf_class *find_field(const struct ctf_member *first, const struct ctf_reference *r)
{
    const struct ctf_member *member = first;
    for (uint32_t i = 1; member != NULL && i < r->count; ++i)
        member = member->type->kind == CTF_STRUCT ? ctf_struct_find_member(member->type, r->names[i]) : NULL;
    return member != NULL ? member->type : NULL;
}

/* *field is the class of the field that is referred to; NULL: not searched for. */
static int adapt_reference(struct adapter *a, struct ctf_reference *r, const struct ctf_class **field,
                           bool *can)
{
    const struct ctf_member *member = NULL;
    *field = NULL;
    bool is_relative = r->scope == CTF_NO_SCOPE;
    if (!a->by_names || r->count == 0)
        return 0;
    uint32_t ups = is_relative ? find_enclosing(a, r->names[0], &member) : 0;
    *can = ups != UINT32_MAX;
    if (!*can)
        return 0;
    *field = find_field(member, r);
    const char **names = arena_alloc(&a->trace->arena, (ups + r->count) * sizeof *names);
    if (names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; i < ups; ++i)
        names[i] = "";
    for (uint32_t i = 0; i < r->count; ++i)
        names[ups + i] = visible_name(r->names[i]);
    if (member != NULL)
        names[ups] = member->name;
    r->names = names;
    r->count += ups;
    return 0;
}

/* --- integers ---------------------------------------------------------------------------------------- */

/* Only headers have roles, and these are new. */
static bool adapt_integer(struct ctf_integer *i)
{
    i->clock = NULL;
    i->is_reversed = false;
    if (i->role != CTF_CPU)
        i->role = CTF_NO_ROLE;
    return i->unit == 0;
}

/* --- compounds --------------------------------------------------------------------------------------- */

static bool is_for_readers(const struct ctf_class *type)
{
    return type->kind <= CTF_BITS && type->u.integer.role != CTF_NO_ROLE && type->u.integer.role != CTF_CPU;
}

/* ctf_adapt_members */
static int adapt_members(void *adapter, struct ctf_class *c, struct string_map *seen, bool *can)
{
    struct adapter *a = adapter;
    uint32_t count = 0;
    struct ctf_member *members = arena_alloc(&a->trace->arena, c->u.structure.count * sizeof *members);
    int rc = members != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && *can && i < c->u.structure.count; ++i) {
        const struct ctf_member *m = &c->u.structure.members[i];
        if (is_for_readers(m->type))
            continue;
        members[count] = (struct ctf_member){m->name, m->name, NULL};
        *can = !string_map_get(seen, m->name, NULL);
        if (*can)
            rc = string_map_set(seen, m->name, 1);
        if (rc == 0 && *can)
            rc = adapt(a, m->type, &members[count].type);
        *can = *can && members[count++].type != NULL;
    }
    c->u.structure.members = members;
    c->u.structure.count = count;
    return rc;
}

/* A number of elements directly before them is aligned as they are. */
static int adapt_count(struct adapter *a, struct ctf_class *c)
{
    struct ctf_class *count =
        arena_copy(&a->trace->arena, c->u.array.count_type, sizeof *c->u.array.count_type);
    if (count == NULL)
        return TRACE_ERR_MEMORY;
    adapt_integer(&count->u.integer);
    if (count->align < c->align)
        count->align = c->align;
    c->u.array.count_type = count;
    return 0;
}

static int adapt_array(struct adapter *a, struct ctf_class *c, bool *can)
{
    bool has_bytes = c->u.array.element == NULL;
    int rc = has_bytes ? 0 : adapt(a, c->u.array.element, &c->u.array.element);
    c->u.array.role = CTF_NO_ROLE;
    *can = has_bytes ? c->align == 8 : c->u.array.element != NULL;
    if (rc != 0 || !*can)
        return rc;
    const struct ctf_class *field;
    if (c->u.array.count_type != NULL)
        return adapt_count(a, c);
    return adapt_reference(a, &c->u.array.count, &field, can);
}

/* --- variants ---------------------------------------------------------------------------------------- */

/* The ranges of the labels that select an option become its own. */
static int adapt_selection(struct adapter *a, const struct ctf_class *selector, struct ctf_option *option)
{
    if (option->range_count > 0 || selector == NULL || selector->kind != CTF_INTEGER)
        return 0;
    const struct ctf_integer *i = &selector->u.integer;
    const enum ctf_naming naming = ctf_option_naming(i, option);
    uint32_t count = 0;
    for (uint32_t n = 0; n < i->label_count; ++n)
        count += ctf_label_selects(i->labels[n].name, option, naming);
    struct ctf_range *ranges = arena_alloc(&a->trace->arena, count * sizeof *ranges);
    if (ranges == NULL)
        return TRACE_ERR_MEMORY;
    option->ranges = ranges;
    for (uint32_t n = 0; n < i->label_count; ++n)
        if (ctf_label_selects(i->labels[n].name, option, naming))
            ranges[option->range_count++] = i->labels[n].range;
    return 0;
}

static bool overlap(const struct ctf_option *one, const struct ctf_option *other, bool is_signed)
{
    for (uint32_t i = 0; i < one->range_count; ++i)
        for (uint32_t n = 0; n < other->range_count; ++n)
            if (ctf_range_has(&one->ranges[i], other->ranges[n].from, is_signed) ||
                ctf_range_has(&other->ranges[n], one->ranges[i].from, is_signed))
                return true;
    return false;
}

/* Two options must not have the same value, which takes long to find out for very many. */
static bool are_apart(const struct ctf_option *options, uint32_t count, bool is_signed)
{
    uint64_t ranges = 0;
    for (uint32_t i = 0; i < count; ++i)
        ranges += options[i].range_count;
    bool are = ranges <= RANGES_MAX;
    for (uint32_t i = 0; are && i < count; ++i)
        for (uint32_t n = 0; are && n < i; ++n)
            are = !overlap(&options[i], &options[n], is_signed);
    return are;
}

/* Keeps the options that can be selected. */
static int adapt_options(struct adapter *a, const struct ctf_class *selector, struct ctf_class *c,
                         struct ctf_option *options, bool *can)
{
    uint32_t count = 0;
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && *can && i < c->u.variant.count; ++i) {
        struct ctf_option option = options[i];
        rc = adapt_selection(a, selector, &option);
        if (rc != 0 || option.range_count == 0)
            continue;
        rc = adapt(a, option.type, &option.type);
        *can = option.type != NULL;
        options[count++] = option;
    }
    c->u.variant.options = options;
    c->u.variant.count = count;
    return rc;
}

static int adapt_variant(struct adapter *a, struct ctf_class *c, bool *can)
{
    struct ctf_option *options =
        arena_copy(&a->trace->arena, c->u.variant.options, c->u.variant.count * sizeof *options);
    const struct ctf_class *selector = NULL;
    int rc = options != NULL ? adapt_reference(a, &c->u.variant.selector, &selector, can) : TRACE_ERR_MEMORY;
    if (rc == 0 && *can)
        rc = adapt_options(a, selector, c, options, can);
    if (rc != 0 || !*can || !a->by_names)
        return rc;
    *can = c->u.variant.count > 0 &&
           are_apart(options, c->u.variant.count, selector != NULL && selector->u.integer.is_signed);
    return 0;
}

static int adapt_optional(struct adapter *a, struct ctf_class *c, bool *can)
{
    const struct ctf_class *field;
    int rc = adapt_reference(a, &c->u.optional.selector, &field, can);
    if (rc == 0 && *can)
        rc = adapt(a, c->u.optional.type, &c->u.optional.type);
    *can = *can && c->u.optional.type != NULL;
    return rc;
}

/* --- all --------------------------------------------------------------------------------------------- */

static int adapt_kind(struct adapter *a, const struct ctf_class *in, struct ctf_class *c, bool *can)
{
    switch (in->kind) {
    case CTF_INTEGER:
    case CTF_BOOL:
    case CTF_BITS:
        *can = adapt_integer(&c->u.integer);
        return 0;
    case CTF_FLOAT:
        c->u.real.is_reversed = false;
        return 0;
    case CTF_STRING:
        return 0;
    case CTF_STRUCT:
        return ctf_enclosing_adapt(&a->enclosing, in, c, adapt_members, a, can);
    case CTF_VARIANT:
        return adapt_variant(a, c, can);
    case CTF_OPTIONAL:
        return adapt_optional(a, c, can);
    default:
        return adapt_array(a, c, can);
    }
}

static int adapt(struct adapter *a, const struct ctf_class *in, const struct ctf_class **out)
{
    struct ctf_class *c = arena_copy(&a->trace->arena, in, sizeof *in);
    bool can = true;
    *out = NULL;
    if (c == NULL)
        return TRACE_ERR_MEMORY;
    int rc = adapt_kind(a, in, c, &can);
    if (rc == 0 && can)
        *out = c;
    return rc;
}

int ctf2_adapt(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
               const struct ctf_class **out)
{
    struct adapter a = {.trace = t, .by_names = from->dialect != CTF_2};
    return adapt(&a, in, out);
}
