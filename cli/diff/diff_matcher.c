/* SPDX-License-Identifier: MIT */
#include "diff/diff_matcher.h"

#include "base/array.h"
#include "base/error.h"
#include "base/hash_map.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS ((size_t)1 << 20) /* limit for both sequences together */
/* Limit for the pairs of equal elements that are visited; takes about a second. */
#define MAX_STEPS ((size_t)1 << 28)

#define MANY_FROM  200 /* in sequences of at least this length, */
#define MANY_SHARE 100 /* elements that make up more than a hundredth are avoided */

#define NOWHERE UINT32_MAX

/* A run of elements that both sequences have. */
struct run {
    size_t a, b, count;
};

struct runs {
    struct run *items;
    size_t count, cap;
};

/* A part of both sequences. */
struct part {
    size_t a, a_end, b, b_end;
};

struct parts {
    struct part *items;
    size_t count, cap;
};

struct matcher {
    const uint64_t *a, *b;
    size_t a_count, b_count;
    bool has_junk;
    size_t steps;
    size_t matched; /* number of elements of both that are matched, for the progress */
    struct trace_progress_callback progress;
    uint32_t *groups; /* for each element of a: the group of equal elements of b, or NOWHERE */
    uint32_t *starts; /* start of each group in `places` */
    uint32_t *places; /* indices of b's elements by group, ascending */
    /* For each index in b, plus 1: the element of a, plus 1, for which `lengths` was set last. */
    uint32_t *rows;
    uint32_t *lengths; /* length of the common run that ends there */
};

static bool is_junk(const struct matcher *m, size_t b)
{
    return m->has_junk && (m->b[b] & DIFF_JUNK) != 0;
}

/* --- equal elements -------------------------------------------------------------------------------- */

/* Groups equal elements of b and numbers the groups. Fills of_b with the groups, and counts[group + 1] with
 * their sizes. */
static int number_groups(struct matcher *m, struct int_map *map, uint32_t *of_b, uint32_t *counts,
                         uint32_t *count)
{
    *count = 0;
    for (size_t j = 0; j < m->b_count; ++j) {
        uint64_t group;
        if (!int_map_get(map, m->b[j], &group)) {
            group = (*count)++;
            if (int_map_set(map, m->b[j], group) != 0)
                return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        }
        of_b[j] = (uint32_t)group;
        counts[group + 1]++;
    }
    return 0;
}

/* Empties the groups with which a run cannot begin. The counts become start indices. */
static void place_groups(struct matcher *m, const uint32_t *of_b, uint32_t count)
{
    size_t many = m->b_count >= MANY_FROM ? m->b_count / MANY_SHARE + 1 : SIZE_MAX;
    uint32_t *next = m->rows; /* unused until the search begins */
    for (size_t j = 0; j < m->b_count; ++j)
        if (is_junk(m, j))
            m->starts[of_b[j] + 1] = 0;
    for (uint32_t g = 0; g < count; ++g) {
        uint32_t size = m->starts[g + 1] > many ? 0 : m->starts[g + 1];
        next[g] = size > 0 ? m->starts[g] : NOWHERE;
        m->starts[g + 1] = m->starts[g] + size;
    }
    for (size_t j = 0; j < m->b_count; ++j)
        if (next[of_b[j]] != NOWHERE)
            m->places[next[of_b[j]]++] = (uint32_t)j;
    memset(m->rows, 0, (m->b_count + 1) * sizeof *m->rows);
}

static void look_up_groups(struct matcher *m, const struct int_map *map)
{
    for (size_t i = 0; i < m->a_count; ++i) {
        uint64_t group;
        bool found = int_map_get(map, m->a[i], &group) && m->starts[group] < m->starts[group + 1];
        m->groups[i] = found ? (uint32_t)group : NOWHERE;
    }
}

static int find_groups(struct matcher *m)
{
    struct int_map map = {NULL, 0, 0, 0};
    uint32_t count = 0;
    uint32_t *of_b = malloc((m->b_count + 1) * sizeof *of_b);
    int rc = of_b == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                          : number_groups(m, &map, of_b, m->starts, &count);
    if (rc == 0) {
        place_groups(m, of_b, count);
        look_up_groups(m, &map);
    }
    free(of_b);
    int_map_fini(&map);
    return rc;
}

/* --- the longest run ------------------------------------------------------------------------------- */

