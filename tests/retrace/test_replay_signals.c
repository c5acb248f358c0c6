/* SPDX-License-Identifier: MIT
 * Tests how a process ends that is interrupted: after the current call, or, if that does not return, soon.
 */
#include "frame_pace.h"
#include "replay_signals.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char printed[200]; /* by the last child */

/* Waits for the child, which is killed if it does not end. */
static int wait_for(pid_t child)
{
    int status = -1;
    for (int i = 0; i < 3000; ++i) {
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        usleep(10000);
    }
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Runs the function in a child. Returns the signal that has ended it, or 0. */
static int end_of(void (*function)(void))
{
    int fd = memfd_create("printed", MFD_CLOEXEC);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
        function();
        _exit(7);
    }
    int status = wait_for(child);
    ssize_t n = pread(fd, printed, sizeof printed - 1, 0);
    printed[n > 0 ? n : 0] = '\0';
    close(fd);
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    assert_int_equal(WEXITSTATUS(status), 7);
    return 0;
}

static int number;

/* The current call returns, and the replay ends. */
static void return_in_time(void)
{
    replay_signals_catch(100);
    if (replay_is_interrupted())
        _exit(1);
    raise(number);
    if (alarm(0) == 0 || !replay_is_interrupted())
        _exit(2);
    alarm(100);
    if (!replay_signals_notice() || alarm(0) != 0)
        _exit(3);
    printf("the rest");
    replay_signals_end();
}

static void test_ends(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; ++i) {
        number = numbers[i];
        assert_int_equal(end_of(return_in_time), number);
        assert_string_equal(printed, "the rest");
    }
}

static void hang(void)
{
    replay_signals_catch(1);
    raise(SIGTERM);
    for (;;)
        pause();
}

static void test_calls_that_hang(void **state)
{
    (void)state;
    assert_int_equal(end_of(hang), SIGTERM);
    assert_string_equal(printed, "error: interrupted, but the current call does not return\n");
}

static void insist(void)
{
    replay_signals_catch(100);
    raise(SIGINT);
    raise(SIGINT);
}

static void test_insisting(void **state)
{
    (void)state;
    assert_int_equal(end_of(insist), SIGINT);
    assert_string_equal(printed, "");
}

/* As nohup does it. */
static void ignore(void)
{
    signal(SIGHUP, SIG_IGN);
    replay_signals_catch(100);
    raise(SIGHUP);
    if (replay_is_interrupted())
        _exit(1);
    replay_signals_end();
}

static void test_ignored_signals(void **state)
{
    (void)state;
    assert_int_equal(end_of(ignore), 0);
}

/* A frame that is to last does not hold up the end. */
static void wait_for_the_end_of_a_frame(void)
{
    struct frame_pace pace = {.began = 0};
    replay_signals_catch(100);
    raise(SIGTERM);
    frame_pace_end(&pace, 0, INT64_C(1000000000000));
    replay_signals_end();
}

static void test_waiting(void **state)
{
    (void)state;
    assert_int_equal(end_of(wait_for_the_end_of_a_frame), SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),      cmocka_unit_test(test_calls_that_hang),
        cmocka_unit_test(test_insisting), cmocka_unit_test(test_ignored_signals),
        cmocka_unit_test(test_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
