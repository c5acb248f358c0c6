/* SPDX-License-Identifier: MIT */
#include "collector/collector.h"

#include "collector/dump_callers.h"
#include "collector/left_processes.h"
#include "collector/rendezvous.h"
#include "collector/session.h"
#include "collector/spare_segment.h"
#include "process/process_mark.h"
#include "process/trace_file_name.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "base/worker_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT_MS 1000 /* between calls of options.recording */
#define DUMP_MS   10   /* between looks whether files are written */
#define ORDER_MS  1    /* between looks whether a start or a stop holds */
#define LOOK_MS   100  /* milliseconds between checks for remaining processes */
#define SAY_MS    1000 /* a wait of this many milliseconds is reported */

#define STARTING_MS    5 /* milliseconds between looks at a process that is being started */
#define STARTING_LOOKS 400
#define NAMED          4    /* number of processes that the report names */
#define NEEDED         10   /* number of descriptors for one more process, and a reserve */
#define FULL_MS        1000 /* how long a process waits for that many */
#define PAUSE_MS       10   /* between looks whether there are that many */

struct collector {
    struct collector_options options;
    enum capture_clock clock; /* of the records of all sessions */
    struct tick_pair early;
    struct rendezvous rendezvous;
    int stop_fd; /* eventfd that ends the server thread */
    pthread_t server;
    struct spare_segments *spares; /* NULL: none could be created */
    struct string_map numbers;     /* by program: see trace_file_create_next() */
    bool output_used;              /* the name given by -o has been used, for the first process */
    struct selection_options everything;
    _Atomic bool recording;
    _Atomic bool stop;
    struct session *sessions;
    _Atomic unsigned dumps; /* asked for by signals */
    struct flight_setting flight;
    pthread_mutex_t telling; /* held while options.written or options.recording is called */
    struct dump_callers dump_callers;
    int order_callers[RENDEZVOUS_CALLERS]; /* connections that wait until a start or a stop holds */
    unsigned order_caller_count;
    struct collector_result result;
    int64_t next_report; /* milliseconds */
    int64_t full_since;  /* milliseconds; 0: there are descriptors for the next process */
};

static void end_sessions_of(struct collector *c, pid_t pid)
{
    for (struct session *s = c->sessions; s != NULL; s = s->next) {
        if (s->pid == pid && !s->joined && !atomic_load(&s->replaced)) {
            atomic_store(&s->replaced, true);
            segment_ring_doorbell(s->segment.control);
        }
    }
}

/* Removes a file that contains no trace. Special files such as /dev/full are kept. */
static void discard_file(const char *name)
{
    struct stat st;
    if (lstat(name, &st) == 0 && S_ISREG(st.st_mode))
        unlink(name);
}

/* After this, a process that has ended only costs its entry. There may be thousands. */
static void reap_sessions(struct collector *c)
{
    for (struct session *s = c->sessions; s != NULL; s = s->next)
        session_reap(s);
}

/* Takes the lowest free ones. A high one would make the kernel enlarge its table of descriptors, and since
 * this process has threads, it would wait until all processors have passed through the scheduler: 10 ms. */
static bool has_descriptors(const struct collector *c)
{
    int taken[NEEDED];
    unsigned count = 0;
    while (count < NEEDED && (taken[count] = fcntl(c->stop_fd, F_DUPFD_CLOEXEC, 0)) >= 0)
        ++count;
    for (unsigned i = 0; i < count; ++i)
        close(taken[i]);
    return count == NEEDED;
}

/* Waits for a session that is about to finish because its process has ended. Returns false if there is none.
 */
static bool join_ended_session(struct collector *c)
{
    for (struct session *s = c->sessions; s != NULL; s = s->next)
        if (session_join_ended(s))
            return true;
    return false;
}

/* Makes room for the next process. Returns false if there are not enough descriptors for it now. After a
 * while it gets those that are left, or is refused: the processes that have the others may be waiting for it.
 */
static bool make_room(struct collector *c)
{
    bool enough;
    reap_sessions(c);
    while (!(enough = has_descriptors(c)) && join_ended_session(c))
        continue;
    if (enough)
        c->full_since = 0;
    else if (c->full_since == 0)
        c->full_since = clock_milliseconds();
    if (enough || clock_milliseconds() - c->full_since >= FULL_MS)
        return true;
    poll(NULL, 0, PAUSE_MS);
    return false;
}

