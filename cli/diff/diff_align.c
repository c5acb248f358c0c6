/* SPDX-License-Identifier: MIT
 * Three methods, from cheap to thorough:
 *  1. Walking: equal elements are passed; at a difference the nearest place is sought from which many
 * elements are equal again (E. W. Myers' greedy search, forward only). For sequences that differ here and
 * there.
 *  2. Anchors, when walking finds no such place: elements without counterpart are left out, and those that
 *     occur once in each sequence, in the same order in both, are matched (B. Cohen's "patience").
 *  3. Between anchors, Myers' search in linear space, from both ends, cut off at a cost.
 */
#include "diff/diff_align.h"

#include "base/array.h"
#include "base/error.h"
#include "diff/diff_anchors.h"

#include <stdbool.h>
#include <stdlib.h>

#define ANCHOR_DEPTH  4  /* how often: between anchors, elements that are unique there become anchors */
#define ANCHOR_SIZE   64 /* only if at least this many elements remain */
#define SYNC_RUN      32 /* number of equal elements that end a difference; SYNC_FACTOR more for each edit */
#define SYNC_FACTOR   4
#define PROGRESS_STEP ((size_t)1 << 16) /* in elements */

/* Values for "no position" on a diagonal: below and above all positions, and far enough from overflow. */
#define NO_PLACE_AHEAD  (PTRDIFF_MIN / 4)
#define NO_PLACE_BEHIND (PTRDIFF_MAX / 4)

const struct diff_effort diff_default_effort = {
    .exact_size = 1 << 14,
    .min_cost = 128,
    .max_cost = 4096,
    .steps = (size_t)1 << 29,
};

/* --- scripts --------------------------------------------------------------------------------------- */

void diff_script_fini(struct diff_script *s)
{
    free(s->hunks);
    *s = (struct diff_script){NULL, 0, 0};
}

int diff_script_add(struct diff_script *s, const struct diff_hunk *hunk)
{
    struct diff_hunk *last = s->count > 0 ? &s->hunks[s->count - 1] : NULL;
    if (last != NULL && last->a + last->a_count == hunk->a && last->b + last->b_count == hunk->b) {
        last->a_count += hunk->a_count;
        last->b_count += hunk->b_count;
        return 0;
    }
    if (ARRAY_RESERVE(s->hunks, s->count, s->cap) != 0)
        return TRACE_ERR_MEMORY;
    s->hunks[s->count++] = *hunk;
    return 0;
}

/* --- state ----------------------------------------------------------------------------------------- */

/* A part of both sequences. */
struct box {
    size_t a, a_end;
    size_t b, b_end;
};

struct aligner {
    const uint64_t *a;
    const uint64_t *b;
    const size_t *a_places; /* indices of the elements in the original sequences; NULL: the same */
    const size_t *b_places;
    const struct diff_effort *effort;
    size_t cost;       /* number of edits that a search looks ahead */
    ptrdiff_t *ahead;  /* by diagonal, cost + 1 on each side of the middle: the farthest position in a */
    ptrdiff_t *behind; /* the same from the end */
    size_t a_next;     /* original elements before this are matched or in the script */
    size_t b_next;
    struct diff_script *out;
    struct trace_progress_callback progress;
    size_t total;     /* total number of elements, for the progress */
    size_t report_at; /* number of elements at which progress is reported next */
};

