/* SPDX-License-Identifier: MIT
 * trace-cli graph-diff: what changed between the graphs of calls of two traces.
 */
#include "shell/command.h"

#include "base/error.h"
#include "profile/graph_diff.h"
#include "shell/number_option.h"
#include "shell/progress.h"
#include "shell/write_output.h"

#define LABEL_MAX 40

/* What each of the two traces may have of its own. */
struct side_options {
    struct instr_maps instr_maps;
    bool siblings;
    bool keep_going; /* which it always does */
};

struct graph_diff_options {
    struct graph_style style;
    long label_max;
    struct side_options both, sides[2];
    struct event_filter_options filter;
};

static int print_diff(const struct graph_diff_options *o, const struct graph_input *first,
                      const struct graph_input *second)
{
    struct graph_diff diff = {.has_root = false};
    struct buf text = BUF_INIT;
    int rc = graph_diff_add(&diff, first, 0);
    if (rc == 0)
        rc = graph_diff_add(&diff, second, 1);
    if (rc == 0)
        rc = graph_diff_append(&text, &diff, &o->style, (size_t)o->label_max);
    if (rc == 0)
        rc = write_output(&text);
    buf_fini(&text);
    graph_diff_fini(&diff);
    return rc;
}

static int read_side(struct graph_input *g, const struct graph_diff_options *o, unsigned side,
                     char *const *path)
{
    const struct side_options *own = &o->sides[side];
    struct instr_maps maps = own->instr_maps.count > 0 ? own->instr_maps : o->both.instr_maps;
    maps.mangled = o->both.instr_maps.mangled;
    const struct profile_request request = {.paths = path,
                                            .count = 1,
                                            .wants_ends = true,
                                            .wants_callers = true,
                                            .instr_maps = &maps,
                                            .filter = &o->filter};
    return graph_input_read(g, &request, o->both.siblings || own->siblings);
}

static int graph_diff(const struct graph_diff_options *o, char *const *paths)
{
    struct graph_input first, second;
    if (read_side(&first, o, 0, &paths[0]) != 0)
        return cli_print_error();
    if (read_side(&second, o, 1, &paths[1]) != 0) {
        graph_input_free(&first);
        return cli_print_error();
    }
    int status = print_diff(o, &first, &second) == 0 ? first.status | second.status : cli_print_error();
    graph_input_free(&first);
    graph_input_free(&second);
    return status;
}

static int run_graph_diff(const struct cli_command *self, int argc, char **argv)
{
    struct graph_diff_options options = {.label_max = LABEL_MAX};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 2)
        return cli_usage_error(self, "graph-diff needs two traces");
    if (!cli_reads_input_once(self, operands.values, operands.count))
        return 1;
    progress_begin("graph-diff");
    int status = graph_diff(&options, operands.values);
    progress_end();
    instr_maps_fini(&options.both.instr_maps);
    instr_maps_fini(&options.sides[0].instr_maps);
    instr_maps_fini(&options.sides[1].instr_maps);
    return status;
}

/* --- options --------------------------------------------------------------------------------------- */

static int set_edge_label(void *options, const char *value)
{
    return graph_value_find(&((struct graph_diff_options *)options)->style.edge_label, value);
}

static int set_edge_color(void *options, const char *value)
{
    return graph_value_find(&((struct graph_diff_options *)options)->style.edge_color, value);
}

static int set_vertex_label(void *options, const char *value)
{
    return graph_value_find(&((struct graph_diff_options *)options)->style.vertex_label, value);
}

static int set_vertex_color(void *options, const char *value)
{
    return graph_value_find(&((struct graph_diff_options *)options)->style.vertex_color, value);
}

static int set_label_max(void *options, const char *value)
{
    return parse_number_option(value, "a number of bytes", 1, 1000000,
                               &((struct graph_diff_options *)options)->label_max);
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct graph_diff_options *)options)->both.instr_maps, value);
}

static int add_first_map(void *options, const char *value)
{
    return instr_maps_add(&((struct graph_diff_options *)options)->sides[0].instr_maps, value);
}

static int add_second_map(void *options, const char *value)
{
    return instr_maps_add(&((struct graph_diff_options *)options)->sides[1].instr_maps, value);
}

#define MEMBER(name) offsetof(struct graph_diff_options, name)

static const struct cli_option graph_diff_options[] = {
    {CLI_OPTION_CALLBACK, 'e', "edge-label", NULL, GRAPH_VALUE_WORDS, 0,
     "what is written beside an edge: how this changed, in percent\n(default: none)", set_edge_label},
    {CLI_OPTION_CALLBACK, 'c', "edge-color", NULL, GRAPH_VALUE_WORDS, 0, "what colours of edges tell",
     set_edge_color},
    {CLI_OPTION_CALLBACK, 'v', "vertex-label", NULL, GRAPH_VALUE_WORDS, 0,
     "what is written beside a function's name", set_vertex_label},
    {CLI_OPTION_CALLBACK, 'b', "vertex-color", NULL, GRAPH_VALUE_WORDS, 0, "what colours of functions tell",
     set_vertex_color},
    {CLI_OPTION_CALLBACK, 'u', "vertex-label-trun", NULL, "N", 0,
     "show the first N bytes of a function's name (default: 40)", set_label_max},
    {CLI_OPTION_FLAG, 'd', "deduce-sibling-calls", NULL, NULL, MEMBER(both.siblings),
     "where a call ends, those within it end whose ends are missing", NULL},
    {CLI_OPTION_FLAG, 0, "deduce-sibling-calls-1", NULL, NULL, MEMBER(sides[0].siblings),
     "the same for the first trace only", NULL},
    {CLI_OPTION_FLAG, 0, "deduce-sibling-calls-2", NULL, NULL, MEMBER(sides[1].siblings),
     "the same for the second trace only", NULL},
    INSTR_MAP_OPTIONS(struct graph_diff_options, both.instr_maps, add_instr_map),
    {CLI_OPTION_CALLBACK, 0, "instr-map-1", NULL, "FILE", 0, "the program of the first trace", add_first_map},
    {CLI_OPTION_CALLBACK, 0, "instr-map-2", NULL, "FILE", 0, "the program of the second trace",
     add_second_map},
    PROFILE_KEEP_GOING(struct graph_diff_options, both.keep_going),
    {CLI_OPTION_FLAG, 0, "keep-going-1", NULL, NULL, MEMBER(sides[0].keep_going), "does nothing, too", NULL},
    {CLI_OPTION_FLAG, 0, "keep-going-2", NULL, NULL, MEMBER(sides[1].keep_going), "does nothing, too", NULL},
    EVENT_FILTER_OPTIONS(struct graph_diff_options, filter),
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_graph_diff = {
    .name = "graph-diff",
    .group = CLI_GROUP_LOOK,
    .summary = "Show what changed between which functions call which",
    .operands = "[OPTION...] TRACE TRACE",
    .details =
        "Prints a graph for Graphviz with the functions and calls of both traces. What is only in the first\n"
        "one is red, what is only in the second one is green. Labels tell by how many percent what they\n"
        "show changed; colours are magenta for less and green for more. Functions are the same if their\n"
        "names are.\n"
        "\n" INSTR_MAP_HELP INPUT_LOSSES_HELP,
    .examples = "trace-cli graph-diff -m ./app -e sum -c sum before.log after.log >changes.dot\n",
    .options = graph_diff_options,
    .run = run_graph_diff,
};
