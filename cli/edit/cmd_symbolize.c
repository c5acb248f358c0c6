/* SPDX-License-Identifier: MIT
 * trace-cli symbolize: a copy of a trace with functions, files and lines in its backtraces.
 */
#include "shell/command.h"
#include "shell/debug_directory.h"
#include "shell/progress.h"

#include "base/error.h"
#include "edit/edited_copy.h"
#include "edit/frame_rewriter.h"
#include "input/input_losses.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct symbolize_options {
    struct symbolizer *symbolizer;
    const char *root;
    const char *output;
};

static int rewrite_events(struct frame_rewriter *r, struct edited_copy *c)
{
    const struct trace_raw_event *event;
    int rc = trace_copier_header(c->copier);
    if (rc != 0)
        return trace_error_prefix(rc, "%s", c->out_path);
    while (rc == 0 && (rc = event_input_next(&c->in, &event)) == 0 && event != NULL) {
        const struct trace_edit *edits;
        size_t count;
        rc = frame_rewriter_event(r, event, &edits, &count);
        if (rc != 0)
            return trace_error_prefix(rc, "%s", edited_copy_input_name(c));
        rc = trace_copier_event(c->copier, event, true, edits, count);
        if (rc != 0)
            trace_error_prefix(rc, "%s", c->out_path);
    }
    return rc;
}

static void print_counts(const struct frame_rewriter *r)
{
    if (r->unnamed > 0)
        fprintf(stderr, "nothing more is known of %" PRIu64 " of %" PRIu64 " frames\n", r->unnamed,
                r->named + r->unnamed);
}

/* A damaged index costs what it says. */
static void read_builds(struct trace_modules *out, struct trace_raw_events *events, const char *path)
{
    struct trace_index *index = trace_raw_events_index(events);
    *out = (struct trace_modules){.count = 0};
    if (index != NULL && trace_modules_read(out, index) != 0) {
        trace_error_prefix(TRACE_ERR_FORMAT, "%s", path);
        cli_print_warning();
    }
}

static int symbolize(struct symbolize_options *o, const char *path)
{
    struct edited_copy copy;
    struct trace_probe probe;
    struct frame_rewriter rewriter;
    struct trace_modules modules;
    struct stat st;
    progress_begin("symbolize");
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = edited_copy_open(&copy, &probe, path, o->output, "symbols", EDITED_COPY_CHANGES);
    trace_probe_close(&probe);
    if (rc != 0)
        return cli_print_error();
    frame_rewriter_init(&rewriter, o->symbolizer, o->root);
    if (strcmp(path, "-") != 0 && stat(path, &st) == 0)
        rewriter.written = st.st_mtime;
    read_builds(&modules, copy.in.events, path);
    rewriter.builds = &modules;
    if (edited_copy_finish(&copy, rewrite_events(&rewriter, &copy)) == 0)
        print_counts(&rewriter);
    frame_rewriter_fini(&rewriter);
    trace_modules_fini(&modules);
    return edited_copy_close(&copy, "Symbolized");
}

static void warn(void *context, const char *module, const char *message)
{
    (void)context;
    (void)module;
    trace_error_set(TRACE_ERR_FORMAT, "%s", message);
    cli_print_warning();
}

static int run_symbolize(const struct cli_command *self, int argc, char **argv)
{
    struct symbolize_options options = {.output = NULL};
    struct cli_operands operands;
    if (symbolizer_new(&options.symbolizer) != 0)
        return cli_print_error();
    symbolizer_set_warning(options.symbolizer, warn, NULL);
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    int status = result == CLI_PARSE_ERROR;
    if (result == CLI_PARSE_OK && operands.count != 1)
        status = cli_usage_error(self, "symbolize needs one trace, not %d", operands.count);
    else if (result == CLI_PARSE_OK)
        status = symbolize(&options, operands.values[0]);
    symbolizer_free(options.symbolizer);
    return status;
}

static int add_debug_directory(void *options, const char *value)
{
    if (*value == '\0')
        return trace_error_set(TRACE_ERR_USAGE, "the name of a directory is needed");
    cli_check_debug_directory(value);
    return symbolizer_add_debug_directory(((struct symbolize_options *)options)->symbolizer, value);
}

static const struct cli_option symbolize_options[] = {
    {CLI_OPTION_STRING, 'o', "output", NULL, "FILE", offsetof(struct symbolize_options, output),
     "the new trace (default: NAME-symbols.trace for NAME.trace)", NULL},
    {CLI_OPTION_CALLBACK, 'd', "debug-directory", NULL, "DIRECTORY", 0,
     "where to look for debug information, before /usr/lib/debug;\nmay be repeated", add_debug_directory},
    {CLI_OPTION_STRING, 0, "root", NULL, "DIRECTORY", offsetof(struct symbolize_options, root),
     "where the programs and libraries are at their paths, such as a copy\nof another machine's files", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_symbolize = {
    .name = "symbolize",
    .group = CLI_GROUP_CHANGE,
    .summary = "Name the functions in the backtraces of a trace",
    .operands = "[OPTION...] TRACE",
    .details = "Writes a copy of a trace, in whose backtraces frames that have no function, or a function "
               "without a file,\n"
               "get functions, files and lines, from the debug information or the symbols of programs and "
               "libraries.\n"
               "Inlined functions become frames of their own. What frames tell already stays. TRACE may be - "
               "for the\n"
               "standard input.\n"
               "\n" INPUT_LOSSES_HELP,
    .examples = "trace-cli symbolize app.trace\n"
                "trace-cli symbolize --debug-directory=/srv/debug -o named.trace app.trace\n",
    .options = symbolize_options,
    .run = run_symbolize,
};
