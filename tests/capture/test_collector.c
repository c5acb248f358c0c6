/* SPDX-License-Identifier: MIT
 * Tests the collector with processes that announce themselves to it, which are children of the test: whose
 * calls get into which file, what is counted and reported at the end, and that nothing is left behind.
 */
#include "cmocka_all.h"
#include "collector/collector.h"
#include "process/connection.h"
#include "records/ring_pool.h"
#include "sample_records.h"

#include "base/error.h"
#include "spec_ids.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/file.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64];

static int enter_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_collector.XXXXXX");
    return mkdtemp(directory) == NULL || chdir(directory) != 0 || setenv("TMPDIR", directory, 1) != 0;
}

static int leave_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return chdir("/") != 0 || system(command) != 0;
}

/* --- the processes ---------------------------------------------------------------------------------- */

static bool never_full(struct ring_producer *p)
{
    (void)p;
    return false;
}

static void make_calls(const struct segment *segment, unsigned calls)
{
    struct ring_pool pool;
    struct ring_producer p;
    if (ring_pool_init(&pool, segment, NULL) != 0 || ring_pool_take(&pool, &p) != 0)
        _exit(90);
    append_record(&p, 0, RECORD_THREAD, &(uint64_t){0}, 1, never_full);
    for (unsigned i = 0; i < 2 * calls; ++i)
        append_record(&p, SPEC_FN_glFlush, i % 2 == 0 ? RECORD_ENTER : RECORD_LEAVE, NULL, 0, never_full);
    ring_producer_fini(&p);
    ring_pool_fini(&pool);
}

/* Announces a segment. Returns whether it is accepted. */
static bool announce(const char *path, int segment_fd)
{
    struct connection_hello hello = {.magic = CONNECTION_MAGIC, .pid = (uint32_t)getpid()};
    struct connection_reply reply = {.accepted = 0};
    memcpy(hello.text, "/a/program\0its arguments", 25);
    if (connection_announce(path, &hello, 25, segment_fd, &reply) != 0)
        _exit(91);
    return reply.accepted != 0;
}

static void record(const char *path, unsigned calls, uint64_t lost)
{
    struct segment s;
    if (segment_create(&s, 4) != 0 || !announce(path, s.fd))
        _exit(92);
    make_calls(&s, calls);
    s.control->calls_lost = lost;
    segment_fini(&s);
}

/* Runs work() in a process of its own, and waits for its end. */
static void in_a_process(void (*work)(const char *path), const struct collector *c)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        work(collector_socket_path(c));
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (status != 0)
        print_message("a process has failed with %d\n", WEXITSTATUS(status)); /* stderr may be a log */
    assert_int_equal(status, 0);
}

/* --- the collector ---------------------------------------------------------------------------------- */

static char said[4096];
static FILE *log_file;
static int saved_stderr;

static void tell_trace(void *context, const struct collector_trace *t)
{
    struct stat st;
    assert_ptr_equal(context, &log_file);
    assert_int_equal(stat(t->path, &st), 0);
    assert_int_equal(t->bytes, st.st_size);
    fprintf(stderr, "%s has %u calls and %u frames\n", t->path, (unsigned)t->calls, (unsigned)t->frames);
}

static struct collector *start(const char *output, bool verbose, bool tell)
{
    struct collector *c;
    const struct collector_options options = {.program = "program",
                                              .output = output,
                                              .verbose = verbose,
                                              .timestamps = true,
                                              .written = tell ? tell_trace : NULL,
                                              .context = &log_file};
    log_file = tmpfile();
    saved_stderr = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(log_file), STDERR_FILENO);
    int rc = collector_start(&c, &options);
    assert_int_equal(rc, 0);
    return c;
}

/* The socket and its directory are removed. */
static void finish(struct collector *c, struct collector_result *result)
{
    char path[128];
    struct stat st;
    snprintf(path, sizeof path, "%s", collector_socket_path(c));
    collector_finish(c, result);
    collector_interrupt(c); /* as by a late signal: the collector still exists */
    collector_free(c);
    fflush(stderr);
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    ssize_t n = pread(fileno(log_file), said, sizeof said - 1, 0);
    said[n > 0 ? n : 0] = '\0';
    fclose(log_file);
    assert_int_equal(stat(path, &st), -1);
    *strrchr(path, '/') = '\0';
    assert_int_equal(strncmp(path, directory, strlen(directory)), 0);
    assert_int_equal(stat(path, &st), -1);
}

