/* SPDX-License-Identifier: MIT */
#include "trace/adaptors/adaptors.h"

#include "base/error.h"
#include "base/hash_map.h"
#include "trace/adaptors/wrapped.h"

#include <stdlib.h>
#include <string.h>

/* A call whose enter event has been read. */
struct pending {
    struct trace_call call; /* must be first; filled in when the call is handed out */
    struct trace_event enter;
    struct trace_event exit; /* its kind is TRACE_EVENT_END if there is none */
    struct trace_value *args;
    uint32_t arg_room;
    struct pending *next; /* links free entries */
};

struct pair {
    struct wrapped base;
    struct int_map pending; /* maps the numbers of calls to their struct pending */
    struct pending *unused;
    struct pending *
        *rest; /* at the end: calls that never returned, in the order of entry; NULL: not yet determined */
    size_t rest_count;
    size_t rest_next;
};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static struct pending *take(struct pair *p)
{
    struct pending *call = p->unused;
    if (call == NULL)
        return calloc(1, sizeof *call);
    p->unused = call->next;
    return call;
}

static void give_back(struct pair *p, struct pending *call)
{
    trace_source_release(p->base.of, &call->enter);
    if (call->exit.kind != TRACE_EVENT_END)
        trace_source_release(p->base.of, &call->exit);
    call->next = p->unused;
    p->unused = call;
}

/* --- joining --------------------------------------------------------------------------------------- */

/* Arguments of the exit event are newer. */
static int join_args(struct pending *p)
{
    const struct trace_call *enter = p->enter.call, *left = p->exit.call;
    uint32_t count = enter->arg_count;
    if (count > p->arg_room) {
        struct trace_value *args = realloc(p->args, count * sizeof *args);
        if (args == NULL)
            return no_memory();
        p->args = args;
        p->arg_room = count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        bool is_told = i < left->arg_count && left->args != NULL && left->args[i].type != TRACE_NONE;
        p->args[i] = is_told ? left->args[i] : enter->args[i];
    }
    p->call.args = p->args;
    return 0;
}

static int join(struct pending *p)
{
    bool is_left = p->exit.kind != TRACE_EVENT_END;
    p->call = *p->enter.call;
    p->call.number = p->enter.number;
    p->call.enter_time = p->enter.time;
    p->call.leave_time = is_left ? p->exit.time : TRACE_NO_TIME;
    p->call.ret = (struct trace_value){.type = TRACE_NONE};
    if (!is_left) {
        p->call.flags |= TRACE_CALL_INCOMPLETE;
        return 0;
    }
    if (p->exit.call == NULL)
        return 0;
    p->call.ret = p->exit.call->ret;
    return join_args(p);
}

static int hand_out(struct pair *p, struct pending *call, struct trace_event *out)
{
    int rc = join(call);
    if (rc != 0) {
        give_back(p, call);
        return rc;
    }
    *out = call->enter;
    out->kind = TRACE_EVENT_CALL;
    out->call = &call->call;
    return 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

static int enter(struct pair *p, const struct trace_event *event)
{
    struct pending *call = take(p);
    if (call == NULL) {
        trace_source_release(p->base.of, event);
        return no_memory();
    }
    call->enter = *event;
    call->exit.kind = TRACE_EVENT_END;
    int rc = int_map_set(&p->pending, event->number, (uint64_t)(uintptr_t)call);
    if (rc != 0)
        give_back(p, call);
    return rc;
}

/* *out does not change if the enter of the exit is unknown. */
static int leave(struct pair *p, struct trace_event *out)
{
    uint64_t address;
    if (!int_map_get(&p->pending, out->number, &address))
        return 0;
    struct pending *call = (struct pending *)(uintptr_t)address;
    int_map_remove(&p->pending, out->number);
    call->exit = *out;
    return hand_out(p, call, out);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct pending *x = *(struct pending *const *)a, *y = *(struct pending *const *)b;
    return (x->enter.number > y->enter.number) - (x->enter.number < y->enter.number);
}

static int collect_rest(struct pair *p)
{
    p->rest = calloc(p->pending.len + 1, sizeof *p->rest);
    if (p->rest == NULL)
        return no_memory();
    for (size_t i = 0; i < p->pending.cap; ++i)
        if (p->pending.slots[i].state == INT_MAP_USED)
            p->rest[p->rest_count++] = (struct pending *)(uintptr_t)p->pending.slots[i].value;
    int_map_fini(&p->pending);
    qsort(p->rest, p->rest_count, sizeof *p->rest, compare_numbers);
    return 0;
}

static int next_of_rest(struct pair *p, struct trace_event *out)
{
    int rc = p->rest == NULL ? collect_rest(p) : 0;
    if (rc != 0 || p->rest_next == p->rest_count)
        return rc; /* *out is the end */
    return hand_out(p, p->rest[p->rest_next++], out);
}

static int pair_next(struct trace_source *s, struct trace_event *out)
{
    struct pair *p = (struct pair *)s;
    for (;;) {
        int rc = trace_source_next(p->base.of, out);
        if (rc != 0)
            return rc;
        if (out->kind == TRACE_EVENT_END)
            return next_of_rest(p, out);
        if (out->kind == TRACE_EVENT_EXIT || out->kind == TRACE_EVENT_TAIL_EXIT)
            return leave(p, out);
        if (out->kind != TRACE_EVENT_ENTER)
            return 0;
        rc = enter(p, out);
        if (rc != 0)
            return rc;
    }
}

static void pair_release(struct trace_source *s, const struct trace_event *event)
{
    struct pair *p = (struct pair *)s;
    if (event->kind == TRACE_EVENT_CALL)
        give_back(p, (struct pending *)(uintptr_t)event->call);
    else
        trace_source_release(p->base.of, event);
}

static void pair_close(struct trace_source *s)
{
    struct pair *p = (struct pair *)s;
    if (p->rest == NULL)
        collect_rest(p);
    while (p->rest_next < p->rest_count)
        give_back(p, p->rest[p->rest_next++]);
    while (p->unused != NULL) {
        struct pending *call = p->unused;
        p->unused = call->next;
        free(call->args);
        free(call);
    }
    free(p->rest);
    int_map_fini(&p->pending);
    trace_source_close(p->base.of);
    free(p);
}

static const struct trace_source_ops ops = {
    .next = pair_next,
    .release = pair_release,
    .close = pair_close,
    .resume_after_damage = wrapped_resume_after_damage,
    .set_progress = wrapped_set_progress,
    .choose_begin = wrapped_choose_begin,
    .clock = wrapped_clock,
};

int trace_pair_open(struct trace_source **out, struct trace_source *of)
{
    struct pair *p = calloc(1, sizeof *p);
    if (p == NULL) {
        trace_source_close(of);
        return no_memory();
    }
    wrapped_init(&p->base, &ops, of);
    p->base.base.order = TRACE_ORDER_CALLS;
    *out = &p->base.base;
    return 0;
}
