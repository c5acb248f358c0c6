/* SPDX-License-Identifier: MIT */
#include "leaks/leak_report.h"

#include "base/error.h"
#include "runtime/spec.h"
#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

/* The subject of a section: the objects shared in a share group, one context's own objects, the objects of a
 * display, or those of calls without a context. */
static uint64_t section_owner(const struct leak_object *o)
{
    bool has_owner = spec_object_kinds[o->kind].scope == SPEC_SCOPE_CONTEXT || o->group == 0;
    return has_owner ? o->owner : 0;
}

#define COMPARE(x, y)                                                                                        \
    if ((x) != (y))                                                                                          \
    return (x) < (y) ? -1 : 1

/* Groups are sorted by number. Objects without a group come last. */
static int compare_sections(const struct leak_finding *a, const struct leak_finding *b)
{
    bool a_is_context = a->object.group == 0 && spec_object_kinds[a->object.kind].scope != SPEC_SCOPE_DISPLAY;
    bool b_is_context = b->object.group == 0 && spec_object_kinds[b->object.kind].scope != SPEC_SCOPE_DISPLAY;
    COMPARE(a->until != LEAK_AT_END, b->until != LEAK_AT_END);
    COMPARE(a->object.group - 1, b->object.group - 1); /* 0 becomes the highest number */
    COMPARE(a_is_context, b_is_context);
    COMPARE(section_owner(&a->object), section_owner(&b->object));
    return 0;
}

static int compare_creators(const struct leak_finding *a, const struct leak_finding *b)
{
    COMPARE(a->object.function, b->object.function);
    COMPARE(a->object.backtrace, b->object.backtrace);
    return 0;
}

static int compare_findings(const void *x, const void *y)
{
    const struct leak_finding *a = *(const struct leak_finding *const *)x;
    const struct leak_finding *b = *(const struct leak_finding *const *)y;
    int order = compare_sections(a, b);
    if (order != 0)
        return order;
    COMPARE(a->object.kind, b->object.kind);
    order = compare_creators(a, b);
    if (order != 0)
        return order;
    COMPARE(a->object.call, b->object.call);
    COMPARE(a->object.name, b->object.name);
    return 0;
}

bool leak_report_same_section(const struct leak_finding *a, const struct leak_finding *b)
{
    return compare_sections(a, b) == 0;
}

bool leak_report_same_creator(const struct leak_finding *a, const struct leak_finding *b)
{
    return compare_creators(a, b) == 0 && a->object.kind == b->object.kind;
}

/* --- creators -------------------------------------------------------------------------------------- */

struct run {
    const struct leak_finding **items;
    size_t count;
};

/* Creators of most objects come first, then the earliest. */
static int compare_runs(const void *x, const void *y)
{
    const struct run *a = x, *b = y;
    COMPARE(b->count, a->count);
    COMPARE(a->items[0]->object.call, b->items[0]->object.call);
    COMPARE(a->items[0]->object.name, b->items[0]->object.name);
    return 0;
}

static bool same_kind(const struct leak_finding *a, const struct leak_finding *b)
{
    return compare_sections(a, b) == 0 && a->object.kind == b->object.kind;
}

/* Sorts items of one kind and section by creator, from `items` to `out`. */
static void order_creators(struct run *runs, const struct leak_finding **items, size_t count,
                           const struct leak_finding **out)
{
    size_t run_count = 0;
    for (size_t i = 0; i < count; ++i)
        if (i > 0 && leak_report_same_creator(items[i - 1], items[i]))
            runs[run_count - 1].count++;
        else
            runs[run_count++] = (struct run){items + i, 1};
    qsort(runs, run_count, sizeof *runs, compare_runs);
    for (size_t i = 0; i < run_count; out += runs[i++].count)
        memcpy(out, runs[i].items, runs[i].count * sizeof *out);
}

static int order_all_creators(struct leak_report *r)
{
    struct run *runs = malloc((r->count + 1) * sizeof *runs);
    const struct leak_finding **out = malloc((r->count + 1) * sizeof *out);
    if (runs == NULL || out == NULL) {
        free(runs);
        free(out);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0, n; i < r->count; i += n) {
        for (n = 1; i + n < r->count && same_kind(r->items[i], r->items[i + n]);)
            ++n;
        order_creators(runs, r->items + i, n, out + i);
    }
    free(runs);
    free(r->items);
    r->items = out;
    return 0;
}

/* --- the report ------------------------------------------------------------------------------------ */

static bool is_wanted(const struct leak_report *r, const struct leak_finding *f)
{
    if (r->alive && f->until != LEAK_AT_END)
        return false;
    if (r->kinds != NULL && !r->kinds[f->object.kind])
        return false;
    return r->calls == NULL || trace_call_set_contains(r->calls, f->object.call, 0);
}

int leak_report_init(struct leak_report *r)
{
    const struct leak_findings *all = &r->tracker->contexts.findings;
    r->count = r->alive_count = 0;
    r->items = malloc((all->count + 1) * sizeof *r->items);
    if (r->items == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < all->count; ++i)
        if (is_wanted(r, &all->items[i])) {
            r->items[r->count++] = &all->items[i];
            r->alive_count += all->items[i].until == LEAK_AT_END;
        }
    qsort(r->items, r->count, sizeof *r->items, compare_findings);
    return order_all_creators(r);
}

void leak_report_fini(struct leak_report *r)
{
    free(r->items);
    r->items = NULL;
}
