/* SPDX-License-Identifier: MIT
 * trace-cli convert: a trace in another format.
 */
#include "shell/command.h"

#include "base/error.h"
#include "edit/repack.h"
#include "formats/format_registry.h"
#include "input/input_losses.h"
#include "shell/number_option.h"
#include "shell/progress.h"
#include "shell/replace_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct convert_options {
    const char *to; /* the format's name */
};

/* A source, a sink, and what is to be said at the end. */
struct conversion {
    const char *to;
    const char *out_path;
    struct trace_source *source;
    struct trace_sink *sink;
    struct input_losses losses;
};

/* --- events ---------------------------------------------------------------------------------------- */

static int next_event(struct conversion *c, struct trace_event *event)
{
    int rc;
    while ((rc = trace_source_next(c->source, event)) != 0)
        if ((rc = input_losses_add(&c->losses, rc)) != 0)
            break;
    return rc;
}

static int put_events(struct conversion *c)
{
    struct trace_event event;
    int rc;
    while ((rc = next_event(c, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        rc = trace_sink_put(c->sink, &event);
        trace_source_release(c->source, &event);
        if (rc != 0)
            return trace_error_prefix(rc, "%s", c->out_path);
    }
    return rc != 0 ? rc : trace_sink_finish(c->sink);
}

static void tell_left_out(const struct conversion *c)
{
    const struct trace_left_out *items;
    size_t count = trace_sink_left_out(c->sink, &items);
    if (count == 0)
        return;
    fprintf(stderr, "warning: %s: %s cannot express all of the trace; left out:\n", c->out_path, c->to);
    for (size_t i = 0; i < count; ++i)
        fprintf(stderr, "%10" PRIu64 "  %s\n", items[i].count, items[i].what);
}

/* --- the trace ------------------------------------------------------------------------------------- */

static int open_sink(struct conversion *c)
{
    struct trace_sink_options options = {.jobs = default_jobs(), .clock = trace_source_clock(c->source)};
    options.property_count = trace_source_properties(c->source, &options.properties);
    return trace_sink_create(&c->sink, c->to, c->out_path, &options);
}

static int copy_events(struct conversion *c)
{
    char message[512];
    int rc = put_events(c);
    if (rc == 0) {
        progress_end();
        tell_left_out(c);
        rc = trace_sink_close(c->sink);
        return rc == 0 ? 0 : trace_error_prefix(rc, "%s", c->out_path);
    }
    snprintf(message, sizeof message, "%s", trace_error_message());
    trace_sink_abandon(c->sink);
    return trace_error_set(rc, "%s", message);
}

static int convert_events(struct conversion *c, struct trace_probe *probe)
{
    int rc = trace_source_open_probed(&c->source, probe);
    if (rc != 0)
        return rc;
    trace_source_resume_after_damage(c->source);
    progress_begin("convert");
    trace_source_set_progress(c->source, progress_callback());
    rc = open_sink(c);
    if (rc == 0)
        rc = copy_events(c);
    progress_end();
    trace_source_close(c->source);
    return rc;
}

/* From apitrace's format to itself the stream is copied as it is. */
static int convert_probed(struct conversion *c, struct trace_probe *probe)
{
    const struct trace_format *from;
    int rc = trace_format_detect(&from, probe);
    if (rc != 0)
        return rc;
    if (strcmp(from->name, "apitrace") != 0 || strcmp(c->to, "apitrace") != 0)
        return convert_events(c, probe);
    const struct repack_options options = {TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, default_jobs(),
                                           false};
    return repack_probed(&options, probe, c->out_path);
}

static int convert(struct conversion *c, const char *in_path)
{
    struct trace_probe probe;
    if (replace_file_is_same(in_path, c->out_path))
        return trace_error_set(TRACE_ERR_USAGE, "%s: input and output are the same file", c->out_path);
    int rc = trace_probe_open(&probe, in_path);
    if (rc == 0)
        rc = convert_probed(c, &probe);
    trace_probe_close(&probe);
    return rc;
}

static int run_convert(const struct cli_command *self, int argc, char **argv)
{
    struct convert_options options = {.to = "apitrace"};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 2)
        return cli_usage_error(self, "convert needs an input and an output file, not %d file%s",
                               operands.count, operands.count == 1 ? "" : "s");
    struct conversion c = {.to = options.to, .out_path = operands.values[1]};
    return convert(&c, operands.values[0]) == 0 ? input_losses_status(&c.losses) : cli_print_error();
}

static const struct cli_option convert_options[] = {
    {CLI_OPTION_STRING, 0, "to", NULL, "FORMAT", offsetof(struct convert_options, to),
     "the format of OUT (default: apitrace); \"trace-cli formats\"\nlists them", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_convert = {
    .name = "convert",
    .group = CLI_GROUP_CHANGE,
    .summary = "Write a trace in another format",
    .operands = "[OPTION...] IN OUT",
    .details = "The format of IN is found by what is in it. IN may be - for the standard input; OUT may be - "
               "for the\n"
               "standard output if FORMAT is a text. OUT appears only when it is complete; an existing file "
               "is replaced.\n"
               "\n"
               "What FORMAT cannot express is left out and counted; a warning tells how much of what. A "
               "trace that is\n"
               "cut off at its end is converted as far as it goes, with a warning. The exit status is 1 "
               "after any error,\n"
               "and when damaged parts were left out, which a warning tells of.",
    .examples = "trace-cli convert --to=sp-rtrace-text 1234-1.rtrace log.txt\n"
                "trace-cli convert 1234-1.rtrace allocations.trace\n",
    .options = convert_options,
    .run = run_convert,
};
