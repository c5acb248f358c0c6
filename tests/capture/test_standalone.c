/* SPDX-License-Identifier: MIT
 * Tests a traced process that writes its own trace: when the contents of the rings are written, and what
 * happens at its end, in its children, and when the file cannot be written. Each case runs in its own
 * process, and the clock is simulated.
 */
#include "cmocka_all.h"
#include "process/standalone.h"

#include "process/capture_log.h"
#include "process/setting.h"
#include "sample_records.h"

#include "base/clock.h"
#include "base/error.h"
#include "spec_ids.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the process of a case. Its exit status identifies the line that failed. */
#define EXPECT(condition) ((condition) ? (void)0 : _exit(__LINE__ / 2))

/* --- in place of the rest ------------------------------------------------------------------------------- */

static int64_t now = 1000000;
static const char *wanted;
static unsigned logged;

int64_t clock_milliseconds(void)
{
    return now;
}

const char *setting_get(const char *name)
{
    return strcmp(name, "TRACE_FILE") == 0 ? wanted : NULL;
}

void capture_log(const char *format, ...)
{
    (void)format;
    logged++;
}

/* --- a process that records -------------------------------------------------------------------------------
 */

static char directory[64];
static struct segment segment;
static struct ring_pool pool;
static struct ring_producer producer;

static bool flush_when_full(struct ring_producer *p)
{
    (void)p;
    return standalone_flush(false);
}

static void take_ring(struct ring_producer *p, uint64_t thread)
{
    EXPECT(ring_pool_take(&pool, p) == 0);
    append_record(p, 0, RECORD_THREAD, &thread, 1, flush_when_full);
}

static void start(void)
{
    EXPECT(segment_create_private(&segment, 8) == 0);
    EXPECT(standalone_open(&segment, &pool) == 0); /* before the pool exists, as in a program */
    EXPECT(ring_pool_init(&pool, &segment, NULL) == 0);
    take_ring(&producer, 0);
}

static void make_calls(struct ring_producer *p, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        append_record(p, SPEC_FN_glFlush, RECORD_ENTER, NULL, 0, flush_when_full);
        append_record(p, SPEC_FN_glFlush, RECORD_LEAVE, NULL, 0, flush_when_full);
    }
}

/* Returns the number of calls that can be read from the file now; -1: it is incomplete. */
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

static off_t size_of(const char *name)
{
    struct stat st;
    return stat(name, &st) == 0 ? st.st_size : -1;
}

static int enter_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_standalone.XXXXXX");
    return mkdtemp(directory) == NULL || chdir(directory) != 0;
}

static int leave_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return chdir("/") != 0 || system(command) != 0;
}

static void in_a_process(void (*work)(void))
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        work();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        print_message("line %d or so, status 0x%x\n", WEXITSTATUS(status) * 2, (unsigned)status);
    assert_int_equal(status, 0);
}

/* --- what is in the file ---------------------------------------------------------------------------------
 */

static void write_all(void)
{
    wanted = "app.trace";
    start();
    make_calls(&producer, 3);
    EXPECT(standalone_flush(false));
    EXPECT(calls_in("app.trace") == 3); /* the process may be killed from here on */
    make_calls(&producer, 4);
    EXPECT(standalone_flush(true));
    EXPECT(calls_in("app.trace") == 7);
    off_t size = size_of("app.trace");
    EXPECT(standalone_flush(true) && size_of("app.trace") == size);
    make_calls(&producer, 1); /* after the last flush, by another destructor */
    EXPECT(standalone_flush(true) && calls_in("app.trace") == 8);
    EXPECT(logged == 0);
}

/* Writes more than the ring holds, and more than a chunk. */
static void write_much(void)
{
    wanted = "much.trace";
    start();
    make_calls(&producer, 400000);
    EXPECT(standalone_flush(true));
    EXPECT(calls_in("much.trace") == 400000);
}

static void name_files(void)
{
    wanted = "named.trace";
    start();
    make_calls(&producer, 1);
    EXPECT(standalone_flush(true));
    standalone_forget();
    start(); /* an existing file is not overwritten */
    make_calls(&producer, 2);
    EXPECT(standalone_flush(true));
    EXPECT(calls_in("named.trace") == 1 && calls_in("named.1.trace") == 2);
    wanted = NULL;
    standalone_forget();
    start();
    make_calls(&producer, 3);
    EXPECT(standalone_flush(true));
    EXPECT(calls_in("test_standalone.trace") == 3);
}

static void test_files(void **state)
{
    (void)state;
    in_a_process(write_all);
    in_a_process(write_much);
    in_a_process(name_files);
}

