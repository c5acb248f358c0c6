/* SPDX-License-Identifier: MIT
 * Tests that system functions are forwarded to the C library unchanged, and that recorded calls are written
 * before: _exit(2), exec(3), mlockall(2), prctl(2). Each case runs in its own process.
 */
#include "cmocka_all.h"

#include "lookup/real_dlsym.h"
#include "process/capture_process.h"
#include "memory/unlocked_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- in place of the rest ------------------------------------------------------------------------------- */

static struct counts { /* shared with the child */
    unsigned flushes, ends, unlocks, expected_filters, expected_mappings;
} * counts;

void *real_dlsym(void *handle, const char *name)
{
    return dlsym(handle, name);
}

void capture_process_flush(void)
{
    counts->flushes++;
}

void capture_process_end(void)
{
    counts->ends++;
    capture_process_flush();
}

void capture_process_unlock_memory(void)
{
    counts->unlocks++;
}

void capture_process_expect_filter(void)
{
    counts->expected_filters++;
}

void expect_locked_mappings(void)
{
    counts->expected_mappings++;
}

/* --- ends -------------------------------------------------------------------------------------------------
 */

static char directory[64]; /* has the program "ends", whose status is 40 + the number of its arguments */
static char program[80];   /* path of that program */

/* Returns the status of a process that calls work(). *counts has what it flushed. */
static int status_of(void (*work)(void))
{
    int status;
    memset(counts, 0, sizeof *counts);
    pid_t pid = fork();
    if (pid == 0) {
        work();
        syscall(SYS_exit_group, 99); /* it returned */
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void by_exit(void)
{
    _exit(7);
}

static void by_other_exit(void)
{
    _Exit(8);
}

static void by_quick_exit(void)
{
    quick_exit(9);
}

static void by_return(void)
{
    exit(10);
}

static void test_exits(void **state)
{
    (void)state;
    assert_int_equal(status_of(by_exit), 7);
    assert_int_equal(counts->flushes, 1);
    assert_int_equal(counts->ends, 0); /* a child of vfork() may do it, in its parent's memory */
    assert_int_equal(status_of(by_other_exit), 8);
    assert_int_equal(counts->flushes, 1);
    assert_int_equal(status_of(by_quick_exit), 9);
    assert_int_equal(counts->flushes, 1);
    assert_int_equal(counts->ends, 1);
    assert_int_equal(status_of(by_return), 10);
    assert_int_equal(counts->ends, 1);
}

/* --- other programs --------------------------------------------------------------------------------- */

static char name[] = "ends", a[] = "a", b[] = "b c", empty[] = "";
static char *three[] = {name, a, b, empty, NULL};
static char given[] = "GIVEN=1";
static char *given_environment[] = {given, NULL};

static void by_execl(void)
{
    execl(program, "ends", "a", "b c", "", (char *)NULL);
}

static void by_execl_alone(void)
{
    execl(program, "ends", (char *)NULL);
}

static void by_execlp(void)
{
    execlp("ends", "ends", "a", "b c", "", (char *)NULL);
}

static void by_execle(void)
{
    execle(program, "ends", "a", "b c", "", (char *)NULL, given_environment);
}

static void by_execv(void)
{
    execv(program, three);
}

static void by_execvp(void)
{
    execvp("ends", three);
}

static void by_execve(void)
{
    execve(program, three, given_environment);
}

static void by_execvpe(void)
{
    execvpe("ends", three, given_environment);
}

static void by_fexecve(void)
{
    fexecve(open(program, O_RDONLY), three, given_environment);
}

/* The exec functions with a p search PATH for the program; those with an e take an environment. */
static void test_execs(void **state)
{
    (void)state;
    static const struct {
        void (*work)(void);
        int status;
    } ways[] = {{by_execl, 43},  {by_execl_alone, 40}, {by_execlp, 43},  {by_execle, 53}, {by_execv, 43},
                {by_execvp, 43}, {by_execve, 53},      {by_execvpe, 53}, {by_fexecve, 53}};
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        assert_int_equal(status_of(ways[i].work), ways[i].status);
        assert_int_equal(counts->flushes, 1);
    }
}

/* The others do not search PATH, and failures have the C library's errors. */
static void fail_to_find(void)
{
    errno = 0;
    if (execl("ends", "ends", (char *)NULL) != -1 || errno != ENOENT)
        syscall(SYS_exit_group, 1);
    if (execv("ends", three) != -1 || execve("ends", three, environ) != -1 ||
        execle("ends", "ends", (char *)NULL, environ) != -1)
        syscall(SYS_exit_group, 2);
    if (execlp("no-such-program", "x", (char *)NULL) != -1 || errno != ENOENT)
        syscall(SYS_exit_group, 3);
    if (execvp(directory, three) != -1 || errno != EACCES)
        syscall(SYS_exit_group, 4);
}

static void test_failed_execs(void **state)
{
    (void)state;
    assert_int_equal(status_of(fail_to_find), 99);
    assert_int_equal(counts->flushes, 6);
}

/* --- limits and filters ----------------------------------------------------------------------------- */

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* their memory is too much to be locked   \
                                                                   */
static bool memory_is_locked(void)
{
    char line[256];
    unsigned long locked = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "VmLck: %lu", &locked);
    if (file != NULL)
        fclose(file);
    return locked > 0;
}

