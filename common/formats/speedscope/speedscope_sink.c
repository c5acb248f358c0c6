/* SPDX-License-Identifier: MIT
 * A file of Speedscope begins with the names of all frames, and has a profile for each thread. Names are only
 * known when all events have been seen, and threads take turns, so what happens is kept in a temporary file
 * (stack_spool.h) until the end.
 */
#include "formats/speedscope/speedscope.h"
#include "formats/speedscope/profile_head.h"
#include "formats/speedscope/stack_spool.h"
#include "formats/speedscope/sum_profiles.h"

#include "base/error.h"
#include "base/format_number.h"
#include "base/json_writer.h"
#include "formats/shared/call_remains.h"
#include "formats/shared/call_threads.h"
#include "formats/shared/file_sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define EXACT_MAX (INT64_C(1) << 53) /* nanoseconds that a double holds exactly */

struct speedscope_sink {
    struct file_sink file;
    struct call_threads threads;
    struct call_remains remains;
    struct summed_calls sums;
    struct stack_spool spool;
    struct stack_spool_chain *chains; /* one for each thread */
    size_t chain_room;
    struct buf frames; /* JSON: the elements of the list */
    struct json_writer frame_writer;
    uint32_t frame_count;
    struct int_map frame_of_sig; /* addresses of signatures to indexes of frames */
    struct string_map frame_of_name;
    char process_name[256]; /* empty: not known */
    int64_t start;          /* that is subtracted from all times */
    bool has_times;
};

