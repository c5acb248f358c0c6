/* SPDX-License-Identifier: MIT
 * Tests the replayer's command line: what each option sets, the text of each error, and the help.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <getopt.h>
#include <cmocka.h>

#include "base/error.h"
#include "replay_command_line.h"
#include "replay_option_list.h"

static char printed[1 << 14], complained[1000];

static int begin_capture(FILE *stream, int *before)
{
    int fd = memfd_create("text", MFD_CLOEXEC), number = fileno(stream);
    assert_true(fd >= 0);
    fflush(stream);
    *before = dup(number);
    dup2(fd, number);
    return fd;
}

static void end_capture(FILE *stream, int before, int fd, char *out, size_t room)
{
    fflush(stream);
    dup2(before, fileno(stream));
    close(before);
    ssize_t n = pread(fd, out, room - 1, 0);
    out[n > 0 ? n : 0] = '\0';
    close(fd);
}

/* Parses words, which blanks separate. What it prints is kept. */
static enum replay_command_line_result parse(struct replay_options *o, const char *words)
{
    enum { MOST = 6 };
    static char name[] = "retrace", copy[200];
    static char *arguments[MOST + 2];
    int count = 0, outputs, errors;
    arguments[count++] = name;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *next = copy, *word; count <= MOST && (word = strsep(&next, " ")) != NULL;)
        arguments[count++] = word;
    arguments[count] = NULL;
    int out = begin_capture(stdout, &outputs), err = begin_capture(stderr, &errors);
    optind = 0;     /* begins anew */
    errno = ERANGE; /* of something before */
    enum replay_command_line_result result = replay_command_line_parse(o, count, arguments);
    end_capture(stderr, errors, err, complained, sizeof complained);
    end_capture(stdout, outputs, out, printed, sizeof printed);
    return result;
}

/* --- values --------------------------------------------------------------------------------------------- */

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        size_t member;
        int64_t value;
        size_t size;
    } cases[] = {
#define MEMBER(member) offsetof(struct replay_options, member)
#define CASE(words, member, value)                                                                           \
    {words " a", MEMBER(member), value, sizeof((struct replay_options *)0)->member}
        CASE("--samples=3", samples, 3),
        CASE("--contexts=glx", creation, CREATE_BY_GLX),
        CASE("--contexts=EGL", creation, CREATE_BY_EGL),
        CASE("--snapshot-format=PNM", snapshot_format, SNAPSHOT_PNM),
        CASE("--snapshot-format=rgb", snapshot_format, SNAPSHOT_RGB),
        CASE("--snapshot-format=MD5", snapshot_format, SNAPSHOT_MD5),
        CASE("--snapshot-interval=7", snapshot_interval, 7),
        CASE("--call-nos", snapshot_call_numbers, 1),
        CASE("--call-nos=0", snapshot_call_numbers, 0),
        CASE("--call-nos=1", snapshot_call_numbers, 1),
        CASE("--call-nos=no", snapshot_call_numbers, 0),
        CASE("--call-nos=yes", snapshot_call_numbers, 1),
        CASE("--call-nos=false", snapshot_call_numbers, 0),
        CASE("--call-nos=true", snapshot_call_numbers, 1),
        CASE("--verbose", snapshot_call_numbers, 1),
        CASE("--dump-format=json", dump_binary, 0),
        CASE("--dump-format=UBJSON", dump_binary, 1),
        CASE("--query-handling=skip", query_handling, QUERY_SKIP),
        CASE("--query-handling=run", query_handling, QUERY_RUN),
        CASE("--query-handling=check", query_handling, QUERY_CHECK),
        CASE("--query-handling=skip", has_query_handling, 1),
        CASE("--verbose", query_handling, QUERY_SKIP),
        CASE("--query-tolerance=9", query_tolerance, 9),
        CASE("--min-frame-duration=11", min_frame_duration, 11),
        CASE("--per-frame-delay=12", frame_delay, 12),
        CASE("--watchdog=5", watchdog, 5),
        CASE("--watchdog", watchdog, 300),
        CASE("--loop=4", loop_count, 4),
        CASE("--loop=-4", loop_count, -4),
        CASE("--loop", loop_count, -1),
        CASE("--loop", has_loop_frames, 0),
        CASE("--loop-frames=2-8", loop_first, 2),
        CASE("--loop-frames=2-8", loop_last, 8),
        CASE("--frames=2-8", frames.count, 1),
        CASE("--ignore-calls=2,5", ignored_calls.count, 2),
        CASE("--dump-state=2,5,7", dump_calls.count, 3),
        CASE("--snapshot=2,5,7", snapshot_calls.count, 3),
        CASE("--gen-passes", profile.count_passes, 1),
        CASE("--gen-passes", benchmark, 0),
        CASE("--list-metrics", benchmark, 1),
        CASE("-b", benchmark, 1),
        CASE("-v", verbose, 1),
        CASE("-m", snapshot_all, 1),
        CASE("-t", snapshot_threaded, 1),
        CASE("-d", debug, 1),
        CASE("-w", wait, 1),
        CASE("-S 2,5,7", snapshot_calls.count, 3),
        CASE("-D 2,5,7", dump_calls.count, 3),
        CASE("-bv", verbose, 1),
        CASE("-v", trace_count, 1),
        CASE("-v b", trace_count, 2),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct replay_options o;
        int64_t found = 0;
        assert_int_equal(parse(&o, cases[i].words), REPLAY_COMMAND_LINE_RUN);
        memcpy(&found, (const char *)&o + cases[i].member, cases[i].size);
        if (cases[i].size == sizeof(int32_t))
            found = (int32_t)found;
        if (found != cases[i].value)
            fail_msg("%s: %lld", cases[i].words, (long long)found);
        assert_string_equal(printed, "");
        assert_string_equal(complained, "");
        replay_options_fini(&o);
    }
}

