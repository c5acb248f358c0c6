/* SPDX-License-Identifier: MIT
 * Tests where a traced process gets its segment from: it creates one and announces it, or takes one that the
 * collector has prepared. The test acts as the collector and gives the answers.
 */
#include "cmocka_all.h"

#include "process/process_description.h"
#include "process/segment_source.h"
#include "process/setting.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char socket_path[64]; /* in a directory of the test's own */
static char spare_path[64];

/* --- in place of the rest ------------------------------------------------------------------------------- */

static struct {
    const char *filters_of_collector; /* NULL: unset */
    unsigned filters;
    int announce_error;
    struct connection_reply reply;
    unsigned announced;
    struct connection_hello hello;
    uint32_t text_size;
    int segment_fd;         /* that came with the greeting */
    ino_t segment;          /* … its inode */
    struct segment *spare;  /* prepared by the collector */
    struct segment *answer; /* the collector answers the claim in its control block */
    enum segment_answer says;
    uint32_t consumer_then;
    unsigned waits; /* number of waits so far */
    unsigned answer_after, free_after, appear_after;
} world;

const char *setting_get(const char *name)
{
    return strcmp(name, CONNECTION_FILTERS_ENVIRONMENT) == 0 ? world.filters_of_collector : NULL;
}

unsigned process_count_filters(void)
{
    return world.filters;
}

uint32_t process_own_id(void)
{
    return 4321;
}

uint32_t process_describe(struct connection_hello *hello, const char *directory)
{
    assert_string_equal(directory, "/proc/self");
    memcpy(hello->text, "/a/program\0arguments", 21);
    return 21;
}

int connection_announce(const char *path, struct connection_hello *hello, uint32_t text_size, int segment_fd,
                        struct connection_reply *reply)
{
    struct stat st = {.st_ino = 0};
    assert_string_equal(path, socket_path);
    world.announced++;
    world.hello = *hello;
    world.text_size = text_size;
    world.segment_fd = segment_fd;
    if (segment_fd >= 0)
        assert_int_equal(fstat(segment_fd, &st), 0);
    world.segment = st.st_ino;
    if (world.announce_error != 0)
        return trace_error_set(world.announce_error, "cannot reach trace-cli");
    *reply = world.reply;
    return 0;
}

/* What the collector does while the process waits. This does not sleep. */
void test_futex_wait(_Atomic uint32_t *word, uint32_t value, unsigned milliseconds)
{
    assert_int_equal(atomic_load(word), value); /* otherwise it would not wait */
    assert_in_range(milliseconds, 1, 1000);
    world.waits++;
    if (world.free_after != 0 && world.waits == world.free_after)
        atomic_store(&world.spare->control->claimed, 0);
    if (world.appear_after != 0 && world.waits == world.appear_after) {
        char target[64];
        snprintf(target, sizeof target, "/proc/self/fd/%d", world.spare->fd);
        assert_int_equal(symlink(target, spare_path), 0);
    }
    if (world.answer_after != 0 && world.waits >= world.answer_after) {
        atomic_store(&world.answer->control->answer, (uint32_t)world.says);
        atomic_store(&world.answer->control->consumer, world.consumer_then);
    }
}

/* --- the collector's side ------------------------------------------------------------------------------- */

static struct segment spare;

static int start(void **state)
{
    (void)state;
    char directory[] = "/tmp/test_segment.XXXXXX";
    memset(&world, 0, sizeof world);
    world.segment_fd = -2;
    world.filters_of_collector = "0";
    world.reply = (struct connection_reply){CONNECTION_MAGIC, 1, 1234};
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(socket_path, sizeof socket_path, "%s/0123456789", directory);
    snprintf(spare_path, sizeof spare_path, "%s/segment", directory);
    return segment_create(&spare, RING_LIMIT);
}

static int stop(void **state)
{
    (void)state;
    segment_fini(&spare);
    unlink(spare_path);
    *strrchr(socket_path, '/') = '\0';
    return rmdir(socket_path);
}

/* A spare segment exists, and the collector answers the claim after this many waits. */
static void offer_spare(enum segment_answer says, unsigned after)
{
    char target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", spare.fd);
    assert_int_equal(symlink(target, spare_path), 0);
    world.spare = world.answer = &spare;
    world.says = says;
    world.answer_after = after;
    world.consumer_then = 77;
    atomic_store(&spare.control->consumer, 77);
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 200; ++fd)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static int open_segment(struct segment *s, pid_t *collector)
{
    return segment_source_open(s, socket_path, collector);
}

