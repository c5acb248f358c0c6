/* SPDX-License-Identifier: MIT */
#include "profile/call_account.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define SIGNATURES (UINT64_C(1) << 63) /* set in keys that are addresses of signatures */

/* A call that has not ended. */
struct open_call {
    uint64_t number;
    uint64_t time;
    size_t function; /* index */
};

/* A function of which a call is running. */
struct recursion {
    uint32_t depth;
    bool is_recursive; /* it was 2 or more since it was 0 */
};

struct account_thread {
    struct open_call *calls;
    size_t count;
    size_t room;
    struct recursion *recursions; /* by index of function */
    size_t recursion_count;
};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void call_account_fini(struct call_account *a)
{
    for (size_t i = 0; i < a->function_count; ++i) {
        latencies_fini(&a->functions[i]->latencies);
        free(a->functions[i]);
    }
    for (size_t i = 0; i < a->thread_count; ++i) {
        free(a->threads[i]->calls);
        free(a->threads[i]->recursions);
        free(a->threads[i]);
    }
    free(a->functions);
    free(a->threads);
    int_map_fini(&a->function_indexes);
    int_map_fini(&a->thread_indexes);
}

/* --- functions and threads ------------------------------------------------------------------------- */

static int find_function(struct call_account *a, const struct trace_function_sig *sig, size_t *out)
{
    uint64_t index, key = sig->number != 0 ? sig->number : (uint64_t)(uintptr_t)sig | SIGNATURES;
    if (int_map_get(&a->function_indexes, key, &index)) {
        *out = (size_t)index;
        return 0;
    }
    struct account_function *f = calloc(1, sizeof *f);
    if (f == NULL || ARRAY_RESERVE(a->functions, a->function_count, a->function_room) != 0) {
        free(f);
        return no_memory();
    }
    f->sig = sig;
    *out = a->function_count;
    a->functions[a->function_count++] = f;
    return int_map_set(&a->function_indexes, key, *out) == 0 ? 0 : no_memory();
}

static int find_thread(struct call_account *a, const struct trace_event *event, struct account_thread **out)
{
    const struct trace_origin *o = event->origin;
    uint64_t index, key = o != NULL ? (uint64_t)o->process << 32 | (uint32_t)o->thread : event->call->thread;
    *out = a->last_thread;
    if (o != NULL && o == a->last_origin)
        return 0;
    if (!int_map_get(&a->thread_indexes, key, &index)) {
        struct account_thread *t = calloc(1, sizeof *t);
        if (t == NULL || ARRAY_RESERVE(a->threads, a->thread_count, a->thread_room) != 0) {
            free(t);
            return no_memory();
        }
        index = a->thread_count;
        a->threads[a->thread_count++] = t;
        if (int_map_set(&a->thread_indexes, key, index) != 0)
            return no_memory();
    }
    a->last_origin = o;
    *out = a->last_thread = a->threads[index];
    return 0;
}

/* --- recursion ------------------------------------------------------------------------------------- */

static int find_recursion(struct account_thread *t, size_t function, struct recursion **out)
{
    if (function >= t->recursion_count) {
        size_t count = 2 * function + 64;
        struct recursion *r = realloc(t->recursions, count * sizeof *r);
        if (r == NULL)
            return no_memory();
        memset(r + t->recursion_count, 0, (count - t->recursion_count) * sizeof *r);
        t->recursions = r;
        t->recursion_count = count;
    }
    *out = &t->recursions[function];
    return 0;
}

static int begin_recursion(struct account_thread *t, size_t function)
{
    struct recursion *r = NULL;
    int rc = find_recursion(t, function, &r);
    if (rc == 0)
        r->is_recursive = ++r->depth > 1 || (r->depth > 0 && r->is_recursive);
    return rc;
}

/* Returns whether the call that ends was one of several. */
static bool end_recursion(struct account_thread *t, size_t function)
{
    struct recursion *r = &t->recursions[function];
    bool is_recursive = r->is_recursive;
    if (--r->depth == 0)
        r->is_recursive = false;
    return is_recursive;
}

/* --- events ---------------------------------------------------------------------------------------- */

static uint64_t time_of(const struct call_account *a, const struct trace_event *event)
{
    return a->has_ticks ? event->ticks : (uint64_t)event->time;
}

static int begin_call(struct call_account *a, const struct trace_event *event)
{
    struct account_thread *t = NULL;
    struct open_call call = {.number = event->number, .time = time_of(a, event)};
    int rc = find_thread(a, event, &t);
    if (rc == 0)
        rc = find_function(a, event->call->sig, &call.function);
    if (rc == 0 && a->only_recursive)
        rc = begin_recursion(t, call.function);
    if (rc == 0 && ARRAY_RESERVE(t->calls, t->count, t->room) != 0)
        rc = no_memory();
    if (rc == 0)
        t->calls[t->count++] = call;
    return rc;
}

/* is_counted: its end is known. */
static int end_last(struct call_account *a, struct account_thread *t, uint64_t time, bool is_counted)
{
    const struct open_call *call = &t->calls[--t->count];
    if (a->only_recursive && !end_recursion(t, call->function))
        return 0;
    a->open += !is_counted;
    uint64_t duration = time > call->time ? time - call->time : call->time - time; /* clocks may go back */
    return is_counted ? latencies_add(&a->functions[call->function]->latencies, duration) : 0;
}

/* Numbers ascend in a thread, since calls are numbered in the order of entry. */
static int end_call(struct call_account *a, const struct trace_event *event)
{
    struct account_thread *t = NULL;
    uint64_t time = time_of(a, event);
    int rc = find_thread(a, event, &t);
    if (rc != 0)
        return rc;
    size_t i = t->count;
    while (i > 0 && t->calls[i - 1].number > event->number)
        --i;
    if (i == 0 || t->calls[i - 1].number != event->number) {
        ++a->unmatched;
        return 0;
    }
    while (rc == 0 && t->count > i)
        rc = end_last(a, t, time, a->siblings);
    return rc == 0 ? end_last(a, t, time, true) : rc;
}

static int add_whole(struct call_account *a, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    size_t function;
    if (call->leave_time == TRACE_NO_TIME || event->time == TRACE_NO_TIME) {
        ++a->open;
        return 0;
    }
    int rc = find_function(a, call->sig, &function);
    uint64_t duration = call->leave_time > event->time ? (uint64_t)(call->leave_time - event->time) : 0;
    return rc == 0 ? latencies_add(&a->functions[function]->latencies, duration) : rc;
}

int call_account_add(struct call_account *a, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_ENTER:
        return begin_call(a, event);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return end_call(a, event);
    case TRACE_EVENT_CALL:
        return add_whole(a, event);
    default:
        return 0;
    }
}

void call_account_finish(struct call_account *a)
{
    for (size_t i = 0; i < a->thread_count; ++i)
        a->open += a->threads[i]->count;
}
