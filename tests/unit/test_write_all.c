/* SPDX-License-Identifier: MIT
 * Tests that writing continues wherever the system stops.
 */
#include "base/error.h"
#include "base/write_all.h"

#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST  200000 /* bytes: more than a pipe holds */
#define SECOND 300000

static uint8_t pattern[FIRST + SECOND];

static void do_nothing(int signal)
{
    (void)signal;
}

/* Writes while signals interrupt it: the pipe is full most of the time. */
static void write_interrupted(int fd)
{
    const struct sigaction action = {.sa_handler = do_nothing}; /* no SA_RESTART */
    const struct itimerval often = {{0, 500}, {0, 500}};
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* otherwise it would wait forever for a test that has failed */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    int rc = write_all_both(fd, pattern, FIRST, pattern + FIRST, SECOND);
    if (rc == 0)
        rc = write_all_both(fd, pattern, 0, pattern, SECOND);
    _exit(rc == 0 ? 0 : 1);
}

static void assert_comes(int fd, const uint8_t *expected, size_t count)
{
    uint8_t bytes[1500];
    for (size_t at = 0; at < count;) {
        size_t wanted = count - at < sizeof bytes ? count - at : sizeof bytes;
        ssize_t got = read(fd, bytes, wanted);
        assert_true(got > 0);
        assert_memory_equal(bytes, expected + at, (size_t)got);
        at += (size_t)got;
        if (at % 7 == 0)
            usleep(1000);
    }
}

static void test_interrupted(void **state)
{
    (void)state;
    int fds[2], status;
    for (size_t i = 0; i < sizeof pattern; ++i)
        pattern[i] = (uint8_t)(i * 2654435761u >> 13);
    assert_int_equal(pipe(fds), 0);
    pid_t child = fork();
    if (child == 0)
        write_interrupted(fds[1]);
    close(fds[1]);
    assert_comes(fds[0], pattern, sizeof pattern);
    assert_comes(fds[0], pattern, SECOND);
    assert_int_equal(read(fds[0], &status, 1), 0);
    close(fds[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_not_blocking(void **state)
{
    (void)state;
    int fds[2], status;
    assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(write_all_both(fds[1], pattern, FIRST, pattern + FIRST, SECOND) == 0 &&
                      write_all(fds[1], pattern, SECOND) == 0
                  ? 0
                  : 1);
    }
    close(fds[1]);
    usleep(20000); /* it meets a full pipe */
    fcntl(fds[0], F_SETFL, 0);
    assert_comes(fds[0], pattern, sizeof pattern);
    assert_comes(fds[0], pattern, SECOND);
    close(fds[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_errors(void **state)
{
    (void)state;
    errno = 0;
    assert_int_equal(write_all(-1, "x", 1), TRACE_ERR_IO);
    assert_int_equal(errno, EBADF);
    errno = 0;
    assert_int_equal(write_all_both(-1, "x", 1, "y", 1), TRACE_ERR_IO);
    assert_int_equal(errno, EBADF);
    assert_int_equal(write_all_both(-1, "", 0, "", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_not_blocking),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