/* Tells the user that another writer uses the named file. */
static void say_where_instead(const struct collector *c, const char *name)
{
    const char *wanted = c->options.output;
    if (wanted != NULL && !c->output_used && strcmp(wanted, name) != 0)
        fprintf(stderr, "trace-cli: warning: %s: another trace is being written to it; this one is in %s\n",
                wanted, name);
}

/* Returns the descriptor of the next trace, or an error. *is_file: it was created here. Of a flight recorder,
 * there is no file before it is triggered: -1, and a name for messages. */
static int open_output(struct collector *c, const char *program, char name[PATH_MAX], bool *is_file)
{
    const struct collector_options *o = &c->options;
    *is_file = false;
    if (o->flight != NULL) {
        snprintf(name, PATH_MAX, "%s", program);
        return -1;
    }
    int fd = o->open != NULL ? o->open(o->open_context, name, PATH_MAX, program) : 0;
    if (fd != 0)
        return fd;
    *is_file = true;
    uint64_t known;
    unsigned number = string_map_get(&c->numbers, program, &known) ? (unsigned)known : 0;
    fd = trace_file_create_next(name, PATH_MAX, o->open != NULL ? NULL : o->output, !c->output_used, program,
                                o->stamp, TRACE_FILE_SUFFIX, &number);
    string_map_set(&c->numbers, program, number); /* without it, it only takes longer */
    return fd;
}

static int add_session(struct collector *c, const struct rendezvous_caller *caller)
{
    char name[PATH_MAX];
    bool is_file;
    const char *program = caller->hello.text, *arguments = program + strlen(program) + 1;
    const bool flies = c->options.flight != NULL;
    struct flight_setting flight = c->flight;
    int file = open_output(c, program, name, &is_file);
    flight.program = program;
    flight.arguments = arguments;
    if (file < 0 && !flies) {
        close(caller->segment_fd);
        return file;
    }
    end_sessions_of(c, caller->pid);
    struct session *s;
    const struct session_options options = {.pid = caller->pid,
                                            .segment_fd = caller->segment_fd,
                                            .file = file,
                                            .name = name,
                                            .program = program,
                                            .arguments = arguments,
                                            .stop = &c->stop,
                                            .clock = c->clock,
                                            .backtraces = c->options.backtraces,
                                            .debug_directories = c->options.debug_directories,
                                            .verbose = c->options.verbose,
                                            .early = c->early,
                                            .selection = c->options.selection,
                                            .recording = &c->recording,
                                            .dumps = &c->dumps,
                                            .flight = flies ? &flight : NULL,
                                            .container = c->options.container,
                                            .level = c->options.level};
    int rc = session_start(&s, &options);
    if (rc != 0) {
        if (is_file) {
            discard_file(name);
            string_map_set(&c->numbers, program, 0); /* the name is free again */
        }
        return trace_error_prefix(rc, "%s", name);
    }
    if (is_file && c->options.open == NULL)
        say_where_instead(c, name);
    c->output_used = true;
    s->next = c->sessions;
    c->sessions = s;
    c->result.traces++;
    if (c->options.verbose)
        fprintf(stderr, "trace-cli: tracing %s (process %d of user %u) to %s\n", program, (int)caller->pid,
                (unsigned)caller->uid, flies ? "memory" : name);
    return 0;
}

/* Returns why nothing can be started or stopped, or NULL. */
static const char *begin_order(struct collector *c, int fd, bool recording)
{
    if (c->order_caller_count == RENDEZVOUS_CALLERS)
        return "too many commands are being waited for";
    collector_set_recording(c, recording);
    for (struct session *s = c->sessions; s != NULL; s = s->next)
        session_notice(s);
    c->order_callers[c->order_caller_count++] = fd;
    return NULL;
}

static void obey(struct collector *c, const struct rendezvous_caller *caller)
{
    uint32_t command = caller->hello.pid;
    const char *problem = NULL;
    if (command == CONNECTION_DUMP) {
        problem = c->options.flight != NULL
                      ? dump_callers_add(&c->dump_callers, caller->fd, c->sessions)
                      : "trace-cli trace runs without --flight-recorder, so there is nothing to dump";
        if (problem == NULL)
            return; /* answered when the files are written */
    } else if (command == CONNECTION_START || command == CONNECTION_STOP) {
        problem = begin_order(c, caller->fd, command == CONNECTION_START);
        if (problem == NULL)
            return; /* answered when it holds */
    } else {
        problem = "trace-cli trace does not know this command: it has another version";
    }
    rendezvous_answer_text(caller->fd, problem == NULL, problem != NULL ? problem : "");
}

