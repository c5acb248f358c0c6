/* SPDX-License-Identifier: MIT
 * Tests what is reported while and after a program is recorded: in a file, and on a terminal, where a line is
 * redrawn in place.
 */
#include "run/recording_report.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REDRAW "\r\33[K"

static int64_t now; /* in milliseconds */

static int64_t get_now(void)
{
    return now;
}

/* The report of three seconds of recording, and of the trace. */
static void report(void)
{
    static const struct collector_state first = {.calls = 1000, .frames = 10, .load = 0.25},
                                        second = {.calls = 3000, .frames = 40, .load = 0.5};
    static const struct collector_trace trace = {.path = "a.trace",
                                                 .calls = 3000,
                                                 .frames = 40,
                                                 .bytes = 1500},
                                        pipe = {.path = "-", .calls = 1, .frames = 0};
    struct recording_report r;
    recording_report_init(&r);
    r.clock = get_now;
    r.time = now = 5000;
    now += 2000;
    recording_report_live(&r, &first);
    now += 1000;
    recording_report_live(&r, &second);
    recording_report_trace(&r, &trace);
    recording_report_trace(&r, &pipe);
    recording_report_clear(&r);
    fflush(stderr);
}

/* Runs report() with stderr going to fd. */
static void report_to(int fd)
{
    int before = dup(STDERR_FILENO);
    dup2(fd, STDERR_FILENO);
    report();
    dup2(before, STDERR_FILENO);
    close(before);
}

static void test_file(void **state)
{
    (void)state;
    char text[1024];
    int fd = memfd_create("stderr", MFD_CLOEXEC);
    report_to(fd);
    ssize_t n = pread(fd, text, sizeof text - 1, 0);
    assert_true(n > 0);
    text[n] = '\0';
    assert_string_equal(text,
                        "trace-cli: 1.0 k calls, 10 frames; 500 calls/s, 5.0 frames/s; rings 25 % full\n"
                        "trace-cli: 3.0 k calls, 40 frames; 2.0 k calls/s, 30.0 frames/s; rings 50 % full\n"
                        "trace-cli: a.trace: 3000 calls, 40 frames, 1.5 kB\n"
                        "trace-cli: -: 1 calls, 0 frames\n");
    close(fd);
}

/* Reads from the terminal up to this text, which may take several reads. */
static void read_until(int terminal, char *text, size_t size, const char *end)
{
    size_t count = 0;
    do {
        ssize_t n = read(terminal, text + count, size - 1 - count);
        assert_true(n > 0);
        count += (size_t)n;
        text[count] = '\0';
    } while (strstr(text, end) == NULL);
}

static void test_terminal(void **state)
{
    (void)state;
    char text[1024];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int fd = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(fd >= 0);
    report_to(fd);
    read_until(terminal, text, sizeof text, "1 calls, 0 frames\r\n");
    assert_string_equal(
        text, "trace-cli: 1.0 k calls, 10 frames; 500 calls/s, 5.0 frames/s; rings 25 % full" REDRAW
              "trace-cli: 3.0 k calls, 40 frames; 2.0 k calls/s, 30.0 frames/s; rings 50 % full" REDRAW
              "trace-cli: a.trace: 3000 calls, 40 frames, 1.5 kB\r\n"
              "trace-cli: -: 1 calls, 0 frames\r\n");
    close(fd);
    close(terminal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
