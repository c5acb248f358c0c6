/* SPDX-License-Identifier: MIT
 * trace-cli stack: which calls were made by which, and how long they took.
 */
#include "shell/command.h"

#include "base/error.h"
#include "profile/stack_names.h"
#include "profile/profile_input.h"
#include "profile/stack_page.h"
#include "profile/stack_report.h"
#include "shell/progress.h"
#include "shell/write_output.h"
#include "trace/stacks/folded_stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum stack_format {
    STACK_HUMAN,
    STACK_FLAME,
    STACK_HTML,
    STACK_JSON,
};

struct stack_options {
    enum stack_format format;
    bool counts;     /* values are numbers of calls; otherwise times */
    bool inclusive;  /* values include those of callees */
    bool by_thread;  /* a report for each thread */
    bool merged;     /* equal stacks of different threads are one */
    bool all;        /* which all formats but the report print */
    bool keep_going; /* which it always does */
    struct instr_maps instr_maps;
    struct event_filter_options filter;
};

/* What is printed. */
struct stack_output {
    const struct stack_options *options;
    const struct profile_input *in;
    const struct call_tree *tree;
    const struct stack_tops *tops;
    const struct stack_names *names;
};

/* --- formats --------------------------------------------------------------------------------------- */

static int flush_text(void *context)
{
    return write_output(context);
}

static int print_flame(const struct stack_output *o)
{
    const struct stack_options *options = o->options;
    struct buf text = BUF_INIT;
    const struct folded_stacks folded = {.value = options->counts      ? FOLDED_COUNT
                                                  : options->inclusive ? FOLDED_TOTAL
                                                                       : FOLDED_SELF,
                                         .like_llvm = options->inclusive,
                                         .names = (const char *const *)o->names->names,
                                         .out = &text,
                                         .flush = flush_text,
                                         .context = &text};
    char prefix[40] = "";
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < o->tops->count; ++i) {
        if (o->tops->threads != NULL)
            snprintf(prefix, sizeof prefix, "thread_%" PRId64 ";", o->tops->threads[i]->thread);
        rc = folded_stacks_append(&folded, o->tree, o->tops->nodes[i], prefix);
    }
    if (rc == 0)
        rc = write_output(&text);
    buf_fini(&text);
    return rc;
}

static int print_data(const struct stack_output *o)
{
    const struct stack_json json = {.tree = o->tree,
                                    .tops = o->tops,
                                    .names = o->names,
                                    .per_second = o->in->per_second,
                                    .write = write_output};
    return o->options->format == STACK_HTML ? stack_page_print(&json, o->in->path) : stack_json_write(&json);
}

static int print_stacks(const struct stack_output *o)
{
    switch (o->options->format) {
    case STACK_FLAME:
        return print_flame(o);
    case STACK_HTML:
    case STACK_JSON:
        return print_data(o);
    default:
        return stack_report_print(o->tree, o->tops, o->options->by_thread,
                                  (const char *const *)o->names->names);
    }
}

/* --- the command ----------------------------------------------------------------------------------- */

static int add_event(void *tree, const struct trace_event *event)
{
    return call_tree_add(tree, event);
}

static int print_tree(const struct stack_options *options, struct profile_input *in, struct call_tree *t)
{
    struct stack_names names;
    struct stack_tops tops;
    profile_input_check_names(in, &t->stacks.functions);
    int rc = stack_names_find(&names, &in->names, &t->stacks.functions);
    if (rc != 0)
        return rc;
    rc = stack_tops_find(&tops, t, options->merged);
    if (rc == 0) {
        const struct stack_output o = {
            .options = options, .in = in, .tree = t, .tops = &tops, .names = &names};
        rc = print_stacks(&o);
        stack_tops_free(&tops);
    }
    stack_names_free(&names);
    return rc;
}

static int read_tree(struct profile_input *in, struct call_tree *t)
{
    int rc = profile_input_read(in, &t->stacks, add_event, t);
    if (rc == 0)
        rc = call_tree_finish(t);
    if (rc == 0 && t->thread_count == 0)
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s: the trace has no calls whose beginning and end are known",
                             in->path);
    return rc;
}

static int stack_input(const struct stack_options *options, struct profile_input *in)
{
    const struct call_tree_options tree_options = {.has_ticks = in->has_ticks,
                                                   .has_groups = true,
                                                   .wants = profile_input_wants(in),
                                                   .context = &in->filter};
    struct call_tree tree;
    call_tree_init(&tree, &tree_options);
    int rc = read_tree(in, &tree);
    if (rc == 0)
        rc = print_tree(options, in, &tree);
    int status = rc == 0 ? input_losses_status(&in->in.losses) : cli_print_error();
    if (rc == 0)
        profile_input_warn(in, tree.stacks.open, tree.stacks.unmatched);
    call_tree_fini(&tree);
    return status;
}