/* Determines the cost limit from the effort, and allocates both arrays at once. */
static int prepare_searches(struct aligner *s, size_t elements)
{
    const struct diff_effort *e = s->effort;
    s->cost = e->steps / (elements + 1);
    if (s->cost > e->max_cost)
        s->cost = e->max_cost;
    if (s->cost < e->min_cost)
        s->cost = e->min_cost;
    size_t width = 2 * (s->cost + 1) + 1;
    ptrdiff_t *both = malloc(2 * width * sizeof *both);
    if (both == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    s->ahead = both + s->cost + 1;
    s->behind = s->ahead + width;
    return 0;
}

static void finish_searches(struct aligner *s)
{
    free(s->ahead - s->cost - 1);
}

static void report_progress(struct aligner *s)
{
    size_t done = s->a_next + s->b_next;
    s->report_at = s->progress.report != NULL ? done + PROGRESS_STEP : SIZE_MAX;
    if (s->progress.report != NULL)
        s->progress.report(s->progress.context, done, s->total);
}

/* Notes that the original elements at a and b correspond. They come after those that are already matched. */
static int match_one(struct aligner *s, size_t a, size_t b, size_t count)
{
    int rc = 0;
    if (a > s->a_next || b > s->b_next) {
        struct diff_hunk hunk = {s->a_next, a - s->a_next, s->b_next, b - s->b_next};
        rc = diff_script_add(s->out, &hunk);
    }
    s->a_next = a + count;
    s->b_next = b + count;
    if (s->a_next + s->b_next >= s->report_at)
        report_progress(s);
    return rc;
}

static int match(struct aligner *s, size_t a, size_t b, size_t count)
{
    int rc = 0;
    if (count == 0)
        return 0;
    if (s->a_places == NULL)
        return match_one(s, a, b, count);
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = match_one(s, s->a_places[a + i], s->b_places[b + i], 1);
    return rc;
}

/* Counts equal elements at the beginning and at the end of the box, and removes them from the box. */
static size_t trim_start(const struct aligner *s, struct box *box)
{
    size_t from = box->a;
    while (box->a < box->a_end && box->b < box->b_end && s->a[box->a] == s->b[box->b]) {
        box->a++;
        box->b++;
    }
    return box->a - from;
}

static size_t trim_end(const struct aligner *s, struct box *box)
{
    size_t from = box->a_end;
    while (box->a < box->a_end && box->b < box->b_end && s->a[box->a_end - 1] == s->b[box->b_end - 1]) {
        box->a_end--;
        box->b_end--;
    }
    return from - box->a_end;
}

static bool is_empty(const struct box *box)
{
    return box->a == box->a_end || box->b == box->b_end;
}

/* --- Myers' search --------------------------------------------------------------------------------- */

/* The end of a path of edits on one diagonal. */
struct point {
    size_t a;
    size_t b;
};

/* The diagonals that a search visits after `edits` edits, without those outside the box. */
struct diagonals {
    ptrdiff_t low;
    ptrdiff_t high;
};

static struct diagonals limit_diagonals(ptrdiff_t edits, ptrdiff_t width, ptrdiff_t height)
{
    struct diagonals d = {-edits, edits};
    if (d.low < -height)
        d.low += (-height - d.low + 1) / 2 * 2; /* every second diagonal is visited */
    if (d.high > width)
        d.high -= (d.high - width + 1) / 2 * 2;
    return d;
}

/* Extends the paths on the neighbours of diagonal k by one edit and then by equal elements. Returns how far
 * that comes in a. *run receives the number of equal elements. k is a - b, both counted from the box's start.
 */
static ptrdiff_t extend_ahead(const struct aligner *s, const struct box *box, ptrdiff_t edits, ptrdiff_t k,
                              ptrdiff_t *run)
{
    ptrdiff_t width = (ptrdiff_t)(box->a_end - box->a);
    ptrdiff_t height = (ptrdiff_t)(box->b_end - box->b);
    ptrdiff_t *v = s->ahead;
    ptrdiff_t x = 0;
    if (edits > 0) {
        ptrdiff_t deleted = v[k - 1] < width ? v[k - 1] + 1 : NO_PLACE_AHEAD;
        ptrdiff_t inserted = v[k + 1] - k <= height ? v[k + 1] : NO_PLACE_AHEAD;
        x = deleted > inserted ? deleted : inserted;
    }
    *run = 0;
    v[k] = x;
    if (x < 0)
        return x;
    const uint64_t *a = s->a + box->a;
    const uint64_t *b = s->b + box->b;
    ptrdiff_t end = width < height + k ? width : height + k;
    while (x < end && a[x] == b[x - k])
        ++x;
    *run = x - v[k];
    v[k] = x;
    return x;
}

/* Does the same from the box's end: k is counted from the end's diagonal. */
static ptrdiff_t extend_behind(const struct aligner *s, const struct box *box, ptrdiff_t edits, ptrdiff_t k)
{
    ptrdiff_t width = (ptrdiff_t)(box->a_end - box->a);
    ptrdiff_t diagonal = width - (ptrdiff_t)(box->b_end - box->b) + k;
    ptrdiff_t *v = s->behind;
    ptrdiff_t x = width;
    if (edits > 0) {
        ptrdiff_t deleted = v[k + 1] > 0 ? v[k + 1] - 1 : NO_PLACE_BEHIND;
        ptrdiff_t inserted = v[k - 1] >= diagonal ? v[k - 1] : NO_PLACE_BEHIND;
        x = deleted < inserted ? deleted : inserted;
    }
    v[k] = x;
    if (x > width)
        return x;
    const uint64_t *a = s->a + box->a;
    const uint64_t *b = s->b + box->b;
    ptrdiff_t start = diagonal > 0 ? diagonal : 0;
    while (x > start && a[x - 1] == b[x - 1 - diagonal])
        --x;
    v[k] = x;
    return x;
}

/* Marks the diagonals next to the outermost ones as unknown, unless there were more the last time. */
static void bound_diagonals(ptrdiff_t *v, struct diagonals d, ptrdiff_t edits, ptrdiff_t nothing)
{
    if (d.low == -edits)
        v[d.low - 1] = nothing;
    if (d.high == edits)
        v[d.high + 1] = nothing;
}

/* Returns the point farthest from the box's start that the search from the start has reached. */
static struct point farthest(const struct aligner *s, const struct box *box, struct diagonals d)
{
    ptrdiff_t best = -1, best_x = 0, best_k = 0;
    for (ptrdiff_t k = d.low; k <= d.high; k += 2)
        if (2 * s->ahead[k] - k > best) {
            best = 2 * s->ahead[k] - k;
            best_x = s->ahead[k];
            best_k = k;
        }
    return (struct point){box->a + (size_t)best_x, box->b + (size_t)(best_x - best_k)};
}

/* Returns a point about in the middle of a shortest path through the box. If a shortest path has more than
 * twice s->cost edits, the point is on a good path instead. The box is trimmed and not empty, so the point is
 * neither of its ends. */
static struct point find_middle(const struct aligner *s, const struct box *box)
{
    ptrdiff_t width = (ptrdiff_t)(box->a_end - box->a);
    ptrdiff_t height = (ptrdiff_t)(box->b_end - box->b);
    ptrdiff_t delta = width - height;
    bool odd = (delta & 1) != 0;
    struct diagonals forward = {0, 0}, backward = {0, 0};
    for (ptrdiff_t edits = 0; edits <= (ptrdiff_t)s->cost; ++edits) {
        struct diagonals last = backward;
        ptrdiff_t run;
        forward = limit_diagonals(edits, width, height);
        bound_diagonals(s->ahead, forward, edits, NO_PLACE_AHEAD);
        for (ptrdiff_t k = forward.low; k <= forward.high; k += 2) {
            ptrdiff_t x = extend_ahead(s, box, edits, k, &run);
            ptrdiff_t other = k - delta;
            if (odd && edits > 0 && other >= last.low && other <= last.high && s->behind[other] <= x)
                return (struct point){box->a + (size_t)x, box->b + (size_t)(x - k)};
        }
        backward = limit_diagonals(edits, height, width);
        bound_diagonals(s->behind, backward, edits, NO_PLACE_BEHIND);
        for (ptrdiff_t k = backward.low; k <= backward.high; k += 2) {
            ptrdiff_t x = extend_behind(s, box, edits, k);
            ptrdiff_t other = k + delta;
            if (!odd && other >= forward.low && other <= forward.high && s->ahead[other] >= x)
                return (struct point){box->a + (size_t)x, box->b + (size_t)(x - other)};
        }
    }
    return farthest(s, box, forward);
}

/* Recursion handles halves of a path of at most twice s->cost edits. The rest of a longer path is handled by
 * the loop, so that the depth is limited. */
static int align_exactly(struct aligner *s, struct box box)
{
    size_t tail = 0;
    for (;;) {
        size_t a = box.a, b = box.b;
        int rc = match(s, a, b, trim_start(s, &box));
        tail += trim_end(s, &box);
        if (rc != 0 || is_empty(&box))
            return rc != 0 ? rc : match(s, box.a_end, box.b_end, tail);
        struct point middle = find_middle(s, &box);
        rc = align_exactly(s, (struct box){box.a, middle.a, box.b, middle.b});
        if (rc != 0)
            return rc;
        box.a = middle.a;
        box.b = middle.b;
    }
}

/* --- anchors --------------------------------------------------------------------------------------- */

static int align_by_anchors(struct aligner *s, struct box box, unsigned depth)
{
    struct diff_anchors anchors = {NULL, 0};
    size_t a = box.a, b = box.b;
    int rc = match(s, a, b, trim_start(s, &box));
    size_t same = trim_end(s, &box);
    struct box rest = box;
    if (rc == 0 && depth < ANCHOR_DEPTH && !is_empty(&box) &&
        box.a_end - box.a + (box.b_end - box.b) >= ANCHOR_SIZE)
        rc = diff_find_anchors(s->a + box.a, box.a_end - box.a, s->b + box.b, box.b_end - box.b, &anchors);
    for (size_t i = 0; i < anchors.count && rc == 0; ++i) {
        struct box gap = {rest.a, box.a + anchors.pairs[i].a, rest.b, box.b + anchors.pairs[i].b};
        if (!is_empty(&gap))
            rc = align_by_anchors(s, gap, depth + 1);
        if (rc == 0)
            rc = match(s, gap.a_end, gap.b_end, 1);
        rest.a = gap.a_end + 1;
        rest.b = gap.b_end + 1;
    }
    if (rc == 0 && !is_empty(&rest))
        rc = anchors.count > 0 ? align_by_anchors(s, rest, depth + 1) : align_exactly(s, rest);
    diff_anchors_fini(&anchors);
    return rc != 0 ? rc : match(s, box.a_end, box.b_end, same);
}

/* Aligns only the elements that occur on both sides. The others cannot correspond to anything, and would make
 * the search longer. */
static int align_common(struct aligner *s, struct box box)
{
    struct diff_common common;
    int rc = diff_find_common(s->a + box.a, box.a_end - box.a, s->b + box.b, box.b_end - box.b, &common);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < common.a.count; ++i)
        common.a.places[i] += box.a;
    for (size_t i = 0; i < common.b.count; ++i)
        common.b.places[i] += box.b;
    struct aligner inner = *s;
    inner.a = common.a.elements;
    inner.b = common.b.elements;
    inner.a_places = common.a.places;
    inner.b_places = common.b.places;
    rc = align_by_anchors(&inner, (struct box){0, common.a.count, 0, common.b.count}, 0);
    s->a_next = inner.a_next;
    s->b_next = inner.b_next;
    s->report_at = inner.report_at;
    diff_common_fini(&common);
    return rc;
}