static void lock_memory(void)
{
    errno = EDOM;
    if (mlockall(12345) != -1 || errno != EINVAL || counts->unlocks != 0 || counts->expected_mappings != 0)
        syscall(SYS_exit_group, 1);
    if (mlockall(MCL_FUTURE) != 0 || counts->unlocks != 1 || counts->expected_mappings != 1)
        syscall(SYS_exit_group, 2);
    munlockall();
    if (mlockall(MCL_CURRENT) != 0 || counts->unlocks != 2 || counts->expected_mappings != 1)
        syscall(SYS_exit_group, 3);
    if (!memory_is_locked())
        syscall(SYS_exit_group, 4);
}

#endif

static void control_process(void)
{
    char text[16] = "";
    if (prctl(PR_SET_NAME, "renamed", 0, 0, 0) != 0 || prctl(PR_GET_NAME, text, 0, 0, 0) != 0 ||
        strcmp(text, "renamed") != 0 || counts->expected_filters != 0)
        syscall(SYS_exit_group, 1);
    errno = 0;
    if (prctl(-5, 0, 0, 0, 0) != -1 || errno != EINVAL)
        syscall(SYS_exit_group, 2);
    /* All four arguments are passed on: this call requires the last three to be 0. */
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 1) != -1 ||
        prctl(PR_GET_NO_NEW_PRIVS, 1, 0, 0, 0) != -1)
        syscall(SYS_exit_group, 3);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || counts->expected_filters != 1 ||
        prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        syscall(SYS_exit_group, 4);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) != -1 || counts->expected_filters != 2)
        syscall(SYS_exit_group, 5);
}

static void test_system(void **state)
{
    (void)state;
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    int status = status_of(lock_memory);
    if (geteuid() == 0) /* others may not be allowed to lock that much */
        assert_int_equal(status, 99);
#endif
    assert_int_equal(status_of(control_process), 99);
    assert_int_equal(counts->flushes, 0);
}

/* ----------------------------------------------------------------------------------------------------------
 */

static int make_program(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_hooks.XXXXXX");
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(program, sizeof program, "%s/ends", directory);
    FILE *file = fopen(program, "w");
    if (file == NULL)
        return -1;
    /* The script checks its arguments and environment. */
    fputs("#!/bin/sh\n[ $# = 0 ] || [ \"$1|$2|$3\" = 'a|b c|' ] || exit 1\n"
          "exit $((40 + $# + ${GIVEN:-0} * 10))\n",
          file);
    fclose(file);
    setenv("PATH", directory, 1);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return counts == MAP_FAILED || chmod(program, 0755) != 0;
}

static int remove_program(void **state)
{
    (void)state;
    return unlink(program) != 0 || rmdir(directory) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exits),
        cmocka_unit_test(test_execs),
        cmocka_unit_test(test_failed_execs),
        cmocka_unit_test(test_system),
    };
    return cmocka_run_group_tests(tests, make_program, remove_program);
}