static struct speedscope_sink *cast(struct trace_sink *s)
{
    return (struct speedscope_sink *)s;
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- frames ---------------------------------------------------------------------------------------- */

static int add_frame(struct speedscope_sink *s, const char *name, uint64_t *frame)
{
    struct json_writer *w = &s->frame_writer;
    *frame = s->frame_count++;
    json_begin(w, '{');
    json_key(w, "name");
    json_repaired_text(w, name, strlen(name));
    json_end(w, '}');
    return w->failed ? no_memory() : string_map_set(&s->frame_of_name, name, *frame);
}

static int find_frame(struct speedscope_sink *s, const struct trace_function_sig *sig, uint64_t *frame)
{
    uint64_t key = (uint64_t)(uintptr_t)sig;
    int rc = 0;
    if (int_map_get(&s->frame_of_sig, key, frame))
        return 0;
    if (!string_map_get(&s->frame_of_name, sig->name, frame))
        rc = add_frame(s, sig->name, frame);
    return rc == 0 ? int_map_set(&s->frame_of_sig, key, *frame) : rc;
}

/* --- ends of calls --------------------------------------------------------------------------------- */

static int find_thread(struct speedscope_sink *s, const struct trace_event *event, struct call_thread **out)
{
    size_t known = s->threads.count;
    int rc = call_threads_find(&s->threads, event, out);
    if (rc != 0 || s->threads.count == known)
        return rc;
    if (known == s->chain_room) {
        size_t room = known == 0 ? 16 : 2 * known;
        struct stack_spool_chain *chains = realloc(s->chains, room * sizeof *chains);
        if (chains == NULL)
            return no_memory();
        memset(chains + known, 0, (room - known) * sizeof *chains);
        s->chains = chains;
        s->chain_room = room;
    }
    return stack_spool_begin(&s->spool, &s->chains[known]);
}

static int put_end(struct speedscope_sink *s, const struct call_thread *t, bool begins, uint32_t frame,
                   int64_t time)
{
    const struct stack_end end = {begins, frame, time - t->first};
    return stack_spool_put(&s->spool, &s->chains[t->index], &end);
}

static int put_enter(struct speedscope_sink *s, const struct trace_event *event, struct call_thread *t)
{
    uint64_t frame;
    int rc = find_frame(s, event->call->sig, &frame);
    if (rc != 0)
        return rc;
    const struct open_call call = {.number = event->number,
                                   .value = (uint32_t)frame,
                                   .known = call_remains_add_values(&s->remains, event, 0)};
    rc = call_thread_begin(&s->threads, t, &call);
    int64_t time = call_threads_time(&s->threads, t, event->time);
    return rc == 0 ? put_end(s, t, true, call.value, time) : rc;
}

static int put_exit(struct speedscope_sink *s, const struct trace_event *event, struct call_thread *t)
{
    size_t ending = call_thread_ending(t, event->number);
    int64_t time = call_threads_time(&s->threads, t, event->time);
    if (ending == 0)
        return trace_sink_leave_out(&s->file.base, "exit without an enter", 1);
    call_remains_add_values(&s->remains, event, t->calls[t->count - ending].known);
    s->remains.endless += ending - 1;
    int rc = 0;
    while (rc == 0 && ending-- > 0)
        rc = put_end(s, t, false, call_thread_end(&s->threads, t).value, time);
    return rc;
}

static int put_whole_call(struct speedscope_sink *s, const struct trace_event *event, struct call_thread *t)
{
    const int64_t leave_time = event->call->leave_time;
    uint64_t frame;
    int rc = find_frame(s, event->call->sig, &frame);
    if (rc != 0)
        return rc;
    call_remains_add_values(&s->remains, event, 0);
    s->remains.endless += leave_time == TRACE_NO_TIME;
    int64_t enter = call_threads_time(&s->threads, t, event->time);
    int64_t leave = leave_time != TRACE_NO_TIME ? call_threads_time(&s->threads, t, leave_time) : enter;
    rc = put_end(s, t, true, (uint32_t)frame, enter);
    return rc == 0 ? put_end(s, t, false, (uint32_t)frame, leave) : rc;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct speedscope_sink *s = cast(sink);
    struct call_thread *t;
    if (event->kind == TRACE_EVENT_SUM)
        return summed_calls_add(&s->sums, event);
    if (event->kind != TRACE_EVENT_CALL && event->kind != TRACE_EVENT_ENTER &&
        event->kind != TRACE_EVENT_EXIT && event->kind != TRACE_EVENT_TAIL_EXIT)
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    int rc = find_thread(s, event, &t);
    if (rc != 0)
        return rc;
    call_remains_add_event(&s->remains, event);
    return event->kind == TRACE_EVENT_CALL    ? put_whole_call(s, event, t)
           : event->kind == TRACE_EVENT_ENTER ? put_enter(s, event, t)
                                              : put_exit(s, event, t);
}

/* --- the file -------------------------------------------------------------------------------------- */

static int put_json(struct speedscope_sink *s, const struct buf *text)
{
    return log_output_put(&s->file.output, text->data, text->len);
}

/* Calls that never returned end with the trace. */
static int end_open_calls(struct speedscope_sink *s)
{
    int rc = 0;
    for (size_t i = 0; i < s->threads.count; ++i) {
        struct call_thread *t = s->threads.items[i];
        s->remains.endless += t->count;
        if (t->count > 0)
            call_threads_time(&s->threads, t, s->threads.last);
        while (rc == 0 && t->count > 0)
            rc = put_end(s, t, false, call_thread_end(&s->threads, t).value, t->last);
    }
    return rc;
}

static int put_head(struct speedscope_sink *s)
{
    static const char head[] =
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"trace-cli\",";
    static const char tail[] = "]},\"profiles\":[";
    struct buf text = BUF_INIT;
    struct json_writer w;
    json_writer_init(&w, &text);
    json_splice(&w, head, sizeof head - 1, false);
    if (s->process_name[0] != '\0') {
        json_key(&w, "name");
        json_repaired_text(&w, s->process_name, strlen(s->process_name));
    }
    json_key(&w, "shared");
    json_begin(&w, '{');
    json_key(&w, "frames");
    json_begin(&w, '[');
    int rc = w.failed ? no_memory() : put_json(s, &text);
    buf_fini(&text);
    if (rc == 0)
        rc = put_json(s, &s->frames);
    return rc == 0 ? log_output_put(&s->file.output, tail, sizeof tail - 1) : rc;
}

/* What one event of a profile is written with. */
struct profile_writer {
    struct speedscope_sink *sink;
    int64_t first; /* the time of the profile's beginning */
    const char *separator;
};

#define EVENT_ROOM 128

static int put_event(void *context, const struct stack_end *end)
{
    struct profile_writer *p = context;
    char *at = log_output_reserve(&p->sink->file.output, EVENT_ROOM);
    if (at == NULL)
        return TRACE_ERR_IO;
    at = stpcpy(at, p->separator);
    at = stpcpy(at, end->begins ? "{\"type\":\"O\",\"frame\":" : "{\"type\":\"C\",\"frame\":");
    at += format_uint(at, end->frame);
    at = stpcpy(at, ",\"at\":");
    at += format_sint(at, p->first + end->time);
    *at++ = '}';
    log_output_take(&p->sink->file.output, at);
    p->separator = ",\n";
    return 0;
}

static int put_profile(struct speedscope_sink *s, const struct call_thread *t)
{
    int64_t first = t->first == TRACE_NO_TIME ? 0 : t->first - s->start;
    int64_t last = t->last == TRACE_NO_TIME ? 0 : t->last - s->start;
    const struct profile_head head = {.type = "evented",
                                      .process = t->process,
                                      .thread = t->thread,
                                      .has_times = s->has_times,
                                      .first = first,
                                      .last = last,
                                      .follows = t->index > 0};
    int rc = profile_head_put(&s->file.output, &head);
    if (rc == 0)
        rc = log_output_put(&s->file.output, ",\"events\":[", 11);
    struct profile_writer p = {s, first, "\n"};
    if (rc == 0)
        rc = stack_spool_read(&s->spool, &s->chains[t->index], put_event, &p);
    return rc == 0 ? log_output_put(&s->file.output, "]}", 2) : rc;
}

/* The frames of functions that only sums have called must be known before the head is written. */
static int find_frames_of_sums(struct speedscope_sink *s, uint64_t **out)
{
    const struct stack_functions *functions = &s->sums.tree.stacks.functions;
    int rc = summed_calls_finish(&s->sums);
    *out = calloc(functions->count + 1, sizeof **out);
    if (*out == NULL)
        return no_memory();
    for (size_t i = 0; rc == 0 && i < functions->count; ++i)
        rc = find_frame(s, functions->functions[i].sig, &(*out)[i]);
    return rc;
}

/* Times that would lose their nanoseconds are counted from the first one. */
static int64_t start_of(const struct call_threads *threads)
{
    int64_t first = threads->last, last = threads->last;
    for (size_t i = 0; i < threads->count; ++i)
        if (threads->items[i]->first != TRACE_NO_TIME && threads->items[i]->first < first)
            first = threads->items[i]->first;
    return last == TRACE_NO_TIME || (first >= 0 && last <= EXACT_MAX) ? 0 : first;
}

static int sink_finish(struct trace_sink *sink)
{
    struct speedscope_sink *s = cast(sink);
    uint64_t *frames = NULL;
    int rc = end_open_calls(s);
    s->start = start_of(&s->threads);
    if (rc == 0)
        rc = find_frames_of_sums(s, &frames);
    if (rc == 0)
        rc = put_head(s);
    for (size_t i = 0; rc == 0 && i < s->threads.count; ++i)
        rc = put_profile(s, s->threads.items[i]);
    if (rc == 0)
        rc = sum_profiles_put(&s->sums, frames, s->threads.count > 0, &s->file.output);
    if (rc == 0)
        rc = log_output_put(&s->file.output, "]}\n", 3);
    free(frames);
    call_remains_tell(&s->remains, &s->threads, sink);
    return rc == 0 ? log_output_flush(&s->file.output) : rc;
}

/* --- the sink -------------------------------------------------------------------------------------- */

static void release(struct file_sink *file)
{
    struct speedscope_sink *s = (struct speedscope_sink *)file;
    for (size_t i = 0; i < s->chain_room; ++i)
        stack_spool_chain_fini(&s->chains[i]);
    free(s->chains);
    stack_spool_fini(&s->spool);
    call_threads_fini(&s->threads);
    summed_calls_fini(&s->sums);
    int_map_fini(&s->frame_of_sig);
    string_map_fini(&s->frame_of_name);
    buf_fini(&s->frames);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int speedscope_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    struct speedscope_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    stack_spool_init(&s->spool);
    call_threads_init(&s->threads, options, 1);
    summed_calls_init(&s->sums, options);
    json_writer_init(&s->frame_writer, &s->frames);
    s->has_times = options->clock != NULL;
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, "process.name") == 0)
            snprintf(s->process_name, sizeof s->process_name, "%s", options->properties[i].value);
    call_remains_tell_properties(&s->file.base, options);
    *out = &s->file.base;
    return 0;
}
