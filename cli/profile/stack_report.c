/* SPDX-License-Identifier: MIT */
#include "profile/stack_report.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP_COUNT  10
#define NAME_WIDTH 60

/* The stacks with the largest values, in descending order. Of equal ones, the later comes first. */
struct ranking {
    uint32_t nodes[TOP_COUNT];
    uint64_t values[TOP_COUNT];
    size_t count;
};

struct report {
    const struct call_tree *tree;
    const char *const *names;
    uint64_t stacks; /* number of different ones */
    struct ranking by_time, by_count;
};

static void rank(struct ranking *r, uint32_t node, uint64_t value)
{
    size_t i = 0;
    while (i < r->count && r->values[i] > value)
        ++i;
    if (i == TOP_COUNT)
        return;
    size_t moved = (r->count < TOP_COUNT ? r->count++ : TOP_COUNT - 1) - i;
    memmove(r->nodes + i + 1, r->nodes + i, moved * sizeof *r->nodes);
    memmove(r->values + i + 1, r->values + i, moved * sizeof *r->values);
    r->nodes[i] = node;
    r->values[i] = value;
}

static void rank_below(struct report *r, uint32_t root)
{
    for (uint32_t i = root; i != CALL_TREE_NONE; i = call_tree_next(r->tree, root, i)) {
        const struct call_node *node = &r->tree->nodes[i];
        if (node->leaf_count == 0)
            continue;
        ++r->stacks;
        rank(&r->by_time, i, node->leaf_time);
        rank(&r->by_count, i, node->leaf_count);
    }
}

static int rank_all(struct report *r, uint32_t top)
{
    uint32_t *roots;
    size_t count;
    int rc = call_tree_list_callees(r->tree, top, &roots, &count);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < count; ++i)
        rank_below(r, roots[i]);
    free(roots);
    return 0;
}

/* --- printing -------------------------------------------------------------------------------------- */

static void print_line(unsigned level, const char *name, uint64_t count, uint64_t time)
{
    char cut[NAME_WIDTH + 1];
    if (strlen(name) > NAME_WIDTH) {
        snprintf(cut, sizeof cut, "%.*s...", NAME_WIDTH - 3, name);
        name = cut;
    }
    printf("#%-4u %-*s %12" PRIu64 " %16" PRIu64 "\n", level, NAME_WIDTH, name, count, time);
}

/* Of the calls on the way to the last one, those that made others; of that one, those that made none. */
static int print_stack(const struct report *r, uint32_t leaf)
{
    const struct call_node *nodes = r->tree->nodes;
    unsigned depth = nodes[leaf].depth, level = 0;
    uint32_t *path = calloc(depth, sizeof *path);
    if (path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (uint32_t i = leaf, place = depth; place > 0; i = nodes[i].parent)
        path[--place] = i;
    printf("%-5s %-*s %12s %16s\n", "lvl", NAME_WIDTH, "function", "count", "sum");
    for (; level + 1 < depth; ++level) {
        const struct call_node *n = &nodes[path[level]];
        print_line(level, r->names[n->function], n->inner_count, n->inner_time);
    }
    print_line(level, r->names[nodes[leaf].function], nodes[leaf].leaf_count, nodes[leaf].leaf_time);
    printf("\n");
    free(path);
    return 0;
}

static int print_ranking(const struct report *r, const struct ranking *ranking, const char *what)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < ranking->count; ++i) {
        printf("%s: %" PRIu64 "\n", what, ranking->values[i]);
        rc = print_stack(r, ranking->nodes[i]);
    }
    printf("\n");
    return rc;
}

static int print_report(const struct report *r)
{
    printf("\nUnique Stacks: %" PRIu64 "\nTop 10 Stacks by leaf sum:\n\n", r->stacks);
    int rc = print_ranking(r, &r->by_time, "Sum");
    if (rc != 0)
        return rc;
    printf("Top 10 Stacks by leaf count:\n\n");
    return print_ranking(r, &r->by_count, "Count");
}

static int print_thread(const struct call_tree *t, uint32_t top, const struct thread_stack *thread,
                        const char *const *names)
{
    struct report report = {.tree = t, .names = names};
    int rc = rank_all(&report, top);
    if (rc != 0)
        return rc;
    printf("Thread %" PRId64 ":\n", thread->thread);
    rc = print_report(&report);
    printf("\n");
    return rc;
}

int stack_report_print(const struct call_tree *t, const struct stack_tops *tops, bool by_thread,
                       const char *const *names)
{
    struct report report = {.tree = t, .names = names};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < tops->count; ++i)
        rc = by_thread ? print_thread(t, tops->nodes[i], tops->threads[i], names)
                       : rank_all(&report, tops->nodes[i]);
    return rc == 0 && !by_thread ? print_report(&report) : rc;
}
