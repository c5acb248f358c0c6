/* SPDX-License-Identifier: MIT */
#include "specgen/declare.h"
#include "specgen/glob.h"
#include "specgen/objects.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Declarations are rules that define a name rather than describe a parameter. They are applied before all
 * other rules, wherever they stand. */

static const struct {
    const char *name;
    enum spec_type type;
    int kind;
} scalars[] = {
    {"void", SPEC_VOID, TYPE_PLAIN},    {"i8", SPEC_I8, TYPE_PLAIN},     {"u8", SPEC_U8, TYPE_PLAIN},
    {"i16", SPEC_I16, TYPE_PLAIN},      {"u16", SPEC_U16, TYPE_PLAIN},   {"i32", SPEC_I32, TYPE_PLAIN},
    {"u32", SPEC_U32, TYPE_PLAIN},      {"i64", SPEC_I64, TYPE_PLAIN},   {"u64", SPEC_U64, TYPE_PLAIN},
    {"iptr", SPEC_IPTR, TYPE_PLAIN},    {"uptr", SPEC_UPTR, TYPE_PLAIN}, {"f32", SPEC_F32, TYPE_PLAIN},
    {"f64", SPEC_F64, TYPE_PLAIN},      {"ptr", SPEC_PTR, TYPE_PLAIN},   {"char", SPEC_I8, TYPE_CHAR},
    {"handle", SPEC_VOID, TYPE_HANDLE},
};

static void add_type(struct specgen *g, const struct rule *r, const char *name, const struct type_info *like)
{
    if (find_type(g, name) != NULL) {
        specgen_error(g, r->source, "type %s is already declared", name);
        return;
    }
    struct type_info *t = specgen_alloc(g, sizeof *t);
    *t = *like;
    t->name = name;
    t->source = r->source;
    index_set(g, &g->type_index, name, g->types.count);
    list_push(g, &g->types, &t, sizeof t);
}

/* type NAMES = SCALAR [enum GROUP | bitmask GROUP] */
static void declare_type(struct specgen *g, const struct rule *r)
{
    const char *s = r->value;
    const char *scalar = next_word(g, &s), *word = next_word(g, &s), *group = next_word(g, &s);
    struct type_info like = {.group = -1, .structure = -1, .type = SPEC_TYPE_COUNT};
    for (size_t i = 0; scalar != NULL && i < sizeof scalars / sizeof *scalars; ++i) {
        if (strcmp(scalar, scalars[i].name) == 0) {
            like.type = scalars[i].type;
            like.kind = scalars[i].kind;
        }
    }
    if (like.type == SPEC_TYPE_COUNT) {
        specgen_error(g, r->source, "unknown scalar '%s'", scalar != NULL ? scalar : "");
        return;
    }
    if (word != NULL) {
        bool is_enum = strcmp(word, "enum") == 0;
        if ((!is_enum && strcmp(word, "bitmask") != 0) || group == NULL || *s != '\0') {
            specgen_error(g, r->source, "'enum GROUP' or 'bitmask GROUP' expected after '%s'", scalar);
            return;
        }
        like.value_flags = is_enum ? SPEC_PARAM_ENUM : SPEC_PARAM_BITMASK;
        like.group = find_group(g, group);
        if (like.group < 0) {
            specgen_error(g, r->source, "unknown group '%s'", group);
            return;
        }
    }
    struct list names = glob_expand(g, r->subject);
    for (size_t i = 0; i < names.count; ++i)
        add_type(g, r, LIST_AT(struct glob, names, i).pattern, &like);
}

static bool in_list(const struct list *values, const struct enum_value *e)
{
    for (size_t i = 0; i < values->count; ++i)
        if (LIST_AT(const struct enum_value *, *values, i) == e)
            return true;
    return false;
}

/* `!<NUMBER` removes the enums with smaller values: too many things are called 1. */
static void remove_below(struct specgen *g, const struct rule *r, const char *number, struct list *values)
{
    char *end;
    int64_t limit = strtoll(number, &end, 0);
    struct list kept = {NULL, 0, 0};
    if (end == number || *end != '\0')
        specgen_error(g, r->source, "'!<%s' is not !<NUMBER", number);
    for (size_t i = 0; i < values->count; ++i) {
        const struct enum_value *e = LIST_AT(const struct enum_value *, *values, i);
        if (e->value >= limit)
            list_push(g, &kept, &e, sizeof e);
    }
    *values = kept;
}