static int calls_in(const char *name)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    int count = 0, rc;
    if (trace_reader_open(&reader, name) != 0)
        return -1;
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        count++;
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    return rc == 0 ? count : -1;
}

static void expect_result(const struct collector_result *r, unsigned traces, unsigned errors, unsigned losses)
{
    assert_int_equal(r->traces, traces);
    assert_int_equal(r->errors, errors);
    assert_int_equal(r->losses, losses);
}

static void record_three(const char *path)
{
    record(path, 3, 0);
}

static void record_five(const char *path)
{
    record(path, 5, 0);
}

/* The first process gets the requested name. Others get similar names. */
static void test_files(void **state)
{
    (void)state;
    struct collector_result result;
    for (unsigned verbose = 0; verbose < 2; ++verbose) {
        struct collector *c = start("app.trace", verbose, verbose);
        in_a_process(record_three, c);
        in_a_process(record_five, c);
        finish(c, &result);
        expect_result(&result, 2, 0, 0);
        assert_int_equal(calls_in("app.trace"), 3);
        assert_int_equal(calls_in("app.1.trace"), 5);
        assert_int_equal(strstr(said, "tracing /a/program (process ") != NULL, verbose);
        assert_int_equal(strstr(said, "app.trace has 3 calls and 0 frames\n") != NULL, verbose);
        assert_int_equal(strstr(said, "app.1.trace has 5 calls and 0 frames\n") != NULL, verbose);
        assert_int_equal(said[0] != '\0', verbose);
        unlink("app.1.trace");
    }
    struct collector *c = start(NULL, false, false); /* named after the program */
    in_a_process(record_five, c);
    finish(c, &result);
    assert_int_equal(calls_in("program.trace"), 5);
    c = start(NULL, false, false);
    finish(c, &result);
    expect_result(&result, 0, 0, 0);
}

static void record_twice(const char *path)
{
    record(path, 3, 0);
    record(path, 4, 0); /* as if after an exec */
    /* The first file is complete, and not written any more. */
    int file = open("twice.trace", O_RDONLY);
    for (unsigned i = 0; i < 5000 && flock(file, LOCK_EX | LOCK_NB) != 0; ++i)
        usleep(1000);
    _exit(flock(file, LOCK_EX | LOCK_NB) == 0 && calls_in("twice.trace") == 3 ? 0 : 93);
}

static void test_another_program(void **state)
{
    (void)state;
    struct collector_result result;
    struct collector *c = start("twice.trace", false, false);
    in_a_process(record_twice, c);
    finish(c, &result);
    expect_result(&result, 2, 0, 0);
    assert_int_equal(calls_in("twice.trace"), 3);
    assert_int_equal(calls_in("twice.1.trace"), 4);
}

static void lose_some(const char *path)
{
    record(path, 3, 7);
}

static void announce_nothing(const char *path)
{
    if (announce(path, memfd_create("none", MFD_CLOEXEC)))
        _exit(94);
}

static void decline(const char *path)
{
    struct connection_hello hello = {
        .magic = CONNECTION_MAGIC, .pid = (uint32_t)getpid(), .text = "/a/program"};
    struct connection_reply reply;
    connection_announce(path, &hello, 12, -1, &reply);
}

/* Losses are counted and reported. A file without a trace is deleted. */
static void test_losses(void **state)
{
    (void)state;
    struct stat st;
    struct collector_result result;
    struct collector *c = start("lost.trace", false, true);
    in_a_process(announce_nothing, c);
    assert_int_equal(stat("lost.trace", &st), -1);
    in_a_process(lose_some, c); /* the name is still unused */
    in_a_process(decline, c);
    finish(c, &result);
    expect_result(&result, 1, 2, 1);
    assert_int_equal(calls_in("lost.trace"), 3);
    assert_non_null(strstr(said, "trace-cli: warning: lost.trace: 7 calls were lost: "));
    assert_non_null(strstr(said, "trace-cli: error: lost.trace: the traced program sent no sealed"));
    assert_non_null(strstr(said, "could not be recorded\n"));
}

