/* SPDX-License-Identifier: MIT
 * Tests the values of options and their limits, and the line that shows progress on a terminal.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <getopt.h>
#include <cmocka.h>

#include "base/error.h"
#include "replay_command_line.h"
#include "replay_progress.h"

/* Parses options, which blanks separate, and a trace. The message of an error is not shown. */
static enum replay_command_line_result parse(struct replay_options *o, const char *options)
{
    enum { MOST = 4 };
    char name[] = "retrace", copy[100], trace[] = "app.trace";
    char *arguments[MOST + 3] = {name};
    int terminal = dup(STDERR_FILENO), none = open("/dev/null", O_WRONLY | O_CLOEXEC), count = 1;
    snprintf(copy, sizeof copy, "%s", options);
    for (char *next = copy, *option; count <= MOST && (option = strsep(&next, " ")) != NULL;)
        arguments[count++] = option;
    arguments[count++] = trace;
    fflush(stderr);
    dup2(none, STDERR_FILENO);
    optind = 0; /* begins anew */
    enum replay_command_line_result result = replay_command_line_parse(o, count, arguments);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(none);
    close(terminal);
    return result;
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        bool accepted;
    } cases[] = {
        {"--watchdog=1", true},
        {"--watchdog=86400", true},
        {"--watchdog=86401", false},
        {"--watchdog=0", false},
        {"--watchdog=5s", false},
        {"--samples=64", true},
        {"--samples=65", false},
        {"--samples=0", true},
        {"--samples=-1", false},
        {"--min-frame-duration=86400000000", true},
        {"--min-frame-duration=86400000001", false},
        {"--min-frame-duration=0", true},
        {"--per-frame-delay=0", true},
        {"--per-frame-delay=-1", false},
        {"--tolerance=0", true},
        {"--tolerance=1", true},
        {"--tolerance=1.01", false},
        {"--tolerance=-0.1", false},
        {"--tolerance=nan", false},
        {"--query-tolerance=18446744073709551615", true},
        {"--query-tolerance=18446744073709551616", false},
        {"--query-tolerance=-1", false},
        {"--snapshot-interval=-1", false},
        {"--loop=99999999999999999999", false},
        {"--loop-frames=3-5", true},
        {"--loop-frames=3-", false},
        {"--loop-frames=3-5/2", false},
        {"--loop-frames=5-3", false},
        {"--loop-frames=5-3,7", false},
        {"--loop-frames=5-5", true},
        {"--loop-frames=3,5", false},
        {"--loop-frames=frame", false},
        {"--frames=5-2", false},
        {"--frames=2-5", true},
        {"--snapshot=10-5", false},
        {"--dump-state=7,10-5", false},
        {"--ignore-calls=10-5", false},
        {"--call-nos=maybe", false},
        {"--snapshot-format=md5", true},
        {"--dump-format=UBJSON", true},
        {"--dump-format=xml", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct replay_options o;
        enum replay_command_line_result expected =
            cases[i].accepted ? REPLAY_COMMAND_LINE_RUN : REPLAY_COMMAND_LINE_ERROR;
        if (parse(&o, cases[i].option) != expected)
            fail_msg("%s", cases[i].option);
        replay_options_fini(&o);
    }
}

/* What options mean without a value, and for each other. */
static void test_values(void **state)
{
    (void)state;
    struct replay_options o;
    parse(&o, "--watchdog");
    assert_int_equal(o.watchdog, 300);
    parse(&o, "--samples=0"); /* no multisampling */
    assert_int_equal(o.samples, 1);
    parse(&o, "--samples=4");
    assert_int_equal(o.samples, 4);
    parse(&o, "--loop");
    assert_true(o.loop && o.loop_count == -1 && !o.has_loop_frames);
    parse(&o, "--loop=3");
    assert_true(o.loop && o.loop_count == 3);
    parse(&o, "--loop-frames=7"); /* without end */
    assert_true(o.loop && o.loop_count == -1 && o.loop_first == 7 && o.loop_last == 7);
    parse(&o, "--call-nos=no");
    assert_false(o.snapshot_call_numbers);
    parse(&o, "--call-nos");
    assert_true(o.snapshot_call_numbers);
    parse(&o, "--check");
    assert_true(o.check && o.query_handling == QUERY_CHECK);
    parse(&o, "--pcpu"); /* asking for errors would be measured, too */
    assert_true(o.profile.cpu && o.benchmark);
    assert_true(replay_options_text_stream(&o) == stdout);
    parse(&o, "--snapshot-prefix=-");
    assert_true(replay_options_text_stream(&o) == stderr);
    assert_int_equal(o.snapshot_calls.count, 1);
    replay_options_fini(&o);
    parse(&o, "--snapshot=3");
    assert_string_equal(o.snapshot_prefix, "");
    replay_options_fini(&o);
    parse(&o, "--dump-state=3");
    assert_true(replay_options_text_stream(&o) == stderr);
    replay_options_fini(&o);
    parse(&o, "--dump-state=3 --dump-prefix=a-"); /* files leave the standard output free */
    assert_true(replay_options_text_stream(&o) == stdout);
    replay_options_fini(&o);
    parse(&o, "--snapshot=3 --snapshot-prefix=a-");
    assert_string_equal(o.snapshot_prefix, "a-");
    assert_true(replay_options_text_stream(&o) == stdout);
    replay_options_fini(&o);
    parse(&o, "--snapshot-prefix=a- --dump-state=3"); /* one of both prints */
    assert_int_equal(o.dump_calls.count, 1);
    assert_true(replay_options_text_stream(&o) == stderr);
    replay_options_fini(&o);
}