/* Adds (or with `!` removes) the enums that a word of a names rule stands for. */
static void apply_names_word(struct specgen *g, const struct rule *r, const char *word, struct list *values)
{
    const char *colon = strchr(word, ':');
    if (strncmp(word, "!<", 2) == 0) {
        remove_below(g, r, word + 2, values);
        return;
    }
    if (colon != NULL) {
        struct enum_value *e = specgen_alloc(g, sizeof *e);
        char *end;
        *e = (struct enum_value){.name = specgen_strndup(g, word, (size_t)(colon - word)), .groups = ""};
        e->value = strtoll(colon + 1, &end, 0);
        if (colon == word || colon[1] == '\0' || *end != '\0')
            specgen_error(g, r->source, "'%s' is not NAME:NUMBER", word);
        list_push(g, values, &e, sizeof e);
        return;
    }
    bool remove = word[0] == '!';
    struct list globs = glob_expand(g, word + remove), kept = {NULL, 0, 0}, *out = remove ? &kept : values;
    size_t first = values->count;
    for (size_t i = 0; i < (remove ? values->count : g->enums.count); ++i) {
        const struct enum_value *e = LIST_AT(const struct enum_value *, *(remove ? values : &g->enums), i);
        bool matches = glob_match(&globs, e->name);
        glob_mark(&globs, e->name);
        if (matches != remove && !in_list(out, e))
            list_push(g, out, &e, sizeof e);
    }
    if (remove)
        *values = kept;
    else if (values->count > first)
        qsort((const struct enum_value **)values->items + first, values->count - first,
              sizeof(struct enum_value *), enum_compare_preference);
    if (glob_unused(&globs) != NULL)
        specgen_error(g, r->source, "'%s' matches no enum", glob_unused(&globs));
}

/* names GROUP = GLOB | !GLOB | !<NUMBER | NAME:NUMBER, several of them; `bits` likewise for a bitmask */
static void declare_names(struct specgen *g, const struct rule *r)
{
    int index = group_intern(g, r->subject, r->kind[0] == 'b');
    struct group *group = LIST_AT(struct group *, g->groups, index);
    group->bitmask = r->kind[0] == 'b';
    group->values = (struct list){NULL, 0, 0};
    group->ordered = true;
    const char *s = r->value;
    const char *word = next_word(g, &s);
    if (word == NULL)
        specgen_error(g, r->source, "a group needs names");
    for (; word != NULL; word = next_word(g, &s))
        apply_names_word(g, r, word, &group->values);
}

static struct count_table *intern_table(struct specgen *g, const char *name)
{
    struct count_table *t = find_table(g, name);
    if (t == NULL) {
        t = specgen_alloc(g, sizeof *t);
        t->name = name;
        t->default_count = -1;
        list_push(g, &g->tables, &t, sizeof t);
    }
    return t;
}

static void set_count(struct specgen *g, struct count_table *t, struct count_entry entry)
{
    for (size_t i = 0; i < t->entries.count; ++i) {
        if (LIST_AT(struct count_entry, t->entries, i).value == entry.value) {
            LIST_AT(struct count_entry, t->entries, i) = entry;
            return;
        }
    }
    list_push(g, &t->entries, &entry, sizeof entry);
}

/* The part before the dot of TABLE.ENUMS; NULL (reported) when there is none. */
static const char *table_name(struct specgen *g, const struct rule *r)
{
    size_t n = strcspn(r->subject, ".");
    if (n > 0 && r->subject[n] == '.')
        return specgen_strndup(g, r->subject, n);
    specgen_error(g, r->source, "TABLE.ENUM expected, not '%s'", r->subject);
    return NULL;
}

/* Returns the enums that ENUMS of TABLE.ENUMS stands for. */
static struct list table_enums(struct specgen *g, const struct rule *r)
{
    return glob_match_enums(g, r, strchr(r->subject, '.') + 1);
}

