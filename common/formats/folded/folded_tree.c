/* SPDX-License-Identifier: MIT */
#include "formats/folded/folded_tree.h"

#include "base/array.h"
#include "base/error.h"
#include "base/format_number.h"
#include "base/utf8.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

int folded_tree_init(struct folded_tree *t)
{
    memset(t, 0, sizeof *t);
    t->nodes = calloc(16, sizeof *t->nodes);
    t->room = 16;
    t->count = 1;
    return t->nodes != NULL ? 0 : no_memory();
}

void folded_tree_fini(struct folded_tree *t)
{
    for (size_t i = 0; i < t->name_count; ++i)
        free(t->names[i]);
    free(t->names);
    free(t->nodes);
    int_map_fini(&t->children);
    string_map_fini(&t->name_indexes);
}

/* --- names ----------------------------------------------------------------------------------------- */

/* Blanks at the end, and a blank before a number at the end, would be taken for what is before the count. */
static void repair_end(char *text, size_t length)
{
    size_t digits = length;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
        --digits;
    while (digits > 0 && text[digits - 1] == ' ')
        text[--digits] = '_';
}

/* Semicolons separate names, and line breaks stacks; other control characters have no place in a line. */
static char *printable(const char *name)
{
    struct buf text = BUF_INIT;
    if (utf8_append_repaired(&text, name, strlen(name)) != 0 || buf_append_byte(&text, '\0') != 0) {
        buf_fini(&text);
        return NULL;
    }
    char *out = (char *)text.data;
    for (char *p = out; *p != '\0'; ++p)
        *p = *p == ';' ? ':' : (unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p;
    repair_end(out, text.len - 1);
    return out;
}

static int add_name(struct folded_tree *t, char *text, uint64_t *index)
{
    if (ARRAY_RESERVE(t->names, t->name_count, t->name_room) != 0) {
        free(text);
        return no_memory();
    }
    *index = t->name_count;
    t->names[t->name_count++] = text;
    return string_map_set(&t->name_indexes, text, *index);
}

int folded_tree_find_name(struct folded_tree *t, const char *name, uint32_t *out)
{
    uint64_t index = 0;
    char *text = printable(name[0] != '\0' ? name : "?");
    int rc = 0;
    if (text == NULL)
        return no_memory();
    if (string_map_get(&t->name_indexes, text, &index))
        free(text);
    else
        rc = add_name(t, text, &index);
    *out = (uint32_t)index;
    return rc;
}

/* --- stacks ---------------------------------------------------------------------------------------- */

int folded_tree_find(struct folded_tree *t, uint32_t parent, uint32_t name, uint32_t *out)
{
    uint64_t key = (uint64_t)parent << 32 | name, node;
    if (int_map_get(&t->children, key, &node)) {
        *out = (uint32_t)node;
        return 0;
    }
    if (ARRAY_RESERVE(t->nodes, t->count, t->room) != 0)
        return no_memory();
    *out = (uint32_t)t->count;
    t->nodes[t->count++] = (struct folded_node){.name = name, .next = t->nodes[parent].first_child};
    t->nodes[parent].first_child = *out;
    return int_map_set(&t->children, key, *out);
}

/* --- printing -------------------------------------------------------------------------------------- */

/* A part of a line, by which it is sorted among those with the same beginning: "name 12" ends a line; "name;"
 * begins those of the stacks within. */
struct part {
    char *text;
    uint32_t within; /* the node; 0: the line ends */
};

/* The parts that follow the same beginning. */
struct level {
    struct part *parts;
    size_t count;
    size_t next;
    size_t beginning; /* bytes of the path before it */
};

static int compare_parts(const void *a, const void *b)
{
    return strcmp(((const struct part *)a)->text, ((const struct part *)b)->text);
}

static char *part_text(const char *name, const struct folded_node *node, bool ends)
{
    size_t length = strlen(name);
    char *text = malloc(length + FORMAT_INT_BYTES + 2);
    if (text == NULL)
        return NULL;
    memcpy(text, name, length);
    text[length++] = ends ? ' ' : ';';
    if (ends)
        length += format_uint(text + length, node->self);
    text[length] = '\0';
    return text;
}

static void free_level(struct level *l)
{
    for (size_t i = 0; i < l->count; ++i)
        free(l->parts[i].text);
    free(l->parts);
}

static int add_part(struct level *l, size_t *room, const struct folded_tree *t, uint32_t node, bool ends)
{
    const struct folded_node *n = &t->nodes[node];
    if (ARRAY_RESERVE(l->parts, l->count, *room) != 0)
        return no_memory();
    char *text = part_text(t->names[n->name], n, ends);
    if (text == NULL)
        return no_memory();
    l->parts[l->count++] = (struct part){text, ends ? 0 : node};
    return 0;
}

static int fill_level(struct level *l, const struct folded_tree *t, uint32_t parent)
{
    size_t room = 0;
    int rc = 0;
    for (uint32_t i = t->nodes[parent].first_child; rc == 0 && i != 0; i = t->nodes[i].next) {
        bool has_children = t->nodes[i].first_child != 0;
        if (t->nodes[i].self > 0 || !has_children)
            rc = add_part(l, &room, t, i, true);
        if (rc == 0 && has_children)
            rc = add_part(l, &room, t, i, false);
    }
    if (rc == 0 && l->count > 0)
        qsort(l->parts, l->count, sizeof *l->parts, compare_parts);
    return rc;
}

/* The levels that are being printed, outermost first: stacks may be too deep for recursion. */
struct printing {
    struct level *levels;
    size_t count;
    size_t room;
    struct buf line; /* its beginning */
};

static int push_level(struct printing *p, const struct folded_tree *t, uint32_t parent, size_t beginning)
{
    if (ARRAY_RESERVE(p->levels, p->count, p->room) != 0)
        return no_memory();
    p->levels[p->count] = (struct level){.beginning = beginning};
    return fill_level(&p->levels[p->count++], t, parent);
}

static int print_part(struct printing *p, const struct folded_tree *t, const struct part *part,
                      int (*put)(void *context, const void *bytes, size_t count), void *context)
{
    size_t beginning = p->line.len;
    if (buf_append_string(&p->line, part->text) != 0)
        return no_memory();
    if (part->within != 0)
        return push_level(p, t, part->within, beginning);
    int rc = buf_append_byte(&p->line, '\n') == 0 ? put(context, p->line.data, p->line.len) : no_memory();
    p->line.len = beginning;
    return rc;
}

int folded_tree_print(const struct folded_tree *t, int (*put)(void *context, const void *bytes, size_t count),
                      void *context)
{
    struct printing p = {.levels = NULL};
    int rc = push_level(&p, t, FOLDED_ROOT, 0);
    while (rc == 0 && p.count > 0) {
        struct level *l = &p.levels[p.count - 1];
        if (l->next < l->count) {
            rc = print_part(&p, t, &l->parts[l->next++], put, context);
            continue;
        }
        p.line.len = l->beginning;
        free_level(l);
        p.count--;
    }
    while (p.count > 0)
        free_level(&p.levels[--p.count]);
    free(p.levels);
    buf_fini(&p.line);
    return rc;
}
