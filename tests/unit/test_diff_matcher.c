/* SPDX-License-Identifier: MIT
 * Compares alignments with those of Python's difflib. The expectations were made with Python 3.11.
 */
#include "diff/diff_matcher.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Converts letters to elements; a dot is junk. */
static size_t elements(const char *text, uint64_t *out)
{
    size_t count = strlen(text);
    for (size_t i = 0; i < count; ++i)
        out[i] = text[i] == '.' ? DIFF_JUNK : (uint64_t)text[i] << 1;
    return count;
}

/* The last report of progress. */
static struct {
    unsigned times;
    uint64_t done, total;
} seen;

static void see(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    assert_true(seen.times == 0 ? done == 0 : done > seen.done);
    seen.times++;
    seen.done = done;
    seen.total = total;
}

/* Expects hunks such as "0+0:0+2 1+1:3+0": position and length in a, then in b. All matched elements are
 * reported as done. */
static void match(const char *a, const char *b, const char *expected)
{
    uint64_t x[64], y[64];
    char found[256] = "";
    struct diff_script s = {NULL, 0, 0};
    bool given_up;
    size_t a_count = elements(a, x), b_count = elements(b, y);
    uint64_t matched = a_count + b_count;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(
        diff_match(x, a_count, y, b_count, true, (struct trace_progress_callback){see, NULL}, &s, &given_up),
        0);
    assert_false(given_up);
    for (size_t n = 0; n < s.count; ++n) {
        const struct diff_hunk *h = &s.hunks[n];
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%zu+%zu:%zu+%zu", n > 0 ? " " : "", h->a, h->a_count,
                 h->b, h->b_count);
        matched -= h->a_count + h->b_count;
    }
    assert_int_equal(seen.done, matched);
    assert_int_equal(seen.total, a_count + b_count);
    diff_script_fini(&s);
    assert_string_equal(found, expected);
}

static void the_longest_run_comes_first(void **state)
{
    (void)state;
    match("", "", "");
    match("abc", "abc", "");
    match("qabxcd", "abycdf", "0+1:0+0 3+1:2+1 6+0:5+1");
    match("ab", "acab", "0+0:0+2"); /* not the first 'a' */
    match("abcdeab", "abxcdeab", "2+0:2+1");
    match("xaby", "abxy", "0+1:0+0 3+0:2+1"); /* of equally long runs, one with 'x' is earlier in a */
    match("abab", "ab", "2+2:2+0");
    match("aa", "aaaa", "2+0:2+2");
}

static void a_run_does_not_begin_with_junk(void **state)
{
    (void)state;
    match(".abcd", "abcd.abcd", "0+1:0+0 5+0:4+5");
    match("a..b", "c..d", "0+4:0+4");
    match("a.b.c", "a.c.b", "2+0:2+2 3+2:5+0");
}

/* In a sequence of at least 200 elements, an element that makes up more than one percent does not start a run
 * either. */
static void what_there_is_much_of_is_avoided(void **state)
{
    uint64_t a[4] = {2, 2, 2, 1000}, b[200];
    bool given_up;
    (void)state;
    for (int i = 0; i < 200; ++i)
        b[i] = i < 4 ? 2 : (uint64_t)(i + 800) << 1;
    b[150] = 1000;
    b[149] = 2; /* extends the run that starts with the rare element */
    for (size_t count = 199; count <= 200; ++count) {
        struct diff_script s = {NULL, 0, 0};
        assert_int_equal(
            diff_match(a, 4, b, count, true, (struct trace_progress_callback){NULL, NULL}, &s, &given_up), 0);
        assert_int_equal(s.hunks[0].a, count == 200 ? 2 : 3);
        assert_int_equal(s.hunks[0].b, count == 200 ? 2 : 3);
        diff_script_fini(&s);
    }
}

static void too_much_work_is_given_up(void **state)
{
    size_t count = 500000;
    uint64_t *a = malloc((count + 100000) * sizeof *a);
    struct diff_script s = {NULL, 0, 0};
    bool given_up = false;
    (void)state;
    assert_non_null(a);
    for (size_t i = 0; i < count + 100000; ++i)
        a[i] = i % 101 << 1;
    assert_int_equal(
        diff_match(a, count, a, count, true, (struct trace_progress_callback){NULL, NULL}, &s, &given_up), 0);
    assert_true(given_up);
    given_up = false;
    assert_int_equal(diff_match(a, count + 100000, a, count, true,
                                (struct trace_progress_callback){NULL, NULL}, &s, &given_up),
                     0);
    assert_true(given_up);
    assert_int_equal(s.count, 0);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_run_comes_first),
        cmocka_unit_test(a_run_does_not_begin_with_junk),
        cmocka_unit_test(what_there_is_much_of_is_avoided),
        cmocka_unit_test(too_much_work_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
