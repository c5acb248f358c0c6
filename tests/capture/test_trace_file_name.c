/* SPDX-License-Identifier: MIT */
/* Tests which file a trace is written to. */
#include "cmocka_all.h"
#include "process/trace_file_name.h"

#include "base/error.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "trace-file-name-XXXXXX";

static int enter_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) != NULL && chdir(directory) == 0 ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return system("rm -f *.trace .trace* *.log") == 0 && chdir("..") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static void check_name(const char *wanted, bool overwrite, const char *program, const char *expected)
{
    char name[PATH_MAX];
    int fd = trace_file_create(name, sizeof name, wanted, overwrite, program, NULL);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    assert_int_equal(fcntl(fd, F_GETFL) & (O_NONBLOCK | O_ACCMODE), O_WRONLY); /* to wait for a slow reader */
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    close(fd);
    assert_string_equal(name, expected);
}

static void test_named_after_the_program(void **state)
{
    (void)state;
    check_name(NULL, true, "/usr/bin/app", "app.trace");
    check_name(NULL, true, "/usr/bin/app", "app.1.trace");
    check_name(NULL, true, "app", "app.2.trace");
}

static void test_program_of_the_longest_name(void **state)
{
    (void)state;
    char program[NAME_MAX + 1] = "", cut[NAME_MAX + 32];
    memset(program, 'p', NAME_MAX);
    snprintf(cut, sizeof cut, "%.*s.trace", NAME_MAX - 16, program);
    check_name(NULL, true, program, cut);
    snprintf(cut, sizeof cut, "%.*s.1.trace", NAME_MAX - 16, program);
    check_name(NULL, true, program, cut);
}

static void test_named_by_the_user(void **state)
{
    (void)state;
    check_name("my.trace", true, "app", "my.trace");
    check_name("my.trace", true, "app", "my.trace"); /* overwritten */
    check_name("my.trace", false, "app", "my.1.trace");
    check_name("my.trace", false, "app", "my.2.trace");
    check_name("odd.log", true, "app", "odd.log");
    check_name("odd.log", false, "app", "odd.log.1.trace");
    check_name("a.trace.trace", true, "app", "a.trace.trace");
    check_name("a.trace.trace", false, "app", "a.trace.1.trace");
    /* A name, not a suffix: it cannot be numbered. */
    check_name(".trace", true, "app", ".trace");
    check_name(".trace", false, "app", ".trace.1.trace");
    check_name("x.trace", true, "app", "x.trace");
    check_name("x.trace", false, "app", "x.1.trace");
}

/* Without trying all names again. */
static void test_many_of_one_name(void **state)
{
    (void)state;
    char name[PATH_MAX];
    unsigned number = 0;
    for (unsigned i = 0; i < 3; ++i)
        close(
            trace_file_create_next(name, sizeof name, NULL, false, "many", NULL, TRACE_FILE_SUFFIX, &number));
    assert_string_equal(name, "many.2.trace");
    assert_int_equal(number, 3);
    assert_int_equal(unlink("many.1.trace"), 0);
    close(trace_file_create_next(name, sizeof name, NULL, false, "many", NULL, TRACE_FILE_SUFFIX, &number));
    assert_string_equal(name, "many.3.trace");
    check_name(NULL, true, "many", "many.1.trace");
    number = 0;
    assert_true(trace_file_create_next(name, sizeof name, "no/dir.trace", false, "many", NULL,
                                       TRACE_FILE_SUFFIX, &number) < 0);
    assert_int_equal(number, 0); /* the name is still unused */
}

static void test_nobody_writes_into_anothers(void **state)
{
    (void)state;
    char name[PATH_MAX];
    int first = trace_file_create(name, sizeof name, "shared.trace", true, "app", NULL);
    assert_true(first >= 0);
    assert_int_equal(write(first, "first", 5), 5);
    check_name("shared.trace", true, "app", "shared.1.trace");
    struct stat st;
    assert_int_equal(fstat(first, &st), 0);
    assert_int_equal(st.st_size, 5);
    close(first);
    check_name("shared.trace", true, "app", "shared.trace");
}

/* A trace is written to a pipe when it has a reader. A pipe is not a file that two traces could overwrite. */
static void test_pipes(void **state)
{
    (void)state;
    char name[PATH_MAX];
    assert_int_equal(mkfifo("pipe.trace", 0600), 0);
    assert_int_equal(trace_file_create(name, sizeof name, "pipe.trace", true, "app", NULL), TRACE_ERR_IO);
    int reader = open("pipe.trace", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    check_name("pipe.trace", true, "app", "pipe.trace");
    check_name("pipe.trace", true, "app", "pipe.trace");
    close(reader);
}

static void test_errors(void **state)
{
    (void)state;
    char name[PATH_MAX], *long_name = malloc(2 * PATH_MAX);
    assert_int_equal(trace_file_create(name, sizeof name, "no/such/directory.trace", true, "app", NULL),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(),
                        "no/such/directory.trace: cannot create: No such file or directory");
    memset(long_name, 'a', 2 * PATH_MAX - 1);
    long_name[2 * PATH_MAX - 1] = '\0';
    assert_int_equal(trace_file_create(name, sizeof name, long_name, true, "app", NULL), TRACE_ERR_IO);
    free(long_name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_after_the_program),
        cmocka_unit_test(test_program_of_the_longest_name),
        cmocka_unit_test(test_named_by_the_user),
        cmocka_unit_test(test_many_of_one_name),
        cmocka_unit_test(test_nobody_writes_into_anothers),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, enter_directory, remove_directory);
}