static void answer_orders(struct collector *c)
{
    for (const struct session *s = c->sessions; s != NULL && c->order_caller_count > 0; s = s->next)
        if (!session_is_settled(s))
            return;
    while (c->order_caller_count > 0)
        rendezvous_answer_text(c->order_callers[--c->order_caller_count], true, "");
}

static void serve_callers(struct collector *c)
{
    struct rendezvous_caller caller;
    int rc;
    while (make_room(c) && (rc = rendezvous_next(&c->rendezvous, &caller)) != 0) {
        bool answer = rc == 1;
        if (answer && caller.segment_fd < 0) {
            obey(c, &caller);
            continue;
        }
        if (answer)
            rc = add_session(c, &caller);
        if (rc != 0) {
            fprintf(stderr, "trace-cli: error: %s\n", trace_error_message());
            c->result.errors++;
        }
        if (answer)
            rendezvous_answer(&caller, rc == 0);
    }
}

/* How long poll() may wait. */
static int until_report(const struct collector *c)
{
    int64_t left = c->next_report - clock_milliseconds();
    if (c->order_caller_count > 0)
        return ORDER_MS;
    if (c->dump_callers.count > 0)
        return DUMP_MS;
    return c->options.recording == NULL ? -1 : left > 0 ? (int)left : 0;
}

static void report(struct collector *c)
{
    struct collector_state state = {.calls = 0};
    if (c->options.recording == NULL || clock_milliseconds() < c->next_report)
        return;
    c->next_report += REPORT_MS;
    for (const struct session *s = c->sessions; s != NULL; s = s->next) {
        double load = session_load(s);
        state.calls += atomic_load(&s->calls);
        state.frames += atomic_load(&s->frames);
        state.load = load > state.load ? load : state.load;
    }
    pthread_mutex_lock(&c->telling);
    c->options.recording(c->options.context, &state);
    pthread_mutex_unlock(&c->telling);
}

static void *run_server(void *argument)
{
    struct collector *c = argument;
    struct pollfd fds[RENDEZVOUS_CALLERS + 3] = {{c->stop_fd, POLLIN, 0}};
    for (;;) {
        unsigned count = rendezvous_poll_fds(&c->rendezvous, fds + 1);
        if (poll(fds, count + 1, until_report(c)) < 0) {
            if (errno != EINTR)
                return NULL;
            continue;
        }
        serve_callers(c);
        answer_orders(c);
        dump_callers_answer(&c->dump_callers);
        report(c);
        if (fds[0].revents != 0)
            return NULL;
    }
}

void collector_free(struct collector *c)
{
    rendezvous_close(&c->rendezvous);
    if (c->stop_fd >= 0)
        close(c->stop_fd);
    pthread_mutex_destroy(&c->telling);
    string_map_fini(&c->numbers);
    free(c);
}

/* A flight_setting.written. */
static void tell_of_flight(void *context, const struct flight_report *report)
{
    struct collector *c = context;
    const struct collector_options *o = &c->options;
    const struct collector_trace trace = {report->path, report->calls, report->frames, report->bytes};
    pthread_mutex_lock(&c->telling);
    if (o->written != NULL)
        o->written(o->context, &trace);
    pthread_mutex_unlock(&c->telling);
}

