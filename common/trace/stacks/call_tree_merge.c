/* SPDX-License-Identifier: MIT
 * Adds the trees of threads to one. Where both sides have callees, those of the tree that is added come
 * first; the others follow in the order of a hash table, since that is how llvm-xray merges.
 */
#include "trace/stacks/call_tree.h"
#include "trace/stacks/hash_order.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* While nodes get a new order, `recent` of those that have their place is set to this. */
#define PLACED 0u

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* A node that another one has above it already only changes its place. */
static void place(struct call_tree *t, uint32_t parent, uint32_t node)
{
    t->nodes[node].recent = PLACED;
    t->nodes[node].previous = t->nodes[parent].last;
    t->nodes[parent].last = node;
}

static void add_numbers(struct call_node *to, const struct call_node *from)
{
    to->leaf_count += from->leaf_count;
    to->leaf_time += from->leaf_time;
    to->inner_count += from->inner_count;
    to->inner_time += from->inner_time;
    to->self_time += from->self_time;
}

static bool find_callee(const struct call_tree *t, uint32_t parent, uint32_t function, uint32_t *out)
{
    uint64_t index;
    bool is_there = int_map_get(&t->callees, (uint64_t)parent << 32 | function, &index);
    *out = is_there ? (uint32_t)index : CALL_TREE_NONE;
    return is_there;
}

static int place_rest(struct call_tree *t, uint32_t parent, const uint32_t *nodes, size_t count)
{
    uint32_t *hashes = calloc(count + 1, 2 * sizeof *hashes);
    if (hashes == NULL)
        return no_memory();
    uint32_t *order = hashes + count;
    for (size_t i = 0; i < count; ++i)
        hashes[i] =
            hash_order_number(stack_functions_number(&t->stacks.functions, t->nodes[nodes[i]].function));
    int rc = hash_order_find(hashes, count, order);
    for (size_t i = 0; rc == 0 && i < count; ++i)
        if (t->nodes[nodes[order[i]]].recent != PLACED)
            place(t, parent, nodes[order[i]]);
    free(hashes);
    return rc;
}

static int merge_nodes(struct call_tree *t, uint32_t to, uint32_t from);

/* The depth of the recursion is at most CALL_TREE_DEPTH_MAX. */
static int merge_callee(struct call_tree *t, uint32_t to, uint32_t from)
{
    uint32_t node, function = t->nodes[from].function;
    int rc = 0;
    if (find_callee(t, to, function, &node))
        place(t, to, node);
    else
        rc = call_tree_add_node(t, to, function, &node);
    return rc == 0 ? merge_nodes(t, node, from) : rc;
}

static int merge_nodes(struct call_tree *t, uint32_t to, uint32_t from)
{
    uint32_t *left = NULL, *right = NULL;
    size_t left_count = 0, right_count = 0;
    add_numbers(&t->nodes[to], &t->nodes[from]);
    int rc = call_tree_list_callees(t, to, &left, &left_count);
    if (rc == 0)
        rc = call_tree_list_callees(t, from, &right, &right_count);
    for (size_t i = 0; rc == 0 && i < left_count; ++i)
        t->nodes[left[i]].recent = CALL_TREE_NONE;
    t->nodes[to].last = CALL_TREE_NONE;
    for (size_t i = 0; rc == 0 && i < right_count; ++i)
        rc = merge_callee(t, to, right[i]);
    if (rc == 0)
        rc = place_rest(t, to, left, left_count);
    free(left);
    free(right);
    return rc;
}

/* Moves a node behind the others. */
static void move_to_end(struct call_tree *t, uint32_t parent, uint32_t node)
{
    uint32_t *link = &t->nodes[parent].last;
    while (*link != node)
        link = &t->nodes[*link].previous;
    *link = t->nodes[node].previous;
    place(t, parent, node);
}

/* Outermost calls that are there already go to the end. */
static int merge_thread(struct call_tree *t, uint32_t top, uint32_t thread)
{
    uint32_t *roots, node;
    size_t count;
    int rc = call_tree_list_callees(t, thread, &roots, &count);
    if (rc != 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < count; ++i) {
        uint32_t function = t->nodes[roots[i]].function;
        if (find_callee(t, top, function, &node))
            move_to_end(t, top, node);
        else
            rc = call_tree_add_node(t, top, function, &node);
        if (rc == 0)
            rc = merge_nodes(t, node, roots[i]);
    }
    free(roots);
    return rc;
}

int call_tree_merge(struct call_tree *t, const uint32_t *threads, uint32_t *out)
{
    int rc = call_tree_add_node(t, CALL_TREE_NONE, CALL_TREE_NONE, out);
    for (size_t i = 0; rc == 0 && i < t->thread_count; ++i)
        rc = merge_thread(t, *out, t->threads[threads[i]]);
    return rc;
}
