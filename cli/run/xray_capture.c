/* SPDX-License-Identifier: MIT
 * The traced processes leave what they have recorded in a directory, beside the log that is to be written.
 * When they have ended, each gets a log of its own.
 */
#include "run/xray_capture.h"

#include "run/capture_library.h"
#include "run/no_calls.h"
#include "run/program_file.h"
#include "run/trace_target.h"
#include "run/traced_program.h"
#include "run/xray_logs.h"
#include "run/xray_program.h"

#include "base/error.h"
#include "shell/messages.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_LOST   1
#define RUNTIME_BASE  "log." /* what the names of the runtime's own logs begin with */
#define BASELINE_US   10000  /* between two measurements of a clock, so that its rate is known */
#define VARIABLE_SIZE (PATH_MAX + 512)

struct xray_capture {
    const struct xray_capture_options *options;
    struct trace_target target;
    enum xray_capture_mode mode;
    enum xray_program program; /* what the file says */
    struct xray_logs logs;
    char library[PATH_MAX];
    char first[VARIABLE_SIZE], second[VARIABLE_SIZE]; /* values of variables */
};

static volatile sig_atomic_t is_interrupted;

static void interrupt(void *context)
{
    (void)context;
    is_interrupted = 1;
}

static void ignore_control(void *context, bool recording)
{
    (void)context;
    (void)recording;
}

static void ignore_dump(void *context)
{
    (void)context;
}

/* Relative to the log, so that no other file system gets the records. */
static int make_directory(struct xray_capture *c)
{
    const char *output = c->options->output, *slash = output != NULL ? strrchr(output, '/') : NULL;
    char wanted[PATH_MAX];
    int n = slash != NULL
                ? snprintf(wanted, sizeof wanted, "%.*s/.xray-XXXXXX", (int)(slash - output), output)
                : snprintf(wanted, sizeof wanted, ".xray-XXXXXX");
    bool is_device =
        trace_target_is_standard_output(&c->target) || (output != NULL && strncmp(output, "/dev/", 5) == 0);
    if (is_device)
        n = snprintf(wanted, sizeof wanted, "/tmp/.xray-XXXXXX");
    if (n < 0 || (size_t)n >= sizeof wanted)
        return trace_error_set(TRACE_ERR_IO, "%s: the name is too long", output);
    if (mkdtemp(wanted) == NULL || realpath(wanted, c->logs.directory) == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create a directory for the records",
                                     wanted);
    return 0;
}

static void start_clock(struct store_clock *clock)
{
    clock->clock = tick_clock_choose();
    clock->first = tick_clock_measure(clock->clock);
}

static void stop_clock(struct store_clock *clock)
{
    if (clock->clock == CAPTURE_CLOCK_COUNTER &&
        (int64_t)capture_clock_monotonic() - clock->first.nanoseconds < BASELINE_US * 1000)
        usleep(BASELINE_US);
    clock->last = tick_clock_measure(clock->clock);
}

static uint64_t threshold_in_ticks(struct xray_capture *c)
{
    if (c->options->threshold == 0)
        return 0;
    struct store_clock now = c->logs.clock;
    stop_clock(&now);
    return (uint64_t)((double)c->options->threshold * 1000 * store_clock_ticks_per_nanosecond(&now));
}

static void set_recorder(struct xray_capture *c, struct traced_environment *e)
{
    snprintf(c->first, sizeof c->first, "%u %" PRIu64 " %s", (unsigned)c->logs.clock.clock,
             threshold_in_ticks(c), c->logs.directory);
    e->library = c->library;
    e->variables[0].name = XRAY_STORE_ENVIRONMENT;
    e->variables[0].value = c->first;
}

/* What the user has set holds where we do not say otherwise: the last one counts. */
static void set_variable(char *out, size_t size, const char *name, const char *options)
{
    const char *before = getenv(name);
    int n = snprintf(out, size, "%s%s%s", before != NULL ? before : "", before != NULL ? " " : "", options);
    if (n < 0 || (size_t)n >= size)
        snprintf(out, size, "%s", options);
}

static void set_runtime(struct xray_capture *c, struct traced_environment *e)
{
    char options[VARIABLE_SIZE - 128];
    snprintf(options, sizeof options,
             "patch_premain=true xray_mode=xray-basic xray_logfile_base='%s/" RUNTIME_BASE "'",
             c->logs.directory);
    set_variable(c->first, sizeof c->first, "XRAY_OPTIONS", options);
    snprintf(options, sizeof options, "func_duration_threshold_us=%ld max_stack_depth=65536",
             c->options->threshold);
    set_variable(c->second, sizeof c->second, "XRAY_BASIC_OPTIONS", options);
    e->variables[0].name = "XRAY_OPTIONS";
    e->variables[0].value = c->first;
    e->variables[1].name = "XRAY_BASIC_OPTIONS";
    e->variables[1].value = c->second;
}

