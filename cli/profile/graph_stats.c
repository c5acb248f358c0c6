/* SPDX-License-Identifier: MIT */
#include "profile/graph_stats.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int graph_value_find(enum graph_value *out, const char *name)
{
    static const char *const names[GRAPH_VALUES] = {"none", "count", "min", "med",
                                                    "90p",  "99p",   "max", "sum"};
    for (int i = 0; i < GRAPH_VALUES; ++i)
        if (strcmp(names[i], name) == 0) {
            *out = (enum graph_value)i;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is none of " GRAPH_VALUE_WORDS, name);
}

static void set_stat(struct graph_stat *s, struct latencies *l, double per_second)
{
    if (l->count == 0)
        return;
    const double values[GRAPH_VALUES] = {0,
                                         (double)l->count,
                                         (double)l->min,
                                         (double)latencies_at(l, l->count / 2),
                                         (double)latencies_at(l, l->count * 9 / 10),
                                         (double)latencies_at(l, l->count * 99 / 100),
                                         (double)l->max,
                                         l->sum};
    for (int i = GRAPH_COUNT; i < GRAPH_VALUES; ++i)
        s->values[i] = i != GRAPH_COUNT && per_second > 0 ? values[i] / per_second : values[i];
}

static void raise_most(struct graph_stat *most, const struct graph_stat *s)
{
    for (int i = 0; i < GRAPH_VALUES; ++i)
        most->values[i] = s->values[i] > most->values[i] ? s->values[i] : most->values[i];
}

/* joined: by number of the function; each has all durations of the edges to it. */
static int join_edges(struct graph_stats *s, struct call_graph *g, struct latencies *joined,
                      double per_second)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < g->edge_count; ++i) {
        struct graph_edge *edge = g->edges[i];
        set_stat(&s->edges[i], &edge->latencies, per_second);
        raise_most(&s->most_of_edges, &s->edges[i]);
        s->is_shown[edge->callee] = true;
        if (edge->caller != GRAPH_ROOT)
            s->is_shown[edge->caller] = true;
        rc = latencies_join(&joined[edge->callee], &edge->latencies);
    }
    return rc;
}

static int find_functions(struct graph_stats *s, struct call_graph *g, double per_second)
{
    size_t count = g->stacks.functions.count;
    struct latencies *joined = calloc(count + 1, sizeof *joined);
    if (joined == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = join_edges(s, g, joined, per_second);
    for (size_t i = 0; i < count; ++i) {
        if (rc == 0)
            set_stat(&s->functions[i], &joined[i], per_second);
        raise_most(&s->most_of_functions, &s->functions[i]);
        latencies_fini(&joined[i]);
    }
    free(joined);
    return rc;
}

int graph_stats_find(struct graph_stats *s, struct call_graph *g, double per_second, bool all)
{
    size_t functions = g->stacks.functions.count;
    *s = (struct graph_stats){.edges = calloc(g->edge_count + 1, sizeof *s->edges),
                              .functions = calloc(functions + 1, sizeof *s->functions),
                              .is_shown = malloc(functions + 1)};
    bool has_memory = s->edges != NULL && s->functions != NULL && s->is_shown != NULL;
    int rc = has_memory ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc == 0) {
        memset(s->is_shown, all, functions + 1);
        rc = find_functions(s, g, per_second);
    }
    if (rc != 0)
        graph_stats_free(s);
    return rc;
}

void graph_stats_free(struct graph_stats *s)
{
    free(s->edges);
    free(s->functions);
    free(s->is_shown);
}