/* --- spare segments --------------------------------------------------------------------------------- */

static enum segment_answer expected_answer = SEGMENT_ACCEPTED;

static void claim_and_record(const char *path)
{
    char name[128];
    struct segment s;
    int rc;
    snprintf(name, sizeof name, "%.*s/" CONNECTION_SPARE_NAME, (int)(strrchr(path, '/') - path), path);
    while ((rc = segment_claim(&s, name, (uint32_t)getpid())) > 0)
        usleep(1000);
    if (rc != 0)
        _exit(95);
    /* waits until the collector is ready to answer */
    for (unsigned i = 0; i < 1000 && atomic_load(&s.control->consumer) == 0; ++i)
        usleep(1000);
    if (s.control->consumer == 0 || (s.control->consumer & FUTEX_OWNER_DIED) != 0)
        _exit(97);
    futex_wake(&s.control->claimed);
    for (unsigned i = 0; i < 5000 && atomic_load(&s.control->answer) == SEGMENT_NO_ANSWER; ++i)
        usleep(1000);
    if (atomic_load(&s.control->answer) != expected_answer)
        _exit(96);
    if (expected_answer == SEGMENT_ACCEPTED)
        make_calls(&s, 6);
    segment_fini(&s);
}

/* A process whose file cannot be created is told that it is not recorded. */
static void test_refused_claim(void **state)
{
    (void)state;
    struct collector_result result;
    struct collector *c = start("no/such/directory.trace", false, false);
    expected_answer = SEGMENT_REFUSED;
    in_a_process(claim_and_record, c);
    expected_answer = SEGMENT_ACCEPTED;
    finish(c, &result);
    expect_result(&result, 0, 1, 0);
    assert_non_null(strstr(said, "no/such/directory.trace: cannot create"));
}

/* Processes claim segments that the collector has prepared, one after the other, and are recorded under their
 * own names. */
static void test_spare_segments(void **state)
{
    (void)state;
    struct collector_result result;
    assert_int_equal(unsetenv(CONNECTION_FILTERS_ENVIRONMENT), 0);
    struct collector *c = start(NULL, false, false);
    assert_non_null(getenv(CONNECTION_FILTERS_ENVIRONMENT));
    for (unsigned i = 0; i < 3; ++i)
        in_a_process(claim_and_record, c);
    finish(c, &result);
    expect_result(&result, 3, 0, 0);
    assert_string_equal(said, "");
    assert_int_equal(calls_in("test_collector.trace"), 6);
    assert_int_equal(calls_in("test_collector.1.trace"), 6);
    assert_int_equal(calls_in("test_collector.2.trace"), 6);
}

/* --- the end ---------------------------------------------------------------------------------------- */

/* The collector waits for processes that may still connect, until the user interrupts it. */
static void test_waits_for_processes(void **state)
{
    (void)state;
    char variable[160], *environment[] = {variable, NULL};
    struct collector_result result;
    struct collector *c = start(NULL, false, false);
    snprintf(variable, sizeof variable, CONNECTION_ENVIRONMENT "=%s", collector_socket_path(c));
    int ready[2], status;
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ready[1], 1);
        execle("/bin/sh", "sh", "-c", "echo; exec sleep 0.4", NULL, environment);
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    signal(SIGCHLD, SIG_IGN); /* the process must not remain as a zombie */
    finish(c, &result);
    assert_int_equal(kill(pid, 0), -1);
    signal(SIGCHLD, SIG_DFL);
    waitpid(pid, &status, 0);
    assert_string_equal(said, ""); /* nothing was reported */

    c = start(NULL, false, false);
    snprintf(variable, sizeof variable, CONNECTION_ENVIRONMENT "=%s", collector_socket_path(c));
    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        dup2(ready[1], 1);
        execle("/bin/sh", "sh", "-c", "echo; exec sleep 60", NULL, environment);
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    collector_interrupt(c);
    finish(c, &result);
    assert_int_equal(kill(pid, 0), 0);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),         cmocka_unit_test(test_another_program),
        cmocka_unit_test(test_losses),        cmocka_unit_test(test_spare_segments),
        cmocka_unit_test(test_refused_claim), cmocka_unit_test(test_waits_for_processes),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
