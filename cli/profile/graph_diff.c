/* SPDX-License-Identifier: MIT */
#include "profile/graph_diff.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void graph_diff_fini(struct graph_diff *d)
{
    free(d->vertices);
    free(d->edges);
    string_map_fini(&d->by_name);
    int_map_fini(&d->by_ends);
}

static int add_vertex(struct graph_diff *d, const char *name, size_t *out)
{
    if (ARRAY_RESERVE(d->vertices, d->vertex_count, d->vertex_room) != 0)
        return no_memory();
    *out = d->vertex_count;
    d->vertices[d->vertex_count++] = (struct diff_vertex){.name = name};
    return 0;
}

static int find_root(struct graph_diff *d, size_t *out)
{
    int rc = d->has_root ? 0 : add_vertex(d, NULL, &d->root);
    d->has_root = rc == 0;
    *out = d->root;
    return rc;
}

static int find_vertex(struct graph_diff *d, const char *name, size_t *out)
{
    uint64_t index;
    if (string_map_get(&d->by_name, name, &index)) {
        *out = (size_t)index;
        return 0;
    }
    int rc = add_vertex(d, name, out);
    if (rc != 0)
        return rc;
    return string_map_set(&d->by_name, name, *out) == 0 ? 0 : no_memory();
}

static int find_edge(struct graph_diff *d, size_t caller, size_t callee, struct diff_edge **out)
{
    uint64_t index, key = (uint64_t)caller << 32 | (uint32_t)callee;
    if (int_map_get(&d->by_ends, key, &index)) {
        *out = &d->edges[index];
        return 0;
    }
    if (ARRAY_RESERVE(d->edges, d->edge_count, d->edge_room) != 0 ||
        int_map_set(&d->by_ends, key, d->edge_count) != 0)
        return no_memory();
    *out = &d->edges[d->edge_count++];
    **out = (struct diff_edge){.caller = caller, .callee = callee};
    return 0;
}

static int add_edge(struct graph_diff *d, const struct graph_input *g, size_t index, unsigned side)
{
    const struct graph_edge *from = g->graph.edges[index];
    struct diff_edge *edge = NULL;
    size_t caller = 0, callee = 0;
    int rc = from->caller == GRAPH_ROOT ? find_root(d, &caller)
                                        : find_vertex(d, g->names.names[from->caller], &caller);
    if (rc == 0)
        rc = find_vertex(d, g->names.names[from->callee], &callee);
    if (rc == 0)
        rc = find_edge(d, caller, callee, &edge);
    if (rc == 0)
        edge->stats.sides[side] = &g->stats.edges[index];
    return rc;
}

int graph_diff_add(struct graph_diff *d, const struct graph_input *g, unsigned side)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < g->graph.stacks.functions.count; ++i) {
        size_t vertex;
        if (!g->stats.is_shown[i])
            continue;
        rc = find_vertex(d, g->names.names[i], &vertex);
        if (rc == 0)
            d->vertices[vertex].stats.sides[side] = &g->stats.functions[i];
    }
    for (size_t i = 0; rc == 0 && i < g->graph.edge_count; ++i)
        rc = add_edge(d, g, i, side);
    return rc;
}
