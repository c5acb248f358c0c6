/* SPDX-License-Identifier: MIT
 * trace-cli dump: prints the calls of a trace as text or JSON.
 */
#include "input/input_losses.h"
#include "shell/command.h"

#include "base/error.h"
#include "shell/color_mode.h"
#include "dump/dump_events.h"
#include "dump/dump_trace.h"
#include "input/source_input.h"
#include "shell/progress.h"
#include "shell/number_option.h"
#include "shell/pager.h"
#include "shell/write_output.h"
#include "formats/xray/xray_fdr_text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump_options {
    struct call_selection selection; /* must be first, as its options expect */
    bool timestamps;
    bool symbolize;
    struct instr_maps instr_maps;
    enum color_mode color;
    unsigned jobs;
    struct dump_printer_options printer;
    struct event_filter_options filter;
};

static int print_fdr_records(struct dump *d, struct trace_probe *probe, const char *path, bool *damaged)
{
    struct map_names names;
    int rc = map_names_init(&names, d->instr_maps);
    if (rc != 0)
        return rc;
    if (d->symbolize)
        rc = map_names_find_program(&names, "xray", path);
    bool is_named = d->symbolize || names.count > 0;
    if (rc == 0)
        rc = xray_fdr_text_print(probe, dump_printer_output(&d->printer), write_output,
                                 is_named ? map_names_of_number : NULL, &names, damaged);
    map_names_fini(&names);
    return rc;
}

/* Only XRay's logs have such records. */
static int dump_fdr_records(struct dump *d, struct trace_probe *probe, const char *path)
{
    bool damaged = false;
    if (trace_format_require(probe, "xray") != 0)
        return cli_print_error();
    if (d->wants_pager && d->pager == 0)
        d->pager = pager_start(0);
    if (print_fdr_records(d, probe, path, &damaged) != 0)
        return cli_print_error();
    if (!damaged)
        return 0;
    trace_error_set(TRACE_ERR_DAMAGED, "%s: damaged parts are left out", probe->name);
    cli_print_warning();
    return 1;
}

static int dump_trace(struct dump *d, const char *path)
{
    struct trace_probe probe;
    bool is_calls;
    int status;
    if (!d->wants_pager) /* the pager has the terminal to itself */
        progress_begin_beside_output("dump");
    if (input_probe(&probe, path, &is_calls) != 0)
        status = cli_print_error();
    else if (d->printer.options->as_fdr_records)
        status = dump_fdr_records(d, &probe, path);
    else
        status = is_calls && d->printer.options->format == NULL ? dump_calls(d, &probe, path)
                                                                : dump_events(d, &probe, path);
    trace_probe_close(&probe);
    progress_end();
    return status;
}

static int dump_traces(struct dump *d, const struct cli_operands *operands)
{
    int status = 0;
    for (int i = 0; i < operands->count; ++i)
        if (dump_trace(d, operands->values[i]) != 0)
            status = 1;
    return status;
}

static int dump_with_pager(struct dump *d, struct dump_options *o, const struct cli_operands *operands)
{
    o->printer.style.color = color_mode_wants_color(o->color);
    d->wants_pager = color_mode_is_interactive(o->color);
    if (dump_printer_init(&d->printer, &o->printer) != 0)
        return cli_print_error();
    int status = dump_traces(d, operands);
    if (d->pager != 0)
        pager_finish(d->pager);
    dump_printer_fini(&d->printer);
    return status;
}

static int check_filter(const struct dump *d, const struct dump_options *o)
{
    return d->filter.is_given && o->printer.as_fdr_records
               ? trace_error_set(TRACE_ERR_USAGE, "--format=fdr-dump shows all records of a log")
               : 0;
}

static int dump(struct dump_options *o, const struct cli_operands *operands)
{
    if (o->printer.blobs == TRACE_JSON_BLOBS_INLINE && !o->printer.as_json) {
        trace_error_set(TRACE_ERR_USAGE, "--blobs=inline needs --format=json");
        return cli_print_error();
    }
    o->printer.style.blobs = o->printer.blobs == TRACE_JSON_BLOBS_FILES;
    struct dump *d = calloc(1, sizeof *d);
    if (d == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        return cli_print_error();
    }
    d->selection = o->selection;
    d->timestamps = o->timestamps;
    d->instr_maps = &o->instr_maps;
    d->symbolize = o->symbolize;
    d->jobs = o->jobs;
    int status = event_filter_init(&d->filter, &o->filter) == 0 && check_filter(d, o) == 0
                     ? dump_with_pager(d, o, operands)
                     : cli_print_error();
    event_filter_fini(&d->filter);
    free(d);
    return status;
}

