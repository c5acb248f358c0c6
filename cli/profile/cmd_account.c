/* SPDX-License-Identifier: MIT
 * trace-cli account: how often each function was called, and how long its calls took.
 */
#include "shell/command.h"

#include "base/error.h"
#include "input/source_input.h"
#include "profile/account_table.h"
#include "shell/number_option.h"
#include "shell/progress.h"
#include "trace/adaptors/adaptors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account_options {
    struct account_style style;
    bool siblings;
    bool only_recursive;
    struct instr_maps instr_maps;
};

/* --- reading --------------------------------------------------------------------------------------- */

static int open_all(struct trace_source **sources, char *const *paths, int count)
{
    int rc = 0, opened = 0;
    while (opened < count && (rc = trace_source_open(&sources[opened], paths[opened])) == 0)
        ++opened;
    for (int i = 0; rc != 0 && i < opened; ++i)
        trace_source_close(sources[i]);
    return rc;
}

/* Opens one trace, or several that are merged. */
static int open_traces(struct trace_source **out, char *const *paths, int count)
{
    if (count == 1)
        return trace_source_open(out, paths[0]);
    struct trace_source **sources = calloc((size_t)count, sizeof *sources);
    int rc = sources == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                             : open_all(sources, paths, count);
    if (rc == 0)
        rc = trace_merge_open(out, sources, (size_t)count);
    free(sources);
    return rc;
}

/* Whole calls do not tell which of them are within others. */
static int split_calls(struct trace_source *source, const struct account_options *o)
{
    int rc =
        o->only_recursive && trace_source_order(source) == TRACE_ORDER_CALLS ? trace_source_split(source) : 0;
    return rc;
}

static int require_times(struct trace_source *source, const char *path)
{
    if (trace_source_clock(source) != NULL)
        return 0;
    return trace_error_set(TRACE_ERR_USAGE, "%s: the trace has no times", path);
}

static int read_events(struct call_account *a, struct source_input *in)
{
    struct trace_event event;
    int rc;
    while ((rc = source_input_next(in, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        rc = call_account_add(a, &event);
        trace_source_release(in->source, &event);
        if (rc != 0)
            return rc;
    }
    call_account_finish(a);
    return rc;
}

/* --- the command ----------------------------------------------------------------------------------- */

static void tell_rest(const struct call_account *a)
{
    if (a->open > 0)
        fprintf(stderr, "warning: %" PRIu64 " calls are left out, since their ends are not in the trace\n",
                a->open);
    if (a->unmatched > 0)
        fprintf(stderr,
                "warning: %" PRIu64
                " ends of calls are left out, since their beginnings are not in the trace\n",
                a->unmatched);
}

/* A function that the program lacks says that another one wrote the log. */
static void check_names(const struct call_account *a, struct map_names *names)
{
    for (size_t i = 0; i < a->function_count; ++i)
        map_names_doubt(names, a->functions[i]->sig->number);
}

static int print_account(struct call_account *a, struct account_options *o, const struct trace_clock *clock,
                         struct map_names *names)
{
    a->has_ticks = clock->has_ticks;
    check_names(a, names);
    o->style.per_unit = !clock->has_ticks ? 1e9 : clock->frequency > 0 ? (double)clock->frequency : 1;
    return account_table_print(a, names, &o->style);
}

static int account_input(struct account_options *o, struct source_input *in, struct map_names *names)
{
    const struct trace_clock *clock = trace_source_clock(in->source);
    struct call_account a = {
        .has_ticks = clock->has_ticks, .siblings = o->siblings, .only_recursive = o->only_recursive};
    int rc = read_events(&a, in);
    progress_end();
    if (rc == 0)
        rc = print_account(&a, o, clock, names);
    int status = rc == 0 ? input_losses_status(&in->losses) : cli_print_error();
    if (rc == 0)
        tell_rest(&a);
    call_account_fini(&a);
    return status;
}

static int account(struct account_options *o, char *const *paths, int count)
{
    struct trace_source *source;
    struct source_input in;
    struct map_names names;
    if (open_traces(&source, paths, count) != 0)
        return cli_print_error();
    int rc = require_times(source, paths[0]);
    if (rc == 0)
        rc = split_calls(source, o);
    if (rc == 0)
        rc = map_names_init(&names, &o->instr_maps);
    if (rc == 0 && count == 1 &&
        (rc = map_names_find_program(&names, trace_source_format_name(source), paths[0])) != 0)
        map_names_fini(&names);
    if (rc != 0) {
        trace_source_close(source);
        return cli_print_error();
    }
    int status = source_input_adopt(&in, source, paths[0], NULL) == 0 ? account_input(o, &in, &names)
                                                                      : cli_print_error();
    source_input_close(&in);
    map_names_fini(&names);
    return status;
}

static int run_account(const struct cli_command *self, int argc, char **argv)
{
    struct account_options options = {.style = {.per_unit = 1}};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "account needs a trace");
    if (!cli_reads_input_once(self, operands.values, operands.count))
        return 1;
    progress_begin("account");
    int status = account(&options, operands.values, operands.count);
    progress_end();
    instr_maps_fini(&options.instr_maps);
    return status;
}

/* --- options --------------------------------------------------------------------------------------- */

static int set_format(void *options, const char *value)
{
    static const char *const words[] = {"text", "csv", "json"};
    struct account_options *o = options;
    for (int i = 0; i < 3; ++i)
        if (strcmp(words[i], value) == 0) {
            o->style.format = (enum account_format)i;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither text, csv nor json", value);
}

static int set_sort(void *options, const char *value)
{
    struct account_options *o = options;
    o->style.sort = account_column_find(value);
    return o->style.sort != ACCOUNT_COLUMNS
               ? 0
               : trace_error_set(TRACE_ERR_USAGE, "no column is called \"%s\"", value);
}

static int set_order(void *options, const char *value)
{
    struct account_options *o = options;
    o->style.descending = strcmp(value, "dsc") == 0;
    return o->style.descending || strcmp(value, "asc") == 0
               ? 0
               : trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither asc nor dsc", value);
}

static int set_top(void *options, const char *value)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || number > UINT32_MAX)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a number of rows", value);
    ((struct account_options *)options)->style.top = (uint32_t)number;
    return 0;
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct account_options *)options)->instr_maps, value);
}

