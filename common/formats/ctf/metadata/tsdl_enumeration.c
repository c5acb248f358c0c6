/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_enumeration.h"

#include "base/array.h"
#include "base/error.h"
#include "base/hash_map.h"

#include <stdlib.h>

struct listed_label {
    struct ctf_label label;
    size_t first; /* index of the first label of its name */
};

struct label_list {
    struct listed_label *items;
    struct string_map names; /* the first label of each */
    size_t count;
    size_t room;
    uint64_t next; /* value of a label that has none */
};

static int parse_range(struct tsdl_parser *p, bool is_signed, struct ctf_range *range)
{
    uint32_t line = p->token.line;
    bool is_negative;
    int rc = tsdl_take_number(p, &range->from, &is_negative);
    range->to = range->from;
    if (rc == 0 && p->token.kind == TSDL_ELLIPSIS) {
        rc = tsdl_advance(p);
        if (rc == 0)
            rc = tsdl_take_number(p, &range->to, &is_negative);
    }
    if (rc == 0 && !ctf_range_has(range, range->from, is_signed))
        rc = tsdl_fail(p, line, "a range ends before it begins");
    return rc;
}

static int find_first(struct label_list *list, const char *name, size_t *out)
{
    uint64_t index = list->count;
    if (!string_map_get(&list->names, name, &index) && string_map_set(&list->names, name, index) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    *out = (size_t)index;
    return 0;
}

static int parse_label(struct tsdl_parser *p, bool is_signed, struct label_list *list)
{
    bool has_value;
    if (ARRAY_RESERVE(list->items, list->count, list->room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    struct listed_label *item = &list->items[list->count];
    struct ctf_label *label = &item->label;
    int rc = p->token.kind == TSDL_STRING ? tsdl_take_string(p, &label->name)
                                          : tsdl_take_word(p, &label->name, "a label");
    if (rc == 0)
        rc = find_first(list, label->name, &item->first);
    if (rc == 0)
        rc = tsdl_skip_sign(p, '=', &has_value);
    if (rc != 0)
        return rc;
    label->range = (struct ctf_range){list->next, list->next};
    if (has_value)
        rc = parse_range(p, is_signed, &label->range);
    list->next = label->range.to + 1;
    list->count++;
    return rc;
}

static int parse_list(struct tsdl_parser *p, bool is_signed, struct label_list *list)
{
    bool more = true;
    int rc = tsdl_expect_sign(p, '{');
    while (rc == 0 && more && !tsdl_at_sign(p, '}')) {
        rc = parse_label(p, is_signed, list);
        if (rc == 0)
            rc = tsdl_skip_sign(p, ',', &more);
    }
    return rc == 0 ? tsdl_expect_sign(p, '}') : rc;
}

static int compare_labels(const void *a, const void *b)
{
    const struct listed_label *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->label.range.from < y->label.range.from ? -1 : x->label.range.from > y->label.range.from;
}

/* All ranges of a name stand where it is declared first. */
static const struct ctf_label *copy_labels(struct tsdl_parser *p, const struct label_list *list)
{
    struct ctf_label *labels = arena_alloc(&p->trace->arena, list->count * sizeof *labels);
    qsort(list->items, list->count, sizeof *list->items, compare_labels);
    for (size_t i = 0; labels != NULL && i < list->count; ++i)
        labels[i] = list->items[i].label;
    return labels;
}

static int make_enumeration(struct tsdl_parser *p, const struct ctf_class *container,
                            const struct label_list *list, const struct ctf_class **out)
{
    struct ctf_class *c = ctf_trace_new_class(p->trace, CTF_INTEGER, container->align);
    const struct ctf_label *labels = copy_labels(p, list);
    if (c == NULL || labels == NULL)
        return TRACE_ERR_MEMORY;
    c->u.integer = container->u.integer;
    c->u.integer.is_enum = true;
    c->u.integer.is_character = false;
    c->u.integer.label_count = (uint32_t)list->count;
    c->u.integer.labels = labels;
    *out = c;
    return 0;
}

int tsdl_parse_labels(struct tsdl_parser *p, const struct ctf_class *container, const struct ctf_class **out)
{
    struct label_list list = {.items = NULL};
    if (container->kind != CTF_INTEGER)
        return tsdl_fail(p, 0, "an enumeration needs a type of integers");
    int rc = parse_list(p, container->u.integer.is_signed, &list);
    if (rc == 0 && list.count == 0)
        rc = tsdl_fail(p, 0, "an enumeration needs at least one label");
    if (rc == 0)
        rc = make_enumeration(p, container, &list, out);
    free(list.items);
    string_map_fini(&list.names);
    return rc;
}
