/* SPDX-License-Identifier: MIT
 * Tests reading and writing sp-rtrace texts.
 */
#include "cmocka_all.h"
#include "sp_rtrace_logs.h"

#include "base/error.h"
#include "formats/sp_rtrace/text_frame.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_headers(void **state)
{
    (void)state;
    log_expect_text("version=1.4,arch=x,process=a, b,pid=7\n1. f(0x0)\n",
                    "version=2.0, arch=x, process=a, b, pid=7, \n1. f(0x0)\n\n");
    log_expect_text("pid=7,new key=a b, timestamp=soon, \n1. f(0x0)\n",
                    "version=2.0, pid=7, new key=a b, timestamp=soon, \n1. f(0x0)\n\n");
    log_expect_text("timestamp=1.2.2026 3:4:5, \n", "version=2.0, timestamp=2026.2.1 03:04:05, \n");
    log_expect_text("pid=1, filter=leaks|compress|resolve\n", "version=2.0, pid=1, filter=leaks|resolve, \n");
    log_expect_text("pid=1, filter=compress\n", LOG_TEXT_HEADER);
    log_expect_text("1. f(0x0)\n", "version=2.0, \n1. f(0x0)\n\n");
}

static void test_lines_of_calls(void **state)
{
    static const char *const lines[][2] = {
        {"18446744073709551615. f(18446744073709551615) = 0xffffffffffffffff", NULL},
        {"0. f(0) = 0x0", NULL},
        {"1. @ffffffff [00:00:00.000] f(0x0)", NULL},
        {"1. @1 [999999:59:59.999] f(0x0)", NULL},
        {"1. [0:0:0.5] f(0x0)", "1. [00:00:00.500] f(0x0)"},
        {"1. [00:00:00.123456] f(0x0)", NULL},
        {"1. [00:00:00.123456789] f(0x0)", NULL},
        {"1. [00:00:01] f(0x0)", "1. [00:00:01.000] f(0x0)"},
        {"1. f(-1) = 0x0", "1. f(4294967295) = 0x0"},
        {"1. f(-2147483648) = 0x0", "1. f(2147483648) = 0x0"},
        {"1. a b::operator()(int, char (*)(x))(3) = 0x0", NULL},
        {"1. [not a time] f(0x0)", NULL},
        {"1. @0 f(0x0)", NULL},
        {"1. (0xAbC)", "1. (0xabc)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char from[200], wanted[200];
        snprintf(from, sizeof from, LOG_TEXT_HEADER "%s\n", lines[i][0]);
        snprintf(wanted, sizeof wanted, LOG_TEXT_HEADER "%s\n\n", lines[i][lines[i][1] != NULL]);
        log_expect_text(from, wanted);
    }
}

/* Lines that only look like records are comments. */
static void test_comments(void **state)
{
    static const char *const lines[] = {"# temporary",
                                        "## lasting",
                                        "free text",
                                        "1. f",
                                        "1. f(x)",
                                        "1. f(1) = 0x",
                                        "1.f(0x0)",
                                        "1. f(0x0) ",
                                        "1. f(18446744073709551616) = 0x0",
                                        "1. f(0x10000000000000000)",
                                        "18446744073709551616. f(0x0)",
                                        "1. f(-2147483649) = 0x0",
                                        "& a",
                                        "@ x : y",
                                        "@ 100000000 : y",
                                        "<1> : x",
                                        ": x => 0x1",
                                        "\t0x1",
                                        "\t$a = 1",
                                        "\t1",
                                        " ",
                                        "## tracing module: [0] x (1.)",
                                        "## heap status information:",
                                        "version=2.0, pid=1, "};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char text[200];
        snprintf(text, sizeof text, LOG_TEXT_HEADER "%s\n1. f(0x0)\n\n%s\n", lines[i], lines[i]);
        log_expect_text(text, text);
    }
}

static void expect_name(const char *name, const char *wanted)
{
    if (wanted == NULL)
        assert_null(name);
    else
        assert_string_equal(name != NULL ? name : "(none)", wanted);
}