/* Expects an error, which leaves nothing behind. */
static void expect_error(int expected, const char *message)
{
    struct segment s;
    pid_t collector = -1;
    unsigned before = count_descriptors();
    assert_int_equal(open_segment(&s, &collector), expected);
    assert_string_equal(trace_error_message(), message);
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(collector, -1);
}

/* --- a segment of its own ---------------------------------------------------------------------------------
 */

static void test_own_segment(void **state)
{
    (void)state;
    struct segment s;
    struct stat st;
    pid_t collector = 0;
    assert_int_equal(open_segment(&s, &collector), 0);
    assert_int_equal(collector, 1234);
    assert_int_equal(world.announced, 1);
    assert_int_equal(world.hello.magic, CONNECTION_MAGIC);
    assert_int_equal(world.hello.pid, getpid());
    assert_int_equal(world.text_size, 21);
    assert_int_equal(fstat(s.fd, &st), 0);
    assert_int_equal(world.segment, st.st_ino);
    assert_int_equal(s.ring_count, RING_LIMIT);
    segment_fini(&s);
}

/* A process that was refused does not try the other way. */
static void test_refusal(void **state)
{
    (void)state;
    world.reply.accepted = 0;
    offer_spare(SEGMENT_ACCEPTED, 1);
    expect_error(TRACE_ERR_UNSUPPORTED, "trace-cli does not accept calls from this program");
    assert_int_equal(spare.control->claimed, 0);
}

/* A process that cannot announce itself looks for a spare segment. If there is none, it reports the first
 * error. */
static void test_unreachable(void **state)
{
    (void)state;
    struct segment s;
    pid_t collector = -1;
    world.announce_error = TRACE_ERR_IO;
    expect_error(TRACE_ERR_IO, "cannot reach trace-cli");
    offer_spare(SEGMENT_ACCEPTED, 1);
    assert_int_equal(open_segment(&s, &collector), 0);
    assert_int_equal(spare.control->claimed, 4321);
    segment_fini(&s);
}

/* --- a spare one ------------------------------------------------------------------------------------------
 */

static void test_filters(void **state)
{
    (void)state;
    static const struct {
        unsigned filters;
        const char *of_collector;
        bool filtered;
    } cases[] = {{0, NULL, false}, {1, NULL, true}, {0, "0", false}, {1, "0", true},
                 {1, "1", false},  {2, "1", true},  {0, "3", false}, {11, "12", false}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        world.filters = cases[i].filters;
        world.filters_of_collector = cases[i].of_collector;
        assert_int_equal(segment_source_is_filtered(), cases[i].filtered);
    }
}

/* Under a filter, no file is created and nothing is sent. */
static void test_spare_segment(void **state)
{
    (void)state;
    struct segment s;
    pid_t collector = -1;
    world.filters = 1;
    offer_spare(SEGMENT_ACCEPTED, 3);
    assert_int_equal(open_segment(&s, &collector), 0);
    assert_int_equal(world.announced, 0);
    assert_int_equal(world.waits, 3);
    assert_int_equal(spare.control->claimed, 4321);
    s.control->closed = 5; /* it is the same memory */
    assert_int_equal(spare.control->closed, 5);
    segment_fini(&s);
}

static void test_refused_claim(void **state)
{
    (void)state;
    world.filters = 1;
    offer_spare(SEGMENT_REFUSED, 2);
    expect_error(TRACE_ERR_IO, "trace-cli does not accept calls from this program");
}

/* A dead collector will not answer. A slow one will, however long it takes. */
static void test_collector_that_dies(void **state)
{
    (void)state;
    world.filters = 1;
    offer_spare(SEGMENT_NO_ANSWER, 3);
    world.consumer_then = 77 | FUTEX_OWNER_DIED;
    expect_error(TRACE_ERR_IO, "trace-cli does not accept calls from this program");
    assert_int_equal(world.waits, 3);
}

static void test_slow_collector(void **state)
{
    (void)state;
    struct segment s;
    pid_t collector = -1;
    world.filters = 1;
    offer_spare(SEGMENT_ACCEPTED, 3000);
    assert_int_equal(open_segment(&s, &collector), 0);
    assert_int_equal(world.waits, 3000);
    segment_fini(&s);
}

