/* SPDX-License-Identifier: MIT */
#include "runtime/length_code.h"
#include "specgen/arrays.h"
#include "specgen/emit_tables.h"
#include "specgen/emit_strings.h"
#include "specgen/objects.h"
#include "specgen/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Everything the tables refer to by index is collected first, then written. */
struct tables {
    struct specgen *g;
    struct list params;           /* const struct param * */
    struct list code;             /* uint16_t */
    struct list groups;           /* struct group *, those that are used */
    struct string_map code_index; /* program as text -> offset */
};

static unsigned add_code(struct tables *t, const struct length *length)
{
    struct buf text = BUF_INIT;
    uint64_t offset = t->code.count;
    if (length->count == 0)
        return SPEC_NO_INDEX;
    for (unsigned i = 0; i < length->count; ++i)
        buf_printf(&text, "%x,", length->code[i]);
    if (!string_map_get(&t->code_index, (const char *)text.data, &offset)) {
        index_set(t->g, &t->code_index, (const char *)text.data, offset);
        for (unsigned i = 0; i < length->count; ++i)
            list_push(t->g, &t->code, &length->code[i], sizeof length->code[i]);
    }
    buf_fini(&text);
    return (unsigned)offset;
}

/* A value is shown by the same name everywhere: that of the fallback group. There are two exceptions. 0 and 1
 * have many meanings, which only their groups distinguish; and values of another API have that API's names.
 */
static const struct enum_value *common_name(const struct specgen *g, const struct enum_value *e)
{
    const struct list *values = &LIST_AT(struct group *, g->groups, 0)->values;
    size_t prefix = strcspn(e->name, "_") + 1;
    for (size_t i = 0; i < values->count && e->value > 1; ++i) {
        const struct enum_value *common = LIST_AT(const struct enum_value *, *values, i);
        if (common->value == e->value && strncmp(common->name, e->name, prefix) == 0)
            return common;
    }
    return e;
}

static void add_name(struct specgen *g, struct list *names, const struct enum_value *e)
{
    for (size_t i = 0; i < names->count; ++i)
        if (LIST_AT(const struct enum_value *, *names, i) == e)
            return;
    list_push(g, names, &e, sizeof e);
}

/* Puts the names of a group that no rule has ordered in the order of preference. */
static void order_names(struct specgen *g, struct group *group)
{
    struct list names = {NULL, 0, 0};
    size_t n = group->values.count;
    if (group->ordered || n == 0)
        return;
    qsort(group->values.items, n, sizeof(struct enum_value *),
          group->bitmask ? enum_compare_mask : enum_compare_preference);
    for (size_t i = 0; i < n && !group->bitmask; ++i) {
        const struct enum_value *e = LIST_AT(const struct enum_value *, group->values, i);
        add_name(g, &names, common_name(g, e));
        add_name(g, &names, e);
    }
    if (!group->bitmask)
        group->values = names;
}

static void use_group(struct tables *t, int index)
{
    struct group *group = index >= 0 ? LIST_AT(struct group *, t->g->groups, index) : NULL;
    if (group == NULL || group->emitted >= 0)
        return;
    group->emitted = (int)t->groups.count;
    list_push(t->g, &t->groups, &group, sizeof group);
}

static bool same_length(const struct length *a, const struct length *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->code, b->code, a->count * sizeof *a->code) == 0);
}

static bool same_param(const struct param *a, const struct param *b)
{
    return strcmp(a->name, b->name) == 0 && a->type == b->type && a->form == b->form &&
           a->flags == b->flags && a->object == b->object && a->group == b->group &&
           a->structure == b->structure && a->key == b->key && a->symbols == b->symbols &&
           a->selector == b->selector && a->range == b->range && a->form_known == b->form_known &&
           is_pointer(a) == is_pointer(b) && same_length(&a->length, &b->length) &&
           same_length(&a->items, &b->items);
}

