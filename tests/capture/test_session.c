/* SPDX-License-Identifier: MIT
 * Tests a session of the collector while its process records, is idle, ends, or executes another program. The
 * clock is simulated, so that seconds pass at once.
 */
#include "cmocka_all.h"
#include "collector/session.h"
#include "sample_records.h"

#include "base/clock.h"
#include "base/error.h"
#include "spec_ids.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int64_t now = 1000000;
static _Atomic unsigned asked; /* how often for the time */

/* Replaces that of common/base. */
int64_t clock_milliseconds(void)
{
    asked++;
    return atomic_load(&now);
}

/* Lets the session check everything several times, which takes longer on a busy machine. */
static void let_check(void)
{
    unsigned before = asked;
    for (unsigned i = 0; i < 10000 && asked - before < 16; ++i)
        usleep(1000);
}

static void let_pass(int64_t milliseconds)
{
    let_check();
    atomic_fetch_add(&now, milliseconds);
    let_check();
}

/* --- a process and its session ----------------------------------------------------------------------------
 */

struct fixture {
    pid_t process;
    struct segment segment; /* as seen by the process */
    struct ring_pool pool;
    struct ring_producer producer;
    char path[64];
    _Atomic bool stop;
    struct session *session;
};

static bool wait_a_little(struct ring_producer *p)
{
    (void)p;
    usleep(1000);
    return true;
}

static void start_process(struct fixture *f)
{
    f->process = fork();
    if (f->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* must not outlive a test that fails */
        for (;;)
            pause();
    }
}

static void end_process(struct fixture *f)
{
    if (f->process > 0) {
        kill(f->process, SIGKILL);
        waitpid(f->process, NULL, 0);
    }
    f->process = 0;
}

static int start_session(struct fixture *f, int file, int segment_fd)
{
    static const struct selection_options everything;
    static _Atomic bool recording = true;
    const struct session_options options = {.pid = f->process,
                                            .selection = &everything,
                                            .recording = &recording,
                                            .segment_fd = segment_fd,
                                            .file = file,
                                            .name = "app.trace",
                                            .program = "/a/program",
                                            .arguments = "its arguments",
                                            .stop = &f->stop,
                                            .clock = CAPTURE_CLOCK_MONOTONIC,
                                            .early = tick_clock_measure(CAPTURE_CLOCK_MONOTONIC)};
    return session_start(&f->session, &options);
}

static void start_with_file(struct fixture *f, int file)
{
    assert_int_equal(segment_create(&f->segment, 8), 0);
    assert_int_equal(ring_pool_init(&f->pool, &f->segment, NULL), 0);
    start_process(f);
    assert_int_equal(start_session(f, file, dup(f->segment.fd)), 0);
    assert_int_equal(ring_pool_take(&f->pool, &f->producer), 0);
    append_record(&f->producer, 0, RECORD_THREAD, &(uint64_t){0}, 1, wait_a_little);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    strcpy(f->path, "/tmp/test_session.XXXXXX");
    close(mkstemp(f->path));
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    end_process(f);
    ring_producer_fini(&f->producer);
    ring_pool_fini(&f->pool);
    segment_fini(&f->segment);
    unlink(f->path);
    free(f);
    return 0;
}

static void start(struct fixture *f)
{
    start_with_file(f, open(f->path, O_WRONLY | O_CLOEXEC));
}

static void make_calls(struct fixture *f, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        append_record(&f->producer, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0, wait_a_little);
        append_record(&f->producer, SPEC_FN_glFlush, RECORD_LEAVE, NULL, 0, wait_a_little);
    }
}

/* Returns whether the session has read everything. */
static bool is_drained(const struct fixture *f)
{
    for (unsigned i = 0; i < 5000; ++i) {
        if (atomic_load(&f->producer.control->tail) == f->producer.head)
            return true;
        usleep(1000);
    }
    return false;
}

/* Returns the number of calls that can be read from the file now; -1: it is not a trace. */
static int calls_in_file(const struct fixture *f)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    int count = 0, rc;
    if (trace_reader_open(&reader, f->path) != 0)
        return -1;
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        count++;
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    return rc == 0 ? count : -1;
}

static off_t file_size(const struct fixture *f)
{
    struct stat st;
    assert_int_equal(stat(f->path, &st), 0);
    return st.st_size;
}

/* What is printed on the standard error meanwhile. */
static char said[4096];

