/* SPDX-License-Identifier: MIT
 * trace-cli trace: runs a program, and records its calls.
 */
#include "run/trace_collect.h"
#include "run/trace_options.h"
#include "run/xray_capture.h"
#include "shell/command.h"

#include <stddef.h>
#include <string.h>

static bool is_xray(const struct trace_options *o)
{
    return o->api != NULL && strcmp(o->api, "xray") == 0;
}

static int trace_xray(const struct trace_options *o, char **argv)
{
    const struct xray_capture_options options = {.output = o->output,
                                                 .stamp = o->stamp,
                                                 .mode = o->xray_mode,
                                                 .threshold = o->xray_threshold,
                                                 .verbose = o->verbose,
                                                 .debug = o->debug};
    return xray_capture_run(&options, argv);
}

/* XRay's logs have neither values nor GL's frames. */
static bool has_gl_options(const struct trace_options *o)
{
    return o->selection.text != NULL || o->flight.text != NULL || o->tcp != NULL || o->backtrace != NULL ||
           o->backtrace_depth != 0 || o->debug_directory_count > 0 || o->library_path || o->live ||
           o->container != TRACE_CONTAINER_SNAPPY || !o->timestamps || !o->offer_extensions;
}

/* Returns what does not go together, or NULL. */
static const char *find_conflict(const struct trace_options *o)
{
    const struct selection_options *s = &o->selection;
    if (is_xray(o) && has_gl_options(o))
        return "--api=xray goes with --output, --timestamp, --verbose, --debug and the --xray options only";
    if (!is_xray(o) && (o->xray_mode != XRAY_CAPTURE_ANY || o->xray_threshold != 0))
        return "the --xray options are for --api=xray";
    if (s->state && s->frames == NULL && s->calls == NULL && s->functions == NULL && !s->paused)
        return "--state is for --frames, --calls, --functions or --paused: without them, all calls are "
               "recorded";
    if (o->flight.text != NULL && (o->tcp != NULL || (o->output != NULL && strcmp(o->output, "-") == 0)))
        return "--flight-recorder writes files, and goes neither with --tcp nor with -o -";
    if (o->output != NULL && o->output[0] == '\0')
        return "--output needs the name of a file";
    if (o->token_file != NULL && o->tcp == NULL)
        return "--token-file is for --tcp";
    if (o->flight.frame_time != 0 && o->flight.text == NULL)
        return "--trigger-frame-time is for --flight-recorder: say how much it keeps, as in "
               "--flight-recorder=64M";
    if (o->flight.frame_time != 0 && !o->timestamps)
        return "--trigger-frame-time needs the timestamps that --timestamps=no turns off";
    return NULL;
}

static int run_trace(const struct cli_command *self, int argc, char **argv)
{
    struct trace_options o;
    struct cli_operands operands;
    trace_options_init(&o);
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &o, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "no program to trace");
    const char *conflict = find_conflict(&o);
    if (conflict != NULL)
        return cli_usage_error(self, "%s", conflict);
    int status = is_xray(&o) ? trace_xray(&o, operands.values) : trace_collect(&o, operands.values);
    trace_options_fini(&o);
    return status;
}

const struct cli_command cli_cmd_trace = {
    .name = "trace",
    .group = CLI_GROUP_RECORD,
    .summary = "Run a program and record its OpenGL calls, or its functions by XRay",
    .operands = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .details = "The exit status is the program's, or 128 + N if signal N killed it. It is 1 instead of 0 if\n"
               "calls are missing from the trace.",
    .examples = "trace-cli trace glxgears\n"
                "trace-cli trace -o run.trace -- timeout 5 ./app --fullscreen\n"
                "trace-cli trace -o - ./app | trace-cli dump -\n"
                "trace-cli trace --backtrace='glDraw* glClear' ./app\n"
                "trace-cli trace --api=xray ./app\n"
                "trace-cli trace --flight-recorder=64M --trigger-frame-time=50 ./app\n",
    .options = trace_option_list,
    .stop_at_operand = true,
    .run = run_trace,
};
