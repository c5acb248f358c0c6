/* SPDX-License-Identifier: MIT */
#include "trace/stacks/thread_stacks.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NO_TICKS   UINT64_MAX /* the time of an event that has none */
#define FIRST_ROOM 4u         /* frames: many threads may have calls at the same time */

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void thread_stacks_init(struct thread_stacks *s, const struct stack_listener *listener)
{
    *s = (struct thread_stacks){.listener = *listener};
    stack_functions_init(&s->functions);
}

void thread_stacks_fini(struct thread_stacks *s)
{
    for (size_t i = 0; i < s->thread_count; ++i) {
        free(s->threads[i]->frames);
        free(s->threads[i]);
    }
    free(s->threads);
    free(s->spare);
    int_map_fini(&s->indexes);
    stack_functions_fini(&s->functions);
}

/* --- threads --------------------------------------------------------------------------------------- */

static struct thread_stack *add_thread(struct thread_stacks *s, uint64_t key, int64_t process, int64_t thread)
{
    struct thread_stack *t = calloc(1, sizeof *t);
    if (t == NULL || s->thread_count == UINT32_MAX ||
        ARRAY_RESERVE(s->threads, s->thread_count, s->thread_room) != 0 ||
        int_map_set(&s->indexes, key, s->thread_count) != 0) {
        free(t);
        return NULL;
    }
    t->process = process;
    t->thread = thread;
    t->group = STACK_NO_GROUP;
    t->index = (uint32_t)s->thread_count;
    s->threads[s->thread_count++] = t;
    return t;
}

int thread_stacks_find_thread(struct thread_stacks *s, const struct trace_origin *o, int64_t otherwise,
                              struct thread_stack **out)
{
    *out = s->last_thread;
    if (o != NULL && o == s->last_origin)
        return 0;
    int64_t process = o != NULL ? o->process : -1, thread = o != NULL ? o->thread : otherwise;
    uint64_t index, key = (uint64_t)process << 32 | (uint32_t)thread;
    *out = int_map_get(&s->indexes, key, &index) ? s->threads[index] : add_thread(s, key, process, thread);
    if (*out == NULL)
        return no_memory();
    s->last_origin = o;
    s->last_thread = *out;
    return 0;
}

/* --- frames ---------------------------------------------------------------------------------------- */

/* Clocks may go back. */
static uint64_t duration_of(const struct stack_frame *f, uint64_t end)
{
    return end > f->begin ? end - f->begin : f->begin - end;
}

/* Most threads of a log may have ended, so only those that have calls have memory for them. */
static void give_back(struct thread_stacks *s, struct thread_stack *t)
{
    if (t->room > s->spare_room) {
        free(s->spare);
        s->spare = t->frames;
        s->spare_room = t->room;
    } else {
        free(t->frames);
    }
    t->frames = NULL;
    t->room = 0;
}

static bool is_wanted_call(const struct stack_frame *f)
{
    return f->is_wanted && !f->is_group;
}

/* The frame is removed without an end. */
static void note_open(struct thread_stacks *s, const struct stack_frame *f)
{
    s->open += is_wanted_call(f);
    s->running -= is_wanted_call(f);
}

/* The outer half is forgotten if there are too many. */
static int make_room(struct thread_stacks *s, struct thread_stack *t)
{
    if (t->room == 0 && s->spare != NULL) {
        t->frames = s->spare;
        t->room = s->spare_room;
        s->spare = NULL;
        s->spare_room = 0;
        return 0;
    }
    if (t->room == 0) {
        t->frames = malloc(FIRST_ROOM * sizeof *t->frames);
        t->room = t->frames != NULL ? FIRST_ROOM : 0;
        return t->frames != NULL ? 0 : no_memory();
    }
    if (t->count < THREAD_STACK_MAX)
        return ARRAY_RESERVE(t->frames, t->count, t->room) == 0 ? 0 : no_memory();
    size_t forgotten = t->count / 2;
    for (size_t i = 0; i < forgotten; ++i)
        note_open(s, &t->frames[i]);
    memmove(t->frames, t->frames + forgotten, (t->count - forgotten) * sizeof *t->frames);
    t->count -= forgotten;
    return 0;
}

/* Adds a frame, which the caller fills in. Members are set one by one: a structure that is copied waits for
 * what was just written to it. */
static struct stack_frame *add_frame(struct thread_stacks *s, struct thread_stack *t)
{
    if ((t->count == t->room || t->count >= THREAD_STACK_MAX) && make_room(s, t) != 0)
        return NULL;
    if (t->count > 0)
        t->frames[t->count - 1].has_callees = true;
    struct stack_frame *frame = &t->frames[t->count++];
    frame->in_callees = 0;
    frame->group = t->group;
    frame->pushes = STACK_NO_GROUP;
    frame->mark = 0;
    frame->has_callees = false;
    return frame;
}

static int tell_begin(struct thread_stacks *s, struct thread_stack *t)
{
    s->running += is_wanted_call(&t->frames[t->count - 1]);
    return s->listener.begin != NULL ? s->listener.begin(s->listener.context, t) : 0;
}

/* Without the time of one of its ends, a call is only known to have been there. */
static int end_frame(struct thread_stacks *s, struct thread_stack *t, uint64_t time, bool is_told)
{
    const struct stack_frame *f = &t->frames[t->count - 1];
    int rc = 0;
    if (time == NO_TICKS || f->begin == NO_TICKS) {
        s->open += is_wanted_call(f);
    } else {
        uint64_t duration = duration_of(f, time);
        s->deduced += !is_told;
        rc = s->listener.end(s->listener.context, t, duration, is_told);
        if (t->count > 1)
            t->frames[t->count - 2].in_callees += duration;
    }
    if (f->is_group)
        t->group = f->group;
    s->running -= is_wanted_call(f);
    if (--t->count == 0)
        give_back(s, t);
    return rc;
}

