/* SPDX-License-Identifier: MIT
 * Tests the traced process: how it starts, the state of forked children, and waiting for a collector that is
 * slow or gone. The test acts as the collector, and each case runs in its own process.
 */
#include "cmocka_all.h"

#include "process/capture_log.h"
#include "process/capture_process.h"
#include "process/connection.h"
#include "memory/own_stack.h"
#include "process/segment_source.h"
#include "process/setting.h"
#include "process/standalone.h"

#include "base/error.h"
#include "runtime/spec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the process of a case. Its exit status identifies the line that failed. */
#define EXPECT(condition) ((condition) ? (void)0 : _exit(__LINE__ / 4))

/* --- in place of the rest --------------------------------------------------------------------------- */

static int open_error;
static bool raises_limit;
static struct rlimit limit_before;
static struct segment_control *control; /* as seen by the collector */
static pid_t collector;
static unsigned opened, declined, standalone_opened, standalone_forgotten, standalone_flushed,
    standalone_offered, parents_forgotten;

bool segment_source_is_filtered(void)
{
    return false;
}

int segment_source_open(struct segment *out, const char *socket_path, pid_t *collector_pid)
{
    (void)socket_path;
    opened++;
    if (open_error != 0)
        return trace_error_set(open_error, "no");
    int rc = segment_create(out, 8);
    control = out->control;
    *collector_pid = collector;
    return rc;
}

void segment_source_decline(const char *socket_path)
{
    declined += strcmp(socket_path, "/a/socket") == 0;
}

const char *setting_get(const char *name)
{
    return getenv(name);
}

bool descriptor_limit_raise(struct rlimit *limit)
{
    *limit = limit_before;
    return raises_limit;
}

int standalone_open(struct segment *segment, const struct ring_pool *pool)
{
    (void)segment;
    (void)pool;
    standalone_opened++;
    return 0;
}

void standalone_forget(void)
{
    standalone_forgotten++;
}

bool standalone_flush(bool last)
{
    standalone_flushed += last ? 100 : 1;
    errno = EDOM;
    return true;
}

void standalone_offer_flush(void)
{
    standalone_offered++;
}

static void end_thread(void *owner_data)
{
    (void)owner_data;
}

static void forget_parent(void)
{
    parents_forgotten++;
}

static const struct capture_process_callbacks callbacks = {end_thread, forget_parent};

/* --- cases ------------------------------------------------------------------------------------------ */

/* Returns the number of lines that the recorder has printed. */
static unsigned said(void)
{
    char text[4096];
    off_t end = lseek(STDERR_FILENO, 0, SEEK_END);
    ssize_t n = pread(STDERR_FILENO, text, sizeof text, 0);
    unsigned lines = 0;
    for (ssize_t i = 0; i < n && i < end; ++i)
        lines += text[i] == '\n';
    return lines;
}

static void in_a_process(void (*work)(void))
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        FILE *log = tmpfile();
        setenv(CONNECTION_ENVIRONMENT, "/a/socket", 1);
        unsetenv("TRACE_CLI_API");
        if (log == NULL || dup2(fileno(log), STDERR_FILENO) < 0)
            _exit(1);
        collector = getpid();
        work();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        print_message("line %d or so, status 0x%x\n", WEXITSTATUS(status) * 4, (unsigned)status);
    assert_int_equal(status, 0);
}

static void start(struct ring_producer *p)
{
    struct ring_pool *pool = capture_process_start(&callbacks);
    EXPECT(pool != NULL && ring_pool_take(pool, p) == 0);
    atomic_store(&control->consumer, (uint32_t)syscall(SYS_gettid));
}

static unsigned descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 200; ++fd)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void start_once(void)
{
    unsigned before = descriptors();
    EXPECT(*capture_generation == 0 && capture_process_rings() == NULL);
    struct ring_pool *pool = capture_process_start(&callbacks);
    EXPECT(pool != NULL && *capture_generation == 1 && capture_process_rings() == pool);
    EXPECT(capture_process_start(&callbacks) == pool && opened == 1);
    EXPECT(descriptors() == before); /* as programs do that close all descriptors */
    EXPECT(pool->common.slot != NULL);
    capture_process_count_lost();
    capture_process_count_lost();
    EXPECT(control->calls_lost == 2 && said() == 0 && standalone_opened == 0);
    capture_process_flush();
    EXPECT(standalone_flushed == 0);
}

static void fail_to_start(void)
{
    open_error = open_error == 0 ? TRACE_ERR_IO : open_error;
    for (unsigned i = 0; i < 3; ++i)
        EXPECT(capture_process_start(&callbacks) == NULL && capture_process_rings() == NULL);
    EXPECT(opened == 1 && said() == 1 && *capture_generation == 1);
    EXPECT(declined == (open_error != TRACE_ERR_UNSUPPORTED)); /* the collector knows when it refuses */
    capture_process_unlock_memory();
    capture_process_expect_filter();
    capture_process_flush();
}