/* A collector without a robust futex is waited for, but not forever. */
static void test_collector_without_mark(void **state)
{
    (void)state;
    struct segment s;
    pid_t collector = -1;
    world.filters = 1;
    offer_spare(SEGMENT_ACCEPTED, 20);
    atomic_store(&spare.control->consumer, 0);
    world.consumer_then = 0;
    assert_int_equal(open_segment(&s, &collector), 0);
    segment_fini(&s);
    atomic_store(&spare.control->claimed, 0);
    atomic_store(&spare.control->answer, SEGMENT_NO_ANSWER);
    world.waits = 0;
    world.answer_after = 0;
    expect_error(TRACE_ERR_IO, "trace-cli does not accept calls from this program");
    assert_in_range(world.waits, 20, 1000);
}

/* Another process was faster: the collector prepares the next segment. */
static void test_busy_segment(void **state)
{
    (void)state;
    struct segment s;
    pid_t collector = -1;
    world.filters = 1;
    offer_spare(SEGMENT_ACCEPTED, 1500);
    atomic_store(&spare.control->claimed, 55);
    world.free_after = 1000;
    assert_int_equal(open_segment(&s, &collector), 0);
    assert_int_equal(spare.control->claimed, 4321);
    segment_fini(&s);
    world.waits = world.free_after = 0;
    expect_error(TRACE_ERR_IO, "trace-cli does not answer"); /* it gives up eventually */
    assert_in_range(world.waits, 1000, 100000);
}

/* The segment may be replaced between two looks. If there is none at all, this is found out soon. */
static void test_missing_segment(void **state)
{
    (void)state;
    struct segment s;
    struct stat st;
    pid_t collector = -1;
    char message[128];
    world.filters = 1;
    snprintf(message, sizeof message, "%s: cannot open: No such file or directory", spare_path);
    expect_error(TRACE_ERR_IO, message);
    assert_in_range(world.waits, 10, 500);
    world.waits = 0;
    offer_spare(SEGMENT_ACCEPTED, 6);
    assert_int_equal(unlink(spare_path), 0);
    world.appear_after = 5;
    assert_int_equal(open_segment(&s, &collector), 0);
    assert_int_equal(lstat(spare_path, &st), 0);
    segment_fini(&s);
}

/* --- refusing oneself, and descriptors ---------------------------------------------------------------------
 */

static void test_decline(void **state)
{
    (void)state;
    segment_source_decline(socket_path);
    assert_int_equal(world.announced, 1);
    assert_int_equal(world.segment_fd, -1);
    assert_int_equal(world.hello.magic, CONNECTION_MAGIC);
    assert_int_equal(world.hello.pid, getpid());
    assert_int_equal(world.text_size, 21);
    world.filters = 1; /* socket() could kill the process */
    segment_source_decline(socket_path);
    assert_int_equal(world.announced, 1);
}

/* Returns how many descriptors a process with these limits gets; 99: the limit is not raised; 98: the old
 * limit is not reported. */
static int raise_limit(rlim_t soft, rlim_t hard, bool full)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit limit = {soft, hard}, old = {1, 1}, now;
        setrlimit(RLIMIT_NOFILE, &limit);
        while (full && open("/dev/null", O_RDONLY) >= 0)
            continue;
        unsigned before = count_descriptors();
        bool raised = descriptor_limit_raise(&old);
        getrlimit(RLIMIT_NOFILE, &now);
        if (count_descriptors() != before)
            _exit(97);
        if (!raised)
            _exit(now.rlim_cur == soft ? 99 : 96);
        _exit(old.rlim_cur == soft && old.rlim_max == hard && now.rlim_max == hard
                  ? (int)(now.rlim_cur - soft)
                  : 98);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_descriptor_limit(void **state)
{
    (void)state;
    assert_int_equal(raise_limit(100, 200, false), 99);
    assert_in_range(raise_limit(100, 200, true), 2, 16);
    assert_in_range(raise_limit(100, 104, true), 2, 4);
    assert_int_equal(raise_limit(100, 100, true), 99); /* nor could the program raise it */
    assert_int_equal(raise_limit(100, 101, true), 99);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_own_segment),
        TEST(test_refusal),
        TEST(test_unreachable),
        TEST(test_filters),
        TEST(test_spare_segment),
        TEST(test_refused_claim),
        TEST(test_collector_that_dies),
        TEST(test_slow_collector),
        TEST(test_collector_without_mark),
        TEST(test_busy_segment),
        TEST(test_missing_segment),
        TEST(test_decline),
        TEST(test_descriptor_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
