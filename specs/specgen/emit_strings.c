/* SPDX-License-Identifier: MIT */
#include "specgen/emit_strings.h"

#include <string.h>

/* The strings of the tables, each once, in the order in which they occur. */
struct strings {
    struct specgen *g;
    struct list list;        /* const char * */
    struct string_map index; /* string -> its number */
};

static void add(struct strings *s, const char *string)
{
    uint64_t known;
    if (*string == '\0' || string_map_get(&s->index, string, &known))
        return;
    index_set(s->g, &s->index, string, s->list.count);
    list_push(s->g, &s->list, &string, sizeof string);
}

static void add_functions(struct strings *s)
{
    for (size_t i = 0; i < s->g->functions.count; ++i) {
        const struct function *f = LIST_AT(struct function *, s->g->functions, i);
        add(s, f->name);
        for (unsigned k = 0; k < f->param_count; ++k)
            add(s, f->params[k].name);
    }
}

static void add_groups(struct strings *s, const struct list *groups)
{
    for (size_t i = 0; i < groups->count; ++i) {
        const struct group *group = LIST_AT(struct group *, *groups, i);
        add(s, group->name);
        for (size_t k = 0; k < group->values.count; ++k)
            add(s, LIST_AT(const struct enum_value *, group->values, k)->name);
    }
}

static void add_structs(struct strings *s)
{
    for (size_t i = 0; i < s->g->structs.count; ++i) {
        const struct structure *structure = LIST_AT(struct structure *, s->g->structs, i);
        add(s, structure->name);
        for (size_t k = 0; k < structure->members.count; ++k)
            add(s, LIST_AT(struct member, structure->members, k).name);
    }
}

/* A struct of strings: the compiler counts their places, and the tables can be read. */
void emit_strings(struct specgen *g, const struct list *groups, struct buf *out)
{
    struct strings s = {.g = g};
    add_functions(&s);
    add_groups(&s, groups);
    add_structs(&s);
    for (size_t i = 0; i < g->objects.count; ++i)
        add(&s, LIST_AT(struct object_kind *, g->objects, i)->name);
    buf_printf(out, "\n#define NAME(name) offsetof(struct spec_names, n_##name)\n\nstruct spec_names {\n    "
                    "char n_[1];\n");
    for (size_t i = 0; i < s.list.count; ++i) {
        const char *string = LIST_AT(const char *, s.list, i);
        buf_printf(out, "    char n_%s[%zu];\n", string, strlen(string) + 1);
    }
    buf_printf(out, "};\n\nconst struct spec_names spec_names = {\n    \"\",\n");
    for (size_t i = 0; i < s.list.count; ++i)
        buf_printf(out, "    \"%s\",\n", LIST_AT(const char *, s.list, i));
    buf_printf(out, "};\n");
    string_map_fini(&s.index);
}