static int run_dump(const struct cli_command *self, int argc, char **argv)
{
    struct cli_operands operands;
    struct dump_options options = {
        .jobs = default_jobs(),
        .printer = {.style = {.call_nos = true, .arg_names = true, .multiline = true}},
    };
    signal(SIGPIPE, SIG_DFL); /* the reader of the text may close it at any time */
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count == 0)
        status = cli_usage_error(self, "dump needs a trace");
    else if (result == CLI_PARSE_OK && !cli_reads_input_once(self, operands.values, operands.count))
        status = 1;
    else if (result == CLI_PARSE_OK)
        status = dump(&options, &operands);
    call_selection_fini(&options.selection);
    instr_maps_fini(&options.instr_maps);
    return status;
}

static int set_format(void *options, const char *value)
{
    struct dump_options *o = options;
    o->printer.as_json = strcmp(value, "json") == 0;
    o->printer.format = strcmp(value, "yaml") == 0         ? "xray-yaml"
                        : strcmp(value, "babeltrace") == 0 ? "babeltrace"
                                                           : NULL;
    o->printer.as_fdr_records = strcmp(value, "fdr-dump") == 0;
    return o->printer.as_json || o->printer.format != NULL || o->printer.as_fdr_records ||
                   strcmp(value, "text") == 0
               ? 0
               : trace_error_set(TRACE_ERR_USAGE,
                                 "\"%s\" is neither text, json, yaml, fdr-dump nor babeltrace", value);
}

static int set_blobs(void *options, const char *value)
{
    struct dump_options *o = options;
    if (value == NULL || strcmp(value, "files") == 0)
        o->printer.blobs = TRACE_JSON_BLOBS_FILES;
    else if (strcmp(value, "inline") == 0)
        o->printer.blobs = TRACE_JSON_BLOBS_INLINE;
    else
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither files nor inline", value);
    return 0;
}

static int set_color(void *options, const char *value)
{
    return color_mode_parse(value, &((struct dump_options *)options)->color);
}

static int set_names(void *options, const char *value)
{
    return babeltrace_style_set_names(&((struct dump_options *)options)->printer.babeltrace, value);
}

static int set_fields(void *options, const char *value)
{
    return babeltrace_style_set_fields(&((struct dump_options *)options)->printer.babeltrace, value);
}

static int set_jobs(void *options, const char *value)
{
    return parse_jobs_option(value, 1, &((struct dump_options *)options)->jobs);
}

static int add_instr_map(void *options, const char *value)
{
    return instr_maps_add(&((struct dump_options *)options)->instr_maps, value);
}

#define MEMBER(name) offsetof(struct dump_options, name)

