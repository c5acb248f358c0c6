/* SPDX-License-Identifier: MIT */
#include "profile/graph_dot.h"

#include "base/error.h"
#include "profile/graph_colors.h"
#include "trace/stacks/hash_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 40 /* bytes of a name */

struct dot {
    struct buf *out;
    const struct call_graph *graph;
    const struct graph_stats *stats;
    const struct stack_names *names;
    const struct graph_style *style;
};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static int append_escaped(struct buf *out, char c)
{
    switch (c) {
    case '&':
        return buf_append_string(out, "&amp;");
    case '<':
        return buf_append_string(out, "&lt;");
    case '>':
        return buf_append_string(out, "&gt;");
    case '\n':
        return buf_append_string(out, "\\n");
    case '"':
    case '\\':
    case '{':
    case '}':
    case '|':
        return buf_append_byte(out, '\\') != 0 ? -1 : buf_append_byte(out, (uint8_t)c);
    default:
        return buf_append_byte(out, (uint8_t)c);
    }
}

int graph_dot_append_name(struct buf *out, const char *name, size_t limit)
{
    size_t length = strlen(name), shown = length > limit ? limit : length;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < shown; ++i)
        rc = append_escaped(out, name[i]);
    return rc == 0 && shown < length ? buf_append_string(out, "...") : rc;
}

static uint32_t number_of(const struct dot *d, size_t function)
{
    return function == GRAPH_ROOT ? 0 : stack_functions_number(&d->graph->stacks.functions, function);
}

static int append_value(struct dot *d, const struct graph_stat *stat, enum graph_value value)
{
    if (value == GRAPH_NONE)
        return 0;
    return value == GRAPH_COUNT ? buf_printf(d->out, "%.0f", stat->values[value])
                                : buf_printf(d->out, "%e", stat->values[value]);
}

/* The part of the largest value; its root, so that small ones differ, too. */
static int append_color(struct dot *d, const struct graph_stat *stat, const struct graph_stat *most,
                        enum graph_value value)
{
    if (value == GRAPH_NONE)
        return 0;
    double part = most->values[value] > 0 ? stat->values[value] / most->values[value] : 0;
    return buf_printf(d->out, " color=\"%s\"", graph_color_of_amount(sqrt(part)).text);
}

/* --- edges and functions --------------------------------------------------------------------------- */

static int append_edge(struct dot *d, size_t index)
{
    const struct graph_edge *edge = d->graph->edges[index];
    const struct graph_stat *stat = &d->stats->edges[index];
    int rc = buf_printf(d->out, "F%" PRIu32 " -> F%" PRIu32 " [label=\"", number_of(d, edge->caller),
                        number_of(d, edge->callee));
    rc |= append_value(d, stat, d->style->edge_label);
    rc |= buf_append_string(d->out, "\"");
    rc |= append_color(d, stat, &d->stats->most_of_edges, d->style->edge_color);
    rc |= buf_append_string(d->out, "];\n");
    return rc == 0 ? 0 : no_memory();
}

static int append_function(struct dot *d, size_t function)
{
    const struct graph_stat *stat = &d->stats->functions[function];
    bool has_value = d->style->vertex_label != GRAPH_NONE;
    if (!d->stats->is_shown[function])
        return 0;
    int rc = buf_printf(d->out, "F%" PRIu32 " [label=\"%s", number_of(d, function), has_value ? "{" : "");
    rc |= graph_dot_append_name(d->out, d->names->names[function], LABEL_MAX);
    rc |= buf_append_string(d->out, has_value ? "|" : "");
    rc |= append_value(d, stat, d->style->vertex_label);
    rc |= buf_append_string(d->out, has_value ? "}\"" : "\"");
    rc |= append_color(d, stat, &d->stats->most_of_functions, d->style->vertex_color);
    rc |= buf_append_string(d->out, "];\n");
    return rc == 0 ? 0 : no_memory();
}

/* --- order ----------------------------------------------------------------------------------------- */

static uint32_t hash_edge(const struct dot *d, size_t index)
{
    const struct graph_edge *edge = d->graph->edges[index];
    return hash_order_pair(number_of(d, edge->caller), number_of(d, edge->callee));
}

static uint32_t hash_function(const struct dot *d, size_t function)
{
    return hash_order_number(number_of(d, function));
}

static int append_all(struct dot *d, size_t count, uint32_t (*hash)(const struct dot *d, size_t index),
                      int (*append)(struct dot *d, size_t index))
{
    uint32_t *hashes = calloc(count + 1, 2 * sizeof *hashes);
    if (hashes == NULL)
        return no_memory();
    uint32_t *order = hashes + count;
    for (size_t i = 0; i < count; ++i)
        hashes[i] = hash(d, i);
    int rc = hash_order_find(hashes, count, order);
    for (size_t i = 0; rc == 0 && i < count; ++i)
        rc = append(d, order[i]);
    free(hashes);
    return rc;
}

int graph_dot_append(struct buf *out, const struct call_graph *g, const struct graph_stats *stats,
                     const struct stack_names *names, const struct graph_style *style)
{
    struct dot d = {.out = out, .graph = g, .stats = stats, .names = names, .style = style};
    int rc = buf_append_string(out, "digraph xray {\n");
    if (style->vertex_label != GRAPH_NONE)
        rc |= buf_append_string(out, "node [shape=record];\n");
    if (rc != 0)
        return no_memory();
    rc = append_all(&d, g->edge_count, hash_edge, append_edge);
    if (rc == 0)
        rc = append_all(&d, g->stacks.functions.count, hash_function, append_function);
    if (rc == 0 && buf_append_string(out, "}\n") != 0)
        rc = no_memory();
    return rc;
}
