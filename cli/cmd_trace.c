/* SPDX-License-Identifier: MIT
 * trace-cli trace: runs a program with the capture library preloaded, and is the collector of its calls.
 */
#include "commands.h"
#include "install_paths.h"

#include "base/error.h"
#include "collector/collector.h"
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS_FAILED    1
#define STATUS_NOT_FOUND 127 /* as the shell's */
#define STATUS_NOT_RUN   126

struct trace_options {
    const char *api;
    const char *output;
    bool verbose;
    bool timestamps;
    bool offer_extensions;
};

/* Signals that the terminal or a supervisor sends: the program gets them and decides, the collector goes on
 * until it has ended. */
static const int passed_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define PASSED_COUNT (sizeof passed_signals / sizeof passed_signals[0])

static volatile sig_atomic_t child_pid;
static struct collector *_Atomic finishing; /* the program has ended: a signal ends the waiting for others */

static void pass_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    struct collector *c = atomic_load(&finishing);
    if (c != NULL)
        collector_interrupt(c);
    else if (child_pid > 0 &&
             info->si_code <= 0) /* from a process; the terminal's reach the program anyway */
        kill(child_pid, number);
}

static void handle_signals(struct sigaction saved[PASSED_COUNT])
{
    struct sigaction pass = {.sa_sigaction = pass_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (unsigned i = 0; i < PASSED_COUNT; ++i) {
        sigaction(passed_signals[i], NULL, &saved[i]);
        if (saved[i].sa_handler != SIG_IGN)
            sigaction(passed_signals[i], &pass, NULL);
    }
}

static void set_environment(const struct trace_options *o, const char *library, const char *socket_path)
{
    const char *others = getenv("LD_PRELOAD");
    char preload[2 * PATH_MAX];
    if (others != NULL && *others != '\0')
        snprintf(preload, sizeof preload, "%s:%s", library, others);
    else
        snprintf(preload, sizeof preload, "%s", library);
    setenv("LD_PRELOAD", preload, 1);
    setenv(CONNECTION_ENVIRONMENT, socket_path, 1);
    if (o->api != NULL)
        setenv("TRACE_CLI_API", o->api, 1);
    if (!o->offer_extensions)
        setenv("TRACE_CLI_OFFER_EXTENSIONS", "no", 1);
    if (o->verbose)
        fprintf(stderr, "trace-cli: LD_PRELOAD=%s\n", preload);
}

/* In the child. Tells the reason through failure, which an exec that succeeds closes. */
static void run_program(const struct trace_options *o, const char *library, const char *socket_path,
                        char **argv, const struct sigaction saved[PASSED_COUNT], int failure)
{
    for (unsigned i = 0; i < PASSED_COUNT; ++i)
        sigaction(passed_signals[i], &saved[i], NULL);
    set_environment(o, library, socket_path);
    execvp(argv[0], argv);
    int reason = errno;
    if (write(failure, &reason, sizeof reason) != (ssize_t)sizeof reason)
        _exit(STATUS_NOT_RUN);
    _exit(STATUS_NOT_FOUND);
}

/* Starts the program. 0, or the errno value that says why it did not start. */
static int start_program(const struct trace_options *o, const char *library, const struct collector *c,
                         char **argv)
{
    int failure[2], reason = 0;
    struct sigaction saved[PASSED_COUNT];
    if (pipe2(failure, O_CLOEXEC) != 0)
        return errno;
    handle_signals(saved);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run_program(o, library, collector_socket_path(c), argv, saved, failure[1]);
    reason = pid < 0 ? errno : 0;
    child_pid = pid;
    close(failure[1]);
    if (pid > 0 && read(failure[0], &reason, sizeof reason) == (ssize_t)sizeof reason)
        waitpid(pid, NULL, 0);
    close(failure[0]);
    return reason;
}

static int wait_for_program(void)
{
    int status;
    while (waitpid(child_pid, &status, 0) < 0)
        if (errno != EINTR)
            return STATUS_FAILED;
    child_pid = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Finds out before the program runs that its trace could not be written. */
static int check_output(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool made = fd >= 0;
    if (!made && errno == EEXIST)
        fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set_errno(ERR_IO, errno, "%s: cannot write the trace", path);
    close(fd);
    if (made)
        unlink(path);
    return 0;
}

static int finish(struct collector *c, const char *program, int status)
{
    struct collector_result result;
    atomic_store(&finishing, c);
    collector_finish(c, &result);
    if (result.traces == 0 && result.errors == 0)
        fprintf(stderr,
                "trace-cli: warning: %s: no OpenGL, GLX or EGL call was recorded: there is no trace\n",
                program);
    return result.errors > 0 && status == 0 ? STATUS_FAILED : status;
}

static int trace_program(const struct trace_options *o, char **argv)
{
    char library[PATH_MAX];
    struct collector *c;
    const struct collector_options collector_options = {
        .output = o->output,
        .verbose = o->verbose,
        .announce = isatty(STDERR_FILENO),
        .timestamps = o->timestamps,
    };
    if (cli_find_installed("gltrace.so", library, sizeof library) != 0)
        return cli_print_error();
    if (o->output != NULL && check_output(o->output) != 0)
        return cli_print_error();
    if (collector_start(&c, &collector_options) != 0)
        return cli_print_error();
    int reason = start_program(o, library, c, argv);
    if (reason == 0)
        return finish(c, argv[0], wait_for_program());
    struct collector_result result;
    collector_finish(c, &result);
    fprintf(stderr, "error: %s: %s\n", argv[0],
            reason == ENOENT ? "program not found (neither as a path nor in PATH)" : strerror(reason));
    return reason == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUN;
}

static int set_api(void *options, const char *value)
{
    static const char *const names[] = {"gl", "glx", "egl", "all"};
    struct trace_options *o = options;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(value, names[i]) == 0) {
            o->api = names[i];
            return 0;
        }
    }
    return error_set(ERR_USAGE, "unknown API '%s' (gl, egl or all)", value);
}