static void test_texts(void **state)
{
    (void)state;
    struct replay_options o;
    parse(&o, "-s a- --dump-prefix=b- --driver=sw --profile=p.json first");
    assert_string_equal(o.snapshot_prefix, "a-");
    assert_string_equal(o.dump_prefix, "b-");
    assert_string_equal(o.driver, "sw");
    assert_string_equal(o.profile.file, "p.json");
    assert_string_equal(o.traces[0], "first");
    assert_true(o.benchmark);
    replay_options_fini(&o);
    parse(&o, "--tolerance=0.25 first second");
    assert_float_equal(o.tolerance, 0.25, 0);
    assert_string_equal(o.traces[1], "second");
    assert_int_equal(replay_options_set(&o, "no-such-option", NULL), 0);
}

/* --- errors --------------------------------------------------------------------------------------------- */

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *words, *message;
    } cases[] = {
        {"--samples=x a", "--samples: 'x' is not a number of samples"},
        {"--samples=3x a", "--samples: '3x' is not a number of samples"},
        {"--samples= a", "--samples: '' is not a number of samples"},
        {"--samples=99999999999999999999 a", "--samples: '99999999999999999999' is not a number of samples"},
        {"--samples=-1 a", "--samples: '-1' is not a number of samples"},
        {"--watchdog= a", "--watchdog: '' is not a number of seconds"},
        {"--watchdog=5s a", "--watchdog: '5s' is not a number of seconds"},
        {"--loop= a", "--loop: '' is not a number"},
        {"--loop=2x a", "--loop: '2x' is not a number"},
        {"--loop-frames=2,3 a", "--loop-frames: '2,3' is not of the form FIRST-LAST"},
        {"--min-frame-duration= a", "--min-frame-duration: '' is not a number of microseconds"},
        {"--min-frame-duration=1s a", "--min-frame-duration: '1s' is not a number of microseconds"},
        {"--per-frame-delay=-1 a", "--per-frame-delay: '-1' is not a number of microseconds"},
        {"--tolerance= a", "--tolerance: '' is not a number from 0 to 1"},
        {"--tolerance=1% a", "--tolerance: '1%' is not a number from 0 to 1"},
        {"--tolerance=1.01 a", "--tolerance: '1.01' is not a number from 0 to 1"},
        {"--tolerance=-0.1 a", "--tolerance: '-0.1' is not a number from 0 to 1"},
        {"--tolerance=nan a", "--tolerance: 'nan' is not a number from 0 to 1"},
        {"--query-tolerance= a", "--query-tolerance: '' is not a number"},
        {"--query-tolerance=2x a", "--query-tolerance: '2x' is not a number"},
        {"--query-tolerance=-1 a", "--query-tolerance: '-1' is not a number"},
        {"--snapshot-interval=x a", "--snapshot-interval: 'x' is not a number"},
        {"--query-handling=wait a", "unknown query handling 'wait' (skip, run or check)"},
        {"--contexts=WGL a", "--contexts: 'WGL' is neither GLX nor EGL"},
        {"--snapshot-format=GIF a", "unknown snapshot format 'GIF' (PNM, RGB or MD5)"},
        {"--dump-format=xml a", "unknown format of state dumps 'xml' (json or ubjson)"},
        {"--call-nos=maybe a", "--call-nos: 'maybe' is neither yes nor no"},
        {"--frames=5-2 a", "--frames: a range in '5-2' ends before it begins"},
        {"--snapshot=5-2 a", "--snapshot: a range in '5-2' ends before it begins"},
        {"--profile=p a b", "--profile: one trace at a time"},
        {"--dump-state=3 -s - a", "pictures and states cannot both go to the standard output; --dump-prefix "
                                  "or --snapshot-prefix writes files"},
        {"--pcalls=opengl:x a", "--pcalls: there is no metric 'x' (see --list-metrics)"},
        {"--pcalls=gl:x a", "--pcalls: there is no backend 'gl' (opengl)"},
        {"--pcalls=x a", "--pcalls: 'x' is not BACKEND: METRIC, …"},
        {"--min-cpu-time=x a", "--min-cpu-time: 'x' is not a number of nanoseconds"},
        {"--nothing a", "option --nothing is unknown"},
        {"-x a", "option -x is unknown"},
        {"--driver", "option --driver needs a value"},
        {"-s", "option -s needs a value"},
        {"--verbose=yes a", "option --verbose=yes takes no value"},
        {"--verbose", "no trace given"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct replay_options o;
        char expected[300];
        snprintf(expected, sizeof expected, "error: %s (see \"trace-cli help retrace\").\n",
                 cases[i].message);
        assert_int_equal(parse(&o, cases[i].words), REPLAY_COMMAND_LINE_ERROR);
        assert_string_equal(complained, expected);
        assert_string_equal(printed, "");
        replay_options_fini(&o);
    }
}

