/* SPDX-License-Identifier: MIT
 * Writes a beginning and an end for each call, and an instant for everything else that happens. Times are
 * microseconds as numbers, with nanoseconds as decimals.
 */
#include "formats/chrome/chrome.h"
#include "formats/chrome/chrome_calls.h"

#include "base/array.h"
#include "base/error.h"
#include "base/format_number.h"
#include "base/json_writer.h"
#include "formats/shared/log_output.h"
#include "base/hash_map.h"
#include "trace/sink_ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define EXACT_MAX   INT64_C(4000000000000000) /* nanoseconds whose microseconds a double holds exactly */
#define FLUSH_BYTES ((size_t)1 << 16)
#define TEXT_MAX    65536 /* bytes of a string; longer ones are cut */

struct chrome_thread {
    uint64_t process;
    uint64_t thread;
    struct chrome_calls calls;
};

struct chrome_sink {
    struct trace_sink base;
    struct log_output output;
    struct json_writer json;
    struct buf text; /* what is not yet in the output */
    struct chrome_thread **threads;
    size_t thread_count;
    size_t thread_room;
    struct int_map thread_indexes;
    struct int_map processes; /* those that have been named */
    char process_name[256];   /* empty: not known */
    bool has_begun;
    int64_t start; /* that is subtracted from all times */
    int64_t last;  /* the latest time */
    bool knows_time;
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
    int rc = s->json.failed ? no_memory() : log_output_put(&s->output, s->text.data, s->text.len);
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
    json_text(&s->json, text, strlen(text));
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

static void put_place(struct chrome_sink *s, const struct chrome_thread *t)
{
    put_uint(s, "pid", t->process);
    put_uint(s, "tid", t->thread);
}

/* --- values ---------------------------------------------------------------------------------------- */

static void put_value(struct json_writer *w, const struct trace_value *value)
{
    const char *name = value->type == TRACE_ENUM && value->sig.enumeration != NULL
                           ? trace_enum_find_name(value->sig.enumeration, value->u.sint)
                           : NULL;
    char address[24];
    switch (value->type) {
    case TRACE_FALSE:
    case TRACE_TRUE:
        json_bool(w, value->type == TRACE_TRUE);
        break;
    case TRACE_SINT:
        json_sint(w, value->u.sint);
        break;
    case TRACE_ENUM:
        if (name != NULL)
            json_text(w, name, strlen(name));
        else
            json_sint(w, value->u.sint);
        break;
    case TRACE_UINT:
    case TRACE_BITMASK:
        json_uint(w, value->u.uint);
        break;
    case TRACE_FLOAT:
        json_float(w, value->u.f32);
        break;
    case TRACE_DOUBLE:
        json_double(w, value->u.f64);
        break;
    case TRACE_STRING:
        json_text(w, value->u.string, value->count < TEXT_MAX ? (size_t)value->count : TEXT_MAX);
        break;
    case TRACE_OPAQUE:
        json_string(w, address, (size_t)snprintf(address, sizeof address, "0x%" PRIx64, value->u.uint));
        break;
    case TRACE_BLOB:
        if (value->count <= 1024) {
            json_base64(w, value->u.blob, (size_t)value->count);
            break;
        }
        json_string(w, address, (size_t)snprintf(address, sizeof address, "%" PRIu64 " bytes", value->count));
        break;
    case TRACE_ARRAY:
    case TRACE_STRUCT:
    case TRACE_REPR:
    case TRACE_WSTRING:
        json_string(w, address,
                    (size_t)snprintf(address, sizeof address, "(%" PRIu64 " elements)", value->count));
        break;
    default:
        json_null(w);
        break;
    }
}

static void put_args(struct chrome_sink *s, const struct trace_call *call)
{
    bool any = false;
    for (uint32_t i = 0; i < call->sig->arg_count; ++i) {
        if (call->args[i].type == TRACE_NONE)
            continue;
        if (!any) {
            json_key(&s->json, "args");
            json_begin(&s->json, '{');
        }
        any = true;
        json_text(&s->json, call->sig->arg_names[i], strlen(call->sig->arg_names[i]));
        json_splice(&s->json, ":", 1, false);
        put_value(&s->json, &call->args[i]);
    }
    if (any)
        json_end(&s->json, '}');
}

/* --- threads --------------------------------------------------------------------------------------- */

static int put_name(struct chrome_sink *s, const struct chrome_thread *t, const char *what, const char *name)
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

static int name_thread(struct chrome_sink *s, const struct chrome_thread *t)
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

static int find_thread(struct chrome_sink *s, const struct trace_event *event, struct chrome_thread **out)
{
    const struct trace_origin *o = event->origin;
    int64_t thread = o != NULL && o->thread >= 0 ? o->thread : event->call != NULL ? event->call->thread : 0;
    uint64_t process = o != NULL && o->process >= 0 ? (uint64_t)o->process : 0, index;
    uint64_t key = process << 32 | (uint32_t)thread;
    if (int_map_get(&s->thread_indexes, key, &index)) {
        *out = s->threads[index];
        return 0;
    }
    struct chrome_thread *t = calloc(1, sizeof *t);
    if (t == NULL || ARRAY_RESERVE(s->threads, s->thread_count, s->thread_room) != 0) {
        free(t);
        return no_memory();
    }
    t->process = process;
    t->thread = (uint64_t)thread;
    s->threads[s->thread_count] = *out = t;
    int rc = int_map_set(&s->thread_indexes, key, s->thread_count++);
    return rc == 0 ? name_thread(s, t) : rc;
}

/* --- events ---------------------------------------------------------------------------------------- */

/* Times that would lose their nanoseconds are counted from the first one. */
static int64_t time_of(struct chrome_sink *s, int64_t time)
{
    if (time == TRACE_NO_TIME)
        time = s->knows_time ? s->last + s->start : 0;
    if (!s->knows_time && (time > EXACT_MAX || time < -EXACT_MAX))
        s->start = time;
    s->knows_time = true;
    time -= s->start;
    s->last = time > s->last ? time : s->last;
    return time;
}

static int put_end(struct chrome_sink *s, const struct chrome_thread *t, int64_t time)
{
    begin_event(s, "\"E\"");
    put_place(s, t);
    put_time(s, "ts", time);
    return end_event(s);
}

static int put_enter(struct chrome_sink *s, const struct trace_event *event, struct chrome_thread *t)
{
    begin_event(s, "\"B\"");
    put_text(s, "name", event->call->sig->name);
    put_place(s, t);
    put_time(s, "ts", time_of(s, event->time));
    put_args(s, event->call);
    int rc = chrome_calls_begin(&t->calls, event->number);
    return rc == 0 ? end_event(s) : rc;
}

static int put_exit(struct chrome_sink *s, const struct trace_event *event, struct chrome_thread *t)
{
    int64_t time = time_of(s, event->time);
    size_t ended = chrome_calls_end(&t->calls, event->number);
    int rc = 0;
    if (ended == 0)
        return trace_sink_leave_out(&s->base, "exit without an enter", 1);
    while (rc == 0 && ended-- > 0)
        rc = put_end(s, t, time);
    return rc;
}

static int put_whole_call(struct chrome_sink *s, const struct trace_event *event,
                          const struct chrome_thread *t)
{
    int64_t start = time_of(s, event->time);
    int64_t end = event->call->leave_time != TRACE_NO_TIME ? time_of(s, event->call->leave_time) : start;
    begin_event(s, "\"X\"");
    put_text(s, "name", event->call->sig->name);
    put_place(s, t);
    put_time(s, "ts", start);
    put_time(s, "dur", end - start);
    put_args(s, event->call);
    return end_event(s);
}

static int put_instant(struct chrome_sink *s, const struct trace_event *event, const struct chrome_thread *t,
                       const char *name)
{
    begin_event(s, "\"i\"");
    put_text(s, "name", name != NULL ? name : "?");
    put_place(s, t);
    put_time(s, "ts", time_of(s, event->time));
    put_text(s, "s", "t");
    if (event->call != NULL)
        put_args(s, event->call);
    return end_event(s);
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct chrome_sink *s = cast(sink);
    struct chrome_thread *t = NULL;
    bool is_shown = event->call != NULL || event->kind == TRACE_EVENT_MARK || event->kind == TRACE_EVENT_LOSS;
    int rc = is_shown ? find_thread(s, event, &t) : 0;
    if (rc != 0)
        return rc;
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return put_whole_call(s, event, t);
    case TRACE_EVENT_ENTER:
        return put_enter(s, event, t);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return put_exit(s, event, t);
    case TRACE_EVENT_INSTANT:
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return put_instant(s, event, t, event->call->sig->name);
    case TRACE_EVENT_MARK:
        return put_instant(s, event, t, event->u.text);
    case TRACE_EVENT_LOSS:
        return put_instant(s, event, t, "lost events");
    default:
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    }
}

