/* SPDX-License-Identifier: MIT
 * Each packet is one event: the beginning or the end of a slice for those of a call, or an instant. All are
 * in one sequence, whose first packet says that its state begins there. A slice that never ended has no end
 * there, either.
 */
#include "formats/perfetto/perfetto.h"
#include "formats/perfetto/perfetto_fields.h"
#include "formats/perfetto/perfetto_names.h"
#include "formats/perfetto/perfetto_stacks.h"
#include "formats/perfetto/perfetto_values.h"

#include "base/error.h"
#include "formats/shared/call_remains.h"
#include "formats/shared/call_threads.h"
#include "formats/shared/file_sink.h"
#include "trace/resource_call.h"
#include "trace/text/call_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SEQUENCE 1

struct perfetto_sink {
    struct file_sink file;
    struct call_threads threads; /* the value of a thread is its track */
    struct call_remains remains;
    struct perfetto_names names;
    struct perfetto_values values;
    struct proto_writer packet;
    struct trace_call_text *text;
    struct buf key; /* memory for looking up frames */
    struct resource_calls resources;
    struct arena arena;       /* of a call with a resource */
    struct int_map processes; /* to their tracks */
    uint64_t tracks;          /* number of tracks; they are numbered from 1 */
    char process_name[256];   /* empty: not known */
    bool has_begun;
    bool knows_start;
    int64_t start; /* that is subtracted from all times, since none may be below 0 */
    uint64_t early;
};

