/* SPDX-License-Identifier: MIT
 * Adds up the time that is spent in each stack, without the calls within; in a trace without times, the calls
 * are counted. Memory grows with the number of different stacks.
 */
#include "formats/folded/folded.h"
#include "formats/folded/folded_tree.h"

#include "base/error.h"
#include "formats/shared/call_remains.h"
#include "formats/shared/call_threads.h"
#include "formats/shared/file_sink.h"
#include "formats/shared/summed_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct folded_sink {
    struct file_sink file;
    struct call_threads threads; /* the value of a thread is its node, that of a call its stack's node */
    struct call_remains remains;
    struct summed_calls sums;
    struct folded_tree tree;
    struct int_map names; /* addresses of signatures to names */
    bool has_times;
};

static struct folded_sink *cast(struct trace_sink *s)
{
    return (struct folded_sink *)s;
}

/* --- stacks ---------------------------------------------------------------------------------------- */

/* Finds or adds the node above a thread's calls. 0: unknown. */
static int find_thread_node(struct folded_sink *s, uint64_t process, uint64_t thread, uint32_t *node)
{
    char text[64];
    uint32_t name;
    if (process != 0)
        snprintf(text, sizeof text, "process-%" PRIu64 ",thread-%" PRIu64, process, thread);
    else
        snprintf(text, sizeof text, "thread-%" PRIu64, thread);
    int rc = folded_tree_find_name(&s->tree, text, &name);
    return rc == 0 ? folded_tree_find(&s->tree, FOLDED_ROOT, name, node) : rc;
}

static int add_thread_node(struct folded_sink *s, struct call_thread *t)
{
    uint32_t node;
    int rc = find_thread_node(s, t->process, t->thread, &node);
    if (rc == 0)
        t->value = node;
    return rc;
}

static int find_name(struct folded_sink *s, const struct trace_function_sig *sig, uint32_t *name)
{
    uint64_t key = (uint64_t)(uintptr_t)sig, known;
    if (int_map_get(&s->names, key, &known)) {
        *name = (uint32_t)known;
        return 0;
    }
    int rc = folded_tree_find_name(&s->tree, sig->name, name);
    return rc == 0 ? int_map_set(&s->names, key, *name) : rc;
}

/* Finds the stack of a call that begins now. */
static int find_stack(struct folded_sink *s, const struct trace_event *event, struct call_thread *t,
                      uint32_t *node)
{
    uint32_t name;
    int rc = t->value == 0 ? add_thread_node(s, t) : 0;
    if (rc == 0)
        rc = find_name(s, event->call->sig, &name);
    return rc == 0
               ? folded_tree_find(&s->tree, t->count > 0 ? t->calls[t->count - 1].value : (uint32_t)t->value,
                                  name, node)
               : rc;
}

/* The time since the thread's previous event was spent in its innermost call. */
static void add_time(struct folded_sink *s, struct call_thread *t, int64_t time)
{
    int64_t before = t->last;
    time = call_threads_time(&s->threads, t, time);
    if (s->has_times && t->count > 0)
        s->tree.nodes[t->calls[t->count - 1].value].self += (uint64_t)(time - before);
}

/* --- events ---------------------------------------------------------------------------------------- */

static int put_enter(struct folded_sink *s, const struct trace_event *event, struct call_thread *t)
{
    struct open_call call = {.number = event->number};
    int rc = find_stack(s, event, t, &call.value);
    if (rc != 0)
        return rc;
    call.known = call_remains_add_values(&s->remains, event, 0);
    add_time(s, t, event->time);
    s->tree.nodes[call.value].self += !s->has_times;
    return call_thread_begin(&s->threads, t, &call);
}

static int put_exit(struct folded_sink *s, const struct trace_event *event, struct call_thread *t)
{
    size_t ending = call_thread_ending(t, event->number);
    add_time(s, t, event->time);
    if (ending == 0)
        return trace_sink_leave_out(&s->file.base, "exit without an enter", 1);
    call_remains_add_values(&s->remains, event, t->calls[t->count - ending].known);
    s->remains.endless += ending - 1;
    while (ending-- > 0)
        call_thread_end(&s->threads, t);
    return 0;
}

