/* SPDX-License-Identifier: MIT */
#include "specgen/specgen_model.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(void)
{
    fputs("specgen: error: out of memory\n", stderr);
    exit(1);
}

void specgen_error(struct specgen *g, struct source at, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fprintf(stderr, "%s:%u: error: ", at.file, at.line);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
    g->errors++;
}

void *specgen_alloc(struct specgen *g, size_t size)
{
    void *p = arena_alloc(&g->arena, size);
    if (p == NULL)
        out_of_memory();
    memset(p, 0, size);
    return p;
}

const char *specgen_strndup(struct specgen *g, const char *s, size_t n)
{
    char *copy = specgen_alloc(g, n + 1);
    if (n > 0) /* s may be the NULL of an empty buffer */
        memcpy(copy, s, n);
    return copy;
}

const char *specgen_format(struct specgen *g, const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *text = specgen_alloc(g, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

void list_push(struct specgen *g, struct list *l, const void *item, size_t size)
{
    if (l->count == l->cap) {
        size_t cap = l->cap == 0 ? 8 : l->cap * 2;
        void *items = specgen_alloc(g, cap * size);
        if (l->count > 0)
            memcpy(items, l->items, l->count * size);
        l->items = items;
        l->cap = cap;
    }
    memcpy((char *)l->items + l->count * size, item, size);
    l->count++;
}

void index_set(struct specgen *g, struct string_map *map, const char *key, uint64_t value)
{
    (void)g;
    if (string_map_set(map, key, value) != 0)
        out_of_memory();
}

struct function *find_function(const struct specgen *g, const char *name)
{
    uint64_t i;
    return string_map_get(&g->function_index, name, &i) ? LIST_AT(struct function *, g->functions, i) : NULL;
}

const struct enum_value *find_enum(const struct specgen *g, const char *name)
{
    uint64_t i;
    return string_map_get(&g->enum_index, name, &i) ? LIST_AT(struct enum_value *, g->enums, i) : NULL;
}

struct type_info *find_type(const struct specgen *g, const char *name)
{
    uint64_t i;
    return string_map_get(&g->type_index, name, &i) ? LIST_AT(struct type_info *, g->types, i) : NULL;
}

struct count_table *find_table(const struct specgen *g, const char *name)
{
    for (size_t i = 0; i < g->tables.count; ++i)
        if (strcmp(LIST_AT(struct count_table *, g->tables, i)->name, name) == 0)
            return LIST_AT(struct count_table *, g->tables, i);
    return NULL;
}

int find_symbol_table(const struct specgen *g, const char *name, size_t length)
{
    for (size_t i = 0; i < g->symbol_tables.count; ++i) {
        const char *other = LIST_AT(struct symbol_table *, g->symbol_tables, i)->name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return (int)i;
    }
    return -1;
}

int find_group(const struct specgen *g, const char *name)
{
    uint64_t i;
    return string_map_get(&g->group_index, name, &i) ? (int)i : -1;
}

int find_struct(const struct specgen *g, const char *name)
{
    for (size_t i = 0; i < g->structs.count; ++i)
        if (strcmp(LIST_AT(struct structure *, g->structs, i)->name, name) == 0)
            return (int)i;
    return -1;
}

int find_param(const struct function *f, const char *name, size_t length)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strlen(f->params[i].name) == length && memcmp(f->params[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

int group_intern(struct specgen *g, const char *name, bool bitmask)
{
    int found = find_group(g, name);
    if (found >= 0)
        return found;
    struct group *group = specgen_alloc(g, sizeof *group);
    group->name = name;
    group->bitmask = bitmask;
    group->emitted = -1;
    index_set(g, &g->group_index, name, g->groups.count);
    list_push(g, &g->groups, &group, sizeof group);
    return (int)g->groups.count - 1;
}

int enum_compare_preference(const void *a, const void *b)
{
    const struct enum_value *const *x = a, *const *y = b;
    if ((*x)->rank != (*y)->rank)
        return (*x)->rank < (*y)->rank ? -1 : 1;
    return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order;
}

int enum_compare_mask(const void *a, const void *b)
{
    const struct enum_value *const *x = a, *const *y = b;
    int bits_x = __builtin_popcountll((uint64_t)(*x)->value),
        bits_y = __builtin_popcountll((uint64_t)(*y)->value);
    if (bits_x == 0 || bits_y == 0)
        return bits_x != bits_y ? bits_x - bits_y : enum_compare_preference(a, b);
    return bits_x != bits_y ? bits_y - bits_x : enum_compare_preference(a, b);
}

void param_init(struct param *p)
{
    *p = (struct param){
        .name = "", .group = -1, .structure = -1, .key = -1, .symbols = -1, .selector = -1, .range = -1};
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        ++n;
    return n;
}

static void append_token(struct buf *text, const char *token, size_t n)
{
    if (text->len > 0 && text->data[text->len - 1] != '*' && buf_append(text, " ", 1) != 0)
        out_of_memory();
    if (buf_append(text, token, n) != 0)
        out_of_memory();
}

bool c_type_parse(struct specgen *g, const char *text, struct c_type *out)
{
    struct buf whole = BUF_INIT, base = BUF_INIT;
    bool ok = true;
    *out = (struct c_type){.text = NULL};
    for (const char *s = text; ok && *s != '\0';) {
        size_t n = word_length(s);
        if (isspace((unsigned char)*s)) {
            ++s;
            continue;
        }
        if (*s == '*') {
            n = 1;
            out->pointers++;
        } else if (n == 5 && memcmp(s, "const", 5) == 0) {
            out->const_target |= out->pointers == 0;
        } else if (n > 0 && out->pointers == 0) {
            append_token(&base, s, n);
        } else {
            ok = false;
        }
        append_token(&whole, s, n);
        s += n;
    }
    ok = ok && base.len > 0;
    if (ok) {
        out->text = specgen_strndup(g, (const char *)whole.data, whole.len);
        out->base = specgen_strndup(g, (const char *)base.data, base.len);
    }
    buf_fini(&whole);
    buf_fini(&base);
    return ok;
}

struct param *param_at(struct function *f, unsigned index)
{
    return index == f->param_count ? &f->ret : &f->params[index];
}

bool is_pointer(const struct param *p)
{
    return p->c.pointers > 0;
}

const char *next_word(struct specgen *g, const char **s)
{
    while (isspace((unsigned char)**s))
        ++*s;
    size_t n = strcspn(*s, " \t");
    const char *word = n > 0 ? specgen_strndup(g, *s, n) : NULL;
    *s += n;
    return word;
}

void emit_banner(struct buf *out, const char *purpose)
{
    buf_printf(out, "/* Generated by specgen: do not edit.\n * %s\n */\n", purpose);
}