static const struct cli_option dump_options[] = {
    {CLI_OPTION_FLAG, 'v', "verbose", NULL, NULL, MEMBER(printer.verbose),
     "also show calls that only query strings or names", NULL},
    {CLI_OPTION_CALLBACK, 0, "calls", NULL, "SET", 0, "show only these calls; may be repeated",
     call_selection_add_calls},
    {CLI_OPTION_CALLBACK, 0, "frames", NULL, "SET", 0, "show only the calls of these frames; may be repeated",
     call_selection_add_frames},
    {CLI_OPTION_CALLBACK, 0, "format", NULL, "text|json|yaml|fdr-dump|babeltrace", 0,
     "text (the default), one JSON object a line, or what llvm-xray prints:\n"
     "the YAML of \"convert\", or the records of \"fdr-dump\"; or what\n"
     "babeltrace2 prints",
     set_format},
    {CLI_OPTION_OPTIONAL, 0, "color", "colour", "auto|always|never", 0,
     "colour the output (default: auto, on a terminal)", set_color},
    {CLI_OPTION_STRING, 0, "grep", NULL, "REGEX", MEMBER(printer.grep),
     "show only calls to functions whose names match", NULL},
    {CLI_OPTION_BOOL, 0, "thread-ids", NULL, NULL, MEMBER(printer.style.thread_ids),
     "show the calling thread (default: no)", NULL},
    {CLI_OPTION_BOOL, 0, "call-nos", NULL, NULL, MEMBER(printer.style.call_nos),
     "show call numbers (default: yes)", NULL},
    {CLI_OPTION_BOOL, 0, "arg-names", NULL, NULL, MEMBER(printer.style.arg_names),
     "show argument names (default: yes)", NULL},
    {CLI_OPTION_OPTIONAL, 0, "blobs", NULL, "files|inline", 0,
     "write blobs to files in the current directory (files, the default),\nor into the JSON (inline)",
     set_blobs},
    {CLI_OPTION_BOOL, 0, "multiline", NULL, NULL, MEMBER(printer.style.multiline),
     "show line breaks as they are, backtraces, and an empty line\n"
     "after each frame (default: yes)",
     NULL},
    {CLI_OPTION_FLAG, 0, "timestamps", NULL, NULL, MEMBER(timestamps),
     "show when each call began, and how long it took", NULL},
    {CLI_OPTION_FLAG, 0, "exact-floats", NULL, NULL, MEMBER(printer.style.exact_floats),
     "show floats and doubles with as many digits as they need", NULL},
    {CLI_OPTION_FLAG, 0, "utf8", NULL, NULL, MEMBER(printer.style.utf8),
     "show strings as UTF-8, including what follows a NUL", NULL},
    INSTR_MAP_OPTIONS(struct dump_options, instr_maps, add_instr_map),
    SYMBOLIZE_OPTION(MEMBER(symbolize)),
    EVENT_FILTER_OPTIONS(struct dump_options, filter),
    {CLI_OPTION_FLAG, 0, "clock-cycles", NULL, NULL, MEMBER(printer.babeltrace.clock_cycles),
     "for babeltrace: times as values of the clock's counter", NULL},
    {CLI_OPTION_FLAG, 0, "clock-seconds", NULL, NULL, MEMBER(printer.babeltrace.clock_seconds),
     "for babeltrace: times as seconds since 1970", NULL},
    {CLI_OPTION_FLAG, 0, "clock-date", NULL, NULL, MEMBER(printer.babeltrace.clock_date),
     "for babeltrace: times with their date", NULL},
    {CLI_OPTION_FLAG, 0, "clock-gmt", NULL, NULL, MEMBER(printer.babeltrace.clock_gmt),
     "for babeltrace: times in UTC, not in local time", NULL},
    {CLI_OPTION_FLAG, 0, "no-delta", NULL, NULL, MEMBER(printer.babeltrace.no_delta),
     "for babeltrace: no time since the previous event", NULL},
    {CLI_OPTION_CALLBACK, 0, "names", NULL, "LIST", 0,
     "for babeltrace: which names are shown: of payload, context, scope,\n"
     "header, separated by commas; or all or none",
     set_names},
    {CLI_OPTION_CALLBACK, 0, "fields", NULL, "LIST", 0,
     "for babeltrace: what else is shown: trace, trace:hostname,\n"
     "trace:domain, trace:procname, trace:vpid, loglevel, emf; or all",
     set_fields},
    {CLI_OPTION_CALLBACK, 0, "jobs", NULL, "N", 0,
     "parse and format in N threads (default: one per processor, at\n"
     "most 8)",
     set_jobs},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_dump = {
    .name = "dump",
    .group = CLI_GROUP_LOOK,
    .summary = "Show the calls of a trace as text or JSON",
    .operands = "[OPTION...] TRACE...",
    .details =
        "SET is a list, separated by commas, of\n"
        "  N  N-M  N-  *           a call, a range of calls, a range to the end, all calls\n"
        "  RANGE/STEP              every STEPth call of a range\n"
        "  RANGE/KIND or KIND      the calls of one kind: frame (which end a frame), rendertarget or fbo\n"
        "                          (which change it), render or draw\n"
        "  @FILE                   a file with such a list\n"
        "\n"
        "Frames are numbered from 0; the call that ends a frame is its last. With both --calls and\n"
        "--frames, calls that are in both are shown: --frames=10 --calls=draw shows what frame 10 draws.\n"
        "\n"
        "TRACE may be - for the standard input.\n"
        "\n"
        "XRay's logs only have numbers of functions; --instr-map or --symbolize name them.\n" INSTR_MAP_HELP
            INPUT_LOSSES_HELP,
    .examples = "trace-cli dump --calls=100-120 app.trace\n"
                "trace-cli dump --frames=10 --calls=draw app.trace\n"
                "trace-cli dump --grep='^glDraw' --thread-ids app.trace\n"
                "trace-cli dump --timestamps app.trace\n"
                "trace-cli dump --format=json app.trace\n",
    .options = dump_options,
    .run = run_dump,
};