static void test_frames(void **state)
{
    static const char *const frames[][2] = {
        {"0xffffffffffffffff", NULL},
        {"0x1 f() at a.c:12", NULL},
        {"0x1 f() at a:b c.c", NULL},
        {"0x1 f() from /lib/x y.so", NULL},
        {"0x1 a::f(int) const at x.cc:1", NULL},
        {"0x1 from /lib/x.so", NULL},
        {"0x1 in ??", NULL},
        {"0x1 in f() at x:1", "0x1 f() at x:1"},
        {"0x1 f", "0x1 f()"},
        {"0x1 operator()()", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; ++i) {
        char from[200], wanted[200];
        snprintf(from, sizeof from, LOG_TEXT_HEADER "1. f(0x0)\n\t%s\n\n", frames[i][0]);
        snprintf(wanted, sizeof wanted, LOG_TEXT_HEADER "1. f(0x0)\n\t%s\n\n",
                 frames[i][frames[i][1] != NULL]);
        log_expect_text(from, wanted);
    }
}

static void test_names_of_a_frame(void **state)
{
    static const char text[] = LOG_TEXT_HEADER "1. f(0x0)\n\t0x1 main() at a.c:12\n\t0x2 g() from x.so\n";
    struct sample_file file;
    struct trace_event event;
    (void)state;
    struct trace_source *source = log_open(&file, text, strlen(text));
    assert_int_equal(trace_source_next(source, &event), 0);
    const struct trace_frame *frames = event.call->frames;
    assert_string_equal(frames[0].function, "main");
    assert_string_equal(frames[0].file, "a.c");
    assert_int_equal(frames[0].line, 12);
    assert_string_equal(frames[1].function, "g");
    assert_string_equal(frames[1].module, "x.so");
    assert_null(frames[1].file);
    trace_source_release(source, &event);
    trace_source_close(source);
    sample_file_close(&file);
}

/* Names of C++ may have the words in them that stand before a place. */
static void test_names_and_places(void **state)
{
    static const struct {
        const char *place, *function, *file;
        int line;
        const char *module;
    } frames[] = {
        {"f(int, at const&) at x.cc:1", "f(int, at const&)", "x.cc", 1, NULL},
        {"f(from *, from &) from x y.so", "f(from *, from &)", NULL, -1, "x y.so"},
        {"a<b, at >::c(d) const at x.cc:1", "a<b, at >::c(d) const", "x.cc", 1, NULL},
        {"main::{lambda(int, at )#1}::operator()(int, at ) const at x.cc:12",
         "main::{lambda(int, at )#1}::operator()(int, at ) const", "x.cc", 12, NULL},
        {"a::operator at const&() const at x.cc:1", "a::operator at const&() const", "x.cc", 1, NULL},
        {"operator< <at >(at const&) at x.cc:1", "operator< <at >(at const&)", "x.cc", 1, NULL},
        {"a::operator-><b>() at x.cc:1", "a::operator-><b>", "x.cc", 1, NULL},
        {"a<(b)(1>2)>::c(at &, int) at x.cc:1", "a<(b)(1>2)>::c(at &, int)", "x.cc", 1, NULL},
        {"decltype ((a)->b) c<at >(at &, int) at x.cc:1", "decltype ((a)->b) c<at >(at &, int)", "x.cc", 1,
         NULL},
        {"f(int) [clone at 3] at x.cc:1", "f(int) [clone at 3]", "x.cc", 1, NULL},
        {"std::vector<int>::at(unsigned long) at look at this (from a)/x.cc:1",
         "std::vector<int>::at(unsigned long)", "look at this (from a)/x.cc", 1, NULL},
        {"f() from from at (at)", "f", NULL, -1, "from at (at)"},
        {"cooperator at x.cc:1", "cooperator", "x.cc", 1, NULL},
        {"f(cut at x.cc:1", "f(cut", "x.cc", 1, NULL},
        {"a<b at x.cc:1", "a<b", "x.cc", 1, NULL},
        {"at x.cc:1", NULL, "x.cc", 1, NULL},
        {"operator() at x.cc:1", "operator()", "x.cc", 1, NULL},
        {"a::operator()", "a::operator()", NULL, -1, NULL},
        {"operator at ", "operator at", NULL, -1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; ++i) {
        char place[200];
        struct trace_frame frame = {.line = -1, .offset = -1};
        snprintf(place, sizeof place, "%s", frames[i].place);
        text_frame_split(&frame, place);
        expect_name(frame.function, frames[i].function);
        expect_name(frame.file, frames[i].file);
        assert_int_equal(frame.line, frames[i].line);
        expect_name(frame.module, frames[i].module);
    }
}

static void test_arguments(void **state)
{
    (void)state;
    log_expect_text(LOG_TEXT_HEADER "1. f(0x0)\n\t$a = b = c  \n\t$ = \n\t$1 = \t$x\n",
                    LOG_TEXT_HEADER "1. f(0x0)\n\t$a = b = c  \n\t$ = \n\t$1 = \t$x\n\n");
    log_expect_text(LOG_TEXT_HEADER "1. f(0x0)\n\t$a =\n\t$ =\n\t$b = c =\n", LOG_TEXT_HEADER
                    "1. f(0x0)\n\t$a = \n\t$ = \n\t$b = c =\n\n"); /* an editor took the blanks away */
    log_expect_text(LOG_TEXT_HEADER "1. f(0x0)\n\t0x1\n\t$a = behind\n",
                    LOG_TEXT_HEADER "1. f(0x0)\n\t$a = behind\n\t0x1\n\n");
}

/* A name ends at the first equals sign. */
static void test_names_of_arguments(void **state)
{
    static const char *const args[][2] = {{"a", "b = c"}, {"a", ""}, {"", "= "}, {"a=", "=b"}, {"1", "\t$x"}};
    enum { ARGS = sizeof args / sizeof *args };
    struct sample_file file;
    struct trace_event event;
    struct buf text = BUF_INIT;
    (void)state;
    assert_int_equal(buf_append_string(&text, "1. f(0x0)\n"), 0);
    for (size_t i = 0; i < ARGS; ++i)
        assert_int_equal(buf_printf(&text, "\t$%s = %s\n", args[i][0], args[i][1]), 0);
    struct trace_source *source = log_open(&file, text.data, text.len);
    assert_int_equal(trace_source_next(source, &event), 0);
    assert_int_equal(event.call->arg_count, ARGS);
    for (size_t i = 0; i < ARGS; ++i) {
        assert_string_equal(event.call->sig->arg_names[i], args[i][0]);
        assert_string_equal(event.call->args[i].u.string, args[i][1]);
    }
    trace_source_release(source, &event);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&text);
}

/* Calls without an empty line between them share the backtrace behind them. */
static void test_groups(void **state)
{
    (void)state;
    log_expect_text(
        LOG_TEXT_HEADER "1. f(0x0)\n2. g(0x0)\n# sum\n\t0x1\n\t0x2\n3. h(0x0)\n\n4. i(0x0)\n", LOG_TEXT_HEADER
        "1. f(0x0)\n\t0x1\n\t0x2\n\n2. g(0x0)\n\t0x1\n\t0x2\n\n# sum\n3. h(0x0)\n\n4. i(0x0)\n\n");
}

/* So do more than can wait for it: they are not all kept until it comes. */
static void test_long_groups(void **state)
{
    enum { COUNT = 20000 };
    struct sample_file file;
    struct trace_event event;
    struct buf text = BUF_INIT;
    (void)state;
    for (unsigned i = 0; i < COUNT; ++i)
        buf_printf(&text, "%u. f(0x%x)\n\t$a = %u\n# %u\n", i, i, i, i);
    buf_append_string(&text, "\t0x77 f() at x:1\n\t0x78\n\n9. last(0x0)\n");
    struct trace_source *source = log_open(&file, text.data, text.len);
    size_t before = mallinfo2().uordblks;
    for (unsigned i = 0; i < COUNT; ++i) {
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_true(mallinfo2().uordblks < before + (4 << 20));
        assert_int_equal(event.kind, TRACE_EVENT_FREE);
        assert_int_equal(event.number, i);
        assert_int_equal(event.call->frame_count, 2);
        assert_string_equal(event.call->frames[0].file, "x");
        assert_int_equal(event.call->arg_count, 1);
        assert_int_equal(strtoul(event.call->args[0].u.string, NULL, 10), i);
        trace_source_release(source, &event);
        assert_int_equal(trace_source_next(source, &event), 0);
        assert_int_equal(event.kind, TRACE_EVENT_COMMENT);
        trace_source_release(source, &event);
    }
    assert_int_equal(trace_source_next(source, &event), 0);
    assert_int_equal(event.call->frame_count, 0);
    trace_source_release(source, &event);
    trace_source_close(source);
    sample_file_close(&file);
    buf_fini(&text);
}

/* Whatever its place, what calls refer to comes first, in this order. */
static void test_order(void **state)
{
    (void)state;
    log_expect_text(
        LOG_TEXT_HEADER
        "1. f(0x0)\n: /x => 0x1-0x2\n\t0x1\n<1> : a (b)\n@ 1 : c\n## tracing module: [0] m (1.2)\n& n : p\n",
        LOG_TEXT_HEADER "& n : p\n## tracing module: [0] m (1.2)\n@ 1 : c\n<1> : a (b)\n: /x => 0x1-0x2\n"
                        "1. f(0x0)\n\t0x1\n\n");
}

/* Hours have two digits, or as many as it takes. */
static void test_long_times(void **state)
{
    (void)state;
    log_expect_text(
        LOG_TEXT_HEADER
        "1. [99:59:59.999] f(0x0)\n\n2. [100:00:00.000] f(0x0)\n\n3. [1000:00:00.000001] f(0x0)\n\n",
        LOG_TEXT_HEADER
        "1. [99:59:59.999] f(0x0)\n\n2. [100:00:00.000] f(0x0)\n\n3. [1000:00:00.000001] f(0x0)\n\n");
}

/* A line has at most a mebibyte, so that no text makes us take all memory. */
static void test_long_lines(void **state)
{
    enum { MOST = 1 << 20 };
    struct buf text = BUF_INIT;
    struct sample_file file;
    struct trace_source *source;
    (void)state;
    for (int excess = 0; excess < 2; ++excess) {
        buf_clear(&text);
        buf_append_string(&text, LOG_TEXT_HEADER "1. f(0x0)\n\t$a = ");
        for (size_t i = strlen("\t$a = "); i < (size_t)MOST + (size_t)excess; ++i)
            buf_append_byte(&text, 'x');
        buf_append_string(&text, "\n\n");
        sample_file_open(&file);
        sample_file_set(&file, text.data, text.len);
        int rc = trace_source_open(&source, file.path);
        assert_int_equal(rc, excess == 0 ? 0 : TRACE_ERR_FORMAT);
        if (rc == 0)
            trace_source_close(source);
        else
            assert_non_null(strstr(trace_error_message(), ": line 3 is longer than 1048576 bytes"));
        sample_file_close(&file);
    }
    buf_fini(&text);
}

/* A text that another system's editor has saved says the same. */
static void test_foreign_line_ends(void **state)
{
    static const char text[] =
        LOG_TEXT_HEADER "<1> : memory (m)\n@ 1 : one\n# comment\n: /a => 0x1-0x2\n"
                        "1. @1 f(1) = 0x1\n\t$a = 1\n\t0x1 g() at a.c:3\n\n2. f(0x1)\n\n";
    char foreign[2 * sizeof text] = "\xef\xbb\xbf", *to = foreign + 3;
    (void)state;
    for (const char *p = text; *p != '\0'; *to++ = *p++)
        if (*p == '\n')
            *to++ = '\r';
    *to = '\0';
    uint64_t left_out = 0;
    char *wanted = log_convert(text, strlen(text), "sp-rtrace-text", &left_out);
    log_expect_written("sp-rtrace-text", foreign, wanted, 0);
    log_expect_written("sp-rtrace-text", "1. f(0x0)\r\n", "version=2.0, \n1. f(0x0)\n\n", 0);
    log_expect_written("sp-rtrace-text",
                       "\xef\xbb\xbf"
                       "1. f(0x0)",
                       "version=2.0, \n1. f(0x0)\n\n", 0);
    free(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_lines_of_calls),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_names_of_a_frame),
        cmocka_unit_test(test_names_and_places),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_names_of_arguments),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_long_groups),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_long_times),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_foreign_line_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
