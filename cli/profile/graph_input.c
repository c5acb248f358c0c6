/* SPDX-License-Identifier: MIT */
#include "profile/graph_input.h"

#include "base/error.h"

static int find_numbers(struct graph_input *g)
{
    profile_input_check_names(&g->in, &g->graph.stacks.functions);
    int rc = stack_names_find(&g->names, &g->in.names, &g->graph.stacks.functions);
    if (rc != 0)
        return rc;
    rc = graph_stats_find(&g->stats, &g->graph, g->in.per_second, !g->in.filter.is_given);
    if (rc != 0)
        stack_names_free(&g->names);
    return rc;
}

static int read_graph(struct graph_input *g)
{
    int rc = profile_input_read(&g->in, &g->graph.stacks, call_graph_add, &g->graph);
    if (rc == 0)
        rc = call_graph_finish(&g->graph);
    if (rc == 0)
        rc = find_numbers(g);
    return rc;
}

int graph_input_read(struct graph_input *g, const struct profile_request *request, bool siblings)
{
    int rc = profile_input_open(&g->in, request);
    if (rc != 0)
        return rc;
    call_graph_init(&g->graph, g->in.has_ticks, siblings, profile_input_wants(&g->in), &g->in.filter);
    rc = read_graph(g);
    if (rc != 0) {
        call_graph_fini(&g->graph);
        profile_input_close(&g->in);
        return rc;
    }
    g->status = input_losses_status(&g->in.in.losses);
    profile_input_warn(&g->in, g->graph.open, g->graph.stacks.unmatched);
    return 0;
}

void graph_input_free(struct graph_input *g)
{
    stack_names_free(&g->names);
    graph_stats_free(&g->stats);
    call_graph_fini(&g->graph);
    profile_input_close(&g->in);
}