int collector_start(struct collector **out, const struct collector_options *options)
{
    struct collector *c = calloc(1, sizeof *c);
    if (c == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    pthread_mutex_init(&c->telling, NULL);
    c->options = *options;
    c->clock = options->timestamps ? tick_clock_choose() : CAPTURE_CLOCK_NONE;
    c->early = tick_clock_measure(c->clock);
    if (options->selection == NULL)
        c->options.selection = &c->everything;
    c->recording = !c->options.selection->paused;
    c->flight = (struct flight_setting){.options = options->flight,
                                        .container = options->container,
                                        .level = options->level,
                                        .output = options->output,
                                        .stamp = options->stamp,
                                        .written = tell_of_flight,
                                        .context = c};
    c->next_report = clock_milliseconds() + REPORT_MS;
    c->rendezvous.listener = c->rendezvous.second = c->rendezvous.reserve = -1;
    c->stop_fd = eventfd(0, EFD_CLOEXEC);
    int rc = c->stop_fd >= 0 ? rendezvous_open(&c->rendezvous)
                             : trace_error_set_errno(TRACE_ERR_IO, errno, "cannot make an eventfd");
    if (rc == 0 && worker_thread_start(&c->server, run_server, c) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "cannot start a thread");
    if (rc != 0) {
        collector_free(c);
        return rc;
    }
    process_mark_set(c->rendezvous.path);
    spare_segments_start(&c->spares, c->rendezvous.path);
    *out = c;
    return 0;
}

const char *collector_socket_path(const struct collector *c)
{
    return c->rendezvous.path;
}

void collector_interrupt(struct collector *c)
{
    atomic_store(&c->stop, true);
}

void collector_set_recording(struct collector *c, bool recording)
{
    atomic_store(&c->recording, recording);
}

void collector_dump(struct collector *c)
{
    atomic_fetch_add(&c->dumps, 1);
}

static void join_sessions(struct collector *c)
{
    while (c->sessions != NULL) {
        struct session *s = c->sessions;
        struct session_result result;
        char name[PATH_MAX];
        c->sessions = s->next;
        session_end(s); /* a flight recorder's thread sets the name at its end */
        memcpy(name, s->name, sizeof name);
        session_join(s, &result);
        c->result.errors += result.status != 0;
        c->result.losses += result.lost;
        if (c->options.written != NULL && result.kept && c->options.flight == NULL)
            c->options.written(c->options.context,
                               &(struct collector_trace){name, result.calls, result.frames, result.bytes});
    }
}

static void say_who_is_left(const struct collector *c, const struct left_process *left, unsigned count)
{
    char names[NAMED * 32] = "";
    for (unsigned i = 0, used = 0; i < count && i < NAMED; ++i)
        used += (unsigned)snprintf(names + used, sizeof names - used, "%s%d %s", i > 0 ? ", " : "",
                                   (int)left[i].pid, left[i].name);
    fprintf(stderr,
            "trace-cli: %s has ended; waiting for %u of its processes (%s%s); interrupt (^C) to end the "
            "recording\n",
            c->options.program, count, names, count > NAMED ? ", …" : "");
}

/* A process that has not used GL may still do so. */
static void wait_for_processes(struct collector *c)
{
    char entry[sizeof CONNECTION_ENVIRONMENT + 1 + sizeof c->rendezvous.path];
    char mark[PROCESS_MARK_SIZE];
    struct left_process left[NAMED];
    int64_t start = clock_milliseconds();
    bool said = false;
    snprintf(entry, sizeof entry, CONNECTION_ENVIRONMENT "=%s", c->rendezvous.path);
    process_mark_name(c->rendezvous.path, mark);
    /* A single look may miss a process that is just being forked; all miss one that is in an execve(2). */
    for (unsigned none = 0, starting = 0; none < 2 && !atomic_load(&c->stop);) {
        unsigned count = left_processes_find(entry, mark, left, NAMED);
        if (count == 0 && starting < STARTING_LOOKS && left_processes_starting()) {
            starting++;
            none = 0;
            poll(NULL, 0, STARTING_MS);
            continue;
        }
        none = count == 0 ? none + 1 : 0;
        if (count == 0)
            continue;
        starting = 0;
        if (!said && clock_milliseconds() - start >= SAY_MS) {
            say_who_is_left(c, left, count);
            said = true;
        }
        poll(NULL, 0, LOOK_MS);
    }
}

void collector_finish(struct collector *c, struct collector_result *result)
{
    wait_for_processes(c);
    const uint64_t one = 1;
    spare_segments_stop(c->spares);
    if (write(c->stop_fd, &one, sizeof one) != (ssize_t)sizeof one)
        collector_interrupt(c);
    pthread_join(c->server, NULL);
    bool awaited = c->dump_callers.count > 0 || c->order_caller_count > 0;
    for (struct session *s = c->sessions; s != NULL && awaited; s = s->next)
        session_end(s);
    answer_orders(c);
    dump_callers_answer(&c->dump_callers);
    join_sessions(c);
    *result = c->result;
}