static void join(struct fixture *f, struct session_result *result)
{
    FILE *log = tmpfile();
    int saved = dup(STDERR_FILENO);
    assert_non_null(log);
    fflush(stderr);
    dup2(fileno(log), STDERR_FILENO);
    session_join(f->session, result);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    ssize_t n = pread(fileno(log), said, sizeof said - 1, 0);
    said[n > 0 ? n : 0] = '\0';
    fclose(log);
}

static void join_complete(struct fixture *f, int calls)
{
    struct session_result result;
    join(f, &result);
    assert_int_equal(result.status, 0);
    assert_false(result.lost);
    assert_true(result.kept);
    assert_string_equal(said, "");
    assert_int_equal(calls_in_file(f), calls);
}

/* --- while it goes on ------------------------------------------------------------------------------- */

/* The file is a trace from the start, and the process sees that there is a reader. */
static void test_start(void **state)
{
    struct fixture *f = *state;
    char task[64];
    start(f);
    const struct segment_control *c = f->segment.control;
    assert_int_equal(c->clock, CAPTURE_CLOCK_MONOTONIC);
    snprintf(task, sizeof task, "/proc/self/task/%u", (unsigned)c->consumer);
    assert_int_not_equal(c->consumer, getpid());
    assert_int_equal(access(task, F_OK), 0);
    for (unsigned i = 0; i < 5000 && file_size(f) < 10; ++i)
        usleep(1000);
    assert_int_equal(calls_in_file(f), 0);
    assert_int_equal(c->closed, 0);
    end_process(f);
    join_complete(f, 0);
    assert_int_equal(c->closed, 1);
    assert_int_equal(c->consumer, 0);
}

/* After a second of silence everything is in the file. Before that, nothing is divided into small chunks. */
static void test_idle_flush(void **state)
{
    struct fixture *f = *state;
    start(f);
    for (int round = 1; round <= 3; ++round) {
        off_t before = 0;
        while (before != file_size(f)) { /* the header may not be written yet */
            before = file_size(f);
            usleep(20000);
        }
        make_calls(f, 10);
        assert_true(is_drained(f));
        usleep(70000);
        assert_int_equal(file_size(f), before);
        let_pass(900);
        assert_int_equal(file_size(f), before);
        let_pass(200);
        for (unsigned i = 0; i < 5000 && file_size(f) == before; ++i)
            usleep(1000);
        assert_int_equal(calls_in_file(f), 10 * round);
        off_t after = file_size(f);
        let_pass(5000);
        assert_int_equal(file_size(f), after);
    }
    end_process(f);
    join_complete(f, 30);
}

/* The calls of a program that never pauses reach the file, too. */
static void test_busy_flush(void **state)
{
    struct fixture *f = *state;
    start(f);
    for (unsigned i = 0; i < 3; ++i) {
        make_calls(f, 10);
        assert_true(is_drained(f));
        usleep(30000);
        let_pass(600);
    }
    for (unsigned i = 0; i < 5000 && calls_in_file(f) < 10; ++i)
        usleep(1000);
    assert_true(calls_in_file(f) >= 10);
    end_process(f);
    join_complete(f, 30);
}

/* An order number that is not published delays what follows it by a second. */
static void test_gap(void **state)
{
    struct fixture *f = *state;
    struct session_result result;
    start(f);
    make_calls(f, 1);
    assert_true(is_drained(f));
    ring_take_order(&f->producer);
    make_calls(f, 1);
    let_pass(900);
    assert_int_not_equal(f->producer.control->tail, f->producer.head);
    let_pass(200);
    assert_true(is_drained(f));
    end_process(f);
    join(f, &result);
    assert_int_equal(result.status, 0);
    assert_false(result.lost);
    assert_string_equal(said, "trace-cli: warning: app.trace: 1 events of calls that were cut off (by a "
                              "killed thread or siglongjmp) are missing\n");
    assert_int_equal(calls_in_file(f), 2);
}

/* Once the process has ended, missing numbers are not waited for. */
static void test_gap_at_the_end(void **state)
{
    struct fixture *f = *state;
    struct session_result result;
    start(f);
    make_calls(f, 1);
    ring_take_order(&f->producer);
    make_calls(f, 1);
    end_process(f);
    join(f, &result);
    assert_int_equal(calls_in_file(f), 2);
}

