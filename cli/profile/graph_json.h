/* SPDX-License-Identifier: MIT
 * A graph of calls as JSON.
 */
#ifndef CLI_GRAPH_JSON_H
#define CLI_GRAPH_JSON_H

#include "base/buf.h"
#include "profile/graph_stats.h"
#include "profile/stack_names.h"

/* Appends an array with an object for each pair of a caller and a callee. Errors: TRACE_ERR_MEMORY. */
int graph_json_append(struct buf *out, const struct call_graph *g, const struct graph_stats *stats,
                      const struct stack_names *names);

#endif