/* What goes wrong is told with the option and its value. */
static void test_messages(void **state)
{
    static const struct {
        const char *name, *value, *message;
    } cases[] = {
        {"snapshot-format", "png", "unknown snapshot format 'png' (PNM, RGB or MD5)"},
        {"dump-format", "xml", "unknown format of state dumps 'xml' (json or ubjson)"},
        {"loop", "2x", "--loop: '2x' is not a number"},
        {"frames", "5-2", "--frames: a range in '5-2' ends before it begins"},
        {"ignore-calls", "5-2", "--ignore-calls: a range in '5-2' ends before it begins"},
        {"loop-frames", "3,5", "--loop-frames: '3,5' is not of the form FIRST-LAST"},
        {"watchdog", "0", "--watchdog: '0' is not a number of seconds"},
        {"min-frame-duration", "-1", "--min-frame-duration: '-1' is not a number of microseconds"},
        {"per-frame-delay", "1s", "--per-frame-delay: '1s' is not a number of microseconds"},
        {"samples", "65", "--samples: '65' is not a number of samples"},
        {"tolerance", "2", "--tolerance: '2' is not a number from 0 to 1"},
        {"query-tolerance", "-1", "--query-tolerance: '-1' is not a number"},
        {"snapshot-interval", "x", "--snapshot-interval: 'x' is not a number"},
        {"query-handling", "no", "unknown query handling 'no' (skip, run or check)"},
        {"contexts", "WGL", "--contexts: 'WGL' is neither GLX nor EGL"},
        {"call-nos", "maybe", "--call-nos: 'maybe' is neither yes nor no"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct replay_options o = {0};
        assert_int_equal(replay_options_set(&o, cases[i].name, cases[i].value), TRACE_ERR_USAGE);
        assert_string_equal(trace_error_message(), cases[i].message);
        replay_options_fini(&o);
    }
}

/* Each value is that of its own option. */
static void test_numbers_and_names(void **state)
{
    static const char *const given[][2] = {
        {"query-tolerance", "1"},   {"snapshot-interval", "2"}, {"min-frame-duration", "3"},
        {"per-frame-delay", "4"},   {"watchdog", "5"},          {"samples", "6"},
        {"tolerance", "0.5"},       {"driver", "a.so"},         {"contexts", "egl"},
        {"snapshot-format", "Rgb"}, {"query-handling", "run"},  {"dump-format", "UBJSON"},
        {"dump-prefix", "d-"},      {"snapshot-prefix", "s-"},  {"frames", "1-7"},
        {"ignore-calls", "8"},      {"snapshot", "9"},          {"dump-state", "10"},
    };
    struct replay_options o = {0};
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof *given; ++i)
        assert_int_equal(replay_options_set(&o, given[i][0], given[i][1]), 0);
    assert_int_equal(o.query_tolerance, 1);
    assert_int_equal(o.snapshot_interval, 2);
    assert_int_equal(o.min_frame_duration, 3);
    assert_int_equal(o.frame_delay, 4);
    assert_int_equal(o.watchdog, 5);
    assert_int_equal(o.samples, 6);
    assert_true(o.tolerance > 0.49 && o.tolerance < 0.51);
    assert_string_equal(o.driver, "a.so");
    assert_int_equal(o.creation, CREATE_BY_EGL);
    assert_int_equal(o.snapshot_format, SNAPSHOT_RGB);
    assert_int_equal(o.query_handling, QUERY_RUN);
    assert_true(o.dump_binary);
    assert_string_equal(o.dump_prefix, "d-");
    assert_string_equal(o.snapshot_prefix, "s-");
    assert_int_equal(o.frames.last, 7);
    assert_int_equal(o.ignored_calls.last, 8);
    assert_int_equal(o.snapshot_calls.last, 9);
    assert_int_equal(o.dump_calls.last, 10);
    assert_int_equal(replay_options_set(&o, "contexts", "glx"), 0);
    assert_int_equal(o.creation, CREATE_BY_GLX);
    assert_int_equal(replay_options_set(&o, "dump-format", "json"), 0);
    assert_false(o.dump_binary);
    replay_options_fini(&o);
}