/* Most aliases have the same parameters as their function, which are then stored once. */
static void place_params(struct tables *t, struct function *f)
{
    const struct function *root = f->root;
    bool shared = root != f && root->param_count == f->param_count && root->id < f->id;
    for (unsigned k = 0; shared && k < f->param_count; ++k)
        shared = same_param(&f->params[k], &root->params[k]);
    f->first_param = shared ? root->first_param : (unsigned)t->params.count;
    for (unsigned k = 0; !shared && k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        list_push(t->g, &t->params, &p, sizeof p);
    }
}

static void collect(struct tables *t)
{
    use_group(t, 0);
    for (size_t i = 0; i < t->g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, t->g->functions, i);
        place_params(t, f);
        for (unsigned k = 0; k <= f->param_count; ++k) {
            const struct param *p = param_at(f, k);
            if (p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK))
                use_group(t, p->group);
            add_code(t, &p->length);
            add_code(t, &p->items);
        }
    }
    for (size_t i = 0; i < t->g->symbol_tables.count; ++i) {
        const struct list *entries = &LIST_AT(struct symbol_table *, t->g->symbol_tables, i)->entries;
        for (size_t k = 0; k < entries->count; ++k)
            use_group(t, LIST_AT(struct symbol_entry, *entries, k).group);
    }
    for (size_t i = 0; i < t->groups.count; ++i)
        order_names(t->g, LIST_AT(struct group *, t->groups, i));
}

static const char *type_name(enum spec_type type)
{
    static const char *const names[SPEC_TYPE_COUNT] = {"VOID", "I8",  "U8",   "I16",  "U16", "I32", "U32",
                                                       "I64",  "U64", "IPTR", "UPTR", "F32", "F64", "PTR"};
    return names[type];
}

static const char *form_name(enum spec_form form)
{
    static const char *const names[] = {"VALUE",  "OPAQUE",  "ARRAY",  "BLOB",
                                        "STRING", "STRINGS", "STRUCT", "BLOBS"};
    return names[form];
}

static void emit_index(struct buf *out, int index)
{
    if (index < 0 || index == SPEC_NO_INDEX)
        buf_printf(out, ", NONE");
    else
        buf_printf(out, ", %d", index);
}

/* {name, type, form, flags, object, group, length, key, symbols, selector, range, items} */
static void emit_param(struct tables *t, struct buf *out, const struct param *p, bool is_return)
{
    bool opaque = report_unresolved(p, is_return);
    enum spec_form form = opaque ? SPEC_FORM_OPAQUE : p->form;
    unsigned flags = opaque ? p->flags & ~(unsigned)SPEC_PARAM_OUT : p->flags;
    bool named = flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK);
    bool any_name = !named && (flags & SPEC_PARAM_ATTRIBS) != 0; /* keys that no rule gives a group */
    if (any_name)
        flags |= SPEC_PARAM_ENUM;
    int group = form == SPEC_FORM_STRUCT ? p->structure
                : any_name               ? 0
                : named                  ? LIST_AT(struct group *, t->g->groups, p->group)->emitted
                                         : -1;
    buf_printf(out, "{NAME(%s), SPEC_%s, SPEC_FORM_%s, %u, %d", is_return ? "" : p->name,
               type_name(opaque ? SPEC_PTR : p->type), form_name(form), flags, p->object);
    emit_index(out, group);
    emit_index(out, opaque ? -1 : (int)add_code(t, &p->length));
    emit_index(out, p->key);
    emit_index(out, opaque ? -1 : p->symbols);
    emit_index(out, opaque ? -1 : p->selector);
    emit_index(out, p->range);
    emit_index(out, opaque ? -1 : (int)add_code(t, &p->items));
    buf_printf(out, "}");
}