static int put_whole_call(struct folded_sink *s, const struct trace_event *event, struct call_thread *t)
{
    int rc = put_enter(s, event, t);
    if (rc != 0)
        return rc;
    int64_t leave_time = event->call->leave_time;
    s->remains.endless += leave_time == TRACE_NO_TIME;
    add_time(s, t, leave_time != TRACE_NO_TIME ? leave_time : t->last);
    call_thread_end(&s->threads, t);
    return 0;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct folded_sink *s = cast(sink);
    struct call_thread *t;
    if (event->kind == TRACE_EVENT_SUM)
        return summed_calls_add(&s->sums, event);
    if (event->kind != TRACE_EVENT_CALL && event->kind != TRACE_EVENT_ENTER &&
        event->kind != TRACE_EVENT_EXIT && event->kind != TRACE_EVENT_TAIL_EXIT)
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    int rc = call_threads_find(&s->threads, event, &t);
    if (rc != 0)
        return rc;
    call_remains_add_event(&s->remains, event);
    return event->kind == TRACE_EVENT_CALL    ? put_whole_call(s, event, t)
           : event->kind == TRACE_EVENT_ENTER ? put_enter(s, event, t)
                                              : put_exit(s, event, t);
}

/* --- the sink -------------------------------------------------------------------------------------- */

/* Calls that never returned last until the trace ends. */
static void end_open_calls(struct folded_sink *s)
{
    for (size_t i = 0; i < s->threads.count; ++i) {
        struct call_thread *t = s->threads.items[i];
        s->remains.endless += t->count;
        if (t->count > 0)
            add_time(s, t, s->threads.last);
    }
}

/* --- sums of calls --------------------------------------------------------------------------------- */

/* places: by node of the sums, the node of its stack here. A node comes after the one above it. */
static int add_sums_of_thread(struct folded_sink *s, size_t thread, uint32_t *places)
{
    const struct call_tree *t = &s->sums.tree;
    const struct thread_stack *from = t->stacks.threads[thread];
    uint32_t top = t->threads[thread], name;
    int rc = find_thread_node(s, from->process > 0 ? (uint64_t)from->process : 0,
                              from->thread > 0 ? (uint64_t)from->thread : 0, &places[top]);
    for (uint32_t i = top; rc == 0 && (i = call_tree_next(t, top, i)) != CALL_TREE_NONE;) {
        const struct call_node *node = &t->nodes[i];
        rc = find_name(s, t->stacks.functions.functions[node->function].sig, &name);
        if (rc == 0)
            rc = folded_tree_find(&s->tree, places[node->parent], name, &places[i]);
        if (rc == 0)
            s->tree.nodes[places[i]].self += summed_calls_value(&s->sums, node);
    }
    return rc;
}

static int add_sums(struct folded_sink *s)
{
    int rc = summed_calls_finish(&s->sums);
    uint32_t *places = calloc(s->sums.tree.count + 1, sizeof *places);
    if (places == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; rc == 0 && i < s->sums.tree.thread_count; ++i)
        rc = add_sums_of_thread(s, i, places);
    free(places);
    return rc;
}

/* --- the end --------------------------------------------------------------------------------------- */

static int put_line(void *context, const void *bytes, size_t count)
{
    return log_output_put(context, bytes, count);
}

static int sink_finish(struct trace_sink *sink)
{
    struct folded_sink *s = cast(sink);
    end_open_calls(s);
    int rc = add_sums(s);
    if (rc == 0)
        rc = folded_tree_print(&s->tree, put_line, &s->file.output);
    call_remains_tell(&s->remains, &s->threads, sink);
    return rc == 0 ? log_output_flush(&s->file.output) : rc;
}

static void release(struct file_sink *file)
{
    struct folded_sink *s = (struct folded_sink *)file;
    call_threads_fini(&s->threads);
    folded_tree_fini(&s->tree);
    summed_calls_fini(&s->sums);
    int_map_fini(&s->names);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int folded_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    struct folded_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    call_threads_init(&s->threads, options, 1);
    summed_calls_init(&s->sums, options);
    s->has_times = options->clock != NULL;
    int rc = folded_tree_init(&s->tree);
    if (rc != 0) {
        release(&s->file);
        return rc;
    }
    rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < options->property_count; ++i)
        trace_sink_leave_out(&s->file.base, "property", 1);
    *out = &s->file.base;
    return 0;
}
