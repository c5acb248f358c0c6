/* SPDX-License-Identifier: MIT
 * A program of several threads that counts its own calls of each function, prints the counts, and ends in the
 * way that the argument names. It is not built with the others, since only clang instruments for XRay:
 * tests/e2e builds it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 5

#define TRACED __attribute__((noinline, xray_always_instrument))
#define LOGGED __attribute__((noinline, xray_always_instrument, xray_log_args(1)))

static atomic_ulong leaf_count, tree_count, logged_count, handled_count;

TRACED int leaf(int n)
{
    atomic_fetch_add(&leaf_count, 1);
    return n * 3;
}

TRACED int tree(int depth)
{
    atomic_fetch_add(&tree_count, 1);
    return depth < 2 ? leaf(depth) : tree(depth - 1) + tree(depth - 2) + 1;
}

LOGGED int logged(uint64_t value)
{
    atomic_fetch_add(&logged_count, 1);
    return (int)value + 1;
}

TRACED void handled(int signal)
{
    (void)signal;
    atomic_fetch_add(&handled_count, 1);
    leaf(1);
}

static void *work(void *argument)
{
    int number = (int)(intptr_t)argument;
    tree(14 + number);
    for (uint64_t i = 0; i < 1000; ++i)
        logged(i << 32 | (uint64_t)number);
    return NULL;
}

static void run_threads(int count)
{
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    for (int i = 0; i < count; ++i)
        if (pthread_create(&threads[i], NULL, count == THREADS ? work : (void *(*)(void *))(void *)logged,
                           (void *)(intptr_t)(i % THREADS)) != 0)
            abort();
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    free(threads);
}

static void print_counts(void)
{
    printf("leaf %lu\ntree %lu\nlogged %lu\n", leaf_count, tree_count, logged_count);
    if (handled_count > 0)
        printf("handled %lu\n", handled_count);
    fflush(stdout);
}

/* A signal handler that is traced interrupts traced functions. */
static void run_signals(void)
{
    const struct sigaction action = {.sa_handler = handled, .sa_flags = SA_RESTART};
    const timer_t none = 0;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    const struct itimerspec often = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
    timer_t timer = none;
    sigaction(SIGUSR1, &action, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &often, NULL);
    while (handled_count < 2000)
        tree(12);
    timer_settime(timer, 0, &never, NULL);
    timer_delete(timer);
}

static void fork_and_wait(void)
{
    pid_t child = fork();
    if (child == 0) {
        leaf_count = tree_count = logged_count = 0;
        tree(8);
        print_counts();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void vfork_and_wait(void)
{
    pid_t child = vfork();
    if (child == 0) {
        leaf(1);
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

static void close_all(void)
{
    for (int fd = 3; fd < 2000; ++fd)
        close(fd);
    for (int fd = 3; fd < 1000; ++fd)
        open("/dev/null", O_RDONLY);
}

/* Only read(), write(), exit() and sigreturn() are allowed, and no reading of clocks. */
static void be_strict(void)
{
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    for (int i = 0; i < 10000; ++i)
        leaf(i);
    syscall(SYS_exit, 7);
}

static void end(const char *how)
{
    if (strcmp(how, "_exit") == 0)
        _exit(7);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "exec") == 0)
        execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
    if (strcmp(how, "strict") == 0)
        be_strict();
    if (strcmp(how, "wait") == 0)
        pause();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "return";
    if (strcmp(how, "close") == 0)
        close_all();
    if (strcmp(how, "signals") == 0)
        run_signals();
    if (strcmp(how, "many") == 0)
        run_threads(1000);
    run_threads(THREADS);
    if (strcmp(how, "fork") == 0)
        fork_and_wait();
    if (strcmp(how, "vfork") == 0)
        vfork_and_wait();
    print_counts();
    end(how);
    return 7;
}