static void emit_params(struct tables *t, struct buf *out)
{
    buf_printf(out, "\n#define NONE SPEC_NO_INDEX\n\nconst struct spec_param spec_params[] = {\n");
    for (size_t i = 0; i < t->params.count; ++i) {
        buf_printf(out, "    ");
        emit_param(t, out, LIST_AT(const struct param *, t->params, i), false);
        buf_printf(out, ",\n");
    }
    buf_printf(
        out, "    {NAME(), SPEC_VOID, SPEC_FORM_VALUE, 0, 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE},\n};\n"
             "_Static_assert(sizeof spec_params / sizeof spec_params[0] <= SPEC_NO_INDEX, \"indices have 16 "
             "bits\");\n");
}

static unsigned function_flags(struct function *f)
{
    unsigned flags = f->flags | SPEC_FUNCTION_SCALAR;
    for (unsigned k = 0; k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        if (report_unresolved(p, false))
            continue;
        if (array_is_payload(p))
            flags &= ~(unsigned)SPEC_FUNCTION_SCALAR;
        if (p->flags & SPEC_PARAM_OUT)
            flags |= SPEC_FUNCTION_HAS_OUT;
    }
    const unsigned not_plain = SPEC_FUNCTION_END_FRAME | SPEC_FUNCTION_READS_BUFFERS | SPEC_FUNCTION_HAS_OUT;
    if ((flags & not_plain) == 0 && (report_unresolved(&f->ret, true) || !array_is_payload(&f->ret)) &&
        f->before == NULL && f->after == NULL) {
        if ((flags & SPEC_FUNCTION_SCALAR) != 0)
            flags |= SPEC_FUNCTION_PLAIN;
        else if (array_only(f) >= 0)
            flags |= SPEC_FUNCTION_ONE_ARRAY;
    }
    return flags;
}

/* The members of struct spec_function that describe a function's only array. */
static void emit_array(const struct function *f, unsigned flags, struct buf *out)
{
    unsigned unit, count;
    if (((flags & SPEC_FUNCTION_ONE_ARRAY) == 0 && f->runner == 0) || array_only(f) < 0) {
        buf_printf(out, "0, 0, 0, 0");
        return;
    }
    unsigned index = (unsigned)array_only(f);
    const struct param *p = &f->params[index];
    if (!array_length(&p->length, &unit, &count)) {
        unit = 0;
        count = SPEC_NO_PARAM;
    }
    buf_printf(out, "%u, %zu, %u, %u", index, spec_type_size(p->type), unit, count);
}

static unsigned name_index(const struct list *names, const char *name)
{
    for (size_t i = 0; name != NULL && i < names->count; ++i)
        if (strcmp(LIST_AT(const char *, *names, i), name) == 0)
            return (unsigned)i + 1;
    return 0;
}

static void emit_functions(struct tables *t, struct buf *out)
{
    const struct specgen *g = t->g;
    buf_printf(out, "\nconst struct spec_function spec_functions[SPEC_FUNCTION_COUNT] = {\n");
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        buf_printf(out, "    {NAME(%s), ", f->name);
        emit_param(t, out, &f->ret, true);
        unsigned flags = function_flags(f);
        buf_printf(out, ", %u, %u, %u, %u, %u, %u, %d, %u, %u, %u, %u, ",
                   f->param_count > 0 ? f->first_param : 0, f->id, f->root->id, f->shape, f->runner,
                   f->param_count, f->api, flags, name_index(&g->hooks, f->before),
                   name_index(&g->hooks, f->after), name_index(&g->handlers, f->replay));
        emit_array(f, flags, out);
        buf_printf(out, ", %u, %u},\n", f->sets, f->sets_by != NULL ? f->sets_by->id : SPEC_NO_INDEX);
    }
    buf_printf(out, "};\nconst unsigned spec_function_count = SPEC_FUNCTION_COUNT;\n");
}