#define MEMBER(name) offsetof(struct account_options, name)

static const struct cli_option account_options[] = {
    {CLI_OPTION_CALLBACK, 'f', "format", NULL, "text|csv|json", 0, "a table (text, the default), CSV or JSON",
     set_format},
    {CLI_OPTION_CALLBACK, 's', "sort", NULL, "funcid|count|min|med|90p|99p|max|sum|func", 0,
     "the column by which rows are sorted (default: funcid)", set_sort},
    {CLI_OPTION_CALLBACK, 'r', "sortorder", NULL, "asc|dsc", 0, "ascending (asc, the default) or descending",
     set_order},
    {CLI_OPTION_CALLBACK, 'p', "top", NULL, "N", 0, "show only the first N functions", set_top},
    {CLI_OPTION_FLAG, 'd', "deduce-sibling-calls", NULL, NULL, MEMBER(siblings),
     "where a call ends, those within it end whose ends are missing", NULL},
    {CLI_OPTION_FLAG, 0, "recursive-calls-only", NULL, NULL, MEMBER(only_recursive),
     "count only calls of functions that call themselves meanwhile", NULL},
    INSTR_MAP_OPTION(add_instr_map),
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_account = {
    .name = "account",
    .group = CLI_GROUP_LOOK,
    .summary = "Show how often functions were called, and how long it took",
    .operands = "[OPTION...] TRACE...",
    .details =
        "Prints a row for each function: how many of its calls ended, the shortest, median, 90th and 99th\n"
        "percentile and longest duration of a call, and their sum, in seconds; in ticks if a log does not\n"
        "tell the frequency of its counter. Several TRACEs are merged by time.\n"
        "\n"
        "TRACE may be of any format that has times, and - for the standard input. XRay's logs only have\n"
        "numbers of functions; --instr-map tells their names.\n"
        "\n" INSTR_MAP_HELP INPUT_LOSSES_HELP,
    .examples = "trace-cli account -m ./app --sort=sum --sortorder=dsc --top=10 xray-log.app.Abc123\n"
                "trace-cli account --format=csv app.trace\n",
    .options = account_options,
    .run = run_account,
};
