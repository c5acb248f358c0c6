/* SPDX-License-Identifier: MIT
 * Tests alignments of sequences: always valid, shortest where that is guaranteed, and fast for long
 * sequences.
 */
#include "diff/diff_align.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SMALL 48

static uint64_t random_state = 1;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Checks that hunks are in ascending order with equal elements between them, and that everything outside of
 * them is equal. Returns the number of edits. */
static size_t check_script(const struct diff_script *s, const uint64_t *a, size_t a_count, const uint64_t *b,
                           size_t b_count)
{
    size_t i = 0, j = 0, edits = 0;
    for (size_t n = 0; n <= s->count; ++n) {
        struct diff_hunk end = {a_count, 0, b_count, 0};
        struct diff_hunk h = n < s->count ? s->hunks[n] : end;
        assert_true(h.a >= i && h.b >= j && h.a - i == h.b - j);
        assert_true(n == 0 || n == s->count || h.a > i);
        assert_true(n == s->count || h.a_count + h.b_count > 0);
        assert_true(h.a_count <= a_count - h.a && h.b_count <= b_count - h.b);
        for (; i < h.a; ++i, ++j)
            assert_true(a[i] == b[j]);
        i += h.a_count;
        j += h.b_count;
        edits += h.a_count + h.b_count;
    }
    return edits;
}

/* The last report of progress. */
static struct {
    unsigned times;
    uint64_t done;
    uint64_t total;
} seen;

static void see(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    assert_true(done >= seen.done && done <= total);
    seen.times++;
    seen.done = done;
    seen.total = total;
}

static struct trace_progress_callback watch(void)
{
    memset(&seen, 0, sizeof seen);
    return (struct trace_progress_callback){see, NULL};
}

static size_t align(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
                    const struct diff_effort *effort)
{
    struct diff_script script = {NULL, 0, 0};
    assert_int_equal(diff_align(a, a_count, b, b_count, effort, watch(), &script), 0);
    assert_int_equal(seen.total, a_count + b_count);
    assert_true(seen.times <= 2 + (a_count + b_count) / 65536); /* not once for each element */
    size_t edits = check_script(&script, a, a_count, b, b_count);
    diff_script_fini(&script);
    return edits;
}

/* Follows the definition of the longest common subsequence. */
static size_t naive_edits(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
    static size_t longest[SMALL + 1][SMALL + 1];
    memset(longest, 0, sizeof longest);
    for (size_t i = 1; i <= a_count; ++i)
        for (size_t j = 1; j <= b_count; ++j) {
            size_t up = longest[i - 1][j], left = longest[i][j - 1];
            longest[i][j] = a[i - 1] == b[j - 1] ? longest[i - 1][j - 1] + 1 : up > left ? up : left;
        }
    return a_count + b_count - 2 * longest[a_count][b_count];
}

static void fill_random(uint64_t *out, size_t count, uint64_t kinds)
{
    for (size_t i = 0; i < count; ++i)
        out[i] = next_random() % kinds;
}

/* Parameters that make each method work on short sequences. */
static const struct diff_effort walking = {.exact_size = 0, .min_cost = 2, .max_cost = 8, .steps = 1 << 20};
static const struct diff_effort hasty = {.exact_size = 0, .min_cost = 1, .max_cost = 1, .steps = 0};
static const struct diff_effort cut_off = {
    .exact_size = SIZE_MAX, .min_cost = 1, .max_cost = 3, .steps = 100};

static void small_sequences_get_a_shortest_script(void **state)
{
    uint64_t a[SMALL], b[SMALL];
    (void)state;
    for (unsigned round = 0; round < 20000; ++round) {
        size_t a_count = next_random() % (SMALL + 1), b_count = next_random() % (SMALL + 1);
        uint64_t kinds = 1 + next_random() % 12;
        fill_random(a, a_count, kinds);
        fill_random(b, b_count, kinds);
        size_t least = naive_edits(a, a_count, b, b_count);
        assert_int_equal(align(a, a_count, b, b_count, &diff_default_effort), least);
        assert_true(align(a, a_count, b, b_count, &walking) >= least);
        assert_true(align(a, a_count, b, b_count, &hasty) >= least);
        assert_true(align(a, a_count, b, b_count, &cut_off) >= least);
    }
}

/* Makes b from a by `places` changes, each of which replaces, removes or inserts an element. Returns the
 * length of b, which is at most a_count + places. */
static size_t change(const uint64_t *a, size_t a_count, uint64_t *b, size_t places)
{
    size_t step = a_count / places, n = 0;
    for (size_t i = 0; i < a_count; ++i) {
        uint64_t fresh = next_random() | UINT64_C(1) << 63;
        unsigned how = i % step == step / 2 ? (unsigned)(next_random() % 3) : 3;
        if (how == 0)
            b[n++] = fresh;
        if (how == 2)
            b[n++] = fresh;
        if (how >= 2)
            b[n++] = a[i];
    }
    return n;
}