static int compare_functions(const void *a, const void *b)
{
    const struct function *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static void emit_function_order(struct tables *t, struct buf *out)
{
    size_t n = t->g->functions.count;
    struct function **sorted = specgen_alloc(t->g, n * sizeof *sorted);
    if (n > 0)
        memcpy(sorted, t->g->functions.items, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_functions);
    buf_printf(out, "\nconst uint16_t spec_functions_by_name[SPEC_FUNCTION_COUNT] = {");
    for (size_t i = 0; i < n; ++i)
        buf_printf(out, "%s%u,", i % 16 == 0 ? "\n    " : " ", sorted[i]->id);
    buf_printf(out, "\n};\n");
}

static int compare_values(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void emit_names_of(struct buf *out, const struct group *group)
{
    buf_printf(out, "    /* %s */\n", group->name);
    for (size_t i = 0; i < group->values.count; ++i) {
        const struct enum_value *e = LIST_AT(const struct enum_value *, group->values, i);
        buf_printf(out, "    {INT64_C(%" PRId64 "), NAME(%s)},\n", e->value, e->name);
    }
}

/* Returns how many values are distinct. */
static unsigned emit_values_of(struct specgen *g, struct buf *out, const struct group *group)
{
    size_t n = group->values.count;
    int64_t *values = specgen_alloc(g, (n + 1) * sizeof *values);
    unsigned distinct = 0;
    for (size_t i = 0; i < n; ++i)
        values[i] = LIST_AT(const struct enum_value *, group->values, i)->value;
    qsort(values, n, sizeof *values, compare_values);
    buf_printf(out, "    /* %s */", group->name);
    for (size_t i = 0; i < n; ++i)
        if (i == 0 || values[i] != values[i - 1])
            buf_printf(out, "%sINT64_C(%" PRId64 "),", distinct++ % 6 == 0 ? "\n    " : " ", values[i]);
    buf_printf(out, "\n");
    return distinct;
}

static void emit_groups(struct tables *t, struct buf *out)
{
    unsigned *distinct = specgen_alloc(t->g, t->groups.count * sizeof *distinct);
    size_t first_name = 0, first_value = 0;
    buf_printf(out, "\nconst struct spec_enum_value spec_enum_values[] = {\n");
    for (size_t i = 0; i < t->groups.count; ++i)
        emit_names_of(out, LIST_AT(struct group *, t->groups, i));

    buf_printf(out, "    {0, NAME()},\n};\n\nconst int64_t spec_values[] = {\n");
    for (size_t i = 0; i < t->groups.count; ++i)
        distinct[i] = emit_values_of(t->g, out, LIST_AT(struct group *, t->groups, i));
    buf_printf(out, "    0,\n};\n\nconst struct spec_group spec_groups[SPEC_GROUP_COUNT] = {\n");
    for (size_t i = 0; i < t->groups.count; ++i) {
        const struct group *group = LIST_AT(struct group *, t->groups, i);
        buf_printf(out, "    {NAME(%s), %zu, %zu, %zu, %u, %s},\n", group->name, first_name, first_value,
                   group->values.count, distinct[i], group->bitmask ? "true" : "false");
        first_name += group->values.count;
        first_value += distinct[i];
    }
    buf_printf(out, "};\nconst unsigned spec_group_count = SPEC_GROUP_COUNT;\n");
}

static void emit_structs(struct tables *t, struct buf *out)
{
    const struct list *structs = &t->g->structs;
    size_t first = 0;
    buf_printf(out, "\nconst struct spec_member spec_members[] = {\n");
    for (size_t i = 0; i < structs->count; ++i) {
        const struct structure *s = LIST_AT(struct structure *, *structs, i);
        buf_printf(out, "    /* %s */\n", s->name);
        for (size_t k = 0; k < s->members.count; ++k) {
            const struct member *m = &LIST_AT(struct member, s->members, k);
            buf_printf(out, "    {NAME(%s), SPEC_%s, {%u, %u}},\n", m->name, type_name(m->type),
                       m->offsets[0], m->offsets[1]);
        }
    }
    buf_printf(out, "    {NAME(), SPEC_VOID, {0, 0}},\n};\n"
                    "\nconst struct spec_struct spec_structs[SPEC_STRUCT_COUNT + 1] = {\n");
    for (size_t i = 0; i < structs->count; ++i) {
        const struct structure *s = LIST_AT(struct structure *, *structs, i);
        buf_printf(out, "    {NAME(%s), %zu, %zu, {%u, %u}},\n", s->name, first, s->members.count,
                   s->sizes[0], s->sizes[1]);
        first += s->members.count;
    }
    buf_printf(out,
               "    {NAME(), 0, 0, {0, 0}},\n};\nconst unsigned spec_struct_count = SPEC_STRUCT_COUNT;\n");
}

static void emit_code(struct tables *t, struct buf *out)
{
    buf_printf(out, "\nconst uint16_t spec_length_code[] = {");
    for (size_t i = 0; i < t->code.count; ++i)
        buf_printf(out, "%s%u,", i % 20 == 0 ? "\n    " : " ", LIST_AT(uint16_t, t->code, i));
    buf_printf(out, "\n    %d,\n};\nconst unsigned spec_length_code_count = %zu;\n", LENGTH_END,
               t->code.count);
}

static int compare_entries(const void *a, const void *b)
{
    const struct count_entry *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void emit_count_tables(struct tables *t, struct buf *out)
{
    const struct list *tables = &t->g->tables;
    size_t first = 0;
    buf_printf(out, "\nconst struct length_count spec_length_counts[] = {\n");
    for (size_t i = 0; i < tables->count; ++i) {
        struct count_table *table = LIST_AT(struct count_table *, *tables, i);
        if (table->entries.count > 0)
            qsort(table->entries.items, table->entries.count, sizeof(struct count_entry), compare_entries);
        buf_printf(out, "    /* %s */\n", table->name);
        for (size_t k = 0; k < table->entries.count; ++k) {
            const struct count_entry *e = &LIST_AT(struct count_entry, table->entries, k);
            buf_printf(out, "    {0x%" PRIx32 ", %" PRId32 ", 0x%" PRIx32 "},\n", e->value, e->count, e->get);
        }
    }
    buf_printf(out, "    {0, 0, 0},\n};\n\nconst struct length_table spec_length_tables[] = {\n");
    for (size_t i = 0; i < tables->count; ++i) {
        const struct count_table *table = LIST_AT(struct count_table *, *tables, i);
        buf_printf(out, "    {%zu, %zu, %" PRId32 "}, /* %s */\n", first, table->entries.count,
                   table->default_count, table->name);
        first += table->entries.count;
    }
    buf_printf(out, "    {0, 0, -1},\n};\nconst unsigned spec_length_table_count = %zu;\n", tables->count);
}

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol_entry *x = a, *y = b;
    return x->selector < y->selector ? -1 : x->selector > y->selector;
}

static void emit_symbol_tables(struct tables *t, struct buf *out)
{
    const struct list *tables = &t->g->symbol_tables;
    size_t first = 0;
    buf_printf(out, "\nconst struct spec_symbol spec_symbols[] = {\n");
    for (size_t i = 0; i < tables->count; ++i) {
        struct symbol_table *table = LIST_AT(struct symbol_table *, *tables, i);
        qsort(table->entries.items, table->entries.count, sizeof(struct symbol_entry), compare_symbols);
        buf_printf(out, "    /* %s */\n", table->name);
        for (size_t k = 0; k < table->entries.count; ++k) {
            const struct symbol_entry *e = &LIST_AT(struct symbol_entry, table->entries, k);
            const struct group *group = LIST_AT(struct group *, t->g->groups, e->group);
            buf_printf(out, "    {0x%" PRIx32 ", %d}, /* %s */\n", e->selector, group->emitted, group->name);
        }
    }
    buf_printf(out, "    {0, 0},\n};\n\nconst struct spec_symbol_table spec_symbol_tables[] = {\n");
    for (size_t i = 0; i < tables->count; ++i) {
        const struct symbol_table *table = LIST_AT(struct symbol_table *, *tables, i);
        buf_printf(out, "    {%zu, %zu}, /* %s */\n", first, table->entries.count, table->name);
        first += table->entries.count;
    }
    buf_printf(out, "    {0, 0},\n};\nconst unsigned spec_symbol_table_count = %zu;\n", tables->count);
}

void emit_tables(struct specgen *g, struct buf *out)
{
    struct tables t = {.g = g};
    collect(&t);
    emit_banner(out, "The tables of runtime/spec.h.");
    buf_printf(
        out,
        "#include \"runtime/length_code.h\"\n#include \"runtime/spec.h\"\n#include \"runtime/tables.h\"\n"
        "#include \"spec_ids.h\"\n\n#include <stddef.h>\n");
    emit_strings(g, &t.groups, out);
    emit_params(&t, out);
    emit_functions(&t, out);
    emit_function_order(&t, out);
    emit_groups(&t, out);
    emit_structs(&t, out);
    emit_object_kinds(g, out);
    emit_code(&t, out);
    emit_count_tables(&t, out);
    emit_symbol_tables(&t, out);
    buf_printf(out, "\nconst unsigned spec_shape_count = SPEC_SHAPE_COUNT;\n");
    string_map_fini(&t.code_index);
}

/* Returns the highest number of pointers to memory that a function has, including its return value. */
static unsigned most_payloads(const struct specgen *g)
{
    unsigned most = 1;
    for (size_t i = 0; i < g->functions.count; ++i) {
        const struct function *f = LIST_AT(struct function *, g->functions, i);
        unsigned count = array_is_payload(&f->ret);
        for (unsigned k = 0; k < f->param_count; ++k)
            count += array_is_payload(&f->params[k]);
        most = count > most ? count : most;
    }
    return most;
}

void emit_ids(struct specgen *g, struct buf *out)
{
    emit_banner(out, "Numbers of functions, enum groups, object kinds and structs.");
    buf_printf(out, "#ifndef SPEC_IDS_H\n#define SPEC_IDS_H\n\nenum spec_function_id {\n");
    for (size_t i = 0; i < g->functions.count; ++i)
        buf_printf(out, "    SPEC_FN_%s,\n", LIST_AT(struct function *, g->functions, i)->name);
    buf_printf(out, "    SPEC_FUNCTION_COUNT\n};\n\nenum spec_group_id {\n");
    struct list order = {NULL, 0, 0};
    for (size_t i = 0; i < g->groups.count; ++i) {
        struct group *group = LIST_AT(struct group *, g->groups, i);
        if (group->emitted >= 0)
            list_push(g, &order, &group, sizeof group);
    }
    for (size_t i = 0; i < order.count; ++i) {
        const struct group *group = LIST_AT(struct group *, order, i);
        buf_printf(out, "    SPEC_GROUP_%s = %d,\n", group->name, group->emitted);
    }
    buf_printf(out, "    SPEC_GROUP_COUNT = %zu\n};\n\nenum spec_object {\n", order.count);
    for (size_t i = 0; i < g->objects.count; ++i)
        buf_printf(out, "    SPEC_OBJECT_%s,\n", LIST_AT(const struct object_kind *, g->objects, i)->name);
    buf_printf(out, "    SPEC_OBJECT_COUNT\n};\n\nenum spec_struct_id {\n");
    for (size_t i = 0; i < g->structs.count; ++i)
        buf_printf(out, "    SPEC_STRUCT_%s,\n", LIST_AT(struct structure *, g->structs, i)->name);
    buf_printf(
        out,
        "    SPEC_STRUCT_COUNT\n};\n\nenum { SPEC_SHAPE_COUNT = %u, SPEC_MAX_PAYLOADS = %u };\n\n#endif\n",
        g->shape_count, most_payloads(g));
}

void emit_names(struct specgen *g, struct buf *out, const char *macro, const struct list *names)
{
    (void)g;
    emit_banner(out, "Names that rules use, numbered from 1 in this order.");
    for (size_t i = 0; i < names->count; ++i)
        buf_printf(out, "%s(%s)\n", macro, LIST_AT(const char *, *names, i));
}