static void be_refused(void)
{
    open_error = TRACE_ERR_UNSUPPORTED;
    fail_to_start();
}

static void start_alone(void)
{
    setenv(CONNECTION_ENVIRONMENT, "", 1);
    capture_process_flush(); /* there is nothing yet */
    EXPECT(standalone_flushed == 0);
    struct ring_pool *pool = capture_process_start(&callbacks);
    struct ring_producer p;
    EXPECT(pool != NULL && opened == 0 && standalone_opened == 1);
    EXPECT(ring_pool_take(pool, &p) == 0);
    errno = ESRCH;
    EXPECT(capture_process_wait(&p) && standalone_flushed == 1 && errno == ESRCH);
    capture_process_offer_flush();
    EXPECT(standalone_offered == 1);
    capture_process_flush();
    EXPECT(standalone_flushed == 101);
}

static void restore_limit(void)
{
    raises_limit = true;
    limit_before = (struct rlimit){77, 100};
    EXPECT(capture_process_start(&callbacks) != NULL);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    EXPECT(limit.rlim_cur == 77 && limit.rlim_max == 100);
}

static void test_starts(void **state)
{
    (void)state;
    in_a_process(start_once);
    in_a_process(fail_to_start);
    in_a_process(be_refused);
    in_a_process(start_alone);
    in_a_process(restore_limit);
}

static void say_much(void)
{
    char text[3000], said_text[4096];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (unsigned length = 900; length < sizeof text; length += length < 1100 ? 1 : 500) {
        EXPECT(ftruncate(STDERR_FILENO, 0) == 0 && lseek(STDERR_FILENO, 0, SEEK_SET) == 0);
        capture_log("%.*s", (int)length, text);
        ssize_t n = pread(STDERR_FILENO, said_text, sizeof said_text, 0);
        EXPECT(n > 0 && n < 1024 && said_text[n - 1] == '\n' && said() == 1);
        EXPECT(strncmp(said_text, "trace-cli: test_capture_process: xxx", 36) == 0);
        EXPECT(n == 33 + (ssize_t)length + 1 || n >= 1000);
    }
}

/* A message is one line, however long it is. */
static void test_lines(void **state)
{
    (void)state;
    in_a_process(say_much);
}

static const char *api;
static uint32_t api_mask;
static unsigned api_lines;

static void choose_api(void)
{
    if (api != NULL)
        setenv("TRACE_CLI_API", api, 1);
    capture_process_start(&callbacks);
    EXPECT(capture_api_mask == api_mask);
    EXPECT(said() == api_lines);
}

static void test_apis(void **state)
{
    (void)state;
    static const struct {
        const char *api;
        uint32_t mask;
        unsigned lines;
    } apis[] = {{NULL, SPEC_API_GL | SPEC_API_GLX | SPEC_API_EGL | SPEC_API_C, 0},
                {"all", SPEC_API_GL | SPEC_API_GLX | SPEC_API_EGL | SPEC_API_C, 0},
                {"gl", SPEC_API_GL | SPEC_API_GLX | SPEC_API_C, 0},
                {"glx", SPEC_API_GL | SPEC_API_GLX | SPEC_API_C, 0},
                {"egl", SPEC_API_GL | SPEC_API_EGL | SPEC_API_C, 0},
                {"vulkan", SPEC_API_GL | SPEC_API_GLX | SPEC_API_EGL | SPEC_API_C, 1}};
    for (unsigned i = 0; i < sizeof apis / sizeof apis[0]; ++i) {
        api = apis[i].api;
        api_mask = apis[i].mask;
        api_lines = apis[i].lines;
        in_a_process(choose_api);
    }
}

/* --- children --------------------------------------------------------------------------------------- */

static void be_child(unsigned forgotten)
{
    EXPECT(*capture_generation == 0);
    EXPECT(parents_forgotten == forgotten);
    capture_process_flush(); /* everything that exists belongs to the parent */
    EXPECT(standalone_flushed == 0);
    uint32_t order = control != NULL ? control->shared_order : 0;
    capture_process_expect_filter();
    EXPECT(control == NULL || control->shared_order == order);
    unsigned before = opened + standalone_opened, alone = standalone_opened;
    struct ring_pool *pool = capture_process_start(&callbacks);
    EXPECT(pool != NULL && *capture_generation == 2 && opened + standalone_opened == before + 1);
    EXPECT(standalone_forgotten == alone);
    struct ring_producer p;
    EXPECT(ring_pool_take(pool, &p) == 0);
    EXPECT(!capture_process_gave_up());
}

static void fork_children(void)
{
    int status;
    struct ring_pool *pool = capture_process_start(&callbacks);
    struct ring_producer p;
    EXPECT(pool != NULL && ring_pool_take(pool, &p) == 0);
    for (unsigned way = 0; way < 2; ++way) {
        /* the second way bypasses the C library, and therefore its atfork handlers */
        pid_t pid = way == 0 ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
        if (pid == 0) {
            be_child(way == 0);
            _exit(0);
        }
        EXPECT(waitpid(pid, &status, 0) == pid);
        if (status != 0)
            _exit(WEXITSTATUS(status));
        EXPECT(*capture_generation == 1 && parents_forgotten == 0);
    }
}

