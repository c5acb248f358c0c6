/* SPDX-License-Identifier: MIT
 * The replayer's program, in processes of their own, on a driver and windows that do not exist: what it
 * prints, and its exit status.
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
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "call_script.h"
#include "formats/apitrace/container/container.h"
#include "stub_gl.h"
#include "windows/window_system.h"

int glreplay_main(int argc, char **argv); /* glreplay.c's */

enum { ROOM = 20000, MAX_ARGS = 10 };

/* Shared with the processes. */
static struct shared {
    int opened, closed, polls;
    struct window_settings settings;
    bool refuses_windows, is_visible, interrupts;
    int stays_open; /* for this many polls */
} * shared;

static char out[ROOM], err[ROOM];
static char first[] = "/tmp/test_glreplay.XXXXXX", second[] = "/tmp/test_glreplay.XXXXXX";
static struct window_system_ops ops;
static struct window_system windows = {.ops = &ops};

/* --- windows ---------------------------------------------------------------------------------------- */

static void close_windows(struct window_system *ws)
{
    assert_ptr_equal(ws, &windows);
    shared->closed++;
}

static bool poll_events(struct window_system *ws, bool wait)
{
    (void)ws;
    if (shared->interrupts)
        raise(SIGINT);
    shared->polls += wait;
    return !wait || shared->polls < shared->stays_open;
}

int window_system_open(struct window_system **opened, const struct window_settings *settings)
{
    ops = *stub_windows.ops;
    ops.close = close_windows;
    ops.poll_events = poll_events;
    windows.headless = !shared->is_visible;
    shared->settings = *settings;
    shared->opened++;
    if (shared->refuses_windows)
        return trace_error_set(TRACE_ERR_IO, "there are no windows");
    *opened = &windows;
    return 0;
}

/* --- runs ------------------------------------------------------------------------------------------- */

static void read_all(int fd, char *text)
{
    ssize_t n = pread(fd, text, ROOM - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    close(fd);
}

static bool is_unbuffered; /* the program's standard output */

/* Runs the program, and returns its exit status, or 128 + the signal that has ended it. output: -1: it can be
 * read in `out`. */
static int run_into(int output, const char *const *args)
{
    int fds[2] = {memfd_create("out", 0), memfd_create("err", 0)}, status = -1;
    char *argv[MAX_ARGS] = {(char *)(uintptr_t) "glreplay"};
    int argc = 1;
    for (; args[argc - 1] != NULL; ++argc)
        argv[argc] = (char *)(uintptr_t)args[argc - 1];
    shared->opened = shared->closed = shared->polls = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(output >= 0 ? output : fds[0], STDOUT_FILENO);
        dup2(fds[1], STDERR_FILENO);
        if (is_unbuffered)
            setvbuf(stdout, NULL, _IONBF, 0);
        status = glreplay_main(argc, argv);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    read_all(fds[0], out);
    read_all(fds[1], err);
    assert_int_equal(shared->opened - (shared->refuses_windows ? 1 : 0), shared->closed);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

#define run(...) run_into(-1, (const char *const[]){__VA_ARGS__, NULL})

static void write_trace(char *path, const char *text)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct trace_output *output;
    int fd = mkstemp(path);
    FILE *calls = fmemopen((char *)(uintptr_t)text, strlen(text), "r");
    assert_true(fd >= 0 && calls != NULL);
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    call_script_encode(&e, calls);
    fclose(calls);
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, stream.data, stream.len), 0);
    assert_int_equal(trace_output_close(output), 0);
    trace_encoder_fini(&e);
    buf_fini(&stream);
    close(fd);
}

#define BEGIN                                                                                                \
    "glXCreateContext dpy=0x10 vis=0x0 shareList=0x0 direct=true = 0x30\n"                                   \
    "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
#define FRAME "glXSwapBuffers dpy=0x10 drawable=77\n"

static int set_up_all(void **state)
{
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    write_trace(first, BEGIN FRAME FRAME FRAME);
    write_trace(second, BEGIN "glIsEnabled cap=3553 = 1\nglNothing x=1\n" FRAME);
    return 0;
}

static int tear_down_all(void **state)
{
    (void)state;
    return unlink(first) | unlink(second);
}

