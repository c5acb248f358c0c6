/* SPDX-License-Identifier: MIT
 * Writes an event with a duration for each call when it ends, and an instant for everything else that
 * happens. (Events for the two ends of a call would have to have the same arguments for Speedscope.) Times
 * are microseconds as numbers, with nanoseconds as decimals.
 */
#include "formats/chrome/chrome.h"
#include "formats/chrome/chrome_values.h"

#include "base/error.h"
#include "base/format_number.h"
#include "base/hash_map.h"
#include "base/json_writer.h"
#include "formats/shared/call_remains.h"
#include "formats/shared/call_threads.h"
#include "formats/shared/file_sink.h"
#include "trace/resource_call.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define EXACT_MAX   INT64_C(4000000000000000) /* nanoseconds whose microseconds a double holds exactly */
#define FLUSH_BYTES ((size_t)1 << 16)

#define THREADS_KEPT 100 /* up to so many threads keep the memory for their calls when none is open */

/* The JSON of the calls that are open in a thread, by depth: their members that are known. */
struct chrome_thread {
    struct buf *members;
    size_t count;
};

struct chrome_sink {
    struct file_sink file;
    struct json_writer json;
    struct buf text;             /* what is not yet in the output */
    struct buf members;          /* of an event */
    struct call_threads threads; /* the value of a thread is the address of its struct chrome_thread */
    struct call_remains remains;
    struct resource_calls resources;
    struct arena arena;       /* of a call with a resource */
    struct int_map processes; /* those that have been named */
    char process_name[256];   /* empty: not known */
    bool has_begun;
    int64_t start; /* that is subtracted from all times */
    bool knows_start;
};