static struct perfetto_sink *cast(struct trace_sink *s)
{
    return (struct perfetto_sink *)s;
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- packets --------------------------------------------------------------------------------------- */

static size_t begin_packet(struct perfetto_sink *s)
{
    buf_clear(&s->packet.out);
    size_t mark = proto_begin(&s->packet, TRACE_PACKET);
    proto_put_uint(&s->packet, PACKET_SEQUENCE_ID, SEQUENCE);
    proto_put_uint(&s->packet, PACKET_SEQUENCE_FLAGS,
                   s->has_begun ? PERFETTO_NEEDS_STATE : PERFETTO_STATE_CLEARED);
    s->has_begun = true;
    return mark;
}

/* What the packet refers to for the first time goes with it. */
static int end_packet(struct perfetto_sink *s, size_t mark)
{
    struct buf *fresh = &s->names.fresh.out;
    if (fresh->len > 0)
        proto_put_bytes(&s->packet, PACKET_INTERNED_DATA, fresh->data, fresh->len);
    buf_clear(fresh);
    proto_end(&s->packet, mark);
    if (s->packet.failed || s->names.fresh.failed)
        return no_memory();
    return log_output_put(&s->file.output, s->packet.out.data, s->packet.out.len);
}

/* --- tracks ---------------------------------------------------------------------------------------- */

static int put_process(struct perfetto_sink *s, uint64_t process, uint64_t *track)
{
    if (int_map_get(&s->processes, process, track))
        return 0;
    *track = ++s->tracks;
    size_t mark = begin_packet(s);
    size_t descriptor = proto_begin(&s->packet, PACKET_TRACK_DESCRIPTOR);
    proto_put_uint(&s->packet, TRACK_UUID, *track);
    size_t inner = proto_begin(&s->packet, TRACK_PROCESS);
    proto_put_uint(&s->packet, PROCESS_PID, process);
    if (s->process_name[0] != '\0')
        proto_put_text(&s->packet, PROCESS_NAME, s->process_name, strlen(s->process_name));
    proto_end(&s->packet, inner);
    proto_end(&s->packet, descriptor);
    int rc = end_packet(s, mark);
    return rc == 0 ? int_map_set(&s->processes, process, *track) : rc;
}

/* Numbers that are none of the system's, as apitrace's, would be taken for those: such a thread is a track
 * with a name. */
static int put_thread(struct perfetto_sink *s, struct call_thread *t)
{
    char name[64];
    snprintf(name, sizeof name, "thread %" PRIu64, t->thread);
    t->value = ++s->tracks;
    size_t mark = begin_packet(s);
    size_t descriptor = proto_begin(&s->packet, PACKET_TRACK_DESCRIPTOR);
    proto_put_uint(&s->packet, TRACK_UUID, t->value);
    if (t->process != 0) {
        size_t inner = proto_begin(&s->packet, TRACK_THREAD);
        proto_put_uint(&s->packet, THREAD_PID, t->process);
        proto_put_uint(&s->packet, THREAD_TID, t->thread);
        proto_put_text(&s->packet, THREAD_NAME, name, strlen(name));
        proto_end(&s->packet, inner);
    } else {
        proto_put_text(&s->packet, TRACK_NAME, name, strlen(name));
    }
    proto_end(&s->packet, descriptor);
    return end_packet(s, mark);
}

static int find_thread(struct perfetto_sink *s, const struct trace_event *event, struct call_thread **out)
{
    size_t known = s->threads.count;
    uint64_t process = 0;
    int rc = call_threads_find(&s->threads, event, out);
    if (rc != 0 || s->threads.count == known)
        return rc;
    if ((*out)->process != 0)
        rc = put_process(s, (*out)->process, &process);
    if (rc != 0)
        return rc;
    (*out)->value = process;
    /* Events of a process whose threads are not known are the process's own. */
    return process != 0 && (*out)->thread == 0 ? 0 : put_thread(s, *out);
}

/* --- events ---------------------------------------------------------------------------------------- */

static uint64_t time_of(struct perfetto_sink *s, struct call_thread *t, int64_t time)
{
    time = call_threads_time(&s->threads, t, time);
    if (!s->knows_start && time < 0)
        s->start = time;
    s->knows_start = true;
    s->early += time < s->start;
    return time < s->start ? 0 : (uint64_t)time - (uint64_t)s->start;
}

static void put_annotation(struct perfetto_sink *s, uint64_t name, const struct trace_value *value)
{
    size_t mark = proto_begin(&s->packet, EVENT_ANNOTATIONS);
    proto_put_uint(&s->packet, ANNOTATION_NAME_IID, name);
    perfetto_values_put(&s->values, value);
    proto_end(&s->packet, mark);
}

/* An annotation that is a text or a number of ours. */
static void put_remark(struct perfetto_sink *s, const char *name, const struct trace_value *value)
{
    put_annotation(s, perfetto_names_text(&s->names, PERFETTO_ANNOTATION_NAME, name), value);
}

/* Begins a packet with an event; fields of the event may follow. */
static size_t begin_event(struct perfetto_sink *s, enum perfetto_event_type type, const struct call_thread *t,
                          uint64_t time, size_t *packet)
{
    *packet = begin_packet(s);
    proto_put_uint(&s->packet, PACKET_TIMESTAMP, time);
    size_t mark = proto_begin(&s->packet, PACKET_TRACK_EVENT);
    proto_put_uint(&s->packet, EVENT_TYPE, type);
    proto_put_uint(&s->packet, EVENT_TRACK_UUID, t->value);
    return mark;
}

static int end_event(struct perfetto_sink *s, size_t mark, size_t packet)
{
    proto_end(&s->packet, mark);
    return end_packet(s, packet);
}

/* Appends the name, the arguments and the backtrace. */
static int put_call(struct perfetto_sink *s, const struct trace_call *call)
{
    const struct perfetto_function *f = perfetto_names_function(&s->names, call->sig);
    if (f == NULL)
        return no_memory();
    proto_put_uint(&s->packet, EVENT_NAME_IID, f->name);
    for (uint32_t i = 0; i < call->sig->arg_count; ++i)
        if (call->args[i].type != TRACE_NONE)
            put_annotation(s, f->args[i], &call->args[i]);
    if (call->frame_count > 0)
        proto_put_uint(&s->packet, EVENT_CALLSTACK_IID, perfetto_stacks_find(&s->names, call, &s->key));
    return 0;
}

static void put_return_value(struct perfetto_sink *s, const struct trace_value *value)
{
    if (value->type != TRACE_NONE)
        put_remark(s, "return value", value);
}

/* --- calls ----------------------------------------------------------------------------------------- */

static int put_enter(struct perfetto_sink *s, const struct trace_event *event, struct call_thread *t)
{
    const struct open_call call = {.number = event->number,
                                   .known = call_remains_count_arguments(event->call)};
    size_t packet, mark = begin_event(s, PERFETTO_SLICE_BEGIN, t, time_of(s, t, event->time), &packet);
    int rc = call_thread_begin(&s->threads, t, &call);
    if (rc == 0)
        rc = put_call(s, event->call);
    return rc == 0 ? end_event(s, mark, packet) : rc;
}

/* event: NULL: the end of this slice is not in the trace. */
static int put_end(struct perfetto_sink *s, const struct trace_event *event, struct call_thread *t,
                   uint64_t time)
{
    const struct open_call call = call_thread_end(&s->threads, t);
    size_t packet, mark = begin_event(s, PERFETTO_SLICE_END, t, time, &packet);
    if (event == NULL)
        return end_event(s, mark, packet);
    const struct perfetto_function *f = perfetto_names_function(&s->names, event->call->sig);
    if (f == NULL)
        return no_memory();
    if (call_remains_count_arguments(event->call) > call.known)
        for (uint32_t i = 0; i < event->call->sig->arg_count; ++i)
            if (event->call->args[i].type != TRACE_NONE)
                put_annotation(s, f->args[i], &event->call->args[i]);
    put_return_value(s, &event->call->ret);
    return end_event(s, mark, packet);
}

static int put_exit(struct perfetto_sink *s, const struct trace_event *event, struct call_thread *t)
{
    size_t ending = call_thread_ending(t, event->number);
    uint64_t time = time_of(s, t, event->time);
    int rc = 0;
    if (ending == 0)
        return trace_sink_leave_out(&s->file.base, "exit without an enter", 1);
    s->remains.endless += ending - 1;
    while (rc == 0 && ending-- > 0)
        rc = put_end(s, ending == 0 ? event : NULL, t, time);
    return rc;
}

static int put_whole_call(struct perfetto_sink *s, const struct trace_event *event, struct call_thread *t)
{
    struct trace_event end = *event;
    int rc = put_enter(s, event, t);
    end.time = event->call->leave_time != TRACE_NO_TIME ? event->call->leave_time : event->time;
    if (rc == 0 && (event->call->flags & TRACE_CALL_INCOMPLETE) == 0)
        return put_exit(s, &end, t);
    if (rc == 0)
        call_thread_end(&s->threads, t);
    return rc;
}

/* --- other events ---------------------------------------------------------------------------------- */

static int put_instant(struct perfetto_sink *s, const struct trace_event *event,
                       const struct trace_call *call, struct call_thread *t)
{
    size_t packet, mark = begin_event(s, PERFETTO_INSTANT, t, time_of(s, t, event->time), &packet);
    int rc = put_call(s, call);
    put_return_value(s, &call->ret);
    return rc == 0 ? end_event(s, mark, packet) : rc;
}

static int put_resource(struct perfetto_sink *s, const struct trace_event *event, struct call_thread *t)
{
    struct trace_call call;
    arena_reset(&s->arena);
    int rc = resource_calls_make(&s->resources, event, &s->arena, &call);
    return rc == 0 ? put_instant(s, event, &call, t) : rc;
}

static int put_remarkable(struct perfetto_sink *s, const struct trace_event *event, struct call_thread *t)
{
    const bool is_loss = event->kind == TRACE_EVENT_LOSS;
    const char *text = is_loss ? "lost events" : event->u.text;
    size_t packet, mark = begin_event(s, PERFETTO_INSTANT, t, time_of(s, t, event->time), &packet);
    proto_put_uint(&s->packet, EVENT_NAME_IID,
                   perfetto_names_text(&s->names, PERFETTO_EVENT_NAME, text != NULL ? text : "?"));
    if (is_loss && event->u.loss.count > 0)
        put_remark(s, "count", &(struct trace_value){.type = TRACE_UINT, .u.uint = event->u.loss.count});
    if (is_loss && event->u.loss.reason != NULL)
        put_remark(s, "reason",
                   &(struct trace_value){.type = TRACE_STRING,
                                         .count = strlen(event->u.loss.reason),
                                         .u.string = event->u.loss.reason});
    return end_event(s, mark, packet);
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct perfetto_sink *s = cast(sink);
    struct call_thread *t;
    if (event->call == NULL && event->kind != TRACE_EVENT_MARK && event->kind != TRACE_EVENT_LOSS)
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    int rc = find_thread(s, event, &t);
    if (rc != 0)
        return rc;
    call_remains_add_event(&s->remains, event);
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return put_whole_call(s, event, t);
    case TRACE_EVENT_ENTER:
        return put_enter(s, event, t);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return put_exit(s, event, t);
    case TRACE_EVENT_INSTANT:
        return put_instant(s, event, event->call, t);
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return put_resource(s, event, t);
    default:
        return put_remarkable(s, event, t);
    }
}

