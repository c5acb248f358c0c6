/* SPDX-License-Identifier: MIT */
#include "leaks/leak_report.h"

#include "base/error.h"
#include "shell/json_print.h"
#include "runtime/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CONTEXTS 8  /* highest number of contexts in a title */
#define MAX_CREATORS 10 /* highest number of creators in the summary */

/* --- objects --------------------------------------------------------------------------------------- */

static void print_name(const struct leak_report *r, const struct leak_object *o)
{
    if (r->tracker->kinds[o->kind].is_address)
        printf("0x%" PRIx64, o->name);
    else
        printf("%" PRIu64, o->name);
}

/* Prints an object as apitrace does. */
static void print_object(const struct leak_report *r, const struct leak_finding *f)
{
    uint64_t until = f->until != LEAK_AT_END ? f->until : r->until;
    printf("%" PRIu64 ": error: %s ", f->object.call, spec_string(spec_object_kinds[f->object.kind].name));
    print_name(r, &f->object);
    if (until != LEAK_AT_END)
        printf(" was not destroyed until %" PRIu64 "\n", until);
    else
        puts(" was not destroyed until <EOF>");
}

static void print_label(const char *label)
{
    fputs("    labelled ", stdout);
    json_print_string(label);
    putchar('\n');
}

static void print_lines(const char *lines, const char *indentation)
{
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1)
        printf("%s%.*s\n", indentation, (int)(end - lines), lines);
}

static void print_creator(const struct leak_report *r, const struct leak_finding *f, size_t count)
{
    printf("    %zu created by %s%s\n", count, spec_string(spec_functions[f->object.function].name),
           f->object.backtrace != 0 ? " at" : "");
    if (f->object.backtrace != 0)
        print_lines(r->tracker->creators.backtraces[f->object.backtrace], "        ");
}

/* Prints the contexts in which the section's objects were created. */
static void print_contexts(struct leak_finding const *const *items, size_t count)
{
    uint64_t seen[MAX_CONTEXTS];
    size_t n = 0;
    bool more = false;
    for (size_t i = 0; i < count && !more; ++i) {
        const struct leak_object *o = &items[i]->object;
        uint64_t context = spec_object_kinds[o->kind].scope == SPEC_SCOPE_DISPLAY ? o->name : o->owner;
        size_t k = 0;
        while (k < n && seen[k] != context)
            ++k;
        if (k < n)
            continue;
        more = n == MAX_CONTEXTS;
        if (more)
            continue;
        seen[n++] = context;
        printf("%s0x%" PRIx64, n == 1 ? " (context " : ", ", context);
    }
    fputs(more ? ", …):\n" : "):\n", stdout);
}

static void print_title(struct leak_finding const *const *items, size_t count)
{
    const struct leak_object *o = &items[0]->object;
    enum spec_scope scope = (enum spec_scope)spec_object_kinds[o->kind].scope;
    if (o->group == 0 && scope == SPEC_SCOPE_DISPLAY)
        printf("Display 0x%" PRIx64 ":\n", o->owner);
    else if (o->group == 0)
        puts("Without a context:");
    else if (scope == SPEC_SCOPE_CONTEXT)
        printf("Context 0x%" PRIx64 " in share group %" PRIu32 ":\n", o->owner, o->group);
    else {
        printf("Share group %" PRIu32, o->group);
        print_contexts(items, count);
    }
}

static size_t count_while(struct leak_finding const *const *items, size_t count,
                          bool (*same)(const struct leak_finding *, const struct leak_finding *))
{
    size_t n = 1;
    while (n < count && same(items[0], items[n]))
        ++n;
    return n;
}

static void print_section(const struct leak_report *r, struct leak_finding const *const *items, size_t count)
{
    print_title(items, count);
    for (size_t n; count > 0; items += n, count -= n) {
        n = count_while(items, count, leak_report_same_creator);
        for (size_t i = 0; i < n; ++i) {
            const struct leak_object *o = &items[i]->object;
            print_object(r, items[i]);
            if (o->label != NULL)
                print_label(o->label->text);
            if (o->text != NULL && (i + 1 == n || items[i + 1]->object.call != o->call))
                printf("    %s\n", o->text->text);
        }
        print_creator(r, items[0], n);
    }
    putchar('\n');
}

static void print_sections(const struct leak_report *r, size_t first, size_t end)
{
    for (size_t n; first < end; first += n) {
        n = count_while(r->items + first, end - first, leak_report_same_section);
        print_section(r, r->items + first, n);
    }
}

/* --- sums ------------------------------------------------------------------------------------------ */

/* "2 objects WHAT: 1 texture, 1 buffer" */
static int print_sum(const struct leak_report *r, const char *what, size_t first, size_t end)
{
    size_t *counts = calloc(spec_object_count, sizeof *counts);
    const char *before = ": ";
    if (counts == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = first; i < end; ++i)
        counts[r->items[i]->object.kind]++;
    printf("%zu object%s %s", end - first, end - first == 1 ? "" : "s", what);
    for (unsigned kind = 0; kind < spec_object_count; ++kind)
        if (counts[kind] > 0) {
            printf("%s%zu %s", before, counts[kind], spec_string(spec_object_kinds[kind].name));
            before = ", ";
        }
    putchar('\n');
    free(counts);
    return 0;
}

struct creator {
    const struct leak_finding *finding; /* one of its findings */
    size_t count;
};

static int by_creator(const void *x, const void *y)
{
    const struct leak_object *a = &(*(const struct leak_finding *const *)x)->object;
    const struct leak_object *b = &(*(const struct leak_finding *const *)y)->object;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->backtrace != b->backtrace)
        return a->backtrace < b->backtrace ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static int by_count(const void *x, const void *y)
{
    const struct creator *a = x, *b = y;
    return a->count != b->count ? (a->count < b->count ? 1 : -1) : by_creator(&a->finding, &b->finding);
}

/* Ignores the groups that objects belong to. */
static int print_top_creators(const struct leak_report *r)
{
    struct creator *creators = malloc((r->count + 1) * sizeof *creators);
    const struct leak_finding **items = malloc((r->count + 1) * sizeof *items);
    size_t count = 0;
    for (size_t i = 0; creators != NULL && items != NULL && i < r->count; ++i)
        items[i] = r->items[i];
    if (creators != NULL && items != NULL && r->count > 0) {
        qsort(items, r->count, sizeof *items, by_creator);
        for (size_t i = 0, n; i < r->count; i += n) {
            n = count_while(items + i, r->count - i, leak_report_same_creator);
            creators[count++] = (struct creator){items[i], n};
        }
        qsort(creators, count, sizeof *creators, by_count);
    }
    for (size_t i = 0; i < count && i < MAX_CREATORS; ++i) {
        printf("%s", i == 0 ? "most of them:\n" : "");
        print_creator(r, creators[i].finding, creators[i].count);
    }
    int rc = creators == NULL || items == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : 0;
    free(creators);
    free(items);
    return rc;
}

int leak_report_print(const struct leak_report *r, bool summary)
{
    if (!summary) {
        print_sections(r, 0, r->alive_count);
        if (r->alive_count < r->count)
            puts("Freed only with their context or display:\n");
        print_sections(r, r->alive_count, r->count);
    }
    int rc = print_sum(r, "leaked", 0, r->alive_count);
    if (rc == 0 && r->alive_count < r->count)
        rc = print_sum(r, "freed only with their context or display", r->alive_count, r->count);
    return rc == 0 && summary ? print_top_creators(r) : rc;
}
