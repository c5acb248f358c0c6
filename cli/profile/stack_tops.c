/* SPDX-License-Identifier: MIT */
#include "profile/stack_tops.h"

#include "base/error.h"
#include "trace/stacks/hash_order.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void stack_tops_free(struct stack_tops *tops)
{
    free(tops->nodes);
    free(tops->threads);
}

/* order: places for the numbers of all threads. */
static int order_threads(const struct call_tree *t, uint32_t *order)
{
    uint32_t *hashes = calloc(t->thread_count + 1, sizeof *hashes);
    if (hashes == NULL)
        return no_memory();
    for (size_t i = 0; i < t->thread_count; ++i)
        hashes[i] = hash_order_number((uint32_t)t->stacks.threads[i]->thread);
    int rc = hash_order_find(hashes, t->thread_count, order);
    free(hashes);
    return rc;
}

static int merge_threads(struct stack_tops *tops, struct call_tree *t)
{
    uint32_t top;
    int rc = call_tree_merge(t, tops->nodes, &top);
    tops->nodes[0] = top;
    tops->count = 1;
    free(tops->threads);
    tops->threads = NULL;
    return rc;
}

int stack_tops_find(struct stack_tops *tops, struct call_tree *t, bool merged)
{
    size_t count = t->thread_count;
    *tops = (struct stack_tops){.nodes = calloc(count + 1, sizeof *tops->nodes),
                                .threads = calloc(count + 1, sizeof *tops->threads),
                                .count = count};
    int rc = tops->nodes != NULL && tops->threads != NULL ? order_threads(t, tops->nodes) : no_memory();
    if (rc == 0 && merged)
        rc = merge_threads(tops, t);
    for (size_t i = 0; rc == 0 && !merged && i < count; ++i) {
        tops->threads[i] = t->stacks.threads[tops->nodes[i]];
        tops->nodes[i] = t->threads[tops->nodes[i]];
    }
    if (rc != 0)
        stack_tops_free(tops);
    return rc;
}
