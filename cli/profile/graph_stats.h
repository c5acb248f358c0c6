/* SPDX-License-Identifier: MIT
 * What labels and colours of a graph of calls tell: numbers of each edge, and of each function over all edges
 * that lead to it.
 */
#ifndef CLI_GRAPH_STATS_H
#define CLI_GRAPH_STATS_H

#include "profile/call_graph.h"

enum graph_value {
    GRAPH_NONE,
    GRAPH_COUNT,
    GRAPH_MIN,
    GRAPH_MEDIAN,
    GRAPH_P90,
    GRAPH_P99,
    GRAPH_MAX,
    GRAPH_SUM,
    GRAPH_VALUES
};

/* Times are seconds, or ticks if nobody knows how long they are. */
struct graph_stat {
    double values[GRAPH_VALUES]; /* by enum graph_value */
};

struct graph_stats {
    struct graph_stat *edges;     /* by number of the edge */
    struct graph_stat *functions; /* by number of the function */
    bool *is_shown;               /* functions that are in the graph */
    struct graph_stat most_of_edges, most_of_functions;
};

#define GRAPH_VALUE_WORDS "none|count|min|med|90p|99p|max|sum"

/* Finds the value with this name. Errors: TRACE_ERR_USAGE. */
int graph_value_find(enum graph_value *out, const char *name);

/* all: functions are shown of which no call has ended, too. Errors: TRACE_ERR_MEMORY; there is then nothing
 * to free. */
int graph_stats_find(struct graph_stats *s, struct call_graph *g, double per_second, bool all);
void graph_stats_free(struct graph_stats *s);

#endif
