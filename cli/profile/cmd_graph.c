/* SPDX-License-Identifier: MIT
 * trace-cli graph: which functions call which.
 */
#include "shell/command.h"

#include "base/error.h"
#include "profile/graph_dot.h"
#include "profile/graph_input.h"
#include "profile/graph_json.h"
#include "shell/progress.h"
#include "shell/write_output.h"

#include <string.h>

struct graph_options {
    struct graph_style style;
    bool as_json;
    bool siblings;
    bool keep_going; /* which it always does */
    struct instr_maps instr_maps;
    struct event_filter_options filter;
};

static int print_graph(const struct graph_options *o, const struct graph_input *g)
{
    struct buf text = BUF_INIT;
    int rc = o->as_json ? graph_json_append(&text, &g->graph, &g->stats, &g->names)
                        : graph_dot_append(&text, &g->graph, &g->stats, &g->names, &o->style);
    if (rc == 0)
        rc = write_output(&text);
    buf_fini(&text);
    return rc;
}

static int graph(const struct graph_options *o, char *const *paths, int count)
{
    struct graph_input g;
    const struct profile_request request = {.paths = paths,
                                            .count = count,
                                            .wants_ends = true,
                                            .wants_callers = true,
                                            .instr_maps = &o->instr_maps,
                                            .filter = &o->filter};
    if (graph_input_read(&g, &request, o->siblings) != 0)
        return cli_print_error();
    int status = print_graph(o, &g) == 0 ? g.status : cli_print_error();
    graph_input_free(&g);
    return status;
}

static int run_graph(const struct cli_command *self, int argc, char **argv)
{
    struct graph_options options = {.style = {.edge_label = GRAPH_NONE}};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "graph needs a trace");
    if (!cli_reads_input_once(self, operands.values, operands.count))
        return 1;
    progress_begin("graph");
    int status = graph(&options, operands.values, operands.count);
    progress_end();
    instr_maps_fini(&options.instr_maps);
    return status;
}

/* --- options --------------------------------------------------------------------------------------- */

static int set_format(void *options, const char *value)
{
    struct graph_options *o = options;
    o->as_json = strcmp(value, "json") == 0;
    return o->as_json || strcmp(value, "dot") == 0
               ? 0
               : trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither dot nor json", value);
}

static int set_edge_label(void *options, const char *value)
{
    return graph_value_find(&((struct graph_options *)options)->style.edge_label, value);
}

static int set_edge_color(void *options, const char *value)
{
    return graph_value_find(&((struct graph_options *)options)->style.edge_color, value);
}

static int set_vertex_label(void *options, const char *value)
{
    return graph_value_find(&((struct graph_options *)options)->style.vertex_label, value);
}

static int set_vertex_color(void *options, const char *value)
{
    return graph_value_find(&((struct graph_options *)options)->style.vertex_color, value);
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct graph_options *)options)->instr_maps, value);
}

static const struct cli_option graph_options[] = {
    {CLI_OPTION_CALLBACK, 'f', "format", NULL, "dot|json", 0,
     "Graphviz's language (dot, the default), or JSON", set_format},
    {CLI_OPTION_CALLBACK, 'e', "edge-label", NULL, GRAPH_VALUE_WORDS, 0,
     "what is written beside an edge: of the calls of one function by\n"
     "another, their number, shortest, median, 90th and 99th\n"
     "percentile and longest duration, or the sum (default: none)",
     set_edge_label},
    {CLI_OPTION_CALLBACK, 'v', "vertex-label", NULL, GRAPH_VALUE_WORDS, 0,
     "what is written beside a function's name", set_vertex_label},
    {CLI_OPTION_CALLBACK, 'c', "color-edges", NULL, GRAPH_VALUE_WORDS, 0, "what colours of edges tell",
     set_edge_color},
    {CLI_OPTION_CALLBACK, 'b', "color-vertices", NULL, GRAPH_VALUE_WORDS, 0, "what colours of functions tell",
     set_vertex_color},
    {CLI_OPTION_FLAG, 'd', "deduce-sibling-calls", NULL, NULL, offsetof(struct graph_options, siblings),
     "where a call ends, those within it end whose ends are missing", NULL},
    INSTR_MAP_OPTIONS(struct graph_options, instr_maps, add_instr_map),
    PROFILE_KEEP_GOING(struct graph_options, keep_going),
    EVENT_FILTER_OPTIONS(struct graph_options, filter),
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_graph = {
    .name = "graph",
    .group = CLI_GROUP_LOOK,
    .summary = "Show which functions call which, as a graph",
    .operands = "[OPTION...] TRACE...",
    .details =
        "Prints a graph for Graphviz, with a vertex for each function and an edge from a caller to what it\n"
        "called. F0 has called the outermost functions of threads. GL's debug groups (glPushDebugGroup)\n"
        "are vertices, which call what is in them. Times are seconds; ticks if a log does not tell the\n"
        "frequency of its counter. Several TRACEs are merged by time.\n"
        "\n"
        "TRACE may be of any format that has times, and - for the standard input. XRay's logs only have\n"
        "numbers of functions; --instr-map tells their names.\n"
        "\n" INSTR_MAP_HELP INPUT_LOSSES_HELP,
    .examples = "trace-cli graph -d -m ./app -e sum -c sum xray-log.app.Abc123 >calls.dot\n",
    .options = graph_options,
    .run = run_graph,
};