static int set_up(void **state)
{
    (void)state;
    memset(shared, 0, sizeof *shared);
    stub_gl_reset("4.6");
    return 0;
}

/* --- tests ------------------------------------------------------------------------------------------ */

static void expect_rate(const char *text, unsigned long long wanted)
{
    unsigned long long frames = 0;
    double seconds = 0, rate = 0;
    assert_int_equal(
        sscanf(text, "Rendered %llu frames in %lg secs, average of %lg fps", &frames, &seconds, &rate), 3);
    assert_int_equal(frames, wanted);
    assert_true(seconds > 0 && seconds < 100);
    assert_true(rate >= 0.99 * (double)frames / seconds && rate <= 1.01 * (double)frames / seconds);
}

static void test_one_trace(void **state)
{
    (void)state;
    assert_int_equal(run(first), 0);
    expect_rate(out, 3);
    assert_string_equal(err, "");
    assert_int_equal(shared->opened, 1);
    assert_int_equal(shared->polls, 0);
    assert_int_equal(run("--frames=1-2", first), 0);
    expect_rate(out, 2);
    assert_string_equal(err, "");
}

/* Pictures that are not named by calls are counted over all traces. */
static void test_pictures_of_two_traces(void **state)
{
    (void)state;
    char directory[] = "/tmp/test_glreplay.XXXXXX", prefix[60], path[80];
    assert_non_null(mkdtemp(directory));
    snprintf(prefix, sizeof prefix, "%s/p-", directory);
    assert_int_equal(run("--call-nos=no", "-s", prefix, first, second), 0);
    for (unsigned i = 0; i < 4; ++i) {
        snprintf(path, sizeof path, "%s%010u.png", prefix, i);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void test_frames_that_are_not_there(void **state)
{
    (void)state;
    assert_int_equal(run("--frames=3", first), 0);
    assert_string_equal(err, "warning: --frames: there are only 3 frames\n");
    expect_rate(out, 0);
    assert_int_equal(run("--frames=4-10", first), 0);
    assert_string_equal(err, "warning: --frames: there are only 3 frames\n");
    expect_rate(out, 0);
    assert_int_equal(run("--frames=2-10", first), 0);
    assert_string_equal(err, "");
}

/* After an interruption, nobody knows how many there are. */
static void test_interruption_before_the_frames(void **state)
{
    (void)state;
    shared->interrupts = true;
    assert_int_equal(run("--frames=2", first), 128 + SIGINT);
    assert_string_equal(err, "");
    expect_rate(out, 1);
}

/* All are replayed, in the same windows, whatever becomes of the others. */
static void test_several_traces(void **state)
{
    (void)state;
    assert_int_equal(run(first, "/nonexistent", second), 1);
    assert_int_equal(shared->opened, 1);
    expect_rate(out, 3);
    const char *end = strchr(out, '\n');
    assert_non_null(end);
    expect_rate(end + 1, 1);
    assert_non_null(strstr(err, "error: /nonexistent: cannot open: No such file or directory\n"));
    assert_non_null(strstr(err, "warning: 1 calls could not be replayed: glNothing (1)\n"));
    assert_int_equal(run("/nonexistent", "/dev/null"), 1);
    assert_int_equal(shared->opened, 0);
}

static void test_settings(void **state)
{
    (void)state;
    assert_int_equal(run(first), 0);
    assert_false(shared->settings.headless);
    assert_false(shared->settings.fullscreen);
    assert_int_equal(shared->settings.driver, DRIVER_ANY);
    assert_int_equal(shared->settings.creation, CREATE_AS_IN_TRACE);
    assert_int_equal(run("--headless", "--driver=sw", first), 0);
    assert_true(shared->settings.headless);
    assert_int_equal(shared->settings.driver, DRIVER_SOFTWARE);
    assert_int_equal(run("--driver=nothing", first), 1);
    assert_non_null(strstr(err, "error: --driver=nothing: "));
    assert_int_equal(shared->opened, 0);
    assert_int_equal(run("--fullscreen", "--contexts=EGL", first), 0);
    assert_true(shared->settings.fullscreen);
    assert_int_equal(shared->settings.creation, CREATE_BY_EGL);
}

static void test_no_windows(void **state)
{
    (void)state;
    shared->refuses_windows = true;
    assert_int_equal(run(first), 1);
    assert_string_equal(err, "error: there are no windows\n");
    assert_string_equal(out, "");
    assert_int_equal(run("--list-metrics"), 1);
    assert_string_equal(err, "error: there are no windows\n");
}

static void test_answers(void **state)
{
    (void)state;
    assert_int_equal(run("--check", second), 1);
    assert_non_null(strstr(out, "\nChecked 1 answers\n1 calls differ: glIsEnabled (1)\n"));
    assert_int_equal(run("--check", first), 0);
    assert_non_null(strstr(out, "\nChecked 0 answers\n"));
    assert_int_equal(run(second), 0);
    assert_null(strstr(out, "Checked"));
}

static void test_errors(void **state)
{
    (void)state;
    assert_int_equal(run("--strict", second), 1);
    assert_non_null(strstr(err, "error: call 3 glNothing: unsupported glNothing call\n"));
    expect_rate(out, 0);
    assert_int_equal(run("-s", "/nonexistent/x", first), 1);
    assert_non_null(strstr(err, "error: "));
    assert_int_equal(shared->opened, 0);
    assert_int_equal(run("--nothing"), 1);
    assert_non_null(strstr(err, "error: "));
}

/* A window is closed, or waited for. */
static void test_waiting(void **state)
{
    (void)state;
    shared->stays_open = 3;
    assert_int_equal(run("--wait", first), 0);
    assert_int_equal(shared->polls, 3);
    assert_string_equal(err, "headless: no window can be closed; Ctrl-C ends --wait\n");
    shared->is_visible = true;
    assert_int_equal(run("--wait", first), 0);
    assert_int_equal(shared->polls, 3);
    assert_string_equal(err, "");
    assert_int_equal(run("--wait", "--strict", second), 1); /* there is nothing to look at */
    assert_int_equal(shared->polls, 0);
}

static void test_questions(void **state)
{
    (void)state;
    assert_int_equal(run("--help"), 0);
    assert_non_null(strstr(out, "--list-metrics"));
    assert_int_equal(run("--list-metrics"), 0);
    assert_int_equal(shared->opened, 1);
    assert_non_null(strstr(out, "CPU Start"));
    assert_null(strstr(out, "Rendered"));
    assert_int_equal(run("--gen-passes", first), 0);
    assert_string_equal(out, "1\n");
    assert_int_equal(shared->opened, 0);
}

/* What cannot be written is not lost without a word. */
static void test_full_disks(void **state)
{
    int full = open("/dev/full", O_WRONLY);
    (void)state;
    assert_true(full >= 0);
    assert_int_equal(run_into(full, (const char *const[]){first, NULL}), 1);
    assert_string_equal(err, "error: cannot write to the standard output: No space left on device\n");
    assert_int_equal(run_into(full, (const char *const[]){"--help", NULL}), 1);
    assert_string_equal(err, "error: cannot write to the standard output: No space left on device\n");
    assert_int_equal(run_into(full, (const char *const[]){"--strict", second, NULL}), 1);
    assert_null(strstr(err, "standard output")); /* there is a better reason */
    /* there is nothing left that a flush would fail to write */
    is_unbuffered = true;
    assert_int_equal(run_into(full, (const char *const[]){"--help", NULL}), 1);
    assert_string_equal(err, "error: cannot write to the standard output\n");
    is_unbuffered = false;
    close(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_one_trace, set_up),
        cmocka_unit_test_setup(test_pictures_of_two_traces, set_up),
        cmocka_unit_test_setup(test_frames_that_are_not_there, set_up),
        cmocka_unit_test_setup(test_interruption_before_the_frames, set_up),
        cmocka_unit_test_setup(test_several_traces, set_up),
        cmocka_unit_test_setup(test_settings, set_up),
        cmocka_unit_test_setup(test_no_windows, set_up),
        cmocka_unit_test_setup(test_answers, set_up),
        cmocka_unit_test_setup(test_errors, set_up),
        cmocka_unit_test_setup(test_waiting, set_up),
        cmocka_unit_test_setup(test_questions, set_up),
        cmocka_unit_test_setup(test_full_disks, set_up),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
