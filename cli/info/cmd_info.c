/* SPDX-License-Identifier: MIT
 * trace-cli info: counts the contents of a trace.
 */
#include "input/input_losses.h"
#include "shell/command.h"

#include "base/error.h"
#include "input/source_input.h"
#include "shell/progress.h"
#include "info/info_events.h"
#include "info/info_print.h"
#include "info/info_scan.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct info_options {
    bool dump_frames;
    bool stats;
    bool table; /* print statistics as a table instead of JSON */
};

static int set_stats(void *options, const char *value)
{
    struct info_options *o = options;
    o->stats = true;
    o->table = value == NULL || strcmp(value, "table") == 0;
    if (!o->table && strcmp(value, "json") != 0)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither table nor json", value);
    return 0;
}

static int show_calls(const struct info_options *o, struct trace_probe *probe)
{
    struct trace_info info = {.path = probe->name, .wants_frames = o->dump_frames, .wants_stats = o->stats};
    struct event_input in;
    int rc = event_input_open_probed(&in, probe, 0);
    if (rc == 0)
        rc = info_scan(&info, &in);
    progress_end();
    if (rc == 0 && o->table)
        info_print_table(&info);
    else if (rc == 0)
        info_print_json(&info);
    int status = rc != 0 ? cli_print_error() : input_losses_status(&in.losses);
    event_input_close(&in);
    trace_info_fini(&info);
    return status;
}

static int count_events(struct event_info *info, struct source_input *in)
{
    struct trace_event event;
    int rc;
    while ((rc = source_input_next(in, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        rc = event_info_add(info, &event);
        trace_source_release(in->source, &event);
        if (rc != 0)
            break;
    }
    return rc;
}

/* Prints a trace in any format other than apitrace's. */
static int show_events(const struct info_options *o, struct trace_probe *probe)
{
    struct event_info info;
    struct source_input in;
    if (source_input_open(&in, probe, NULL) != 0)
        return cli_print_error();
    int rc = event_info_init(&info, in.source, probe->name, o->stats);
    if (rc == 0)
        rc = count_events(&info, &in);
    progress_end();
    if (rc == 0 && o->table)
        event_info_print_table(&info);
    else if (rc == 0)
        event_info_print_json(&info);
    int status = rc != 0 ? cli_print_error() : input_losses_status(&in.losses);
    event_info_fini(&info);
    source_input_close(&in);
    return status;
}

static int show_info(const struct info_options *o, const char *path)
{
    struct trace_probe probe;
    bool is_calls;
    int status;
    progress_begin("info");
    if (input_probe(&probe, path, &is_calls) != 0)
        status = cli_print_error();
    else
        status = is_calls ? show_calls(o, &probe) : show_events(o, &probe);
    trace_probe_close(&probe);
    progress_end();
    return status;
}

static int run_info(const struct cli_command *self, int argc, char **argv)
{
    struct info_options options = {false};
    struct cli_operands operands;
    int status = 0;
    signal(SIGPIPE, SIG_DFL); /* the reader of the text may close it at any time */
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "info needs a trace");
    if (!cli_reads_input_once(self, operands.values, operands.count))
        return 1;
    for (int i = 0; i < operands.count; ++i)
        if (show_info(&options, operands.values[i]) != 0)
            status = 1;
    return status;
}

static const struct cli_option info_options[] = {
    {CLI_OPTION_FLAG, 0, "dump-frames", NULL, NULL, offsetof(struct info_options, dump_frames),
     "also list each frame's calls and size", NULL},
    {CLI_OPTION_OPTIONAL, 0, "stats", NULL, "table|json", 0,
     "count calls, bytes and data by function and by thread: as a\n"
     "table (the default), or in the JSON",
     set_stats},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_info = {
    .name = "info",
    .group = CLI_GROUP_LOOK,
    .summary = "Show what a trace contains: sizes, frames, calls by function",
    .operands = "[OPTION...] TRACE...",
    .details =
        "Prints a JSON object for each trace. TRACE may be - for the standard input.\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli info app.trace\n"
                "trace-cli info --stats app.trace | head\n",
    .options = info_options,
    .run = run_info,
};