/* --- debug groups ---------------------------------------------------------------------------------- */

/* The message is the last argument that is a text. */
static int find_group(struct thread_stacks *s, const struct trace_call *call, size_t *out)
{
    for (uint32_t i = call->arg_count; i > 0; --i) {
        const struct trace_value *v = &call->args[i - 1];
        if (v->type == TRACE_STRING)
            return stack_functions_find_group(&s->functions, v->u.string, strnlen(v->u.string, v->count),
                                              out);
    }
    return stack_functions_find_group(&s->functions, "(no name)", 9, out);
}

static int push_group(struct thread_stacks *s, struct thread_stack *t, uint32_t group, uint64_t time)
{
    struct stack_frame *frame = add_frame(s, t);
    if (frame == NULL)
        return TRACE_ERR_MEMORY;
    frame->function = t->group = group;
    frame->number = 0;
    frame->begin = time;
    frame->is_group = true;
    frame->is_wanted = s->listener.wants == NULL;
    return tell_begin(s, t);
}

/* Ends the innermost group, with calls in it that have not ended. */
static int pop_group(struct thread_stacks *s, struct thread_stack *t, uint64_t time)
{
    size_t i = t->count;
    int rc = 0;
    while (i > 0 && !t->frames[i - 1].is_group)
        --i;
    if (i == 0)
        return 0;
    while (rc == 0 && t->count >= i)
        rc = end_frame(s, t, time, t->frames[t->count - 1].is_group);
    return rc;
}

/* --- events ---------------------------------------------------------------------------------------- */

static uint64_t time_of(const struct thread_stacks *s, const struct trace_event *event)
{
    if (s->listener.has_ticks)
        return event->ticks;
    return event->time != TRACE_NO_TIME ? (uint64_t)event->time : NO_TICKS;
}

static int begin_call(struct thread_stacks *s, struct thread_stack *t, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    const struct stack_listener *l = &s->listener;
    size_t function, pushes = STACK_NO_GROUP;
    int rc = stack_functions_find(&s->functions, call->sig, &function);
    if (rc == 0 && l->has_groups && (call->sig->flags & TRACE_CALL_MARKER_PUSH) != 0)
        rc = find_group(s, call, &pushes);
    struct stack_frame *frame = rc == 0 ? add_frame(s, t) : NULL;
    if (frame == NULL)
        return TRACE_ERR_MEMORY;
    frame->number = event->number;
    frame->begin = s->last_time = time_of(s, event);
    frame->function = (uint32_t)function;
    frame->pushes = (uint32_t)pushes;
    frame->is_group = false;
    frame->is_wanted = l->wants == NULL || l->wants(l->wants_context, event);
    return tell_begin(s, t);
}

/* Numbers ascend in a thread, since calls are numbered in the order of entry. Returns the place behind the
 * call, or 0. */
static size_t find_call(const struct thread_stack *t, uint64_t number)
{
    size_t i = t->count;
    while (i > 0 && (t->frames[i - 1].is_group || t->frames[i - 1].number > number))
        --i;
    return i > 0 && t->frames[i - 1].number == number ? i : 0;
}

static int end_call(struct thread_stacks *s, struct thread_stack *t, const struct trace_event *event)
{
    uint64_t time = time_of(s, event);
    size_t i = find_call(t, event->number);
    int rc = 0;
    if (i == 0) {
        ++s->unmatched;
        return 0;
    }
    s->last_time = time;
    uint32_t pushes = t->frames[i - 1].pushes;
    while (rc == 0 && t->count > i)
        rc = end_frame(s, t, time, false);
    if (rc == 0)
        rc = end_frame(s, t, time, true);
    if (rc == 0 && pushes != STACK_NO_GROUP)
        rc = push_group(s, t, pushes, time);
    bool pops = s->listener.has_groups && (event->call->sig->flags & TRACE_CALL_MARKER_POP) != 0;
    return rc == 0 && pops ? pop_group(s, t, time) : rc;
}

/* A whole call does not tell its ticks. */
static int add_whole(struct thread_stacks *s, struct thread_stack *t, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    struct trace_event end = *event;
    if (call->leave_time == TRACE_NO_TIME || event->time == TRACE_NO_TIME) {
        ++s->open;
        return 0;
    }
    end.time = call->leave_time > event->time ? call->leave_time : event->time;
    int rc = begin_call(s, t, event);
    return rc == 0 ? end_call(s, t, &end) : rc;
}

int thread_stacks_add(struct thread_stacks *s, const struct trace_event *event)
{
    struct thread_stack *t = NULL;
    if (event->kind < TRACE_EVENT_CALL || event->kind > TRACE_EVENT_TAIL_EXIT)
        return 0;
    int rc = thread_stacks_find_thread(s, event->origin, event->call->thread, &t);
    if (rc != 0)
        return rc;
    if (event->kind == TRACE_EVENT_ENTER)
        return begin_call(s, t, event);
    return event->kind == TRACE_EVENT_CALL ? add_whole(s, t, event) : end_call(s, t, event);
}

/* Calls in groups that are open have no end: the time in them is the group's own. */
static int finish_thread(struct thread_stacks *s, struct thread_stack *t)
{
    int rc = 0;
    while (rc == 0 && t->count > 0) {
        if (t->frames[t->count - 1].is_group)
            rc = end_frame(s, t, s->last_time, true);
        else
            note_open(s, &t->frames[--t->count]);
    }
    return rc;
}

int thread_stacks_finish(struct thread_stacks *s)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->thread_count; ++i)
        rc = finish_thread(s, s->threads[i]);
    return rc;
}
