/* SPDX-License-Identifier: MIT */
#include "profile/graph_diff.h"

#include "base/error.h"
#include "profile/graph_colors.h"

#include <math.h>
#include <stdint.h>

/* What changed from the first side to the second, as a part of the first: 0.5 is half as much more. Nothing
 * on both sides is no change. */
static double change_of(const struct graph_pair *p, enum graph_value value)
{
    double before = p->sides[0]->values[value], after = p->sides[1]->values[value];
    return before == after ? 0 : after / before - 1;
}

static bool is_on_both_sides(const struct graph_pair *p)
{
    return p->sides[0] != NULL && p->sides[1] != NULL;
}

/* Red: only on the first side; green: only on the second. */
static struct graph_color color_of(const struct graph_pair *p, enum graph_value value)
{
    static const struct graph_color removed = {"#FF0000"}, added = {"#00FF00"}, unknown = {"black"};
    if (!is_on_both_sides(p))
        return p->sides[0] != NULL ? removed : added;
    return value != GRAPH_NONE ? graph_color_of_change(change_of(p, value)) : unknown;
}

static int append_change(struct buf *out, const struct graph_pair *p, enum graph_value value)
{
    if (value == GRAPH_NONE || !is_on_both_sides(p))
        return 0;
    return buf_printf(out, "%.2f%%", 100 * change_of(p, value));
}

/* What grew to a multiple has a wider line. */
static double width_of(const struct graph_pair *p, enum graph_value value)
{
    double change = value != GRAPH_NONE && is_on_both_sides(p) ? change_of(p, value) : 0;
    return change > 1 && isfinite(change) ? change : 1;
}

static const char *name_of(const struct graph_diff *d, size_t vertex)
{
    return d->vertices[vertex].name != NULL ? d->vertices[vertex].name : "F0";
}

static int append_edge(struct buf *out, const struct graph_diff *d, const struct diff_edge *e,
                       const struct graph_style *style)
{
    struct graph_color color = color_of(&e->stats, style->edge_color);
    int rc = buf_printf(out, "F%zu -> F%zu [tooltip=\"", e->caller, e->callee);
    rc |= graph_dot_append_name(out, name_of(d, e->caller), SIZE_MAX);
    rc |= buf_append_string(out, " -> ");
    rc |= graph_dot_append_name(out, name_of(d, e->callee), SIZE_MAX);
    rc |= buf_append_string(out, "\" label=\"");
    rc |= append_change(out, &e->stats, style->edge_label);
    rc |= buf_printf(out, "\" color=\"%s\" labelfontcolor=\"%s\" penwidth=%.2f]\n", color.text, color.text,
                     width_of(&e->stats, style->edge_color));
    return rc;
}

static int append_vertex(struct buf *out, const struct graph_diff *d, size_t index,
                         const struct graph_style *style, size_t label_max)
{
    const struct diff_vertex *v = &d->vertices[index];
    bool has_change = style->vertex_label != GRAPH_NONE && is_on_both_sides(&v->stats);
    if (v->name == NULL)
        return buf_printf(out, "F%zu [label=\"F0\"]\n", index);
    int rc = buf_printf(out, "F%zu [label=\"%s", index, has_change ? "{" : "");
    rc |= graph_dot_append_name(out, v->name, label_max);
    rc |= buf_append_string(out, has_change ? "|" : "");
    rc |= append_change(out, &v->stats, style->vertex_label);
    return rc | buf_printf(out, "%s\" color=\"%s\"]\n", has_change ? "}" : "",
                           color_of(&v->stats, style->vertex_color).text);
}

int graph_diff_append(struct buf *out, const struct graph_diff *d, const struct graph_style *style,
                      size_t label_max)
{
    int rc = buf_append_string(out, "digraph xrayDiff {\n");
    if (style->vertex_label != GRAPH_NONE)
        rc |= buf_append_string(out, "node [shape=record]\n");
    for (size_t i = 0; i < d->edge_count; ++i)
        rc |= append_edge(out, d, &d->edges[i], style);
    for (size_t i = 0; i < d->vertex_count; ++i)
        rc |= append_vertex(out, d, i, style, label_max);
    rc |= buf_append_string(out, "}\n");
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}