/* A thread takes an arbitrary time to copy a large body. */
static void open_large(struct fixture *f)
{
    const uint64_t body[6] = {6 * 8, 0x8892, 8, 0x1000, 0x88E4, 8};
    const uint32_t size = sizeof(struct record) + sizeof body;
    uint8_t *at = ring_reserve(&f->producer, size, wait_a_little);
    const struct record r = {.size = size,
                             .function = SPEC_FN_glBufferData,
                             .kind = RECORD_ENTER,
                             .flags = RECORD_OPEN,
                             .order = (uint32_t)ring_take_order(&f->producer),
                             .time = record_open_check(body[0])};
    memcpy(at, &r, sizeof r);
    memcpy(at + sizeof r, body, sizeof body);
    ring_publish(&f->producer, size);
}

/* A large record is only given up if another thread may be what its thread waits for, and the process is not
 * stopped. */
static void test_stalled_large_record(void **state)
{
    struct fixture *f = *state;
    struct session_result result;
    struct ring_producer other;
    start(f);
    make_calls(f, 1);
    assert_true(is_drained(f));
    open_large(f);
    assert_true(is_drained(f));
    assert_int_equal(ring_pool_take(&f->pool, &other), 0);
    append_record(&other, 0, RECORD_THREAD, &(uint64_t){1}, 1, wait_a_little);
    let_pass(100000);
    assert_int_not_equal(other.control->tail, other.head);
    kill(f->process, SIGSTOP);
    assert_int_equal(waitpid(f->process, NULL, WUNTRACED), f->process); /* it may take a while */
    atomic_store(&other.control->waiting, 1);
    let_pass(100000);
    assert_int_not_equal(other.control->tail, other.head);
    kill(f->process, SIGCONT);
    for (unsigned i = 0; i < 5000 && atomic_load(&other.control->tail) != other.head; ++i)
        usleep(1000);
    assert_int_equal(other.control->tail, other.head);
    ring_producer_fini(&other);
    end_process(f);
    join(f, &result);
    assert_true(result.lost);
    assert_non_null(strstr(said, "app.trace: 1 calls are cut off"));
    assert_int_equal(calls_in_file(f), 2);
}

static void *take_and_end(void *argument)
{
    struct fixture *f = argument;
    struct ring_producer p;
    if (ring_pool_take(&f->pool, &p) != 0)
        abort();
    append_record(&p, 0, RECORD_THREAD, &(uint64_t){1}, 1, wait_a_little);
    for (unsigned i = 0; i < 20000; ++i)
        append_record(&p, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0, wait_a_little);
    return NULL;
}

/* About once a second, the process is asked for the rings of ended threads, if they use much memory. */
static void test_asks_for_rings(void **state)
{
    struct fixture *f = *state;
    pthread_t thread;
    start(f);
    const struct segment_control *c = f->segment.control;
    assert_int_equal(pthread_create(&thread, NULL, take_and_end, f), 0);
    pthread_join(thread, NULL);
    for (unsigned i = 0; i < 5000 && c->rings[1].tail != c->rings[1].head; ++i)
        usleep(1000);
    let_pass(1100);
    atomic_store(&f->segment.control->tidy, 0);
    let_pass(900);
    assert_int_equal(c->tidy, 0);
    let_pass(200);
    for (unsigned i = 0; i < 5000 && c->tidy == 0; ++i)
        usleep(1000);
    assert_int_equal(c->tidy, 1);
    end_process(f);
    struct session_result result;
    join(f, &result);
}

/* A sleeping session can be woken, and does not ask for that while it is working. */
static void test_doorbell(void **state)
{
    struct fixture *f = *state;
    start(f);
    const struct segment_control *c = f->segment.control;
    unsigned asleep = 0;
    for (unsigned i = 0; i < 5000 && asleep < 20; ++i) {
        asleep += c->doorbell == 1;
        usleep(1000);
    }
    assert_int_equal(asleep, 20);
    end_process(f);
    join_complete(f, 0);
    assert_int_equal(c->doorbell, 0);
}

/* --- how it ends ------------------------------------------------------------------------------------ */