/* NUMBER or get(ENUM) */
static bool parse_count(struct specgen *g, const struct rule *r, struct count_entry *out)
{
    size_t n = strlen(r->value);
    char *end;
    if (strncmp(r->value, "get(", 4) != 0 || r->value[n - 1] != ')') {
        out->count = (int32_t)strtol(r->value, &end, 0);
        if (n == 0 || *end != '\0')
            specgen_error(g, r->source, "a number or get(ENUM) is expected, not '%s'", r->value);
        return n > 0 && *end == '\0';
    }
    const char *name = specgen_strndup(g, r->value + 4, n - 5);
    const struct enum_value *e = find_enum(g, name);
    if (e == NULL)
        specgen_error(g, r->source, "unknown enum '%s'", name);
    else
        out->get = (uint32_t)e->value;
    return e != NULL;
}

/* count TABLE.ENUMS = NUMBER | get(ENUM); count TABLE.default = NUMBER */
static void declare_count(struct specgen *g, const struct rule *r)
{
    const char *name = table_name(g, r);
    struct count_entry entry = {0, 0, 0};
    if (name == NULL || !parse_count(g, r, &entry))
        return;
    struct count_table *t = intern_table(g, name);
    if (strcmp(strchr(r->subject, '.') + 1, "default") == 0) {
        t->default_count = entry.count;
        return;
    }
    struct list enums = table_enums(g, r);
    for (size_t i = 0; i < enums.count; ++i) {
        entry.value = (uint32_t)LIST_AT(const struct enum_value *, enums, i)->value;
        set_count(g, t, entry);
    }
}

/* values TABLE.ENUMS = GROUP: what the values that go with these pnames or attributes are */
static void declare_values(struct specgen *g, const struct rule *r)
{
    const char *name = table_name(g, r);
    if (name == NULL)
        return;
    int group = find_group(g, r->value), index = find_symbol_table(g, name, strlen(name));
    if (group < 0) {
        specgen_error(g, r->source, "unknown group '%s'", r->value);
        return;
    }
    if (index < 0) {
        struct symbol_table *t = specgen_alloc(g, sizeof *t);
        t->name = name;
        index = (int)g->symbol_tables.count;
        list_push(g, &g->symbol_tables, &t, sizeof t);
    }
    struct symbol_table *t = LIST_AT(struct symbol_table *, g->symbol_tables, index);
    struct list enums = table_enums(g, r);
    for (size_t i = 0; i < enums.count; ++i) {
        struct symbol_entry entry = {(uint32_t)LIST_AT(const struct enum_value *, enums, i)->value, group};
        size_t k = 0;
        while (k < t->entries.count && LIST_AT(struct symbol_entry, t->entries, k).selector != entry.selector)
            ++k;
        if (k < t->entries.count)
            LIST_AT(struct symbol_entry, t->entries, k) = entry;
        else
            list_push(g, &t->entries, &entry, sizeof entry);
    }
}

/* Splits `const void *src` into type and name. */
static bool split_declaration(struct specgen *g, const char *text, size_t n, struct c_type *type,
                              const char **name)
{
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        --n;
    size_t start = n;
    while (start > 0 && (isalnum((unsigned char)text[start - 1]) || text[start - 1] == '_'))
        --start;
    *name = specgen_strndup(g, text + start, n - start);
    return start < n && c_type_parse(g, specgen_strndup(g, text, start), type);
}

/* Puts a member of this type after those before it. i386 aligns no member to more than 4 bytes. */
static void lay_out(struct structure *structure, struct member *m, unsigned *alignments)
{
    for (enum spec_abi abi = SPEC_ABI_32; abi <= SPEC_ABI_64; ++abi) {
        unsigned bytes = (unsigned)spec_type_size(spec_fixed_type(m->type, abi));
        unsigned alignment = abi == SPEC_ABI_32 && bytes > 4 ? 4 : bytes;
        m->offsets[abi] = (structure->sizes[abi] + alignment - 1) / alignment * alignment;
        structure->sizes[abi] = m->offsets[abi] + bytes;
        alignments[abi] = alignment > alignments[abi] ? alignment : alignments[abi];
    }
}