static int stack(const struct stack_options *options, char *const *paths, int count)
{
    struct profile_input in;
    const struct profile_request request = {.paths = paths,
                                            .count = count,
                                            .takes_sums = true,
                                            .wants_ends = true,
                                            .wants_callers = true,
                                            .instr_maps = &options->instr_maps,
                                            .filter = &options->filter};
    if (profile_input_open(&in, &request) != 0)
        return cli_print_error();
    int status = stack_input(options, &in);
    profile_input_close(&in);
    return status;
}

/* Returns false after an error was printed. */
static bool options_fit(const struct cli_command *self, const struct stack_options *o)
{
    if (o->by_thread && o->merged)
        cli_usage_error(self, "--per-thread-stacks and --aggregate-threads exclude each other");
    else if (o->all && o->format == STACK_HUMAN)
        cli_usage_error(self, "--all-stacks needs --format=flame, html or json");
    else if (o->inclusive && o->format != STACK_FLAME)
        cli_usage_error(self, "--inclusive needs --format=flame");
    else
        return true;
    return false;
}

static int run_stack(const struct cli_command *self, int argc, char **argv)
{
    struct stack_options options = {.format = STACK_HUMAN};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "stack needs a trace");
    if (!options_fit(self, &options) || !cli_reads_input_once(self, operands.values, operands.count))
        return 1;
    progress_begin("stack");
    int status = stack(&options, operands.values, operands.count);
    progress_end();
    instr_maps_fini(&options.instr_maps);
    return status;
}

/* --- options --------------------------------------------------------------------------------------- */

static int set_format(void *options, const char *value)
{
    static const char *const words[] = {"human", "flame", "html", "json"};
    for (int i = 0; i < 4; ++i)
        if (strcmp(words[i], value) == 0) {
            ((struct stack_options *)options)->format = (enum stack_format)i;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither human, flame, html nor json", value);
}

static int set_aggregation(void *options, const char *value)
{
    struct stack_options *o = options;
    o->counts = strcmp(value, "count") == 0;
    return o->counts || strcmp(value, "time") == 0
               ? 0
               : trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither time nor count", value);
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct stack_options *)options)->instr_maps, value);
}

#define MEMBER(name) offsetof(struct stack_options, name)

static const struct cli_option stack_options[] = {
    {CLI_OPTION_CALLBACK, 0, "format", "stack-format", "human|flame|html|json", 0,
     "a report (human, the default), lines for flame graph tools\n"
     "(flame), a page with a flame graph (html), or JSON",
     set_format},
    {CLI_OPTION_FLAG, 0, "per-thread-stacks", NULL, NULL, MEMBER(by_thread), "a report for each thread",
     NULL},
    {CLI_OPTION_FLAG, 0, "aggregate-threads", NULL, NULL, MEMBER(merged),
     "equal stacks of different threads count as one", NULL},
    {CLI_OPTION_CALLBACK, 0, "aggregation-type", NULL, "time|count", 0,
     "values of --format=flame: the time (the default), or how many\ncalls there were", set_aggregation},
    {CLI_OPTION_FLAG, 0, "inclusive", NULL, NULL, MEMBER(inclusive),
     "the time of a call includes the calls that it made, as\n"
     "llvm-xray prints it; flame graph tools then count it twice",
     NULL},
    {CLI_OPTION_FLAG, 0, "all-stacks", "all", NULL, MEMBER(all),
     "all stacks, which every format but human prints anyway", NULL},
    INSTR_MAP_OPTIONS(struct stack_options, instr_maps, add_instr_map),
    PROFILE_KEEP_GOING(struct stack_options, keep_going),
    EVENT_FILTER_OPTIONS(struct stack_options, filter),
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_stack = {
    .name = "stack",
    .group = CLI_GROUP_LOOK,
    .summary = "Show which stacks of calls took the time",
    .operands = "[OPTION...] TRACE...",
    .details =
        "Shows how many different stacks there were, and the ten at whose ends most time was spent, and\n"
        "most calls were made; or all of them. Times are ticks of a log's counter, or nanoseconds; in\n"
        "JSON, and in a page, seconds. Several TRACEs are merged by time.\n"
        "\n"
        "GL's debug groups (glPushDebugGroup) are part of a stack, so that a trace with times tells which\n"
        "calls took the time in which group. What the filters leave out is still part of the stacks of\n"
        "what they select, but has no time.\n"
        "\n"
        "TRACE may be of any format that has times, and - for the standard input. XRay's logs only have\n"
        "numbers of functions; --instr-map tells their names.\n"
        "\n" INSTR_MAP_HELP INPUT_LOSSES_HELP,
    .examples = "trace-cli stack -m ./app xray-log.app.Abc123\n"
                "trace-cli stack --format=html app.trace >flame.html\n"
                "trace-cli stack --format=flame --aggregate-threads app.trace | flamegraph.pl >flame.svg\n",
    .options = stack_options,
    .run = run_stack,
};
