/* SPDX-License-Identifier: MIT */
#include "run/traced_program.h"

#include "run/remote_token.h"

#include "base/buf.h"
#include "process/connection.h"
#include "process/stack_setting.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals from the terminal or a supervisor. They are meant for the program; the collector continues until
 * the program has ended. */
static const int passed_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define PASSED_COUNT (sizeof passed_signals / sizeof passed_signals[0])

/* Signals that writing can raise: a closed pipe or an exceeded quota is reported as an error. SIGCHLD is
 * included because some parents leave it ignored, and the program's exit status would then be lost. */
static const struct {
    int number;
    void (*handler)(int);
} own_signals[] = {{SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}, {SIGCHLD, SIG_DFL}};
#define OWN_COUNT (sizeof own_signals / sizeof own_signals[0])

/* They start and stop the recording; the last one, SIGRTMIN, which is no constant, has it dumped. */
static const int fixed_control_signals[] = {SIGUSR1, SIGUSR2};
#define CONTROL_COUNT (1 + sizeof fixed_control_signals / sizeof fixed_control_signals[0])

static int control_signal(unsigned i)
{
    return i + 1 < CONTROL_COUNT ? fixed_control_signals[i] : SIGRTMIN;
}

static struct {
    struct sigaction passed[PASSED_COUNT], own[OWN_COUNT], control[CONTROL_COUNT];
    struct rlimit files;
    sigset_t mask;
} before; /* for the program */

static volatile sig_atomic_t child_pid;
static void (*_Atomic after_end)(void *);
static void *after_end_context;
static void (*set_recording)(void *, bool);
static void (*dump_recording)(void *);
static void *recording_context;

static void open_standard_descriptors(void)
{
    for (int fd = 0; fd < 3; ++fd)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
            return;
}

/* Blocks them until both sides of the fork can handle them. Later, only the main thread receives them. */
static void hold_signals(void)
{
    sigset_t passed;
    sigemptyset(&passed);
    for (unsigned i = 0; i < PASSED_COUNT; ++i)
        sigaddset(&passed, passed_signals[i]);
    sigprocmask(SIG_BLOCK, &passed, &before.mask);
}

void traced_program_prepare(void)
{
    hold_signals();
    open_standard_descriptors();
    for (unsigned i = 0; i < OWN_COUNT; ++i) {
        const struct sigaction action = {.sa_handler = own_signals[i].handler};
        sigaction(own_signals[i].number, &action, &before.own[i]);
    }
    /* Each traced process needs some descriptors. */
    if (getrlimit(RLIMIT_NOFILE, &before.files) == 0) {
        const struct rlimit most = {before.files.rlim_max, before.files.rlim_max};
        setrlimit(RLIMIT_NOFILE, &most);
    }
}

static void restore(void)
{
    for (unsigned i = 0; i < PASSED_COUNT; ++i)
        sigaction(passed_signals[i], &before.passed[i], NULL);
    for (unsigned i = 0; i < OWN_COUNT; ++i)
        sigaction(own_signals[i].number, &before.own[i], NULL);
    for (unsigned i = 0; i < CONTROL_COUNT; ++i)
        sigaction(control_signal(i), &before.control[i], NULL);
    setrlimit(RLIMIT_NOFILE, &before.files);
    sigprocmask(SIG_SETMASK, &before.mask, NULL);
}

static void pass_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    void (*interrupted)(void *) = atomic_load(&after_end);
    int saved = errno;
    if (interrupted != NULL)
        interrupted(after_end_context);
    else if (child_pid > 0 &&
             /* Only signals sent by a process; the program receives those of the terminal itself. */
             info->si_code <= 0)
        kill(child_pid, number);
    errno = saved;
}

static void control_recording(int number)
{
    if (number == SIGRTMIN)
        dump_recording(recording_context);
    else
        set_recording(recording_context, number == SIGUSR1);
}

