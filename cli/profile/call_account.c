/* SPDX-License-Identifier: MIT */
#include "profile/call_account.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- functions ------------------------------------------------------------------------------------- */

static int find_function(struct call_account *a, const struct stack_frame *frame,
                         struct account_function **out)
{
    size_t group = a->by_group ? frame->group : STACK_NO_GROUP;
    uint64_t index, key = (uint64_t)(uint32_t)(group + 1) << 32 | (uint32_t)frame->function;
    if (int_map_get(&a->indexes, key, &index)) {
        *out = a->functions[index];
        return 0;
    }
    struct account_function *f = calloc(1, sizeof *f);
    if (f == NULL || ARRAY_RESERVE(a->functions, a->function_count, a->function_room) != 0 ||
        int_map_set(&a->indexes, key, a->function_count) != 0) {
        free(f);
        return no_memory();
    }
    f->function = frame->function;
    f->group = group;
    *out = a->functions[a->function_count++] = f;
    return 0;
}

/* --- recursion ------------------------------------------------------------------------------------- */

/* What runs is remembered for each function of a thread: twice the number of its calls, and one if that
 * number was two or more since it was zero. */
static uint64_t recursion_key(const struct thread_stack *t)
{
    return (uint64_t)t->index << 32 | (uint32_t)t->frames[t->count - 1].function;
}

static int begin_recursion(void *context, struct thread_stack *t)
{
    struct call_account *a = context;
    uint64_t running = 0, key = recursion_key(t);
    int_map_get(&a->recursions, key, &running);
    running = (running + 2) | (running >= 2);
    return int_map_set(&a->recursions, key, running) == 0 ? 0 : no_memory();
}

/* *out: whether the call that ends was one of several. */
static int end_recursion(struct call_account *a, const struct thread_stack *t, bool *out)
{
    uint64_t running = 2, key = recursion_key(t);
    int_map_get(&a->recursions, key, &running);
    *out = (running & 1) != 0;
    running = running < 4 ? 0 : running - 2;
    return int_map_set(&a->recursions, key, running) == 0 ? 0 : no_memory();
}

/* --- events ---------------------------------------------------------------------------------------- */

static int end_call(void *context, struct thread_stack *t, uint64_t duration, bool is_told)
{
    struct call_account *a = context;
    const struct stack_frame *frame = &t->frames[t->count - 1];
    struct account_function *f = NULL;
    bool is_counted = frame->is_wanted && !frame->is_group && (is_told || a->siblings), is_recursive = true;
    int rc = a->only_recursive ? end_recursion(a, t, &is_recursive) : 0;
    if (rc != 0 || !is_counted || !is_recursive)
        return rc;
    rc = find_function(a, frame, &f);
    return rc == 0 ? latencies_add(&f->latencies, duration) : rc;
}

void call_account_init(struct call_account *a, bool has_ticks,
                       bool (*wants)(void *context, const struct trace_event *event), void *wants_context)
{
    const struct stack_listener listener = {.context = a,
                                            .has_ticks = has_ticks,
                                            .has_groups = a->by_group,
                                            .wants = wants,
                                            .wants_context = wants_context,
                                            .begin = a->only_recursive ? begin_recursion : NULL,
                                            .end = end_call};
    thread_stacks_init(&a->stacks, &listener);
}

void call_account_fini(struct call_account *a)
{
    for (size_t i = 0; i < a->function_count; ++i) {
        latencies_fini(&a->functions[i]->latencies);
        free(a->functions[i]);
    }
    free(a->functions);
    int_map_fini(&a->indexes);
    int_map_fini(&a->recursions);
    thread_stacks_fini(&a->stacks);
}

int call_account_add(void *account, const struct trace_event *event)
{
    return thread_stacks_add(&((struct call_account *)account)->stacks, event);
}

int call_account_finish(struct call_account *a)
{
    int rc = thread_stacks_finish(&a->stacks);
    a->open = a->stacks.open + (a->siblings ? 0 : a->stacks.deduced);
    return rc;
}
