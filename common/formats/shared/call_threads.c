/* SPDX-License-Identifier: MIT */
#include "formats/shared/call_threads.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void call_threads_init(struct call_threads *t, const struct trace_sink_options *options, int64_t step)
{
    memset(t, 0, sizeof *t);
    t->step = options->clock == NULL ? step : 0;
    t->last = TRACE_NO_TIME;
}

void call_threads_fini(struct call_threads *t)
{
    for (size_t i = 0; i < t->count; ++i) {
        free(t->items[i]->calls);
        free(t->items[i]);
    }
    free(t->items);
    int_map_fini(&t->origins);
    string_map_fini(&t->names);
}

/* --- threads --------------------------------------------------------------------------------------- */

static int add_thread(struct call_threads *t, uint64_t process, uint64_t thread, struct call_thread **out)
{
    struct call_thread *added = calloc(1, sizeof *added);
    if (added == NULL || ARRAY_RESERVE(t->items, t->count, t->room) != 0) {
        free(added);
        return no_memory();
    }
    added->process = process;
    added->thread = thread;
    added->first = added->last = TRACE_NO_TIME;
    added->index = t->count;
    t->items[t->count++] = *out = added;
    return 0;
}

/* Several origins may be of one thread: on other processors, or in other contexts. */
static int find_by_name(struct call_threads *t, uint64_t process, uint64_t thread, struct call_thread **out)
{
    char name[48];
    uint64_t index;
    snprintf(name, sizeof name, "%" PRIu64 " %" PRIu64, process, thread);
    if (string_map_get(&t->names, name, &index)) {
        *out = t->items[index];
        return 0;
    }
    int rc = add_thread(t, process, thread, out);
    return rc == 0 ? string_map_set(&t->names, name, (*out)->index) : rc;
}

static int find_any(struct call_threads *t, const struct trace_event *event, struct call_thread **out)
{
    const struct trace_origin *o = event->origin;
    uint64_t process = o != NULL && o->process >= 0 ? (uint64_t)o->process : 0;
    uint64_t thread = o != NULL && o->thread >= 0 ? (uint64_t)o->thread
                      : event->call != NULL       ? event->call->thread
                                                  : 0;
    return find_by_name(t, process, thread, out);
}

int call_threads_find(struct call_threads *t, const struct trace_event *event, struct call_thread **out)
{
    const struct trace_origin *o = event->origin;
    uint64_t index;
    if (o == NULL || o->thread < 0)
        return find_any(t, event, out);
    if (o == t->latest_origin) {
        *out = t->latest;
        return 0;
    }
    int rc = 0;
    if (int_map_get(&t->origins, (uint64_t)(uintptr_t)o, &index))
        *out = t->items[index];
    else if ((rc = find_any(t, event, out)) == 0)
        rc = int_map_set(&t->origins, (uint64_t)(uintptr_t)o, (*out)->index);
    if (rc == 0) {
        t->latest_origin = o;
        t->latest = *out;
    }
    return rc;
}

/* --- times ----------------------------------------------------------------------------------------- */

int64_t call_threads_time(struct call_threads *t, struct call_thread *thread, int64_t time)
{
    if (time == TRACE_NO_TIME)
        time = t->last == TRACE_NO_TIME ? 0 : t->last + t->step;
    if (thread->last != TRACE_NO_TIME && time < thread->last) {
        time = thread->last;
        t->backward++;
    }
    if (thread->first == TRACE_NO_TIME)
        thread->first = time;
    thread->last = time;
    t->last = t->last == TRACE_NO_TIME || time > t->last ? time : t->last;
    return time;
}

/* --- calls ----------------------------------------------------------------------------------------- */

int call_thread_begin(struct call_thread *t, const struct open_call *call)
{
    if (ARRAY_RESERVE(t->calls, t->count, t->room) != 0)
        return no_memory();
    t->calls[t->count++] = *call;
    return 0;
}

/* Numbers ascend, since calls are numbered in the order of entry. */
size_t call_thread_ending(const struct call_thread *t, uint64_t number)
{
    size_t i = t->count;
    while (i > 0 && t->calls[i - 1].number > number)
        --i;
    return i == 0 || t->calls[i - 1].number != number ? 0 : t->count - (i - 1);
}

struct open_call call_thread_end(struct call_thread *t)
{
    return t->calls[--t->count];
}
