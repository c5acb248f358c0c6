/* SPDX-License-Identifier: MIT
 * The graph of a trace's calls, with its numbers and names, for commands that print it.
 */
#ifndef CLI_GRAPH_INPUT_H
#define CLI_GRAPH_INPUT_H

#include "profile/call_graph.h"
#include "profile/graph_stats.h"
#include "profile/profile_input.h"
#include "profile/stack_names.h"

struct graph_input {
    struct profile_input in;
    struct call_graph graph;
    struct graph_stats stats;
    struct stack_names names;
    int status; /* 1: parts of the trace are damaged */
};

/* Reads the trace. Warns of what is left out. Errors: those of profile_input_open() and of reading; there is
 * then nothing to free. The structure must not be moved afterwards. */
int graph_input_read(struct graph_input *g, const struct profile_request *request, bool siblings);
void graph_input_free(struct graph_input *g);

#endif
