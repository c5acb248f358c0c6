/* SPDX-License-Identifier: MIT
 * Graphs of calls in Graphviz's language, as "llvm-xray graph" and "llvm-xray graph-diff" print them.
 */
#ifndef CLI_GRAPH_DOT_H
#define CLI_GRAPH_DOT_H

#include "base/buf.h"
#include "profile/graph_stats.h"
#include "profile/stack_names.h"

/* What labels and colours tell. */
struct graph_style {
    enum graph_value edge_label, edge_color, vertex_label, vertex_color;
};

/* Appends text for a label: quotes and what has a meaning in a record are escaped. Names longer than limit
 * bytes are cut, and get three dots. */
int graph_dot_append_name(struct buf *out, const char *name, size_t limit);

/* Appends the graph, in the order in which llvm-xray prints it. Errors: TRACE_ERR_MEMORY. */
int graph_dot_append(struct buf *out, const struct call_graph *g, const struct graph_stats *stats,
                     const struct stack_names *names, const struct graph_style *style);

#endif
