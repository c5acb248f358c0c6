/* SPDX-License-Identifier: MIT
 * New files: with and without a name until they are complete.
 */
#include "cmocka_all.h"

#include "base/error.h"
#include "base/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- what a file system or a machine may lack --------------------------------------------------------- */

static bool no_unnamed_files, no_links, no_umask;

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_linkat(int from_fd, const char *from, int to_fd, const char *to, int flags);
int __wrap_linkat(int from_fd, const char *from, int to_fd, const char *to, int flags);

int __wrap_open64(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    unsigned mode = va_arg(ap, unsigned);
    va_end(ap);
    bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (is_unnamed && no_unnamed_files) {
        errno = EOPNOTSUPP;
        return -1;
    }
    int fd = __real_open64(path, flags, mode);
    if (is_unnamed && no_umask && fd >= 0)
        assert_int_equal(fchmod(fd, 0666), 0);
    return fd;
}

int __wrap_linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    if (no_links) {
        errno = EPERM;
        return -1;
    }
    return __real_linkat(from_fd, from, to_fd, to, flags);
}

/* --- a directory ------------------------------------------------------------------------------------- */

static int enter_directory(void **state)
{
    char path[] = "/tmp/test_new_file.XXXXXX";
    assert_non_null(mkdtemp(path));
    assert_int_equal(chdir(path), 0);
    *state = strdup(path);
    umask(027);
    no_unnamed_files = no_links = no_umask = false;
    return 0;
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *directory = opendir(".");
    assert_non_null(directory);
    for (const struct dirent *e; (e = readdir(directory)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(directory);
    return count;
}

static int leave_directory(void **state)
{
    DIR *directory = opendir(".");
    for (const struct dirent *e; (e = readdir(directory)) != NULL;)
        unlink(e->d_name);
    closedir(directory);
    assert_int_equal(rmdir(*state), 0);
    free(*state);
    return 0;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void expect_text(const char *path, const char *text)
{
    char found[100] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(found, 1, sizeof found - 1, f), strlen(text));
    fclose(f);
    assert_string_equal(found, text);
}

static void begin(struct new_file *f, const char *path)
{
    assert_int_equal(new_file_open(f, path), 0);
    assert_int_equal(write(f->fd, "new", 3), 3);
}

/* --- tests --------------------------------------------------------------------------------------------- */

/* Runs the test on a system that has everything, and on three that lack something. */
static void each_way(void (*test)(void))
{
    for (int way = 0; way < 4; ++way) {
        no_unnamed_files = way == 1;
        no_links = way == 2;
        no_umask = way == 3;
        test();
    }
}

static void make_file(void)
{
    struct new_file f;
    struct stat st;
    begin(&f, "a");
    expect_text(f.temporary, "new");
    assert_int_equal(access("a", F_OK), -1);
    assert_int_equal(new_file_commit(&f), 0);
    assert_int_equal(f.fd, -1);
    expect_text("a", "new");
    assert_int_equal(stat("a", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(st.st_nlink, 1);
    assert_int_equal(count_files(), 1);
    unlink("a");
}

static void replace_file(void)
{
    struct new_file f;
    struct stat st;
    put("a", "old");
    assert_int_equal(chmod("a", 0600), 0);
    assert_int_equal(link("a", "other"), 0);
    assert_int_equal(symlink("a", "link"), 0);
    begin(&f, "link");
    expect_text("a", "old");
    assert_int_equal(new_file_commit(&f), 0);
    expect_text("a", "new");
    expect_text("other", "old");
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat("a", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(count_files(), 3);
    unlink("a");
    unlink("other");
    unlink("link");
}

static void appear_meanwhile(void)
{
    struct new_file f;
    begin(&f, "a");
    put("a", "somebody else's");
    assert_int_equal(new_file_commit(&f), 0);
    expect_text("a", "new");
    assert_int_equal(count_files(), 1);
    unlink("a");
}

static void abandon_file(void)
{
    struct new_file f;
    put("a", "old");
    begin(&f, "a");
    new_file_abandon(&f);
    assert_int_equal(f.fd, -1);
    expect_text("a", "old");
    assert_int_equal(count_files(), 1);
    unlink("a");
}

/* A directory of that name appears. */
static void fail_to_replace(void)
{
    struct new_file f;
    begin(&f, "a");
    assert_int_equal(mkdir("a", 0777), 0);
    assert_int_equal(new_file_commit(&f), TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "a: cannot write"));
    assert_int_equal(count_files(), 1);
    assert_int_equal(rmdir("a"), 0);
}

static void test_new_files(void **state)
{
    (void)state;
    each_way(make_file);
    each_way(replace_file);
    each_way(appear_meanwhile);
    each_way(abandon_file);
    each_way(fail_to_replace);
}

static bool has_unnamed_files(void)
{
    int fd = __real_open64(".", O_TMPFILE | O_RDWR, 0666u);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* A process that is killed before the file is complete leaves nothing behind. */
static void test_a_killed_process(void **state)
{
    struct new_file f;
    int status;
    (void)state;
    if (!has_unnamed_files())
        skip();
    pid_t child = fork();
    if (child == 0) {
        begin(&f, "a");
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_files(), 0);
}

/* An unnamed file whose mode does not show the umask is not trusted: the file gets a name from the start. */
static void test_modes(void **state)
{
    struct new_file f;
    (void)state;
    no_umask = true;
    begin(&f, "a");
    assert_int_equal(count_files(), 1);
    new_file_abandon(&f);
    assert_int_equal(count_files(), 0);
}

static void test_no_directory(void **state)
{
    struct new_file f;
    (void)state;
    assert_int_equal(new_file_open(&f, "none/a"), TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "none/a: cannot create: No such file"));
    assert_int_equal(new_file_open(&f, "."), TRACE_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_new_files, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_a_killed_process, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_modes, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(test_no_directory, enter_directory, leave_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