struct sequences {
    uint64_t *a, *b;
    size_t a_count, b_count;
};

#define LONG   400000
#define PLACES 200

static struct sequences new_sequences(uint64_t kinds, size_t period)
{
    struct sequences s = {malloc(LONG * sizeof *s.a), malloc((LONG + PLACES) * sizeof *s.b), LONG, 0};
    assert_non_null(s.a);
    assert_non_null(s.b);
    fill_random(s.a, period, kinds);
    for (size_t i = period; i < LONG; ++i)
        s.a[i] = s.a[i - period];
    s.b_count = change(s.a, LONG, s.b, PLACES);
    return s;
}

static void free_sequences(struct sequences *s)
{
    free(s->a);
    free(s->b);
}

static void scattered_changes_are_found_as_they_are(void **state)
{
    static const struct {
        uint64_t kinds;
        size_t period;
    } cases[] = {{UINT64_MAX >> 1, LONG}, {1000, LONG}, {3, LONG}, {50, 20}, {1, 1}, {1000, 7000}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct sequences s = new_sequences(cases[i].kinds, cases[i].period);
        assert_true(align(s.a, s.a_count, s.b, s.b_count, &diff_default_effort) <= 2 * PLACES);
        assert_true(seen.times >= 2 && seen.done > LONG);
        free_sequences(&s);
    }
}

/* A block that only one sequence has: its length does not matter if the elements around it are
 * unambiguous. */
static void a_long_block_is_one_hunk(void **state)
{
    struct sequences s = new_sequences(UINT64_MAX >> 1, LONG);
    struct diff_script script = {NULL, 0, 0};
    size_t block = LONG / 4, at = LONG / 3;
    uint64_t *b = malloc((LONG + block) * sizeof *b);
    (void)state;
    assert_non_null(b);
    memcpy(b, s.a, at * sizeof *b);
    for (size_t i = 0; i < block; ++i)
        b[at + i] = s.a[i % 1000]; /* elements that also occur elsewhere */
    memcpy(b + at + block, s.a + at, (LONG - at) * sizeof *b);
    assert_int_equal(diff_align(s.a, LONG, b, LONG + block, &diff_default_effort, watch(), &script), 0);
    assert_int_equal(check_script(&script, s.a, LONG, b, LONG + block), block);
    assert_int_equal(script.count, 1);
    diff_script_fini(&script);
    free(b);
    free_sequences(&s);
}

/* Two blocks change places: only one of them is removed and inserted. */
static void a_moved_block_costs_twice_its_length(void **state)
{
    struct sequences s = new_sequences(UINT64_MAX >> 1, LONG);
    size_t block = 5000;
    (void)state;
    memcpy(s.b, s.a, LONG * sizeof *s.b);
    memcpy(s.b + 1000, s.a + 1000 + block, (LONG / 2 - block) * sizeof *s.b);
    memcpy(s.b + 1000 + LONG / 2 - block, s.a + 1000, block * sizeof *s.b);
    assert_int_equal(align(s.a, LONG, s.b, LONG, &diff_default_effort), 2 * block);
    free_sequences(&s);
}

static void nothing_in_common_is_one_hunk(void **state)
{
    struct sequences s = new_sequences(UINT64_MAX >> 1, LONG);
    (void)state;
    fill_random(s.b, LONG, UINT64_MAX);
    for (size_t i = 0; i < LONG; ++i)
        s.b[i] |= UINT64_C(1) << 63;
    assert_int_equal(align(s.a, LONG, s.b, LONG, &diff_default_effort), 2 * LONG);
    assert_int_equal(align(s.a, LONG, s.b, 0, &diff_default_effort), LONG);
    assert_int_equal(align(NULL, 0, s.b, LONG, &diff_default_effort), LONG);
    assert_int_equal(align(NULL, 0, NULL, 0, &diff_default_effort), 0);
    free_sequences(&s);
}

/* Random sequences of few different elements are the worst case for any search. Ten times the length must not
 * take a hundred times as long. Two thirds of such sequences can be matched, and at least half of them must
 * be. */
static void time_stays_near_linear(void **state)
{
    double seconds[2];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        size_t count = i == 0 ? LONG / 10 : LONG;
        struct sequences s = new_sequences(4, LONG);
        struct timespec from, to;
        fill_random(s.b, count, 4);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        size_t edits = align(s.a, count, s.b, count, &diff_default_effort);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        assert_true(edits < count);
        seconds[i] = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
        free_sequences(&s);
    }
    assert_true(seconds[1] < 40 * seconds[0] + 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sequences_get_a_shortest_script),
        cmocka_unit_test(scattered_changes_are_found_as_they_are),
        cmocka_unit_test(a_long_block_is_one_hunk),
        cmocka_unit_test(a_moved_block_costs_twice_its_length),
        cmocka_unit_test(nothing_in_common_is_one_hunk),
        cmocka_unit_test(time_stays_near_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