/* Returns the index after the last place of a group that is below limit. */
static size_t places_end(const struct matcher *m, uint32_t group, size_t limit)
{
    size_t low = m->starts[group], high = m->starts[group + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->places[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Visits all places of b that are equal to element i, from the last to the first. The lengths of the runs
 * that end just before a place are then still those for the element before i. */
static void see_element(struct matcher *m, size_t i, const struct part *p, struct run *best)
{
    struct run here = {0, 0, 0};
    if (m->groups[i] == NOWHERE)
        return;
    uint32_t row = (uint32_t)i + 1;
    size_t start = m->starts[m->groups[i]];
    for (size_t n = places_end(m, m->groups[i], p->b_end); n-- > start && m->places[n] >= p->b;) {
        size_t j = m->places[n];
        bool goes_on = i > p->a && j > p->b && m->rows[j] == row - 1;
        uint32_t length = goes_on ? m->lengths[j] + 1 : 1;
        m->rows[j + 1] = row;
        m->lengths[j + 1] = length;
        if (length >= here.count) /* of runs with equal length, the first one in b */
            here = (struct run){i + 1 - length, j + 1 - length, length};
        m->steps++;
    }
    if (here.count > best->count)
        *best = here;
}

/* Extends the run by equal elements around it. */
static void extend(const struct matcher *m, const struct part *p, bool junk, struct run *r)
{
    while (r->a > p->a && r->b > p->b && is_junk(m, r->b - 1) == junk && m->a[r->a - 1] == m->b[r->b - 1]) {
        r->a--;
        r->b--;
        r->count++;
    }
    while (r->a + r->count < p->a_end && r->b + r->count < p->b_end && is_junk(m, r->b + r->count) == junk &&
           m->a[r->a + r->count] == m->b[r->b + r->count])
        r->count++;
}

static struct run find_longest(struct matcher *m, const struct part *p)
{
    struct run best = {p->a, p->b, 0};
    for (size_t i = p->a; i < p->a_end && m->steps <= MAX_STEPS; ++i)
        see_element(m, i, p, &best);
    m->steps += p->a_end - p->a;
    /* What an earlier search has left in rows must not look like the previous row. */
    for (size_t j = p->b; j < p->b_end; ++j)
        m->rows[j + 1] = 0;
    m->steps += p->b_end - p->b;
    extend(m, p, false, &best);
    extend(m, p, true, &best);
    return best;
}

/* --- all runs -------------------------------------------------------------------------------------- */

static int add_part(struct parts *list, struct part p)
{
    if (p.a == p.a_end || p.b == p.b_end)
        return 0;
    if (ARRAY_RESERVE(list->items, list->count, list->cap) != 0)
        return TRACE_ERR_MEMORY;
    list->items[list->count++] = p;
    return 0;
}

static int add_run(struct runs *list, struct run r)
{
    if (ARRAY_RESERVE(list->items, list->count, list->cap) != 0)
        return TRACE_ERR_MEMORY;
    list->items[list->count++] = r;
    return 0;
}

static void report_progress(const struct matcher *m)
{
    if (m->progress.report != NULL)
        m->progress.report(m->progress.context, m->matched, m->a_count + m->b_count);
}

/* Finds the runs in any order. */
static int find_runs(struct matcher *m, struct runs *out)
{
    struct parts todo = {NULL, 0, 0};
    int rc = add_part(&todo, (struct part){0, m->a_count, 0, m->b_count});
    while (rc == 0 && todo.count > 0 && m->steps <= MAX_STEPS) {
        struct part p = todo.items[--todo.count];
        struct run r = find_longest(m, &p);
        if (r.count == 0)
            continue;
        m->matched += 2 * r.count;
        report_progress(m);
        rc = add_run(out, r);
        if (rc == 0)
            rc = add_part(&todo, (struct part){r.a + r.count, p.a_end, r.b + r.count, p.b_end});
        if (rc == 0)
            rc = add_part(&todo, (struct part){p.a, r.a, p.b, r.b});
    }
    free(todo.items);
    return rc;
}

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a;
    const struct run *y = b;
    return (x->a > y->a) - (x->a < y->a);
}

/* Adds the hunks between the runs. */
static int add_hunks(const struct matcher *m, struct runs *runs, struct diff_script *out)
{
    size_t a = 0, b = 0;
    int rc = add_run(runs, (struct run){m->a_count, m->b_count, 0});
    if (rc != 0)
        return rc;
    qsort(runs->items, runs->count - 1, sizeof *runs->items, compare_runs);
    for (size_t n = 0; n < runs->count && rc == 0; ++n) {
        const struct run *r = &runs->items[n];
        struct diff_hunk h = {a, r->a - a, b, r->b - b};
        if (h.a_count > 0 || h.b_count > 0)
            rc = diff_script_add(out, &h);
        a = r->a + r->count;
        b = r->b + r->count;
    }
    return rc;
}

/* --- both sequences -------------------------------------------------------------------------------- */

/* Returns the number of steps of the first search. */
static size_t first_steps(const struct matcher *m)
{
    size_t sum = 0;
    for (size_t i = 0; i < m->a_count; ++i)
        if (m->groups[i] != NOWHERE)
            sum += m->starts[m->groups[i] + 1] - m->starts[m->groups[i]];
    return sum;
}

static int match(struct matcher *m, struct diff_script *out, bool *given_up)
{
    struct runs runs = {NULL, 0, 0};
    int rc = find_groups(m);
    *given_up = rc == 0 && first_steps(m) > MAX_STEPS;
    if (!*given_up)
        report_progress(m);
    if (rc == 0 && !*given_up)
        rc = find_runs(m, &runs);
    *given_up |= m->steps > MAX_STEPS;
    if (rc == 0 && !*given_up)
        rc = add_hunks(m, &runs, out);
    free(runs.items);
    return rc;
}

int diff_match(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, bool has_junk,
               struct trace_progress_callback w, struct diff_script *out, bool *given_up)
{
    struct matcher m = {
        .a = a, .b = b, .a_count = a_count, .b_count = b_count, .has_junk = has_junk, .progress = w};
    *given_up = a_count + b_count > MAX_ELEMENTS;
    if (*given_up)
        return 0;
    m.groups = malloc((a_count + 1) * sizeof *m.groups);
    m.starts = calloc(b_count + 2, sizeof *m.starts);
    m.places = malloc((b_count + 1) * sizeof *m.places);
    m.rows = calloc(b_count + 1, sizeof *m.rows);
    m.lengths = malloc((b_count + 1) * sizeof *m.lengths);
    bool is_complete = m.groups && m.starts && m.places && m.rows && m.lengths;
    int rc = is_complete ? match(&m, out, given_up) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    free(m.groups);
    free(m.starts);
    free(m.places);
    free(m.rows);
    free(m.lengths);
    return rc;
}