static int run_trace(const struct cli_command *self, int argc, char **argv)
{
    struct trace_options o = {.timestamps = true, .offer_extensions = true};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &o, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "no program to trace");
    return trace_program(&o, operands.values);
}

static const struct cli_option options[] = {
    {.kind = CLI_OPTION_CALLBACK,
     .letter = 'a',
     .name = "api",
     .value = "gl|egl|all",
     .set = set_api,
     .help = "record only gl (OpenGL and GLX), or only egl (OpenGL, OpenGL ES\n"
             "and EGL); default: all, whichever the program uses"},
    {.kind = CLI_OPTION_STRING,
     .letter = 'o',
     .name = "output",
     .value = "FILE",
     .member = offsetof(struct trace_options, output),
     .help = "write the trace to FILE; default: PROGRAM.trace, or\n"
             "PROGRAM.1.trace and so on when that exists"},
    {.kind = CLI_OPTION_FLAG,
     .letter = 'v',
     .name = "verbose",
     .member = offsetof(struct trace_options, verbose),
     .help = "say what is traced, and where to"},
    {.kind = CLI_OPTION_BOOL,
     .name = "timestamps",
     .member = offsetof(struct trace_options, timestamps),
     .help = "record when each call begins and ends (default: yes)"},
    {.kind = CLI_OPTION_BOOL,
     .name = "offer-extensions",
     .member = offsetof(struct trace_options, offer_extensions),
     .help = "let the program find the extensions that mark and label things\n"
             "in a trace, also where the driver lacks them (default: yes)"},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_trace = {
    .name = "trace",
    .group = CLI_GROUP_RECORD,
    .summary = "Run a program and record its OpenGL calls",
    .operands = "[OPTION...] [--] PROGRAM [ARGUMENT...]",
    .details = "The exit status is the program's, or 128 + N when signal N killed it.",
    .examples = "trace-cli trace glxgears\n"
                "trace-cli trace -o run.trace -- timeout 5 ./app --fullscreen\n",
    .options = options,
    .stop_at_operand = true,
    .run = run_trace,
};