/* The parent's collector has ended. The child looks for one itself. */
static void fork_after_the_end(void)
{
    int status;
    struct ring_producer p;
    start(&p);
    atomic_store(&control->closed, 1);
    EXPECT(!capture_process_wait(&p) && capture_process_gave_up());
    pid_t pid = fork();
    if (pid == 0) {
        EXPECT(capture_process_start(&callbacks) != NULL);
        EXPECT(!capture_process_gave_up());
        _exit(0);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (status != 0)
        _exit(WEXITSTATUS(status));
    EXPECT(capture_process_gave_up());
}

static void fork_alone(void)
{
    setenv(CONNECTION_ENVIRONMENT, "", 1);
    fork_children();
}

static void test_children(void **state)
{
    (void)state;
    in_a_process(fork_children);
    in_a_process(fork_alone);
    in_a_process(fork_after_the_end);
}

/* --- waiting
 * -----------------------------------------------------------------------------------------------------------
 */

static void *make_room(void *argument)
{
    struct ring_control *c = argument;
    for (unsigned i = 0; i < 50 && (i < 25 || atomic_load(&c->waiting) == 0); ++i)
        usleep(10000);
    atomic_store(&c->tail, 8);
    return NULL; /* nothing wakes it: the wait times out */
}

static void wait_for_room(void)
{
    pthread_t thread;
    struct ring_producer p;
    start(&p);
    atomic_store(&control->doorbell, 1);
    EXPECT(pthread_create(&thread, NULL, make_room, p.control) == 0);
    errno = ESRCH;
    EXPECT(capture_process_wait(&p));
    EXPECT(errno == ESRCH);
    EXPECT(p.control->waiting == 0 && p.control->tail == 8);
    EXPECT(control->doorbell == 0);
    EXPECT(!capture_process_gave_up() && said() == 0);
    pthread_join(thread, NULL);
    p.tail_seen = 8;
    atomic_store(&p.control->tail, 16); /* there already is space */
    EXPECT(capture_process_wait(&p));
}

static void expect_end(struct ring_producer *p)
{
    EXPECT(!capture_process_wait(p) && capture_process_gave_up() && said() == 1);
    EXPECT(!capture_process_wait(p) && said() == 1);
}

static void wait_for_closed(void)
{
    struct ring_producer p;
    start(&p);
    atomic_store(&control->closed, 1);
    expect_end(&p);
}

static void wait_for_dead(void)
{
    struct ring_producer p;
    start(&p);
    atomic_store(&control->consumer, 0x40000000 | 77); /* FUTEX_OWNER_DIED */
    expect_end(&p);
}

/* A collector without a robust futex: the kernel is asked whether its process exists. */
static void wait_for_process(void)
{
    pthread_t thread;
    struct ring_producer p;
    pid_t pid = fork();
    if (pid == 0)
        pause();
    collector = pid;
    start(&p);
    atomic_store(&control->consumer, 0);
    EXPECT(pthread_create(&thread, NULL, make_room, p.control) == 0);
    EXPECT(capture_process_wait(&p));
    pthread_join(thread, NULL);
    p.tail_seen = 8;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    expect_end(&p);
}

static void test_waits(void **state)
{
    (void)state;
    in_a_process(wait_for_room);
    in_a_process(wait_for_closed);
    in_a_process(wait_for_dead);
    in_a_process(wait_for_process);
}

/* --- what the collector and the program ask for ----------------------------------------------------- */

static void *take_and_end(void *argument)
{
    struct ring_producer p;
    EXPECT(ring_pool_take(argument, &p) == 0);
    return NULL;
}

static void tidy(void)
{
    pthread_t thread;
    struct ring_producer p;
    start(&p);
    EXPECT(pthread_create(&thread, NULL, take_and_end, capture_process_rings()) == 0);
    pthread_join(thread, NULL);
    uint32_t last = control->rings_used - 1;
    capture_process_offer_flush();
    EXPECT(control->rings[last].state == RING_OWNED);
    control->tidy = 1;
    capture_process_offer_flush();
    EXPECT(control->rings[last].state == RING_RELEASED && control->tidy == 0);
    EXPECT(standalone_offered == 0);
}

static void expect_filter(void)
{
    capture_process_expect_filter(); /* nothing has started yet */
    struct ring_producer p;
    start(&p);
    EXPECT(control->shared_order == ORDER_ALONE);
    capture_process_expect_filter();
    EXPECT(control->shared_order == ORDER_SHARED);
    capture_process_unlock_memory();
}

static void test_requests(void **state)
{
    (void)state;
    in_a_process(tidy);
    in_a_process(expect_filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts),   cmocka_unit_test(test_lines), cmocka_unit_test(test_apis),
        cmocka_unit_test(test_children), cmocka_unit_test(test_waits), cmocka_unit_test(test_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
