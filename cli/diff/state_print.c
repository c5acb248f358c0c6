/* SPDX-License-Identifier: MIT */
#include "diff/state_print.h"

#include "base/json_writer.h"
#include "diff/diff_printer.h"
#include "diff/state_lines.h"
#include "diff/state_tree.h"

#include <string.h>

static void put(struct state_print *p, const char *text)
{
    p->failed |= buf_append_string(p->out, text) != 0;
}

static void put_bytes(struct state_print *p, const char *text, size_t count)
{
    p->failed |= buf_append(p->out, text, count) != 0;
}

static void indent(struct state_print *p)
{
    for (int i = 0; i < p->level; ++i)
        put(p, "  ");
}

/* --- whole values ---------------------------------------------------------------------------------- */

static void open_bracket(struct state_print *p, const char *bracket)
{
    put(p, bracket);
    put(p, "\n");
    p->level++;
}

static void close_object(struct state_print *p)
{
    p->level--;
    indent(p);
    put(p, p->level > 0 ? "}" : "}\n");
}

static void close_array(struct state_print *p)
{
    p->level--;
    indent(p);
    put(p, "]");
}

static void put_name(struct state_print *p, const struct json_member *m)
{
    indent(p);
    put_bytes(p, m->name, m->name_size);
    put(p, ": ");
}

static void end_item(struct state_print *p, bool last)
{
    put(p, last ? "\n" : ",\n");
}

static void put_string(struct state_print *p, const struct json_value *v)
{
    struct json_writer w;
    json_writer_init(&w, p->out);
    json_string(&w, v->text, v->count);
    p->failed |= w.failed;
}

static void put_value(struct state_print *p, const struct json_value *v);

static void put_object(struct state_print *p, const struct json_value *v)
{
    open_bracket(p, "{");
    for (size_t i = 0; i < v->count; ++i) {
        put_name(p, &v->members[i]);
        put_value(p, v->members[i].value);
        end_item(p, i + 1 == v->count);
    }
    close_object(p);
}

static void put_array(struct state_print *p, const struct json_value *v)
{
    open_bracket(p, "[");
    for (size_t i = 0; i < v->count; ++i) {
        indent(p);
        put_value(p, &v->items[i]);
        end_item(p, i + 1 == v->count);
    }
    close_array(p);
}

static void put_value(struct state_print *p, const struct json_value *v)
{
    switch (v->kind) {
    case JSON_NULL:
        put(p, "null");
        break;
    case JSON_FALSE:
        put(p, "false");
        break;
    case JSON_TRUE:
        put(p, "true");
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        put_bytes(p, v->text, v->count);
        break;
    case JSON_STRING:
        put_string(p, v);
        break;
    case JSON_ARRAY:
        put_array(p, v);
        break;
    case JSON_OBJECT:
        put_object(p, v);
        break;
    }
}

/* --- differences ----------------------------------------------------------------------------------- */

/* What is not there is null, as for apitrace; beside a null, such as a picture, it is told apart. */
static void put_side(struct state_print *p, const struct json_value *v, const struct json_value *other,
                     const char *style)
{
    put(p, p->color ? style : "");
    if (v != NULL)
        put_value(p, v);
    else
        put(p, other->kind == JSON_NULL ? "missing" : "null");
    put(p, p->color ? STYLE_NORMAL : "");
}

static void put_line(void *context, char tag, const char *line, size_t size)
{
    struct state_print *p = context;
    const char *style = tag == '-' ? STYLE_DELETED : tag == '+' ? STYLE_ADDED : "";
    put(p, "\n");
    indent(p);
    put(p, p->color ? style : "");
    put_bytes(p, (char[]){tag, ' ', '"'}, 3);
    put_bytes(p, line, size);
    put(p, "\\n\"");
    put(p, p->color && *style != '\0' ? STYLE_NORMAL : "");
}

static bool has_lines(const struct json_value *v)
{
    return v != NULL && v->kind == JSON_STRING && memchr(v->text, '\n', v->count) != NULL;
}

static void replace(struct state_print *p, const struct json_value *a, const struct json_value *b)
{
    bool are_strings = a != NULL && b != NULL && a->kind == JSON_STRING && b->kind == JSON_STRING;
    if (are_strings && (has_lines(a) || has_lines(b))) {
        p->level++;
        p->failed |= state_lines_compare(a, b, put_line, p) != 0;
        p->level--;
        return;
    }
    put_side(p, a, b, STYLE_DELETED);
    put(p, " -> ");
    put_side(p, b, a, STYLE_ADDED);
}

/* Goes through the members of both, in the order of their names. Returns the one that comes next, and its
 * values; NULL after the last one. */
static const struct json_member *next_member(const struct json_value *a, const struct json_value *b,
                                             size_t *i, size_t *j, const struct json_value **av,
                                             const struct json_value **bv)
{
    const struct json_member *m = *i < a->count ? &a->members[*i] : NULL;
    const struct json_member *n = *j < b->count ? &b->members[*j] : NULL;
    int order = m == NULL ? 1 : n == NULL ? -1 : state_tree_compare_names(m, n);
    *av = *bv = NULL;
    if (m == NULL && n == NULL)
        return NULL;
    if (order <= 0) {
        *av = m->value;
        ++*i;
    }
    if (order >= 0) {
        *bv = n->value;
        ++*j;
    }
    return order <= 0 ? m : n;
}

static void differ_in_objects(struct state_print *p, const struct json_value *a, const struct json_value *b)
{
    const struct json_value *av, *bv, *next_av, *next_bv;
    size_t i = 0, j = 0;
    open_bracket(p, "{");
    const struct json_member *m = next_member(a, b, &i, &j, &av, &bv);
    while (m != NULL) {
        const struct json_member *next = next_member(a, b, &i, &j, &next_av, &next_bv);
        while (p->ignore_added && next != NULL && next_av == NULL)
            next = next_member(a, b, &i, &j, &next_av, &next_bv);
        bool is_ignored = p->ignore_added && av == NULL;
        if (!is_ignored && !state_tree_equal(av, bv, p->ignore_added)) {
            put_name(p, m);
            state_print_difference(p, av, bv);
            end_item(p, next == NULL);
        }
        m = next;
        av = next_av;
        bv = next_bv;
    }
    close_object(p);
}

static void differ_in_arrays(struct state_print *p, const struct json_value *a, const struct json_value *b)
{
    size_t count = a->count > b->count ? a->count : b->count;
    open_bracket(p, "[");
    for (size_t i = 0; i < count; ++i) {
        const struct json_value *av = i < a->count ? &a->items[i] : NULL;
        const struct json_value *bv = i < b->count ? &b->items[i] : NULL;
        indent(p);
        if (state_tree_equal(av, bv, p->ignore_added))
            put_value(p, av);
        else
            state_print_difference(p, av, bv);
        end_item(p, i + 1 == count);
    }
    close_array(p);
}

void state_print_difference(struct state_print *p, const struct json_value *a, const struct json_value *b)
{
    enum json_kind kind = a != NULL && b != NULL && a->kind == b->kind ? a->kind : JSON_NULL;
    if (kind == JSON_OBJECT)
        differ_in_objects(p, a, b);
    else if (kind == JSON_ARRAY)
        differ_in_arrays(p, a, b);
    else
        replace(p, a, b);
}
