/* SPDX-License-Identifier: MIT */
#include "run/trace_collect.h"
#include "run/capture_library.h"
#include "run/no_calls.h"
#include "run/recording_report.h"
#include "run/trace_target.h"
#include "run/traced_program.h"
#include "shell/command.h"

#include "base/error.h"
#include "collector/collector.h"
#include "process/stack_setting.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATUS_LOST 1

static void interrupt_collector(void *collector)
{
    collector_interrupt(collector);
}

static void set_recording(void *collector, bool recording)
{
    collector_set_recording(collector, recording);
}

static void dump_recording(void *collector)
{
    collector_dump(collector);
}

static void say_no_calls(const char *program)
{
    const char *reason = no_calls_reason(program);
    fprintf(stderr, "trace-cli: warning: %s: no OpenGL, GLX or EGL call was recorded, so there is no trace\n",
            program);
    if (reason != NULL)
        fprintf(stderr, "trace-cli: %s %s\n", program, reason);
}

static void finish_collector(struct collector *c, struct collector_result *result)
{
    collector_finish(c, result);
    traced_program_release();
    collector_free(c);
}

/* Returns the program's exit status. If that is 0, returns whether calls are missing. recorded: the library
 * was preloaded. */
static int finish(struct collector *c, const char *program, bool recorded, struct trace_target *target,
                  struct recording_report *report)
{
    struct collector_result result;
    int status = traced_program_wait(interrupt_collector, c);
    finish_collector(c, &result);
    result.losses += trace_target_finish(target);
    recording_report_clear(report);
    if (recorded && result.traces == 0 && result.errors == 0)
        say_no_calls(program);
    return (!recorded || result.errors + result.losses > 0) && status == 0 ? STATUS_LOST : status;
}

static int record_to(const struct trace_options *o, struct trace_target *target, char **argv)
{
    char library[PATH_MAX], directory[PATH_MAX];
    struct collector *c;
    struct recording_report report;
    recording_report_init(&report);
    const struct collector_options collector_options = {
        .program = argv[0],
        .output = o->output,
        .open = o->tcp != NULL || trace_target_is_standard_output(target) ? trace_target_open : NULL,
        .open_context = target,
        .verbose = o->verbose,
        .stamp = o->stamp,
        .timestamps = o->timestamps,
        .backtraces = o->backtrace != NULL || getenv(STACK_FUNCTIONS_ENVIRONMENT) != NULL,
        .debug_directories = o->debug_directories,
        .container = o->container,
        .level = o->level,
        .selection = &o->selection,
        .flight = o->flight.text != NULL ? &o->flight : NULL,
        .written = o->verbose || o->live || report.is_terminal ? recording_report_trace : NULL,
        .recording = o->live ? recording_report_live : NULL,
        .context = &report,
    };
    if (capture_library_path(library, sizeof library) != 0 ||
        (o->library_path && capture_library_directory(directory, sizeof directory) != 0))
        return cli_print_error();
    if (collector_start(&c, &collector_options) != 0)
        return cli_print_error();
    const char *obstacle = capture_library_obstacle(argv[0]);
    if (obstacle != NULL)
        fprintf(stderr, "trace-cli: error: %s %s; it runs without being recorded\n", argv[0], obstacle);
    const struct traced_environment environment = {.library = obstacle == NULL ? library : NULL,
                                                   .directory = o->library_path ? directory : NULL,
                                                   .socket_path = collector_socket_path(c),
                                                   .api = o->api,
                                                   .offer_extensions = o->offer_extensions,
                                                   .backtrace = o->backtrace,
                                                   .backtrace_depth = o->backtrace_depth,
                                                   .verbose = o->verbose,
                                                   .output_to_error = trace_target_is_standard_output(target),
                                                   .debug = o->debug,
                                                   .set_recording = set_recording,
                                                   .dump = dump_recording,
                                                   .context = c};
    int reason = traced_program_start(&environment, argv);
    if (reason == 0)
        return finish(c, argv[0], obstacle == NULL, target, &report);
    struct collector_result result;
    finish_collector(c, &result);
    fprintf(stderr, "error: %s: %s\n", o->debug ? "gdb" : argv[0],
            reason == ENOENT ? "program not found (neither as a path nor in PATH)" : strerror(reason));
    return reason == ENOENT ? TRACED_PROGRAM_NOT_FOUND : TRACED_PROGRAM_NOT_RUN;
}

int trace_collect(const struct trace_options *o, char **argv)
{
    struct trace_target target;
    traced_program_prepare();
    if (trace_target_init(&target, o->output, o->tcp, o->token_file) != 0)
        return cli_print_error();
    int status = record_to(o, &target, argv);
    trace_target_finish(&target);
    return status;
}