static struct chrome_sink *cast(struct trace_sink *s)
{
    return (struct chrome_sink *)s;
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- text ------------------------------------------------------------------------------------------ */

static int write_out(struct chrome_sink *s)
{
    int rc = s->json.failed ? no_memory() : log_output_put(&s->file.output, s->text.data, s->text.len);
    buf_clear(&s->text);
    return rc;
}

static void put_uint(struct chrome_sink *s, const char *name, uint64_t value)
{
    json_key(&s->json, name);
    json_uint(&s->json, value);
}

static void put_text(struct chrome_sink *s, const char *name, const char *text)
{
    json_key(&s->json, name);
    json_repaired_text(&s->json, text, strlen(text));
}

static void put_time(struct chrome_sink *s, const char *name, int64_t nanoseconds)
{
    char text[2 * FORMAT_INT_BYTES];
    uint64_t magnitude = nanoseconds < 0 ? 0 - (uint64_t)nanoseconds : (uint64_t)nanoseconds;
    size_t n = nanoseconds < 0;
    text[0] = '-';
    n += format_uint(text + n, magnitude / 1000);
    text[n++] = '.';
    text[n++] = (char)('0' + magnitude % 1000 / 100);
    text[n++] = (char)('0' + magnitude % 100 / 10);
    text[n++] = (char)('0' + magnitude % 10);
    json_key(&s->json, name);
    json_raw(&s->json, text, n);
}

static void begin_event(struct chrome_sink *s, const char *phase)
{
    if (s->has_begun)
        json_splice(&s->json, ",\n", 2, false);
    else
        s->json.comma = false;
    s->has_begun = true;
    json_begin(&s->json, '{');
    json_key(&s->json, "ph");
    json_raw(&s->json, phase, 3); /* a letter in quotes */
}

static int end_event(struct chrome_sink *s)
{
    json_end(&s->json, '}');
    s->json.comma = false;
    return s->text.len >= FLUSH_BYTES ? write_out(s) : 0;
}

static void put_place(struct chrome_sink *s, const struct call_thread *t)
{
    put_uint(s, "pid", t->process);
    put_uint(s, "tid", t->thread);
}

/* --- threads --------------------------------------------------------------------------------------- */

static int put_name(struct chrome_sink *s, const struct call_thread *t, const char *what, const char *name)
{
    begin_event(s, "\"M\"");
    put_text(s, "name", what);
    put_place(s, t);
    json_key(&s->json, "args");
    json_begin(&s->json, '{');
    put_text(s, "name", name);
    json_end(&s->json, '}');
    return end_event(s);
}

static int name_thread(struct chrome_sink *s, const struct call_thread *t)
{
    char name[300];
    int rc = 0;
    if (!int_map_get(&s->processes, t->process, NULL)) {
        if (s->process_name[0] != '\0')
            snprintf(name, sizeof name, "%s", s->process_name);
        else
            snprintf(name, sizeof name, "process %" PRIu64, t->process);
        rc = put_name(s, t, "process_name", name);
        if (rc == 0)
            rc = int_map_set(&s->processes, t->process, 1);
    }
    snprintf(name, sizeof name, "thread %" PRIu64, t->thread);
    return rc == 0 ? put_name(s, t, "thread_name", name) : rc;
}

static int find_thread(struct chrome_sink *s, const struct trace_event *event, struct call_thread **out)
{
    size_t known = s->threads.count;
    int rc = call_threads_find(&s->threads, event, out);
    if (rc != 0 || s->threads.count == known)
        return rc;
    struct chrome_thread *own = calloc(1, sizeof *own);
    (*out)->value = (uint64_t)(uintptr_t)own;
    return own != NULL ? name_thread(s, *out) : no_memory();
}

static struct chrome_thread *own_part(const struct call_thread *t)
{
    return (struct chrome_thread *)(uintptr_t)t->value;
}

/* Returns the members of the call at this depth, or NULL if there is no memory. */
static struct buf *members_at(const struct call_thread *t, size_t depth)
{
    struct chrome_thread *own = own_part(t);
    if (depth < own->count)
        return &own->members[depth];
    size_t count = own->count == 0 ? 16 : 2 * own->count;
    struct buf *members = realloc(own->members, count * sizeof *members);
    if (members == NULL)
        return NULL;
    memset(members + own->count, 0, (count - own->count) * sizeof *members);
    own->members = members;
    own->count = count;
    return &members[depth];
}

static void free_members(struct chrome_thread *own)
{
    for (size_t i = 0; i < own->count; ++i)
        buf_fini(&own->members[i]);
    free(own->members);
    *own = (struct chrome_thread){.count = 0};
}

static void free_own_part(struct chrome_thread *own)
{
    if (own != NULL)
        free_members(own);
    free(own);
}

/* --- events ---------------------------------------------------------------------------------------- */

static int64_t time_of(struct chrome_sink *s, struct call_thread *t, int64_t time)
{
    time = call_threads_time(&s->threads, t, time);
    if (!s->knows_start && (time > EXACT_MAX || time < -EXACT_MAX))
        s->start = time;
    s->knows_start = true;
    return time;
}

/* Viewers show an object of arguments beside the name, even if nothing is in it. */
static void put_members(struct chrome_sink *s, const struct buf *members)
{
    static const char no_args[] = ",\"args\":{";
    const size_t n = sizeof no_args - 1;
    bool empty = members->len >= n && memcmp(members->data + members->len - n, no_args, n) == 0;
    json_raw(&s->json, (const char *)members->data, members->len - (empty ? n : 0));
    if (!empty)
        json_end(&s->json, '}');
}

/* Writes an event of which all is known but its place. */
static int put_event(struct chrome_sink *s, const char *phase, const struct buf *members,
                     const struct call_thread *t, int64_t time, int64_t end)
{
    begin_event(s, phase);
    put_members(s, members);
    put_place(s, t);
    put_time(s, "ts", time - s->start);
    if (phase[1] == 'X')
        put_time(s, "dur", end - time);
    else
        put_text(s, "s", "t");
    return end_event(s);
}

static int make_members(struct buf *members, const struct trace_call *call, const char *name, bool is_over)
{
    struct json_writer w;
    buf_clear(members);
    json_writer_init(&w, members);
    chrome_put_call(&w, call, name, is_over);
    return w.failed ? no_memory() : 0;
}

static int put_enter(struct chrome_sink *s, const struct trace_event *event, struct call_thread *t)
{
    struct buf *members = members_at(t, t->count);
    const struct open_call call = {.number = event->number,
                                   .time = time_of(s, t, event->time),
                                   .known = call_remains_count_arguments(event->call)};
    int rc = members != NULL ? call_thread_begin(&s->threads, t, &call) : no_memory();
    return rc == 0 ? make_members(members, event->call, event->call->sig->name, false) : rc;
}

static int end_innermost(struct chrome_sink *s, struct call_thread *t, int64_t time)
{
    const struct open_call call = call_thread_end(&s->threads, t);
    int rc = put_event(s, "\"X\"", &own_part(t)->members[t->count], t, call.time, time);
    if (t->count == 0 && s->threads.count > THREADS_KEPT)
        free_members(own_part(t));
    return rc;
}

/* The exit may tell more than the enter did. */
static int complete_members(struct call_thread *t, const struct trace_event *event)
{
    struct buf *members = &own_part(t)->members[t->count - 1];
    if (call_remains_count_arguments(event->call) > t->calls[t->count - 1].known)
        return make_members(members, event->call, event->call->sig->name, true);
    if (event->call->ret.type == TRACE_NONE)
        return 0;
    struct json_writer w;
    json_writer_init(&w, members);
    w.comma = t->calls[t->count - 1].known > 0;
    json_key(&w, "return value");
    chrome_put_value(&w, &event->call->ret);
    return w.failed ? no_memory() : 0;
}

static int put_exit(struct chrome_sink *s, const struct trace_event *event, struct call_thread *t)
{
    size_t ending = call_thread_ending(t, event->number);
    int64_t time = time_of(s, t, event->time);
    int rc = 0;
    if (ending == 0)
        return trace_sink_leave_out(&s->file.base, "exit without an enter", 1);
    s->remains.endless += ending - 1;
    while (rc == 0 && --ending > 0)
        rc = end_innermost(s, t, time);
    if (rc == 0)
        rc = complete_members(t, event);
    return rc == 0 ? end_innermost(s, t, time) : rc;
}

static int put_whole_call(struct chrome_sink *s, const struct trace_event *event, struct call_thread *t)
{
    int64_t leave_time = event->call->leave_time;
    int64_t start = time_of(s, t, event->time);
    int64_t end = leave_time != TRACE_NO_TIME ? time_of(s, t, leave_time) : start;
    s->remains.endless += leave_time == TRACE_NO_TIME;
    int rc = make_members(&s->members, event->call, event->call->sig->name, true);
    return rc == 0 ? put_event(s, "\"X\"", &s->members, t, start, end) : rc;
}

static int put_instant(struct chrome_sink *s, const struct trace_event *event, struct call_thread *t,
                       const char *name)
{
    int64_t time = time_of(s, t, event->time);
    int rc = make_members(&s->members, event->call, name != NULL ? name : "?", event->call != NULL);
    return rc == 0 ? put_event(s, "\"i\"", &s->members, t, time, time) : rc;
}

/* The resource and its size become arguments. */
static int put_resource(struct chrome_sink *s, const struct trace_event *event, struct call_thread *t)
{
    struct trace_event as_call = *event;
    struct trace_call call;
    arena_reset(&s->arena);
    int rc = resource_calls_make(&s->resources, event, &s->arena, &call);
    as_call.call = &call;
    return rc == 0 ? put_instant(s, &as_call, t, call.sig->name) : rc;
}

static void count_remains(struct chrome_sink *s, const struct trace_event *event)
{
    call_remains_add_event(&s->remains, event);
    s->remains.backtraces +=
        event->call != NULL && event->call->frame_count > 0 && event->kind != TRACE_EVENT_EXIT;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct chrome_sink *s = cast(sink);
    struct call_thread *t = NULL;
    bool is_shown = event->call != NULL || event->kind == TRACE_EVENT_MARK || event->kind == TRACE_EVENT_LOSS;
    if (!is_shown)
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    int rc = find_thread(s, event, &t);
    if (rc != 0)
        return rc;
    count_remains(s, event);
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return put_whole_call(s, event, t);
    case TRACE_EVENT_ENTER:
        return put_enter(s, event, t);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return put_exit(s, event, t);
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return put_resource(s, event, t);
    case TRACE_EVENT_MARK:
        return put_instant(s, event, t, event->u.text);
    case TRACE_EVENT_LOSS:
        return put_instant(s, event, t, "lost events");
    default:
        return put_instant(s, event, t, event->call->sig->name);
    }
}

