/* SPDX-License-Identifier: MIT */
#include "formats/speedscope/sum_profiles.h"
#include "formats/speedscope/profile_head.h"

#include "base/error.h"
#include "base/format_number.h"

#define NUMBER_ROOM (FORMAT_INT_BYTES + 2) /* and what separates it from others */

/* What is written of one thread. */
struct sum_profile {
    const struct summed_calls *sums;
    const uint64_t *frames;
    struct log_output *out;
    uint32_t top; /* the node above the outermost calls */
};

static int64_t total_of(const struct sum_profile *p)
{
    const struct call_tree *t = &p->sums->tree;
    int64_t total = 0;
    for (uint32_t i = p->top; (i = call_tree_next(t, p->top, i)) != CALL_TREE_NONE;)
        if (__builtin_add_overflow(total, summed_calls_value(p->sums, &t->nodes[i]), &total))
            return INT64_MAX;
    return total;
}

static int put_number(struct log_output *out, char before, uint64_t number)
{
    char *at = log_output_reserve(out, NUMBER_ROOM);
    if (at == NULL)
        return TRACE_ERR_IO;
    *at++ = before;
    log_output_take(out, at + format_uint(at, number));
    return 0;
}

/* Writes the frames of a stack, the outermost first. */
static int put_stack(const struct sum_profile *p, uint32_t node, const char *before)
{
    const struct call_node *nodes = p->sums->tree.nodes;
    uint32_t functions[CALL_TREE_DEPTH_MAX], count = 0;
    for (; node != p->top; node = nodes[node].parent)
        functions[count++] = nodes[node].function;
    int rc = log_output_put(p->out, before, strlen(before));
    for (uint32_t i = count; rc == 0 && i > 0; --i)
        rc = put_number(p->out, i == count ? '[' : ',', p->frames[functions[i - 1]]);
    return rc == 0 ? log_output_put(p->out, "]", 1) : rc;
}

static int put_stacks(const struct sum_profile *p)
{
    const struct call_tree *t = &p->sums->tree;
    const char *before = "\n";
    int rc = log_output_put(p->out, ",\"samples\":[", 12);
    for (uint32_t i = p->top; rc == 0 && (i = call_tree_next(t, p->top, i)) != CALL_TREE_NONE;)
        if (summed_calls_counts(&t->nodes[i])) {
            rc = put_stack(p, i, before);
            before = ",\n";
        }
    return rc == 0 ? log_output_put(p->out, "]", 1) : rc;
}

static int put_weights(const struct sum_profile *p)
{
    const struct call_tree *t = &p->sums->tree;
    char before = '\n';
    int rc = log_output_put(p->out, ",\"weights\":[", 12);
    for (uint32_t i = p->top; rc == 0 && (i = call_tree_next(t, p->top, i)) != CALL_TREE_NONE;)
        if (summed_calls_counts(&t->nodes[i])) {
            rc = put_number(p->out, before, summed_calls_value(p->sums, &t->nodes[i]));
            before = ',';
        }
    return rc == 0 ? log_output_put(p->out, "]}", 2) : rc;
}

int sum_profiles_put(const struct summed_calls *sums, const uint64_t *frames, bool follows,
                     struct log_output *out)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sums->tree.thread_count; ++i) {
        const struct thread_stack *thread = sums->tree.stacks.threads[i];
        const struct sum_profile p = {sums, frames, out, sums->tree.threads[i]};
        const struct profile_head head = {.type = "sampled",
                                          .process = thread->process > 0 ? (uint64_t)thread->process : 0,
                                          .thread = thread->thread > 0 ? (uint64_t)thread->thread : 0,
                                          .has_times = sums->has_times,
                                          .last = total_of(&p),
                                          .follows = follows || i > 0};
        rc = profile_head_put(out, &head);
        if (rc == 0)
            rc = put_stacks(&p);
        if (rc == 0)
            rc = put_weights(&p);
    }
    return rc;
}
