/* SPDX-License-Identifier: MIT */
#include "profile/graph_json.h"

#include "base/error.h"
#include "base/json_writer.h"

#include <string.h>

static void put_name(struct json_writer *w, const char *name)
{
    json_repaired_text(w, name, strlen(name));
}

static void put_values(struct json_writer *w, const struct graph_stat *stat)
{
    static const char *const keys[GRAPH_VALUES] = {NULL,  "Count", "Min", "Median",
                                                   "P90", "P99",   "Max", "Sum"};
    for (int i = GRAPH_COUNT; i < GRAPH_VALUES; ++i) {
        json_key(w, keys[i]);
        if (i == GRAPH_COUNT)
            json_uint(w, (uint64_t)stat->values[i]);
        else
            json_double(w, stat->values[i]);
    }
}

int graph_json_append(struct buf *out, const struct call_graph *g, const struct graph_stats *stats,
                      const struct stack_names *names)
{
    struct json_writer w;
    json_writer_init(&w, out);
    json_begin(&w, '[');
    for (size_t i = 0; i < g->edge_count; ++i) {
        const struct graph_edge *edge = g->edges[i];
        json_splice(&w, ",\n" + (i == 0), 1 + (i > 0), false);
        json_begin(&w, '{');
        json_key(&w, "Caller");
        if (edge->caller != GRAPH_ROOT)
            put_name(&w, names->names[edge->caller]);
        else
            json_null(&w);
        json_key(&w, "Function");
        put_name(&w, names->names[edge->callee]);
        put_values(&w, &stats->edges[i]);
        json_end(&w, '}');
    }
    json_splice(&w, "\n", 1, true);
    json_end(&w, ']');
    json_splice(&w, "\n", 1, true);
    return w.failed ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
}