/* --- the sink -------------------------------------------------------------------------------------- */

/* Calls that never returned end with the trace. */
static int end_open_calls(struct chrome_sink *s)
{
    int rc = 0;
    for (size_t i = 0; i < s->threads.count; ++i) {
        struct call_thread *t = s->threads.items[i];
        s->remains.endless += t->count;
        while (rc == 0 && t->count > 0)
            rc = end_innermost(s, t, s->threads.last);
    }
    return rc;
}

static int sink_finish(struct trace_sink *sink)
{
    struct chrome_sink *s = cast(sink);
    char text[64];
    int rc = end_open_calls(s);
    int length = snprintf(text, sizeof text, "\n],\"otherData\":{\"start_ns\":\"%" PRId64 "\"}}\n", s->start);
    json_splice(&s->json, text, (size_t)length, false);
    if (rc == 0)
        rc = write_out(s);
    call_remains_tell(&s->remains, &s->threads, sink);
    return rc == 0 ? log_output_flush(&s->file.output) : rc;
}

static int sink_flush(struct trace_sink *sink)
{
    int rc = write_out(cast(sink));
    return rc == 0 ? log_output_flush(&cast(sink)->file.output) : rc;
}

static void release(struct file_sink *file)
{
    struct chrome_sink *s = (struct chrome_sink *)file;
    for (size_t i = 0; i < s->threads.count; ++i)
        free_own_part(own_part(s->threads.items[i]));
    call_threads_fini(&s->threads);
    resource_calls_fini(&s->resources);
    arena_fini(&s->arena);
    int_map_fini(&s->processes);
    buf_fini(&s->members);
    buf_fini(&s->text);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = sink_flush,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int chrome_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    static const char head[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    struct chrome_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    call_threads_init(&s->threads, options, 1000);
    resource_calls_init(&s->resources);
    arena_init(&s->arena);
    json_writer_init(&s->json, &s->text);
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, "process.name") == 0)
            snprintf(s->process_name, sizeof s->process_name, "%s", options->properties[i].value);
    call_remains_tell_properties(&s->file.base, options);
    json_splice(&s->json, head, sizeof head - 1, false);
    *out = &s->file.base;
    return 0;
}