static void handle_signals(const struct traced_environment *e)
{
    const struct sigaction control = {.sa_handler = control_recording, .sa_flags = SA_RESTART};
    set_recording = e->set_recording;
    dump_recording = e->dump;
    recording_context = e->context;
    for (unsigned i = 0; i < CONTROL_COUNT; ++i)
        sigaction(control_signal(i), &control, &before.control[i]);
    struct sigaction pass = {.sa_sigaction = pass_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (unsigned i = 0; i < PASSED_COUNT; ++i) {
        sigaction(passed_signals[i], NULL, &before.passed[i]);
        if (before.passed[i].sa_handler != SIG_IGN)
            sigaction(passed_signals[i], &pass, NULL);
    }
}

#define MAX_VARIABLES 16

/* What the program finds in its environment: "NAME=VALUE". */
struct variables {
    char *list[MAX_VARIABLES];
    unsigned count;
};

/* The memory stays: it becomes part of the environment. */
static void add_variable(struct variables *v, const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 2;
    char *variable = malloc(size);
    if (variable == NULL)
        return;
    snprintf(variable, size, "%s=%s", name, value);
    v->list[v->count++] = variable;
}

static void add_preload(struct variables *v, const struct traced_environment *e)
{
    const char *others = getenv("LD_PRELOAD");
    bool has_others = others != NULL && *others != '\0';
    char preload[2 * PATH_MAX];
    snprintf(preload, sizeof preload, "%s%s%s", e->library, has_others ? ":" : "", has_others ? others : "");
    add_variable(v, "LD_PRELOAD", preload);
    if (e->verbose)
        fprintf(stderr, "trace-cli: LD_PRELOAD=%s\n", preload);
}

/* The runtime of GCC's address sanitizer ends a program in which another library is preloaded before it,
 * unless it is told that this is no mistake. */
static void add_sanitizer_option(struct variables *v)
{
    const char *others = getenv("ASAN_OPTIONS");
    char options[PATH_MAX];
    bool has_others = others != NULL && *others != '\0';
    int n = snprintf(options, sizeof options, "%s%sverify_asan_link_order=0", has_others ? others : "",
                     has_others ? ":" : "");
    if (n < (int)sizeof options && (!has_others || strstr(others, "verify_asan_link_order") == NULL))
        add_variable(v, "ASAN_OPTIONS", options);
}

/* The program finds our library under the names of GL's, and that one finds the real ones by these variables.
 * The loader of this process, which has the same directories, says where they are. */
static void add_library_path(struct variables *v, const struct traced_environment *e)
{
    static const struct {
        const char *name, *variable;
    } real[] = {{"libGL.so.1", "TRACE_LIBGL"},
                {"libEGL.so.1", "TRACE_LIBEGL"},
                {"libGLESv2.so.2", "TRACE_LIBGLESV2"},
                {"libGLESv1_CM.so.1", "TRACE_LIBGLESV1"},
                {"libOpenGL.so.0", "TRACE_LIBOPENGL"}};
    const char *others = getenv("LD_LIBRARY_PATH");
    bool has_others = others != NULL && *others != '\0';
    char path[2 * PATH_MAX];
    for (unsigned i = 0; i < sizeof real / sizeof real[0]; ++i) {
        struct link_map *map;
        void *handle = getenv(real[i].variable) == NULL ? dlopen(real[i].name, RTLD_LAZY) : NULL;
        if (handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
            add_variable(v, real[i].variable, map->l_name);
    }
    snprintf(path, sizeof path, "%s%s%s", e->directory, has_others ? ":" : "", has_others ? others : "");
    add_variable(v, "LD_LIBRARY_PATH", path);
    if (e->verbose)
        fprintf(stderr, "trace-cli: LD_LIBRARY_PATH=%s\n", path);
}

static void fill_variables(struct variables *v, const struct traced_environment *e)
{
    char depth[16];
    snprintf(depth, sizeof depth, "%u", e->backtrace_depth);
    v->count = 0;
    if (e->directory != NULL) {
        add_library_path(v, e);
    } else if (e->library != NULL) {
        add_preload(v, e);
        add_sanitizer_option(v);
    }
    if (e->socket_path != NULL)
        add_variable(v, CONNECTION_ENVIRONMENT, e->socket_path);
    for (unsigned i = 0; i < TRACED_PROGRAM_VARIABLES && e->variables[i].name != NULL; ++i)
        add_variable(v, e->variables[i].name, e->variables[i].value);
    if (e->api != NULL)
        add_variable(v, "TRACE_CLI_API", e->api);
    if (!e->offer_extensions)
        add_variable(v, "TRACE_CLI_OFFER_EXTENSIONS", "no");
    if (e->backtrace != NULL)
        add_variable(v, STACK_FUNCTIONS_ENVIRONMENT, e->backtrace);
    if (e->backtrace_depth != 0)
        add_variable(v, STACK_DEPTH_ENVIRONMENT, depth);
}

/* Appends the text to the shell command in out, as one word. */
static int append_quoted(struct buf *out, const char *text)
{
    int rc = buf_append(out, " '", 2);
    for (; *text != '\0' && rc == 0; ++text)
        rc = *text == '\'' ? buf_append_string(out, "'\\''") : buf_append_byte(out, (uint8_t)*text);
    return rc == 0 ? buf_append_byte(out, '\'') : rc;
}

/* gdb's own environment is left alone: only the program that it starts gets the variables, by env(1). */
static void exec_in_gdb(const struct variables *v, char **argv)
{
    struct buf wrapper = BUF_INIT;
    size_t count = 0;
    while (argv[count] != NULL)
        ++count;
    const char **words = calloc(count + 5, sizeof *words);
    int rc = words != NULL ? buf_append_string(&wrapper, "set exec-wrapper env") : -1;
    for (unsigned i = 0; i < v->count && rc == 0; ++i)
        rc = append_quoted(&wrapper, v->list[i]);
    if (rc != 0 || buf_append_byte(&wrapper, '\0') != 0) {
        errno = ENOMEM;
        return;
    }
    words[0] = "gdb";
    words[1] = "-ex";
    words[2] = (const char *)wrapper.data;
    words[3] = "--args";
    memcpy(words + 4, argv, count * sizeof *words);
    execvp(words[0], (char *const *)words);
}

/* Runs in the child. Writes the errno value of a failure to `failure`, which a successful exec closes. */
static void run_program(const struct traced_environment *e, char **argv, int failure)
{
    struct variables variables;
    restore();
    unsetenv(REMOTE_TOKEN_ENVIRONMENT);
    if (e->output_to_error)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    fill_variables(&variables, e);
    for (unsigned i = 0; i < variables.count && !e->debug; ++i)
        putenv(variables.list[i]);
    if (e->debug)
        exec_in_gdb(&variables, argv);
    else
        execvp(argv[0], argv);
    int reason = errno;
    if (write(failure, &reason, sizeof reason) != (ssize_t)sizeof reason)
        _exit(TRACED_PROGRAM_NOT_RUN);
    _exit(TRACED_PROGRAM_NOT_FOUND);
}

int traced_program_start(const struct traced_environment *e, char **argv)
{
    int failure[2], reason = 0;
    if (pipe2(failure, O_CLOEXEC) != 0)
        return errno;
    handle_signals(e);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run_program(e, argv, failure[1]);
    reason = pid < 0 ? errno : 0;
    child_pid = pid;
    sigprocmask(SIG_SETMASK, &before.mask, NULL);
    close(failure[1]);
    ssize_t got = 0;
    while (pid > 0 && (got = read(failure[0], &reason, sizeof reason)) < 0 && errno == EINTR)
        continue;
    if (got == (ssize_t)sizeof reason)
        waitpid(pid, NULL, 0);
    else if (pid > 0)
        reason = 0;
    close(failure[0]);
    return reason;
}

/* They are ignored instead of getting their defaults back, which would kill this process: its exit status is
 * still to come. */
void traced_program_release(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    for (unsigned i = 0; i < PASSED_COUNT; ++i)
        sigaction(passed_signals[i], &ignore, NULL);
    for (unsigned i = 0; i < CONTROL_COUNT; ++i)
        sigaction(control_signal(i), &ignore, NULL);
}

int traced_program_wait(void (*interrupted)(void *context), void *context)
{
    siginfo_t info;
    int status, rc;
    do /* the process id is not reused until the program has been reaped */
        rc = waitid(P_PID, (id_t)child_pid, &info, WEXITED | WNOWAIT);
    while (rc != 0 && errno == EINTR);
    pid_t pid = child_pid;
    after_end_context = context;
    atomic_store(&after_end, interrupted);
    child_pid = 0;
    if (rc != 0 || waitpid(pid, &status, 0) != pid)
        return TRACED_PROGRAM_FAILED;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