/* struct NAME { TYPE MEMBER; … } */
static void declare_struct(struct specgen *g, const struct rule *r)
{
    const char *open = strchr(r->subject, '{');
    const char *name_start = r->subject;
    const char *name = next_word(g, &name_start);
    if (open == NULL || name == NULL || name[0] == '{') {
        specgen_error(g, r->source, "struct NAME { TYPE MEMBER; } expected");
        return;
    }
    struct structure *structure = specgen_alloc(g, sizeof *structure);
    structure->name = name;
    unsigned alignments[] = {1, 1};
    for (const char *s = open + 1; *(s += strspn(s, " \t")) != '}' && *s != '\0';) {
        size_t n = strcspn(s, ";}");
        struct c_type c;
        struct member m;
        struct type_info *t = split_declaration(g, s, n, &c, &m.name) ? find_type(g, c.base) : NULL;
        if (s[n] != ';' || t == NULL ||
            (c.pointers == 0 && (t->type == SPEC_VOID || t->kind == TYPE_STRUCT))) {
            specgen_error(g, r->source, "'%.*s' is not a member of a known type", (int)n, s);
            return;
        }
        t->used = true;
        m.type = c.pointers > 0 ? SPEC_PTR : t->type;
        lay_out(structure, &m, alignments);
        list_push(g, &structure->members, &m, sizeof m);
        s += n + 1;
    }
    for (unsigned abi = 0; abi < 2; ++abi)
        structure->sizes[abi] =
            (structure->sizes[abi] + alignments[abi] - 1) / alignments[abi] * alignments[abi];
    struct type_info like = {.kind = TYPE_STRUCT, .group = -1, .structure = (int)g->structs.count};
    list_push(g, &g->structs, &structure, sizeof structure);
    add_type(g, r, name, &like);
}

/* prototype TYPE NAME(TYPE PARAMETER, …): a function of a plain C library */
static void declare_prototype(struct specgen *g, const struct rule *r)
{
    const char *open = strchr(r->subject, '('), *close = strrchr(r->subject, ')');
    struct function *f = specgen_alloc(g, sizeof *f);
    struct list params = {NULL, 0, 0};
    param_init(&f->ret);
    f->ret.source = f->source = r->source;
    f->api = SPEC_API_C;
    f->root = f;
    if (open == NULL || close == NULL || close[1] != '\0' ||
        !split_declaration(g, r->subject, (size_t)(open - r->subject), &f->ret.c, &f->name)) {
        specgen_error(g, r->source, "TYPE NAME(TYPE PARAMETER, …) expected");
        return;
    }
    for (const char *s = open + 1; s < close;) {
        size_t n = strcspn(s, ",)");
        struct param p;
        param_init(&p);
        p.source = r->source;
        p.len_function = f;
        if (!split_declaration(g, s, n, &p.c, &p.name)) {
            if (n == 4 && memcmp(s, "void", 4) == 0 && params.count == 0)
                break;
            specgen_error(g, r->source, "'%.*s' is not TYPE PARAMETER", (int)n, s);
            return;
        }
        list_push(g, &params, &p, sizeof p);
        s += n + 1;
    }
    if (find_function(g, f->name) != NULL) {
        specgen_error(g, r->source, "%s is already declared", f->name);
        return;
    }
    f->params = params.items;
    f->param_count = (unsigned)params.count;
    index_set(g, &g->function_index, f->name, g->functions.count);
    list_push(g, &g->functions, &f, sizeof f);
}

static const struct {
    const char *kind;
    void (*apply)(struct specgen *, const struct rule *);
} declarations[] = {
    {"type", declare_type},           {"names", declare_names},   {"bits", declare_names},
    {"count", declare_count},         {"struct", declare_struct}, {"values", declare_values},
    {"prototype", declare_prototype}, {"kind", declare_kind},     {"identifier", declare_identifier},
    {"answer", declare_answer},
};

bool declare_is(const char *kind)
{
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; ++i)
        if (strcmp(kind, declarations[i].kind) == 0)
            return true;
    return false;
}

void declare_apply(struct specgen *g, const struct rule *r)
{
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; ++i)
        if (strcmp(r->kind, declarations[i].kind) == 0)
            declarations[i].apply(g, r);
}