/* --- walking --------------------------------------------------------------------------------------- */

/* Finds the point nearest to the start of the box, which is trimmed, from which so many elements are equal
 * that the difference must be over. Returns false if there is none within the cost. */
static bool find_sync(const struct aligner *s, const struct box *box, struct point *out)
{
    ptrdiff_t width = (ptrdiff_t)(box->a_end - box->a);
    ptrdiff_t height = (ptrdiff_t)(box->b_end - box->b);
    for (ptrdiff_t edits = 0; edits <= (ptrdiff_t)s->cost; ++edits) {
        struct diagonals d = limit_diagonals(edits, width, height);
        ptrdiff_t best = SYNC_RUN + SYNC_FACTOR * edits, run;
        bool found = false;
        bound_diagonals(s->ahead, d, edits, NO_PLACE_AHEAD);
        for (ptrdiff_t k = d.low; k <= d.high; k += 2) {
            ptrdiff_t x = extend_ahead(s, box, edits, k, &run);
            bool at_end = x == width && x - k == height;
            if (run < best && !at_end)
                continue;
            found = true;
            best = run;
            *out = (struct point){box->a + (size_t)(x - run), box->b + (size_t)(x - run - k)};
            if (at_end)
                return true;
        }
        if (found)
            return true;
    }
    return false;
}