/* Options without a value set one member each. */
static void test_flags(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        size_t member;
    } cases[] = {
#define FLAG(name, member) {name, offsetof(struct replay_options, member)}
        FLAG("--benchmark", benchmark),
        FLAG("--verbose", verbose),
        FLAG("--headless", headless),
        FLAG("--sb", single_buffered),
        FLAG("--db", double_buffered),
        FLAG("--core", core),
        FLAG("--singlethread", single_thread),
        FLAG("--wait", wait),
        FLAG("--fullscreen", fullscreen),
        FLAG("--check", check),
        FLAG("--ignore-retvals", ignore_results),
        FLAG("--no-context-check", no_context_check),
        FLAG("--strict", strict),
        FLAG("--mrt", snapshot_all),
        FLAG("--snapshot-alpha", snapshot_alpha),
        FLAG("--snapshot-force-backbuffer", snapshot_back_buffer),
        FLAG("--snapshot-threaded", snapshot_threaded),
        FLAG("--msaa-no-resolve", keep_samples),
        FLAG("--markers", markers),
        FLAG("--debug", debug),
#undef FLAG
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
            struct replay_options o;
            assert_int_equal(parse(&o, cases[k].option), REPLAY_COMMAND_LINE_RUN);
            if (*(const bool *)((const char *)&o + cases[i].member) != (i == k))
                fail_msg("%s sets what %s does", cases[k].option, cases[i].option);
            replay_options_fini(&o);
        }
    }
}

/* Of options that exclude each other, the last one counts. Others add to each other. */
static void test_several_options(void **state)
{
    (void)state;
    struct replay_options o;
    parse(&o, "--sb --db");
    assert_true(o.double_buffered && !o.single_buffered);
    parse(&o, "--db --sb");
    assert_true(o.single_buffered && !o.double_buffered);
    parse(&o, "--sb --db --core --sb");
    assert_true(o.single_buffered && !o.double_buffered && o.core);
    parse(&o, "--loop-frames=3-5 --loop=2"); /* in either order */
    assert_true(o.loop && o.loop_count == 2 && o.loop_first == 3 && o.loop_last == 5);
    parse(&o, "--loop=2 --loop-frames=3-5");
    assert_true(o.loop && o.loop_count == 2 && o.loop_first == 3 && o.loop_last == 5);
    parse(&o, "--query-handling=skip --check");
    assert_true(o.check && o.query_handling == QUERY_SKIP);
    parse(&o, "--check --pcpu"); /* which asks for errors */
    assert_true(o.check && o.profile.cpu && !o.benchmark);
    assert_int_equal(parse(&o, "--dump-state=3 --snapshot-prefix=-"), REPLAY_COMMAND_LINE_ERROR);
    replay_options_fini(&o);
    assert_int_equal(parse(&o, "--dump-state=3 --dump-prefix=state --snapshot-prefix=-"),
                     REPLAY_COMMAND_LINE_RUN);
    replay_options_fini(&o);
    assert_int_equal(parse(&o, "--profile=a.json"), REPLAY_COMMAND_LINE_RUN);
    assert_int_equal(parse(&o, "--profile=a.json other.trace"), REPLAY_COMMAND_LINE_ERROR);
}

/* --- progress ------------------------------------------------------------------------------------------- */

/* Returns what is drawn on a terminal that has so many columns. */
static const char *draw(unsigned short columns, uint64_t frames)
{
    static char text[300];
    struct winsize size = {.ws_row = 25, .ws_col = columns};
    int master = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    struct replay_progress p = {.next = 0};
    dup2(terminal, STDERR_FILENO);
    replay_progress_draw(&p, frames);
    dup2(before, STDERR_FILENO);
    close(terminal);
    size_t length = 0; /* what is written arrives in parts; the end is an error */
    for (ssize_t n; (n = read(master, text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)n;
    text[length] = '\0';
    close(master);
    close(before);
    return text;
}

/* A line that the terminal wraps could not be erased, so its last column stays empty. */
static void test_width_of_progress(void **state)
{
    (void)state;
    const char *begin = "\r\33[K", *whole = draw(200, 5);
    assert_memory_equal(whole, begin, strlen(begin));
    whole += strlen(begin);
    assert_memory_equal(whole, "retrace: 5 frames, ", 19);
    for (unsigned short columns = 5; columns < 25; ++columns) {
        const char *line = draw(columns, 5) + strlen(begin);
        assert_int_equal(strlen(line), columns - 1);
        assert_memory_equal(line, "retrace: 5 frames, 0 frames/s", columns - 1 < 19 ? columns - 1 : 19);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_numbers_and_names),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_several_options),
        cmocka_unit_test(test_width_of_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