/* Only a replay needs a trace. */
static void test_no_trace(void **state)
{
    struct replay_options o;
    (void)state;
    assert_int_equal(parse(&o, "--list-metrics"), REPLAY_COMMAND_LINE_RUN);
    assert_int_equal(o.trace_count, 0);
    assert_int_equal(parse(&o, "--gen-passes"), REPLAY_COMMAND_LINE_RUN);
    assert_int_equal(parse(&o, "--pcpu"), REPLAY_COMMAND_LINE_ERROR);
}

/* What an option has kept is freed. */
static void test_freed_options(void **state)
{
    struct replay_options o;
    (void)state;
    parse(&o, "--frames=1 --ignore-calls=2 -S 3 -D 4 a");
    replay_options_fini(&o);
    assert_null(o.frames.ranges);
    assert_null(o.ignored_calls.ranges);
    assert_null(o.snapshot_calls.ranges);
    assert_null(o.dump_calls.ranges);
}

/* --- texts ---------------------------------------------------------------------------------------------- */

/* How the help shows the value of each kind of option. */
#define FORM_FLAG     ""
#define FORM_BOOL     "[=BOOL]"
#define FORM_VALUE    "=%s"
#define FORM_OPTIONAL "[=%s]"

/* The lines of an option in the help. */
static size_t add_help(char *out, size_t room, char letter, const char *name, const char *form,
                       const char *value, const char *help)
{
    char left[80], suffix[40], *percent;
    size_t used = 0;
    snprintf(suffix, sizeof suffix, "%s", form);
    if ((percent = strchr(suffix, '%')) != NULL) {
        const char *rest = form + (percent - suffix) + strlen("%s");
        snprintf(percent, sizeof suffix - (size_t)(percent - suffix), "%s%s", value, rest);
    }
    if (letter != 0)
        snprintf(left, sizeof left, "-%c, --%s%s", letter, name, suffix);
    else
        snprintf(left, sizeof left, "    --%s%s", name, suffix);
    for (const char *line = help; line != NULL; line = strchr(line, '\n')) {
        line += line != help;
        used += (size_t)snprintf(out + used, room - used, "  %-28s %.*s\n", line == help ? left : "",
                                 (int)strcspn(line, "\n"), line);
    }
    return used;
}

static void test_help(void **state)
{
    static char expected[1 << 14];
    struct replay_options o;
    size_t n = (size_t)snprintf(expected, sizeof expected,
                                "usage: trace-cli retrace [OPTION...] TRACE...\n"
                                "Replays the OpenGL calls of each TRACE.\n\n");
    (void)state;
#define ADD(kind, letter, name, alias, value, help)                                                          \
    n += add_help(expected + n, sizeof expected - n, letter, name, FORM_##kind, value, help);
    REPLAY_OPTION_LIST(ADD)
    ADD(FLAG, 'h', "help", NULL, NULL, "print this help")
    ADD(FLAG, 0, "version", NULL, NULL, "print the version")
#undef ADD
    assert_int_equal(parse(&o, "--help"), REPLAY_COMMAND_LINE_DONE);
    assert_string_equal(printed, expected);
    assert_int_equal(parse(&o, "-h --nothing"), REPLAY_COMMAND_LINE_DONE);
    assert_string_equal(printed, expected);
    assert_string_equal(complained, "");
}

static void test_version(void **state)
{
    struct replay_options o;
    (void)state;
    assert_int_equal(parse(&o, "--version"), REPLAY_COMMAND_LINE_DONE);
    assert_memory_equal(printed, "trace-cli retrace ", 18);
    assert_in_range(printed[18], '0', '9');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),        cmocka_unit_test(test_texts), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_freed_options), cmocka_unit_test(test_help),  cmocka_unit_test(test_version),
        cmocka_unit_test(test_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
