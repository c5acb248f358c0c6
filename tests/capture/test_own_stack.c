/* SPDX-License-Identifier: MIT
 * Tests that work on the recorder's own stack does not affect the program: signals, cancellation, errno,
 * memory.
 */
#include "cmocka_all.h"
#include "memory/own_stack.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct seen {
    unsigned runs;
    sigset_t blocked;
    int cancel;
    uintptr_t at, start, end, below; /* the stack's mapping, and the one below it */
    char rights[8];                  /* … access rights of the latter */
};

static void find_mapping(struct seen *s)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long start, end, last_start = 0, last_end = 0;
    char rights[8], last_rights[8] = "";
    while (maps != NULL && fscanf(maps, "%lx-%lx %7s%*[^\n]", &start, &end, rights) == 3) {
        if (s->at >= start && s->at < end) {
            s->start = start;
            s->end = end;
            s->below = last_end == start ? last_start : start;
            strcpy(s->rights, last_rights);
        }
        last_start = start;
        last_end = end;
        strcpy(last_rights, rights);
    }
    if (maps != NULL)
        fclose(maps);
}

static void look_around(void *argument)
{
    struct seen *s = argument;
    s->runs++;
    s->at = (uintptr_t)__builtin_frame_address(0);
    pthread_sigmask(SIG_SETMASK, NULL, &s->blocked);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &s->cancel);
    find_mapping(s);
    errno = EXDEV;
}

static void test_errno_and_cancellation(void **state)
{
    (void)state;
    static const int states[] = {PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE};
    for (unsigned i = 0; i < 2; ++i) {
        struct seen s = {.runs = 0};
        int now, unused;
        pthread_setcancelstate(states[i], &unused);
        errno = ESRCH;
        run_on_own_stack(look_around, &s);
        assert_int_equal(errno, ESRCH);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &now);
        assert_int_equal(now, states[i]);
        assert_int_equal(s.cancel, PTHREAD_CANCEL_DISABLE);
        assert_int_equal(s.runs, 1);
    }
}

static void handle(int signal)
{
    (void)signal;
}

/* No handler of the program runs meanwhile. Signals that the work raises itself, and deadly ones, are not
 * blocked. */
static void test_signals(void **state)
{
    (void)state;
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM};
    static const int others[] = {SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE, SIGPROF, SIGVTALRM, SIGWINCH, SIGIO};
    static void (*const actions[])(int) = {SIG_DFL, SIG_IGN, handle};
    sigset_t mine, after;
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR2);
    sigaddset(&mine, SIGTERM);
    for (unsigned a = 0; a < 3; ++a) {
        struct seen s = {.runs = 0};
        for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; ++i)
            signal(deadly[i], actions[a]);
        pthread_sigmask(SIG_SETMASK, &mine, NULL);
        run_on_own_stack(look_around, &s);
        pthread_sigmask(SIG_SETMASK, NULL, &after);
        for (unsigned i = 0; i < sizeof own / sizeof own[0]; ++i)
            assert_false(sigismember(&s.blocked, own[i]));
        for (unsigned i = 0; i < sizeof others / sizeof others[0]; ++i)
            assert_true(sigismember(&s.blocked, others[i]));
        for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; ++i) {
            bool blocked = actions[a] != SIG_DFL || deadly[i] == SIGTERM; /* blocked by the program */
            assert_int_equal(sigismember(&s.blocked, deadly[i]), blocked);
            signal(deadly[i], SIG_DFL);
        }
        for (int n = 1; n < 32; ++n)
            assert_int_equal(sigismember(&after, n), sigismember(&mine, n));
        sigset_t none;
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, NULL);
    }
}

/* The stack is large enough for drivers, ends at inaccessible memory, and is unmapped afterwards. */
static void test_stack(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; ++i) {
        struct seen s = {.runs = 0}, after;
        uintptr_t here = (uintptr_t)__builtin_frame_address(0);
        run_on_own_stack(look_around, &s);
        assert_false(here >= s.start && here < s.end);
        assert_in_range(s.at - s.start, 128 << 10, 1 << 20);
        assert_string_equal(s.rights, "---p");
        assert_in_range(s.start - s.below, 4096, 1 << 30);
        const uintptr_t gone[] = {s.below, s.start - 1, s.start, s.at};
        for (unsigned k = 0; k < 4; ++k) {
            after = (struct seen){.at = gone[k]};
            find_mapping(&after);
            assert_int_equal(after.start, 0);
        }
    }
}

/* Without memory for another stack, the work is done on the present one. */
static void test_no_memory(void **state)
{
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct seen s = {.runs = 0};
        const struct rlimit limit = {1 << 20, 1 << 20}; /* less than what is used already */
        setrlimit(RLIMIT_AS, &limit);
        run_on_own_stack(look_around, &s);
        _exit(s.runs != 1);
    }
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errno_and_cancellation),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