/* --- the sink -------------------------------------------------------------------------------------- */

static void tell(struct perfetto_sink *s, const char *what, uint64_t count)
{
    if (count > 0)
        trace_sink_leave_out(&s->file.base, what, count);
}

static int sink_finish(struct trace_sink *sink)
{
    struct perfetto_sink *s = cast(sink);
    call_remains_tell(&s->remains, &s->threads, sink);
    tell(s, "end of a text of more than 65536 bytes", s->values.cut_texts);
    tell(s, "end of an array of more than 1024 elements", s->values.cut_arrays);
    tell(s, "time before the first event's", s->early);
    return log_output_flush(&s->file.output);
}

static void release(struct file_sink *file)
{
    struct perfetto_sink *s = (struct perfetto_sink *)file;
    if (s->text != NULL)
        trace_call_text_fini(s->text);
    free(s->text);
    call_threads_fini(&s->threads);
    perfetto_names_fini(&s->names);
    resource_calls_fini(&s->resources);
    arena_fini(&s->arena);
    int_map_fini(&s->processes);
    buf_fini(&s->packet.out);
    buf_fini(&s->key);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = file_sink_flush,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

static void init(struct perfetto_sink *s, const struct trace_sink_options *options)
{
    call_threads_init(&s->threads, options, 1000);
    perfetto_names_init(&s->names);
    resource_calls_init(&s->resources);
    arena_init(&s->arena);
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, "process.name") == 0)
            snprintf(s->process_name, sizeof s->process_name, "%s", options->properties[i].value);
    call_remains_tell_properties(&s->file.base, options);
    s->values = (struct perfetto_values){.w = &s->packet, .text = s->text};
}

int perfetto_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    const struct trace_call_text_style style = {.exact_floats = true, .utf8 = true, .blob_checksums = true};
    struct perfetto_sink *s = calloc(1, sizeof *s);
    if (s == NULL || (s->text = calloc(1, sizeof *s->text)) == NULL) {
        free(s);
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    }
    trace_call_text_init_zeroed(s->text, &style);
    init(s, options);
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    *out = &s->file.base;
    return 0;
}
