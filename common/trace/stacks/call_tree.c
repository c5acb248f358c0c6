/* SPDX-License-Identifier: MIT */
#include "trace/stacks/call_tree.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- nodes ----------------------------------------------------------------------------------------- */

int call_tree_add_node(struct call_tree *t, uint32_t parent, uint32_t function, uint32_t *out)
{
    if (t->count == CALL_TREE_NONE || ARRAY_RESERVE(t->nodes, t->count, t->room) != 0)
        return no_memory();
    struct call_node *node = &t->nodes[t->count];
    *node = (struct call_node){.function = function,
                               .parent = parent,
                               .last = CALL_TREE_NONE,
                               .previous = CALL_TREE_NONE,
                               .recent = CALL_TREE_NONE};
    *out = (uint32_t)t->count++;
    if (parent == CALL_TREE_NONE)
        return 0;
    struct call_node *above = &t->nodes[parent];
    node->depth = above->depth + 1;
    node->previous = above->last;
    above->last = *out;
    uint64_t key = (uint64_t)parent << 32 | function;
    return int_map_set(&t->callees, key, *out) == 0 ? 0 : no_memory();
}

/* The callee that was called last is often called again. */
static int find_callee(struct call_tree *t, uint32_t parent, uint32_t function, uint32_t *out)
{
    const struct call_node *above = &t->nodes[parent];
    uint64_t index;
    *out = above->recent;
    if (*out != CALL_TREE_NONE && t->nodes[*out].function == function)
        return 0;
    int rc = 0;
    if (int_map_get(&t->callees, (uint64_t)parent << 32 | function, &index))
        *out = (uint32_t)index;
    else
        rc = call_tree_add_node(t, parent, function, out);
    if (rc == 0)
        t->nodes[parent].recent = *out;
    return rc;
}

/* --- events ---------------------------------------------------------------------------------------- */

static int thread_node(struct call_tree *t, const struct thread_stack *thread, uint32_t *out)
{
    while (t->thread_count <= thread->index) {
        if (ARRAY_RESERVE(t->threads, t->thread_count, t->thread_room) != 0)
            return no_memory();
        int rc = call_tree_add_node(t, CALL_TREE_NONE, CALL_TREE_NONE, &t->threads[t->thread_count]);
        if (rc != 0)
            return rc;
        ++t->thread_count;
    }
    *out = t->threads[thread->index];
    return 0;
}

static int begin_call(void *context, struct thread_stack *thread)
{
    struct call_tree *t = context;
    struct stack_frame *frame = &thread->frames[thread->count - 1];
    uint32_t parent = 0;
    int rc = 0;
    if (thread->count > 1)
        parent = frame[-1].mark;
    else
        rc = thread_node(t, thread, &parent);
    if (rc != 0)
        return rc;
    frame->mark = parent;
    return t->nodes[parent].depth < CALL_TREE_DEPTH_MAX
               ? find_callee(t, parent, (uint32_t)frame->function, &frame->mark)
               : 0;
}

static int end_call(void *context, struct thread_stack *thread, uint64_t duration, bool is_told)
{
    struct call_tree *t = context;
    const struct stack_frame *frame = &thread->frames[thread->count - 1];
    struct call_node *node = &t->nodes[frame->mark];
    (void)is_told;
    if (!frame->is_wanted)
        return 0;
    if (frame->has_callees) {
        ++node->inner_count;
        node->inner_time += duration;
    } else {
        ++node->leaf_count;
        node->leaf_time += duration;
    }
    node->self_time += duration > frame->in_callees ? duration - frame->in_callees : 0;
    return 0;
}

void call_tree_init(struct call_tree *t, const struct call_tree_options *options)
{
    const struct stack_listener listener = {.context = t,
                                            .has_ticks = options->has_ticks,
                                            .has_groups = options->has_groups,
                                            .begin = begin_call,
                                            .end = end_call,
                                            .wants = options->wants,
                                            .wants_context = options->context};
    *t = (struct call_tree){.options = *options};
    thread_stacks_init(&t->stacks, &listener);
}