/* Everything that was published is in the file, however the session learns that the process has ended. */
static void test_ends(void **state)
{
    for (unsigned how = 0; how < 3; ++how) {
        struct fixture *f = *state;
        start(f);
        make_calls(f, 20000);
        assert_false(session_join_ended(f->session));
        session_reap(f->session); /* is not finished */
        assert_false(f->session->joined);
        if (how == 0)
            end_process(f);
        else
            atomic_store(how == 1 ? &f->session->replaced : &f->stop, true);
        if (how == 0) {
            bool ended = false;
            for (unsigned i = 0; i < 5000 && !ended; ++i) {
                ended = session_join_ended(f->session);
                usleep(1000);
            }
            assert_true(ended);
            assert_true(f->session->joined);
            assert_false(session_join_ended(f->session));
        }
        join_complete(f, 20000);
        if (how < 2) {
            tear_down(state);
            set_up(state);
        }
    }
}

/* A session that has ended is freed without waiting for others. */
static void test_reaped(void **state)
{
    struct fixture *f = *state;
    start(f);
    make_calls(f, 3);
    end_process(f);
    for (unsigned i = 0; i < 5000 && !f->session->joined; ++i) {
        usleep(1000);
        session_reap(f->session);
    }
    assert_true(f->session->joined);
    session_reap(f->session);
    join_complete(f, 3);
}

/* A process that has already ended, and therefore cannot be watched. */
static void test_process_without_descriptor(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(segment_create(&f->segment, 8), 0);
    assert_int_equal(ring_pool_init(&f->pool, &f->segment, NULL), 0);
    assert_int_equal(ring_pool_take(&f->pool, &f->producer), 0);
    append_record(&f->producer, 0, RECORD_THREAD, &(uint64_t){0}, 1, wait_a_little);
    make_calls(f, 5);
    start_process(f);
    pid_t gone = f->process;
    end_process(f);
    f->process = gone;
    assert_int_equal(start_session(f, open(f->path, O_WRONLY | O_CLOEXEC), dup(f->segment.fd)), 0);
    f->process = 0;
    join_complete(f, 5);
}

/* The first error is reported, and the program continues normally. Missing calls are counted. */
static void test_file_size_limit(void **state)
{
    struct fixture *f = *state;
    struct session_result result;
    struct rlimit before;
    char expected[128];
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    start(f);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){2000, before.rlim_max});
    make_calls(f, 300000); /* enough for several rings */
    assert_true(is_drained(f));
    end_process(f);
    join(f, &result);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(result.status, TRACE_ERR_IO);
    assert_true(result.lost);
    assert_true(result.kept);
    snprintf(expected, sizeof expected,
             "trace-cli: warning: app.trace: %d calls were lost: the file could not be written\n",
             300000 - calls_in_file(f));
    assert_in_range(calls_in_file(f), 0, 299999);
    assert_string_equal(said, expected);
}

static void test_deleted_file(void **state)
{
    struct fixture *f = *state;
    struct session_result result;
    start(f);
    make_calls(f, 5);
    unlink(f->path);
    end_process(f);
    join(f, &result);
    assert_int_equal(result.status, 0);
    assert_true(result.lost);
    assert_false(result.kept);
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 200; ++fd)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* A file that is not a segment does not start a session, and is closed. */
static void test_no_segment(void **state)
{
    struct fixture *f = *state;
    start_process(f);
    unsigned before = count_descriptors();
    int rc = start_session(f, open(f->path, O_WRONLY | O_CLOEXEC), memfd_create("none", MFD_CLOEXEC));
    assert_int_equal(rc, TRACE_ERR_FORMAT);
    assert_int_equal(count_descriptors(), before);
    struct segment s;
    assert_int_equal(segment_create(&s, 8), 0);
    assert_int_equal(start_session(f, open("/dev/full", O_WRONLY | O_CLOEXEC), s.fd), TRACE_ERR_IO);
    s.fd = -1; /* is closed in that case, too */
    segment_fini(&s);
    assert_int_equal(count_descriptors(), before);
    end_process(f);
    start(f);
    end_process(f);
    join_complete(f, 0);
    ring_producer_fini(&f->producer);
    ring_pool_fini(&f->pool);
    segment_fini(&f->segment);
    assert_int_equal(count_descriptors(), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_start),
        TEST(test_idle_flush),
        TEST(test_busy_flush),
        TEST(test_gap),
        TEST(test_gap_at_the_end),
        TEST(test_stalled_large_record),
        TEST(test_asks_for_rings),
        TEST(test_doorbell),
        TEST(test_ends),
        TEST(test_reaped),
        TEST(test_process_without_descriptor),
        TEST(test_file_size_limit),
        TEST(test_deleted_file),
        TEST(test_no_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
