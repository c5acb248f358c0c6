/* SPDX-License-Identifier: MIT */
#include "profile/call_graph.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static int find_edge(struct call_graph *g, size_t caller, size_t callee, struct graph_edge **out)
{
    uint64_t index, key = (uint64_t)(uint32_t)(caller + 1) << 32 | (uint32_t)callee;
    if (int_map_get(&g->indexes, key, &index)) {
        *out = g->edges[index];
        return 0;
    }
    struct graph_edge *edge = calloc(1, sizeof *edge);
    if (edge == NULL || ARRAY_RESERVE(g->edges, g->edge_count, g->edge_room) != 0 ||
        int_map_set(&g->indexes, key, g->edge_count) != 0) {
        free(edge);
        return no_memory();
    }
    edge->caller = caller;
    edge->callee = callee;
    *out = g->edges[g->edge_count++] = edge;
    return 0;
}

static int end_call(void *context, struct thread_stack *t, uint64_t duration, bool is_told)
{
    struct call_graph *g = context;
    const struct stack_frame *frame = &t->frames[t->count - 1];
    struct graph_edge *edge = NULL;
    if (!frame->is_wanted || (!is_told && !g->siblings))
        return 0;
    int rc = find_edge(g, t->count > 1 ? frame[-1].function : GRAPH_ROOT, frame->function, &edge);
    return rc == 0 ? latencies_add(&edge->latencies, duration) : rc;
}

void call_graph_init(struct call_graph *g, bool has_ticks, bool siblings,
                     bool (*wants)(void *context, const struct trace_event *event), void *wants_context)
{
    const struct stack_listener listener = {.context = g,
                                            .has_ticks = has_ticks,
                                            .has_groups = true,
                                            .wants = wants,
                                            .wants_context = wants_context,
                                            .end = end_call};
    *g = (struct call_graph){.siblings = siblings};
    thread_stacks_init(&g->stacks, &listener);
}

void call_graph_fini(struct call_graph *g)
{
    for (size_t i = 0; i < g->edge_count; ++i) {
        latencies_fini(&g->edges[i]->latencies);
        free(g->edges[i]);
    }
    free(g->edges);
    int_map_fini(&g->indexes);
    thread_stacks_fini(&g->stacks);
}

int call_graph_add(void *graph, const struct trace_event *event)
{
    return thread_stacks_add(&((struct call_graph *)graph)->stacks, event);
}

int call_graph_finish(struct call_graph *g)
{
    int rc = thread_stacks_finish(&g->stacks);
    g->open = g->stacks.open + (g->siblings ? 0 : g->stacks.deduced);
    return rc;
}