/* The file is written a few times per second, whether it is offered often or seldom. What is older than a
 * second is in it. */
static void offer_often(void)
{
    unsigned flushes = 0;
    wanted = "offers.trace";
    start();
    EXPECT(standalone_flush(false));
    off_t size = size_of(wanted);
    for (unsigned i = 0; i < 1000; ++i) { /* ten seconds */
        make_calls(&producer, 1);
        now += 10;
        standalone_offer_flush();
        off_t larger = size_of(wanted);
        if (larger != size)
            EXPECT(calls_in(wanted) == (int)i + 1);
        flushes += larger != size;
        size = larger;
        if (i % 100 == 99)
            EXPECT(calls_in(wanted) >= (int)i - 98);
    }
    EXPECT(flushes >= 20 && flushes <= 100);
}

static void test_offers(void **state)
{
    (void)state;
    in_a_process(offer_often);
}

/* --- numbers that never come -------------------------------------------------------------------------------
 */

/* A thread may be about to publish. After a second it is not expected to any more. */
static void leave_a_gap(void)
{
    struct ring_producer other;
    wanted = "gap.trace";
    start();
    take_ring(&other, 1);
    make_calls(&producer, 1);
    ring_take_order(&other);
    make_calls(&producer, 2);
    EXPECT(standalone_flush(false) && calls_in(wanted) == 1);
    now += 900;
    EXPECT(standalone_flush(false) && calls_in(wanted) == 1);
    now += 200;
    EXPECT(standalone_flush(false) && calls_in(wanted) == 3);
    ring_take_order(&other); /* another second begins */
    make_calls(&producer, 1);
    EXPECT(standalone_flush(false) && calls_in(wanted) == 3);
    now += 900;
    EXPECT(standalone_flush(false) && calls_in(wanted) == 3);
    ring_take_order(&other);
    make_calls(&producer, 1);
    EXPECT(standalone_flush(true) && calls_in(wanted) == 5); /* the process ends now */
}

static void test_gaps(void **state)
{
    (void)state;
    in_a_process(leave_a_gap);
}

/* --- children, and files that cannot be written -----------------------------------------------------------
 */

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 1000; ++fd)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* What the parent has recorded is written by the parent. */
static void fork_child(void)
{
    int status;
    unsigned before = count_descriptors();
    wanted = "parent.trace";
    start();
    make_calls(&producer, 5);
    pid_t pid = fork();
    if (pid == 0) {
        standalone_forget();
        EXPECT(count_descriptors() == before);
        start();
        make_calls(&producer, 1);
        EXPECT(standalone_flush(true) && calls_in("parent.1.trace") == 1);
        EXPECT(size_of("parent.trace") == 2);
        _exit(0);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    if (status != 0)
        _exit(WEXITSTATUS(status));
    EXPECT(standalone_flush(true) && calls_in("parent.trace") == 5);
}

static void fail_to_open(void)
{
    unsigned before = count_descriptors();
    wanted = "/nowhere/at/all.trace";
    EXPECT(segment_create_private(&segment, 8) == 0);
    EXPECT(standalone_open(&segment, &pool) == TRACE_ERR_IO);
    EXPECT(strstr(trace_error_message(), "/nowhere/at/all.trace") != NULL);
    EXPECT(count_descriptors() == before);
    wanted = "later.trace"; /* as if in another process */
    start();
    make_calls(&producer, 1);
    EXPECT(standalone_flush(true) && calls_in(wanted) == 1);
}

/* It is reported once, and what was written remains. */
static void reach_limit(void)
{
    signal(SIGXFSZ, SIG_DFL); /* kills the process */
    wanted = "limit.trace";
    start();
    make_calls(&producer, 10);
    EXPECT(standalone_flush(false));
    off_t size = size_of(wanted);
    const struct rlimit limit = {(rlim_t)size + 100, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    EXPECT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    make_calls(&producer, 20000);
    EXPECT(!standalone_flush(false) && logged == 1);
    EXPECT(!standalone_flush(false) && !standalone_flush(true) && logged == 1);
    now += 10000;
    standalone_offer_flush();
    EXPECT(logged == 1 && calls_in(wanted) == 10);
    EXPECT(setrlimit(RLIMIT_FSIZE, &none) == 0);
    standalone_forget(); /* a child's file may be small enough */
    wanted = "fits.trace";
    start();
    make_calls(&producer, 3);
    EXPECT(standalone_flush(true) && calls_in(wanted) == 3 && logged == 1);
}

static void test_failures(void **state)
{
    (void)state;
    in_a_process(fork_child);
    in_a_process(fail_to_open);
    in_a_process(reach_limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_offers),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