/* In statically linked programs, the runtime crashes when it is to write a basic log. */
static void choose_mode(struct xray_capture *c, const char *program)
{
    c->program = xray_program_examine(program);
    c->mode = c->program == XRAY_PROGRAM_STATIC ? XRAY_CAPTURE_FDR : c->options->mode;
    if (c->mode != XRAY_CAPTURE_ANY)
        return;
    c->mode = c->program == XRAY_PROGRAM_STRIPPED ? XRAY_CAPTURE_BASIC : XRAY_CAPTURE_FDR;
    if (c->mode == XRAY_CAPTURE_BASIC)
        fprintf(stderr,
                "trace-cli: %s is stripped: XRay's own recorder writes a basic log (as --xray-mode=basic)\n",
                program);
}

static void say_nothing_recorded(const struct xray_capture *c, const char *program)
{
    const char *reason = c->program != XRAY_PROGRAM_UNKNOWN ? no_calls_reason(program) : NULL;
    fprintf(stderr, "trace-cli: warning: %s: nothing was recorded, so there is no log\n", program);
    if (c->program == XRAY_PROGRAM_PLAIN)
        fprintf(
            stderr,
            "trace-cli: %s has no sleds of XRay: compile and link it with clang -fxray-instrument, and with\n"
            "trace-cli: -fxray-instruction-threshold=1 to have the short functions, too\n",
            program);
    else if (c->program == XRAY_PROGRAM_STRIPPED && c->mode == XRAY_CAPTURE_FDR)
        fprintf(stderr, "trace-cli: %s is stripped: use --xray-mode=basic\n", program);
    else if (reason != NULL)
        fprintf(stderr, "trace-cli: %s %s\n", program, reason);
}

static int finish(struct xray_capture *c, const char *program)
{
    int status = traced_program_wait(interrupt, NULL);
    if (c->mode == XRAY_CAPTURE_FDR)
        xray_logs_await(&c->logs, &is_interrupted);
    stop_clock(&c->logs.clock);
    if (c->mode == XRAY_CAPTURE_FDR)
        xray_logs_write_stores(&c->logs);
    else
        xray_logs_copy(&c->logs, RUNTIME_BASE);
    traced_program_release();
    if (c->logs.written == 0 && c->logs.lost == 0)
        say_nothing_recorded(c, program);
    return status == 0 && c->logs.lost > 0 ? STATUS_LOST : status;
}

/* The loader would complain in programs of another ABI, for which XRay has no runtime either. */
static int run(struct xray_capture *c, char **argv)
{
    struct traced_environment e = {.verbose = c->options->verbose,
                                   .output_to_error = trace_target_is_standard_output(&c->target),
                                   .debug = c->options->debug,
                                   .set_recording = ignore_control,
                                   .dump = ignore_dump};
    if (c->mode == XRAY_CAPTURE_BASIC)
        set_runtime(c, &e);
    else if (program_file_kind(argv[0]) == PROGRAM_NATIVE)
        set_recorder(c, &e);
    int reason = traced_program_start(&e, argv);
    if (reason == 0)
        return finish(c, argv[0]);
    fprintf(stderr, "error: %s: %s\n", c->options->debug ? "gdb" : argv[0],
            reason == ENOENT ? "program not found (neither as a path nor in PATH)" : strerror(reason));
    return reason == ENOENT ? TRACED_PROGRAM_NOT_FOUND : TRACED_PROGRAM_NOT_RUN;
}

int xray_capture_run(const struct xray_capture_options *o, char **argv)
{
    struct xray_capture c = {.options = o};
    traced_program_prepare();
    start_clock(&c.logs.clock);
    if (trace_target_init(&c.target, o->output, NULL, NULL) != 0)
        return cli_print_error();
    int status = STATUS_LOST;
    c.logs.output = o->output;
    c.logs.stamp = o->stamp;
    c.logs.target = &c.target;
    c.logs.is_told = o->verbose || isatty(STDERR_FILENO);
    choose_mode(&c, argv[0]);
    if (capture_library_xray_path(c.library, sizeof c.library) != 0 || make_directory(&c) != 0)
        cli_print_error();
    else {
        status = run(&c, argv);
        xray_logs_remove(&c.logs);
    }
    trace_target_finish(&c.target);
    return status;
}
