/* SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "trace/call_set.h"
#include "trace/model.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The flags of a small trace's calls, by number. */
static const uint32_t flags[12] = {
    [1] = TRACE_CALL_RENDER,    [2] = TRACE_CALL_SWAP_RENDERTARGET,
    [3] = TRACE_CALL_RENDER,    [4] = TRACE_CALL_END_FRAME | TRACE_CALL_SWAP_RENDERTARGET,
    [6] = TRACE_CALL_RENDER,    [8] = TRACE_CALL_SWAP_RENDERTARGET,
    [9] = TRACE_CALL_END_FRAME,
};

static void expect_calls(const char *text, const char *expected)
{
    struct trace_call_set set = {0};
    char found[64] = "";
    if (trace_call_set_parse(&set, text) != 0)
        fail_msg("\"%s\": %s", text, trace_error_message());
    for (unsigned i = 0; i < 12; ++i)
        if (trace_call_set_contains(&set, i, flags[i]))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u", found[0] == '\0' ? "" : " ",
                     i);
    assert_string_equal(found, expected);
    trace_call_set_fini(&set);
}

static void expect_error(const char *text, const char *message)
{
    struct trace_call_set set = {0};
    assert_int_not_equal(trace_call_set_parse(&set, text), 0);
    if (strstr(trace_error_message(), message) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", message, trace_error_message());
    trace_call_set_fini(&set);
}

static void test_grammar(void **state)
{
    (void)state;
    expect_calls("", "");
    expect_calls("*", "0 1 2 3 4 5 6 7 8 9 10 11");
    expect_calls("3", "3");
    expect_calls("9-", "9 10 11");
    expect_calls("3-6", "3 4 5 6");
    expect_calls("5-3", "");
    expect_calls("*/2", "0 2 4 6 8 10");
    expect_calls("3-/2", "3 5 7 9 11");
    expect_calls("3-9/3", "3 6 9");
    expect_calls("frame", "4 9");
    expect_calls("5-/frame", "9");
    expect_calls("fbo", "2 4 8 9");
    expect_calls("rendertarget", "2 4 8 9");
    expect_calls("0-4/draw", "1 3");
    expect_calls("render", "1 3 6");
    expect_calls("1,5-6 , 9\n11,", "1 5 6 9 11");
    expect_calls(",1", "1");
}

static void test_errors(void **state)
{
    (void)state;
    expect_error("x", "at \"x\"");
    expect_error("1x", "cannot understand \"x\"");
    expect_error("1-2-3", "cannot understand \"-3\"");
    expect_error("-3", "expected a number");
    expect_error("1/0", "the step must not be 0");
    expect_error("*/", "at \"\"");
    expect_error("frames", "frames");
    expect_error("1/frame/2", "/2");
    expect_error("99999999999999999999", "too large");
    expect_error("@/no/such/file", "/no/such/file: cannot open");
}

static void test_union(void **state)
{
    (void)state;
    struct trace_call_set set = {0};
    assert_int_equal(trace_call_set_parse(&set, "3"), 0);
    assert_int_equal(set.last, 3);
    assert_int_equal(trace_call_set_parse(&set, "10-20"), 0);
    assert_int_equal(set.last, 20);
    assert_true(trace_call_set_contains(&set, 3, 0));
    assert_true(trace_call_set_contains(&set, 20, 0));
    assert_false(trace_call_set_contains(&set, 21, 0));
    assert_int_equal(trace_call_set_add_all(&set), 0);
    assert_true(trace_call_set_contains(&set, UINT64_MAX, 0));
    trace_call_set_fini(&set);
}

static void expect_next(const char *text, uint64_t from, uint64_t expected)
{
    struct trace_call_set set = {0};
    uint64_t found = 0;
    assert_int_equal(trace_call_set_parse(&set, text), 0);
    assert_true(trace_call_set_next(&set, from, &found));
    if (found != expected)
        fail_msg("\"%s\" from %llu: %llu", text, (unsigned long long)from, (unsigned long long)found);
    trace_call_set_fini(&set);
}

static void expect_no_next(const char *text, uint64_t from)
{
    struct trace_call_set set = {0};
    uint64_t found;
    assert_int_equal(trace_call_set_parse(&set, text), 0);
    assert_false(trace_call_set_next(&set, from, &found));
    trace_call_set_fini(&set);
}

static void test_next(void **state)
{
    (void)state;
    expect_next("*", 0, 0);
    expect_next("*", UINT64_MAX, UINT64_MAX);
    expect_next("7", 0, 7);
    expect_next("7", 7, 7);
    expect_next("20-30,3-5", 0, 3);
    expect_next("20-30,3-5", 5, 5);
    expect_next("20-30,3-5", 6, 20);
    expect_next("3-20/5", 4, 8);
    expect_next("3-20/5", 8, 8);
    expect_next("3-20/5", 14, 18);
    expect_next("3-20/5,19", 14, 18);
    expect_next("3-20/5,16", 14, 16);
    expect_next("draw", 5, 5); /* any call may draw */
    expect_next("9-/frame", 5, 9);
    expect_next("18446744073709551615", 1, UINT64_MAX);
    expect_no_next("", 0);
    expect_no_next("7", 8);
    expect_no_next("3-20/5", 19);
    expect_no_next("20-30,3-5", 31);
    expect_no_next("1-/18446744073709551615", 2); /* the next number would not fit into 64 bits */
}

/* The answer is right for all calls of the part, and never "some" if the set has only plain ranges. */
static void test_part(void **state)
{
    static const struct {
        const char *text;
        bool is_plain;
    } sets[] = {{"", true},        {"*", true},           {"7", true},
                {"3-9,12-", true}, {"12-20,3-12", true},  {"5-30,7-9/2", true},
                {"draw", false},   {"3-30/4,8-9", false}, {"*/draw,6-8", false}};
    (void)state;
    for (size_t t = 0; t < sizeof sets / sizeof sets[0]; ++t) {
        struct trace_call_set set = {0};
        assert_int_equal(trace_call_set_parse(&set, sets[t].text), 0);
        for (uint64_t from = 0, until; from < 60; ++from) {
            enum trace_call_set_part part = trace_call_set_part(&set, from, &until);
            assert_true(until > from);
            assert_true(!sets[t].is_plain || part != TRACE_CALL_SET_SOME);
            for (uint64_t i = from; i < until && i < 60 && part != TRACE_CALL_SET_SOME; ++i)
                for (unsigned any = 0; any < 2; ++any)
                    assert_int_equal(trace_call_set_contains(&set, i, any == 0 ? 0 : UINT32_MAX),
                                     part == TRACE_CALL_SET_ALL);
        }
        trace_call_set_fini(&set);
    }
}

/* Compares with calling trace_call_set_contains() for each number. */
static void test_next_exhaustively(void **state)
{
    static const char *const texts[] = {"2", "1-9/3", "4-6,2-11/4", "*/5,3", "0-3,9-10/2,40"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        struct trace_call_set set = {0};
        assert_int_equal(trace_call_set_parse(&set, texts[t]), 0);
        for (uint64_t from = 0; from < 50; ++from) {
            uint64_t expected = from;
            uint64_t found;
            while (expected < 60 && !trace_call_set_contains(&set, expected, 0))
                expected++;
            assert_int_equal(trace_call_set_next(&set, from, &found), expected < 60);
            assert_true(expected == 60 || found == expected);
        }
        trace_call_set_fini(&set);
    }
}

static void test_file(void **state)
{
    (void)state;
    char path[] = "call-set.XXXXXX";
    char argument[64];
    int fd = mkstemp(path);
    static const char text[] = "1,3\n 5-6\n\n10/frame 11";
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    snprintf(argument, sizeof argument, "@%s,8", path);
    expect_calls(argument, "1 3 5 6 8 11");
    assert_int_equal(ftruncate(fd, 0), 0);
    snprintf(argument, sizeof argument, "2 @%s", path);
    assert_int_equal(pwrite(fd, argument, strlen(argument), 0), strlen(argument));
    expect_error(argument, "nested too deep"); /* the file includes itself */
    close(fd);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_union),   cmocka_unit_test(test_next),
        cmocka_unit_test(test_part),    cmocka_unit_test(test_next_exhaustively),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