/* --- the sink -------------------------------------------------------------------------------------- */

/* Calls that never returned end with the trace. */
static int end_open_calls(struct chrome_sink *s)
{
    int rc = 0;
    for (size_t i = 0; i < s->thread_count; ++i)
        for (; rc == 0 && s->threads[i]->calls.count > 0; --s->threads[i]->calls.count)
            rc = put_end(s, s->threads[i], s->last);
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
    return rc == 0 ? log_output_flush(&s->output) : rc;
}

static int sink_flush(struct trace_sink *sink)
{
    int rc = write_out(cast(sink));
    return rc == 0 ? log_output_flush(&cast(sink)->output) : rc;
}

static void free_sink(struct chrome_sink *s)
{
    for (size_t i = 0; i < s->thread_count; ++i) {
        chrome_calls_fini(&s->threads[i]->calls);
        free(s->threads[i]);
    }
    free(s->threads);
    int_map_fini(&s->thread_indexes);
    int_map_fini(&s->processes);
    buf_fini(&s->text);
    free(s);
}

static int sink_close(struct trace_sink *sink)
{
    struct chrome_sink *s = cast(sink);
    int rc = log_output_end(&s->output, s->base.rc);
    free_sink(s);
    return rc;
}

static void sink_abandon(struct trace_sink *sink)
{
    log_output_abandon(&cast(sink)->output);
    free_sink(cast(sink));
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = sink_flush,
    .finish = sink_finish,
    .close = sink_close,
    .abandon = sink_abandon,
};

int chrome_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    static const char head[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    struct chrome_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    s->base.ops = &ops;
    json_writer_init(&s->json, &s->text);
    int rc = log_output_open(&s->output, path);
    if (rc != 0) {
        free_sink(s);
        return rc;
    }
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, "process.name") == 0)
            snprintf(s->process_name, sizeof s->process_name, "%s", options->properties[i].value);
    json_splice(&s->json, head, sizeof head - 1, false);
    *out = &s->base;
    return 0;
}
