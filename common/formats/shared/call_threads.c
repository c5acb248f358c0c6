/* SPDX-License-Identifier: MIT */
#include "formats/shared/call_threads.h"

#include "base/array.h"
#include "base/error.h"

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
    int_map_fini(&t->by_thread);
    free(t->spare);
}

/* --- threads --------------------------------------------------------------------------------------- */

static int add_thread(struct call_threads *t, uint64_t process, uint64_t thread, struct call_thread *other,
                      struct call_thread **out)
{
    struct call_thread *added = calloc(1, sizeof *added);
    if (added == NULL || ARRAY_RESERVE(t->items, t->count, t->room) != 0 ||
        int_map_set(&t->by_thread, thread, t->count) != 0) {
        free(added);
        return no_memory();
    }
    added->process = process;
    added->thread = thread;
    added->first = added->last = TRACE_NO_TIME;
    added->index = t->count;
    added->other = other;
    t->items[t->count++] = *out = added;
    return 0;
}

/* Several origins may be of one thread: on other processors, or in other contexts. */
static int find_by_number(struct call_threads *t, uint64_t process, uint64_t thread, struct call_thread **out)
{
    uint64_t index;
    struct call_thread *first = int_map_get(&t->by_thread, thread, &index) ? t->items[index] : NULL;
    for (*out = first; *out != NULL && (*out)->process != process;)
        *out = (*out)->other;
    return *out != NULL ? 0 : add_thread(t, process, thread, first, out);
}

int call_threads_find(struct call_threads *t, const struct trace_event *event, struct call_thread **out)
{
    const struct trace_origin *o = event->origin;
    bool is_known = o != NULL && o->thread >= 0;
    if (is_known && o == t->latest_origin) {
        *out = t->latest;
        return 0;
    }
    uint64_t of_call = event->call != NULL ? event->call->thread : 0;
    uint64_t process = o != NULL && o->process >= 0 ? (uint64_t)o->process : 0;
    int rc = find_by_number(t, process, is_known ? (uint64_t)o->thread : of_call, out);
    if (rc == 0 && is_known) {
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

static int make_room(struct call_threads *t, struct call_thread *thread)
{
    if (thread->room > 0 || t->spare == NULL)
        return ARRAY_RESERVE(thread->calls, thread->count, thread->room);
    thread->calls = t->spare;
    thread->room = t->spare_room;
    t->spare = NULL;
    t->spare_room = 0;
    return 0;
}

/* Most threads may have ended, so only those with open calls have memory for them. */
static void give_back(struct call_threads *t, struct call_thread *thread)
{
    struct open_call *unused = thread->calls;
    if (thread->room > t->spare_room) {
        unused = t->spare;
        t->spare = thread->calls;
        t->spare_room = thread->room;
    }
    free(unused);
    thread->calls = NULL;
    thread->room = 0;
}

int call_thread_begin(struct call_threads *t, struct call_thread *thread, const struct open_call *call)
{
    if (thread->count == thread->room && make_room(t, thread) != 0)
        return no_memory();
    thread->calls[thread->count++] = *call;
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

struct open_call call_thread_end(struct call_threads *t, struct call_thread *thread)
{
    const struct open_call call = thread->calls[--thread->count];
    if (thread->count == 0)
        give_back(t, thread);
    return call;
}
