/* SPDX-License-Identifier: MIT
 * Tests profiles when memory or file descriptors run out: a profile is complete, or an error says that it is
 * not; and nothing is left over.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "failing_memory.h"
#include "profile/profile.h"
#include "profile/profile_metrics.h"

static char path[] = "/tmp/test_profile_memory.XXXXXX";
static FILE *text;

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    text = fopen("/dev/null", "w");
    return fd < 0 || close(fd) != 0 || text == NULL;
}

static int remove_file(void **state)
{
    (void)state;
    return fclose(text) | unlink(path);
}

/* Returns the file descriptor that is assigned next. */
static int next_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd;
}

static void add(struct profile *p, enum profile_kind kind, const char *label)
{
    const struct profile_record r = {
        .kind = kind, .name = "glPushDebugGroup", .label = label != NULL ? strdup(label) : NULL};
    profile_add(p, &r, false);
}

/* Measures calls of several programs and threads, and groups. */
static int measure(void)
{
    const struct profile_options options = {.cpu = true,
                                            .memory = true,
                                            .file = path,
                                            .has_min_cpu_time = true,
                                            .call_metrics = 1U << METRIC_CPU_START,
                                            .draw_metrics = 1U << METRIC_CPU_START,
                                            .frame_metrics = 1U << METRIC_CPU_START};
    struct profile *p = NULL;
    int rc = profile_open(&p, &options, text);
    if (rc != 0) {
        assert_null(p);
        return rc;
    }
    for (unsigned i = 0; i < 40; ++i) {
        const struct profile_record call = {
            .kind = PROFILE_CALL, .is_draw = true, .name = "glDrawArrays", .program = i, .thread = i / 10};
        profile_begin_call(p, &call);
        profile_end_call(p);
        add(p, PROFILE_PUSH, "group");
        add(p, PROFILE_MARK, "mark");
        if (i % 3 == 0)
            add(p, PROFILE_POP, NULL);
        if (i % 8 == 0)
            profile_end_frame(p, i, i / 10, false);
    }
    return profile_close(p);
}

static bool is_whole_file(void)
{
    char end[4] = "";
    FILE *file = fopen(path, "r");
    fseek(file, -4, SEEK_END);
    size_t n = fread(end, 1, sizeof end, file);
    fclose(file);
    return n == 4 && memcmp(end, "\n]}\n", 4) == 0;
}

static void test_memory(void **state)
{
    bool has_failed = true;
    unsigned errors = 0;
    (void)state;
    int next = next_descriptor();
    for (unsigned i = 1; has_failed; ++i) {
        failing_memory_begin(i);
        int rc = measure();
        if (failing_memory_end(&has_failed) != 0)
            fail_msg("memory is not freed after allocation %u", i);
        if (rc != 0)
            assert_int_equal(rc, TRACE_ERR_MEMORY);
        errors += rc != 0;
        if (rc == 0 && !is_whole_file())
            fail_msg("no error, but no whole file after allocation %u", i);
        assert_true(has_failed || rc == 0);
        assert_int_equal(next_descriptor(), next);
    }
    assert_in_range(errors, 6, 100); /* at least each output, and the profile itself */
}

/* The profile's files are the memory's size, the slices, and one for each section. */
static void test_descriptors(void **state)
{
    struct rlimit before, few;
    int rc = -1, next = next_descriptor();
    unsigned failures = 0;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    for (few.rlim_cur = (rlim_t)next; rc != 0 && failures < 20; ++few.rlim_cur) {
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        failing_memory_begin(0);
        rc = measure();
        assert_int_equal(failing_memory_end(NULL), 0);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        assert_int_equal(next_descriptor(), next);
        failures += rc != 0;
    }
    assert_in_range(failures, 5, 19);
}

/* What does not measure memory keeps the standard input. */
static void test_standard_input(void **state)
{
    const struct profile_options options = {.frame_times = true};
    struct profile *p;
    (void)state;
    int before = dup(STDIN_FILENO), fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    dup2(fd, STDIN_FILENO);
    assert_int_equal(profile_open(&p, &options, text), 0);
    profile_end_frame(p, 0, 0, false);
    assert_int_equal(profile_close(p), 0);
    bool is_open = fcntl(STDIN_FILENO, F_GETFD) != -1;
    dup2(before, STDIN_FILENO);
    close(before);
    close(fd);
    assert_true(is_open);
}

/* Errors of the outputs are the profile's. */
static void test_full_disk(void **state)
{
    const struct profile_options options = {.file = "/dev/full"};
    struct profile *p;
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(profile_open(&p, &options, text), 0);
    assert_int_equal(profile_close(p), TRACE_ERR_IO);
    assert_int_equal(profile_close(NULL), 0);
}

/* Also of the files that hold the sections. */
static void test_small_files(void **state)
{
    const struct profile_options options = {.frame_metrics = 1U << METRIC_CPU_START};
    struct rlimit before, none;
    struct profile *p;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(profile_open(&p, &options, text), 0);
    profile_end_frame(p, 0, 0, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    int rc = profile_close(p);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(rc, TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "profile: File too large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_standard_input), cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_small_files),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