static int walk(struct aligner *s, struct box box)
{
    while (!is_empty(&box)) {
        struct point sync;
        size_t a = box.a, b = box.b;
        int rc = match(s, a, b, trim_start(s, &box));
        if (rc != 0 || is_empty(&box))
            return rc;
        if (box.a_end - box.a + (box.b_end - box.b) <= s->effort->exact_size)
            return align_exactly(s, box);
        if (!find_sync(s, &box, &sync))
            return align_common(s, box);
        rc = align_exactly(s, (struct box){box.a, sync.a, box.b, sync.b});
        if (rc != 0)
            return rc;
        box.a = sync.a;
        box.b = sync.b;
    }
    return 0;
}

int diff_align(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count,
               const struct diff_effort *effort, struct trace_progress_callback w, struct diff_script *out)
{
    struct aligner s = {
        .a = a, .b = b, .effort = effort, .out = out, .progress = w, .total = a_count + b_count};
    struct box box = {0, a_count, 0, b_count};
    report_progress(&s);
    size_t same = trim_start(&s, &box);
    s.a_next = s.b_next = same;
    trim_end(&s, &box);
    int rc = prepare_searches(&s, box.a_end - box.a + (box.b_end - box.b));
    if (rc != 0)
        return rc;
    rc = walk(&s, box);
    if (rc == 0 && (s.a_next < box.a_end || s.b_next < box.b_end)) /* the rest has no counterpart */
        rc = diff_script_add(
            out, &(struct diff_hunk){s.a_next, box.a_end - s.a_next, s.b_next, box.b_end - s.b_next});
    finish_searches(&s);
    return rc;
}