void call_tree_fini(struct call_tree *t)
{
    thread_stacks_fini(&t->stacks);
    free(t->nodes);
    free(t->threads);
    int_map_fini(&t->callees);
}

/* --- sums of calls --------------------------------------------------------------------------------- */

static bool wants_sum(const struct call_tree *t, const struct trace_event *event)
{
    const struct trace_call call = {.sig = event->u.sum.path[0]};
    struct trace_event end = *event;
    end.call = &call;
    return t->options.wants == NULL || t->options.wants(t->options.context, &end);
}

/* Paths come in any order, so a node's own time may be below 0 until its sum has come. */
static void add_to_node(struct call_tree *t, uint32_t index, const struct trace_sum *sum)
{
    struct call_node *node = &t->nodes[index], *above = &t->nodes[node->parent];
    node->leaf_count += sum->count;
    node->leaf_time += sum->ticks;
    node->self_time += sum->ticks;
    if (above->function != CALL_TREE_NONE)
        above->self_time -= sum->ticks;
}

static int add_sum(struct call_tree *t, const struct trace_event *event)
{
    const struct trace_sum *sum = &event->u.sum;
    struct thread_stack *thread;
    uint32_t node;
    if (!wants_sum(t, event))
        return 0;
    int rc = thread_stacks_find_thread(&t->stacks, event->origin, -1, &thread);
    if (rc == 0)
        rc = thread_node(t, thread, &node);
    for (uint32_t i = sum->depth; rc == 0 && i-- > 0;) {
        size_t function;
        rc = stack_functions_find(&t->stacks.functions, sum->path[i], &function);
        if (rc == 0 && t->nodes[node].depth < CALL_TREE_DEPTH_MAX)
            rc = find_callee(t, node, (uint32_t)function, &node);
    }
    if (rc == 0)
        add_to_node(t, node, sum);
    t->has_sums = true;
    return rc;
}

static void finish_sums(struct call_tree *t)
{
    for (size_t i = 0; i < t->count; ++i) {
        struct call_node *node = &t->nodes[i];
        node->self_time = (int64_t)node->self_time > 0 ? node->self_time : 0;
        if (node->last == CALL_TREE_NONE)
            continue;
        node->inner_count += node->leaf_count;
        node->inner_time += node->leaf_time;
        node->leaf_count = node->leaf_time = 0;
    }
}

int call_tree_add(struct call_tree *t, const struct trace_event *event)
{
    return event->kind == TRACE_EVENT_SUM ? add_sum(t, event) : thread_stacks_add(&t->stacks, event);
}

int call_tree_finish(struct call_tree *t)
{
    if (t->has_sums)
        finish_sums(t);
    return thread_stacks_finish(&t->stacks);
}

/* --- reading --------------------------------------------------------------------------------------- */

uint32_t call_tree_next(const struct call_tree *t, uint32_t top, uint32_t node)
{
    const struct call_node *nodes = t->nodes;
    if (nodes[node].last != CALL_TREE_NONE)
        return nodes[node].last;
    while (node != top && nodes[node].previous == CALL_TREE_NONE)
        node = nodes[node].parent;
    return node != top ? nodes[node].previous : CALL_TREE_NONE;
}

int call_tree_list_callees(const struct call_tree *t, uint32_t node, uint32_t **out, size_t *count)
{
    size_t n = 0;
    for (uint32_t i = t->nodes[node].last; i != CALL_TREE_NONE; i = t->nodes[i].previous)
        ++n;
    *out = calloc(n + 1, sizeof **out);
    if (*out == NULL)
        return no_memory();
    *count = n;
    for (uint32_t i = t->nodes[node].last; i != CALL_TREE_NONE; i = t->nodes[i].previous)
        (*out)[--n] = i;
    return 0;
}
