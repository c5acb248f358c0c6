/* SPDX-License-Identifier: MIT
 * Two graphs of calls as one, in which functions with the same name are one, and what changed between them.
 */
#ifndef CLI_GRAPH_DIFF_H
#define CLI_GRAPH_DIFF_H

#include "base/buf.h"
#include "base/hash_map.h"
#include "profile/graph_dot.h"
#include "profile/graph_input.h"

/* A function or an edge: its numbers in the first and in the second graph; NULL: it is not there. */
struct graph_pair {
    const struct graph_stat *sides[2];
};

struct diff_vertex {
    const char *name; /* NULL: who has called the outermost functions */
    struct graph_pair stats;
};

struct diff_edge {
    size_t caller, callee; /* vertices */
    struct graph_pair stats;
};

/* Zero-initialise it before use. */
struct graph_diff {
    struct diff_vertex *vertices; /* in the order of occurrence */
    size_t vertex_count;
    size_t vertex_room;
    struct diff_edge *edges;
    size_t edge_count;
    size_t edge_room;
    struct string_map by_name;
    struct int_map by_ends; /* (caller, callee) to edge */
    size_t root;            /* vertex, if has_root */
    bool has_root;
};

/* Adds the first (0) or the second (1) graph, which is lent until graph_diff_fini(). Errors:
 * TRACE_ERR_MEMORY.
 */
int graph_diff_add(struct graph_diff *d, const struct graph_input *g, unsigned side);
void graph_diff_fini(struct graph_diff *d);

/* Appends the graph for Graphviz. label_max: bytes of a name that are shown. Errors: TRACE_ERR_MEMORY. */
int graph_diff_append(struct buf *out, const struct graph_diff *d, const struct graph_style *style,
                      size_t label_max);

#endif
