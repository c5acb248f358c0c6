/* SPDX-License-Identifier: MIT */
#include "profile/call_account.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- functions ------------------------------------------------------------------------------------- */

static struct account_function *add_function(struct call_account *a, uint32_t group, uint32_t function)
{
    struct account_function *f = calloc(1, sizeof *f);
    if (f == NULL || ARRAY_RESERVE(a->functions, a->function_count, a->function_room) != 0) {
        free(f);
        no_memory();
        return NULL;
    }
    f->function = function;
    f->group = group;
    return a->functions[a->function_count++] = f;
}

static struct account_function *find_in_group(struct call_account *a, uint32_t group, uint32_t function)
{
    uint64_t index, key = (uint64_t)group << 32 | function;
    if (int_map_get(&a->indexes, key, &index))
        return a->functions[index];
    return int_map_set(&a->indexes, key, a->function_count) == 0 ? add_function(a, group, function) : NULL;
}

static struct account_function *find_function(struct call_account *a, uint32_t function)
{
    while (function >= a->of_function_room) {
        size_t before = a->of_function_room;
        if (array_grow(&a->of_function, &a->of_function_room, sizeof *a->of_function) != 0)
            return NULL;
        memset(a->of_function + before, 0, (a->of_function_room - before) * sizeof *a->of_function);
    }
    if (a->of_function[function] == NULL)
        a->of_function[function] = add_function(a, STACK_NO_GROUP, function);
    return a->of_function[function];
}

/* --- recursion ------------------------------------------------------------------------------------- */

/* What runs is remembered for each function of a thread: twice the number of its calls, and one if that
 * number was two or more since it was zero. */
static uint64_t recursion_key(const struct thread_stack *t)
{
    return (uint64_t)t->index << 32 | t->frames[t->count - 1].function;
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
    if (running < 4) {
        int_map_remove(&a->recursions, key);
        return 0;
    }
    return int_map_set(&a->recursions, key, running - 2) == 0 ? 0 : no_memory();
}

/* --- events ---------------------------------------------------------------------------------------- */

static int end_call(void *context, struct thread_stack *t, uint64_t duration, bool is_told)
{
    struct call_account *a = context;
    const struct stack_frame *frame = &t->frames[t->count - 1];
    bool is_counted = frame->is_wanted && !frame->is_group && (is_told || a->siblings), is_recursive = true;
    int rc = a->only_recursive ? end_recursion(a, t, &is_recursive) : 0;
    if (rc != 0 || !is_counted || !is_recursive)
        return rc;
    struct account_function *f =
        a->by_group ? find_in_group(a, frame->group, frame->function) : find_function(a, frame->function);
    return f != NULL ? latencies_add(&f->latencies, duration) : TRACE_ERR_MEMORY;
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
    free(a->of_function);
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
