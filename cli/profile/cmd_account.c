/* SPDX-License-Identifier: MIT
 * trace-cli account: how often each function was called, and how long its calls took.
 */
#include "shell/command.h"

#include "base/error.h"
#include "profile/account_table.h"
#include "profile/profile_input.h"
#include "shell/progress.h"

#include <stdlib.h>
#include <string.h>

struct account_options {
    struct account_style style;
    bool siblings;
    bool only_recursive;
    bool keep_going; /* which it always does */
    struct instr_maps instr_maps;
    struct event_filter_options filter;
};

static int read_account(struct call_account *a, struct profile_input *in)
{
    int rc = profile_input_read(in, &a->stacks, call_account_add, a);
    return rc == 0 ? call_account_finish(a) : rc;
}

static int account_input(struct account_options *o, struct profile_input *in)
{
    struct call_account a = {
        .siblings = o->siblings, .only_recursive = o->only_recursive, .by_group = o->style.has_groups};
    call_account_init(&a, in->has_ticks, profile_input_wants(in), &in->filter);
    o->style.per_unit = in->per_second > 0 ? in->per_second : 1;
    int rc = read_account(&a, in);
    if (rc == 0)
        profile_input_check_names(in, &a.stacks.functions);
    if (rc == 0)
        rc = account_table_print(&a, &in->names, &o->style);
    int status = rc == 0 ? input_losses_status(&in->in.losses) : cli_print_error();
    if (rc == 0)
        profile_input_warn(in, a.open, a.stacks.unmatched);
    call_account_fini(&a);
    return status;
}

/* Whole calls do not tell which of them are within others. */
static int account(struct account_options *o, char *const *paths, int count)
{
    struct profile_input in;
    const struct profile_request request = {.paths = paths,
                                            .count = count,
                                            .wants_ends = o->only_recursive || o->style.has_groups,
                                            .wants_callers =
                                                o->only_recursive || o->style.has_groups || o->siblings,
                                            .instr_maps = &o->instr_maps,
                                            .filter = &o->filter};
    if (profile_input_open(&in, &request) != 0)
        return cli_print_error();
    int status = account_input(o, &in);
    profile_input_close(&in);
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
    INSTR_MAP_OPTIONS(struct account_options, instr_maps, add_instr_map),
    {CLI_OPTION_FLAG, 0, "by-group", NULL, NULL, MEMBER(style.has_groups),
     "a row for each function of each debug group (glPushDebugGroup)", NULL},
    PROFILE_KEEP_GOING(struct account_options, keep_going),
    EVENT_FILTER_OPTIONS(struct account_options, filter),
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
