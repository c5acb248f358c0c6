/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_recorder.h"

#include "base/error.h"
#include "base/hash_map.h"
#include "base/worker_thread.h"
#include "collector/flight/flight_file.h"
#include "collector/flight/flight_state.h"
#include "process/trace_file_name.h"
#include "records/plain_records.h"
#include "records/record_merger.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROPERTIES 9
#define TEXTS      4

struct flight_recorder {
    struct flight_setting setting;
    char *program, *arguments;
    struct flight_store *store;
    struct flight_state *state; /* behind what has left the store */
    struct buf signatures;      /* of what has left: struct flight_definition */
    struct int_map entered;     /* calls that may belong to the state: numbers, and pointers to flight_call */
    bool *told;                 /* by function id: its events are told one by one */
    int status;                 /* the first error; nothing is kept after it */
    bool ended_frame;           /* the latest event ended a frame */

    struct int_map frame_ends; /* by thread: the time in nanoseconds */
    uint64_t slow_until;       /* calls below this number are in the file of a slow frame */
    uint64_t dumped_until;     /* calls below this number are in a file */

    unsigned next_number; /* of a file; see trace_file_create_next() */
    _Atomic bool writing;
    uint64_t request; /* whose file is being written */
    bool has_thread;
    pthread_t thread;
    struct flight_snapshot snapshot; /* that is being written */
    char texts[TEXTS][256];
    struct trace_property properties[PROPERTIES];
};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
}

/* --- what the encoder tells ---------------------------------------------------------------------- */

static void note(struct flight_recorder *r, int rc)
{
    r->status = r->status != 0 ? r->status : rc;
}

static int64_t time_of(const struct flight_recorder *r, uint64_t ticks)
{
    const struct tick_clock *clock = r->setting.clock;
    return clock->clock != CAPTURE_CLOCK_NONE ? tick_clock_convert(clock, ticks) : TRACE_NO_TIME;
}

static int pad(struct buf *b)
{
    static const uint8_t zeros[8];
    return buf_append(b, zeros, -b->len & 7);
}

static int keep_definitions(struct flight_recorder *r, const struct trace_raw_event *event)
{
    struct buf *out = &flight_store_current(r->store)->definitions;
    for (size_t i = 0; i < event->definition_count; ++i) {
        const struct trace_definition *from = &event->definitions[i];
        const struct flight_definition d = {from->kind, (uint32_t)from->size};
        const uint8_t *bytes = event->bytes + (from->at - event->skipped);
        if (buf_append(out, &d, sizeof d) != 0 || buf_append(out, bytes, from->size) != 0 || pad(out) != 0)
            return no_memory();
    }
    return 0;
}

/* Copies the event without the bodies of signatures. Returns the size. */
static size_t copy_plainly(uint8_t *out, const struct trace_raw_event *event)
{
    size_t from = 0, size = 0;
    for (size_t i = 0; i <= event->definition_count; ++i) {
        size_t until = event->size, next = event->size;
        if (i < event->definition_count) {
            const struct trace_definition *d = &event->definitions[i];
            until = d->at;
            while ((event->bytes[until++] & 0x80) != 0) /* its id stays */
                continue;
            next = d->at + d->size;
        }
        memcpy(out + size, event->bytes + from, until - from);
        size += until - from;
        from = next;
    }
    return size;
}

static int keep_enter(struct flight_recorder *r, const struct trace_raw_event *event)
{
    struct flight_call *call = malloc(sizeof *call + event->size);
    if (call == NULL)
        return no_memory();
    *call = (struct flight_call){.number = event->call, .thread = event->thread, .function = event->sig->id};
    call->enter_size = (uint32_t)copy_plainly((uint8_t *)(call + 1), event);
    return int_map_set(&r->entered, event->call, (uintptr_t)call);
}

static int keep_leave(struct flight_recorder *r, const struct trace_raw_event *event)
{
    struct buf *out = &flight_store_current(r->store)->calls;
    uint64_t pointer;
    if (!int_map_get(&r->entered, event->call, &pointer))
        return 0;
    int_map_remove(&r->entered, event->call);
    struct flight_call *call = (struct flight_call *)(uintptr_t)pointer;
    int rc = buf_reserve(out, sizeof *call + call->enter_size + event->size + 8);
    if (rc == 0) {
        uint8_t *to = out->data + out->len;
        call->leave_size = (uint32_t)copy_plainly(to + sizeof *call + call->enter_size, event);
        memcpy(to, call, sizeof *call + call->enter_size);
        out->len += sizeof *call + call->enter_size + call->leave_size;
        pad(out);
    }
    free(call);
    return rc == 0 ? 0 : no_memory();
}

static void watch_frame(struct flight_recorder *r, const struct trace_raw_event *event, int64_t time)
{
    uint64_t before;
    int64_t limit = r->setting.options->frame_time;
    if (limit == 0 || time == TRACE_NO_TIME)
        return;
    bool known = int_map_get(&r->frame_ends, event->thread, &before);
    note(r, int_map_set(&r->frame_ends, event->thread, (uint64_t)time));
    int64_t took = known ? time - (int64_t)before : 0;
    if (took <= limit || flight_store_first_call(r->store) < r->slow_until)
        return;
    char reason[FLIGHT_REASON_SIZE];
    snprintf(reason, sizeof reason, "frame %" PRIu64 " took %.1f ms", r->setting.encoder->ended_frames - 1,
             (double)took / 1e6);
    r->slow_until = r->setting.encoder->next_call;
    flight_requests_add(r->setting.requests, FLIGHT_APPENDED, reason);
}

static void add_event(void *context, struct trace_raw_event *event, uint64_t ticks)
{
    struct flight_recorder *r = context;
    struct record_encoder *e = r->setting.encoder;
    bool enters = event->tag == TRACE_RAW_EVENT_ENTER;
    bool ends_frame = !enters && (spec_functions[event->sig->id].flags & SPEC_FUNCTION_END_FRAME) != 0;
    int64_t time = time_of(r, ticks);
    if (r->status != 0)
        return;
    int rc = event->definition_count > 0 ? keep_definitions(r, event) : 0;
    if (event->is_part) {
        note(r, rc);
        return;
    }
    if (rc == 0)
        rc = flight_store_add_time(r->store, time);
    if (rc == 0 && r->told[event->sig->id] && event->skipped == 0)
        rc = enters ? keep_enter(r, event) : keep_leave(r, event);
    r->ended_frame = ends_frame;
    if (rc == 0)
        rc = flight_store_cut(r->store, event->offset + event->size, ends_frame, e->next_call,
                              e->ended_frames);
    note(r, rc);
    if (ends_frame)
        watch_frame(r, event, time);
}

static void add_plain(void *context, struct trace_plain_event *events, size_t count, uint64_t end)
{
    struct flight_recorder *r = context;
    const struct record_encoder *e = r->setting.encoder;
    int rc = r->status;
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = flight_store_add_time(r->store, time_of(r, (uint64_t)events[i].time));
    r->ended_frame = false;
    if (rc == 0)
        rc = flight_store_cut(r->store, end, false, e->next_call, e->ended_frames);
    note(r, rc);
}

int flight_recorder_append(struct flight_recorder *r, const uint8_t *bytes, size_t count)
{
    if (r->status == 0)
        note(r, flight_store_append(r->store, bytes, count));
    return r->status;
}

/* A chunk leaves: what it defined and did is remembered. */
static void fold(void *context, const struct flight_chunk *chunk)
{
    struct flight_recorder *r = context;
    int rc = buf_append(&r->signatures, chunk->definitions.data, chunk->definitions.len);
    for (size_t at = 0; at < chunk->calls.len && rc == 0;) {
        const struct flight_call *call = (const struct flight_call *)(chunk->calls.data + at);
        rc = flight_state_add(r->state, call);
        at += flight_call_size(call);
    }
    note(r, rc);
}

/* --- writing ---------------------------------------------------------------------------------------- */

static int write_file(struct flight_recorder *r, struct flight_report *report, char *name)
{
    const struct flight_setting *s = &r->setting;
    struct flight_written written;
    int fd = trace_file_create_next(name, PATH_MAX, s->output, false, r->program, s->stamp, TRACE_FILE_SUFFIX,
                                    &r->next_number);
    if (fd < 0)
        return fd;
    int rc = flight_file_write(&r->snapshot, fd, &written);
    if (close(fd) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot close");
    if (rc != 0) {
        unlink(name); /* it ends before what the trigger was for */
        return trace_error_prefix(rc, "%s", name);
    }
    *report = (struct flight_report){name, written.calls, written.frames, written.bytes};
    return 0;
}

static void end_request(struct flight_recorder *r, const char *path, bool failed)
{
    flight_snapshot_fini(&r->snapshot);
    flight_requests_answer(r->setting.requests, r->request, path, failed);
    atomic_store(&r->writing, false);
}

static void *run_writer(void *argument)
{
    struct flight_recorder *r = argument;
    struct flight_report report;
    char name[PATH_MAX] = "";
    int rc = write_file(r, &report, name);
    if (rc != 0)
        fprintf(stderr, "trace-cli: error: %s; the recording goes on\n", trace_error_message());
    else if (r->setting.written != NULL)
        r->setting.written(r->setting.context, &report);
    end_request(r, rc == 0 ? name : NULL, rc != 0);
    return NULL;
}

static void add_property(struct flight_recorder *r, const char *name, const char *value)
{
    if (r->snapshot.property_count < PROPERTIES)
        r->properties[r->snapshot.property_count++] = (struct trace_property){name, value};
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool has_results(const struct spec_function *f)
{
    return !record_returns_nothing(f) || (f->flags & SPEC_FUNCTION_HAS_OUT) != 0;
}

/* Only calls that are in the chunks. */
static int leave_out(struct flight_snapshot *s, const struct buf *open)
{
    const struct record_open_call *calls = (const struct record_open_call *)open->data;
    size_t count = open->len / sizeof *calls;
    s->left_out = calloc(count + 1, sizeof *s->left_out);
    if (s->left_out == NULL)
        return no_memory();
    for (size_t i = 0; i < count; ++i)
        if (calls[i].call >= s->first_call && has_results(&spec_functions[calls[i].function]))
            s->left_out[s->left_out_count++] = calls[i].call;
    qsort(s->left_out, s->left_out_count, sizeof *s->left_out, compare_numbers);
    return 0;
}

/* Writes the names of the functions whose calls are left out to text (size bytes). */
static void name_left_out(const struct flight_snapshot *s, const struct buf *open, char *text, size_t size)
{
    const struct record_open_call *calls = (const struct record_open_call *)open->data;
    size_t used = 0;
    for (size_t i = 0; i < open->len / sizeof *calls && used < size; ++i)
        if (bsearch(&calls[i].call, s->left_out, s->left_out_count, sizeof *s->left_out, compare_numbers) !=
            NULL)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     spec_string(spec_functions[calls[i].function].name));
}

static void describe(struct flight_recorder *r, const char *reason, const struct buf *open)
{
    struct flight_snapshot *s = &r->snapshot;
    const struct flight_chunk *first = s->chunks[0];
    char *trigger = r->texts[0], *begin = r->texts[1], *state = r->texts[2], *unfinished = r->texts[3],
         time[48] = "";
    if (first->first_time != TRACE_NO_TIME)
        snprintf(time, sizeof time, ", %.6f s after the first call", (double)first->first_time / 1e9);
    snprintf(trigger, sizeof r->texts[0], "%s", reason);
    snprintf(begin, sizeof r->texts[1], "call %" PRIu64 ", frame %" PRIu64 "%s%s", s->first_call,
             first->first_frame, first->starts_frame ? "" : ", in the middle", time);
    snprintf(state, sizeof r->texts[2],
             "the first %" PRIu64 " calls made the contexts, names and bindings that existed before",
             s->state_calls);
    s->properties = r->properties;
    s->property_count = 0;
    add_property(r, "process.commandLine", r->arguments);
    add_property(r, "process.name", r->program);
    if (r->setting.encoder->selection != NULL)
        add_property(r, "trace.selection", r->setting.encoder->selection);
    add_property(r, "trace.flightRecorder", r->setting.options->text);
    add_property(r, "trace.flightRecorder.trigger", trigger);
    if (s->left_out_count > 0) {
        name_left_out(s, open, unfinished, sizeof r->texts[3]);
        add_property(r, "trace.flightRecorder.unfinished", unfinished);
    }
    if (s->first_call == 0)
        return;
    add_property(r, "trace.flightRecorder.begin", begin);
    add_property(r, "trace.flightRecorder.state", state);
    add_property(
        r, "trace.flightRecorder.missing",
        "for a replay: the contents and parameters of objects, and other state, that earlier calls set");
}

/* Calls that were entered in what has left, and that return in what is kept. */
static int add_crossing_calls(struct flight_snapshot *s)
{
    int rc = 0;
    for (size_t i = 0; i < s->chunk_count; ++i) {
        const struct buf *calls = &s->chunks[i]->calls;
        for (size_t at = 0; at < calls->len && rc == 0;) {
            const struct flight_call *call = (const struct flight_call *)(calls->data + at);
            size_t size = flight_call_size(call);
            if (call->number < s->first_call) {
                rc = buf_append(&s->state, call, size);
                s->state_calls++;
            }
            at += size;
        }
    }
    return rc == 0 ? 0 : no_memory();
}

static int take_snapshot(struct flight_recorder *r)
{
    const struct record_encoder *e = r->setting.encoder;
    struct flight_snapshot *s = &r->snapshot;
    plain_records_tell(r->setting.encoder);
    *s = (struct flight_snapshot){.container = r->setting.container,
                                  .level = r->setting.level,
                                  .wall_clock = r->setting.clock->wall_start,
                                  .has_times = r->setting.clock->clock != CAPTURE_CLOCK_NONE};
    int rc = flight_store_snapshot(r->store, r->ended_frame, e->next_call, e->ended_frames, &s->chunks,
                                   &s->chunk_count);
    if (rc != 0 || s->chunk_count == 0)
        return rc;
    s->first_call = s->chunks[0]->first_call;
    rc = flight_state_copy(r->state, &s->state, &s->state_calls);
    if (rc == 0)
        rc = add_crossing_calls(s);
    if (rc == 0 && buf_append(&s->signatures, r->signatures.data, r->signatures.len) != 0)
        rc = no_memory();
    return rc;
}

static void join_writer(struct flight_recorder *r)
{
    if (r->has_thread)
        pthread_join(r->thread, NULL);
    r->has_thread = false;
}

/* There is no file: nothing was recorded, or rc says why. */
static void give_up(struct flight_recorder *r, int rc)
{
    if (rc != 0)
        fprintf(stderr, "trace-cli: error: %s: %s; the recording goes on\n", r->program,
                trace_error_message());
    end_request(r, NULL, rc != 0);
}

bool flight_recorder_is_due(struct flight_recorder *r, enum flight_moment *at)
{
    struct flight_request request;
    if (atomic_load(&r->writing) || !flight_requests_peek(r->setting.requests, &request))
        return false;
    *at = request.at;
    return true;
}

void flight_recorder_dump(struct flight_recorder *r, const struct buf *open)
{
    struct flight_request request;
    join_writer(r);
    if (!flight_requests_take(r->setting.requests, &request))
        return;
    r->request = request.number;
    atomic_store(&r->writing, true);
    r->dumped_until = r->setting.encoder->next_call;
    int rc = take_snapshot(r);
    if (rc == 0 && open != NULL)
        rc = leave_out(&r->snapshot, open);
    if (rc != 0 || r->snapshot.chunk_count == 0) {
        give_up(r, rc);
        return;
    }
    describe(r, request.reason, open);
    r->has_thread = worker_thread_start(&r->thread, run_writer, r) == 0;
    if (!r->has_thread)
        run_writer(r);
}

void flight_recorder_finish(struct flight_recorder *r, const char *reason, const struct buf *open)
{
    struct flight_requests *requests = r->setting.requests;
    struct flight_request request;
    do {
        while (flight_requests_peek(requests, &request))
            flight_recorder_dump(r, open);
        join_writer(r);
        if (r->setting.encoder->next_call > r->dumped_until)
            flight_requests_add(requests, FLIGHT_CALLED, reason);
    } while (!flight_requests_close(requests));
}

/* --- opening and closing ----------------------------------------------------------------------------- */

static int choose_functions(struct flight_recorder *r)
{
    r->told = calloc(spec_function_count, sizeof *r->told);
    if (r->told == NULL)
        return no_memory();
    for (unsigned i = 0; i < spec_function_count; ++i)
        r->told[i] = flight_state_wants(&spec_functions[i]);
    r->setting.encoder->told = r->told;
    return 0;
}

int flight_recorder_new(struct flight_recorder **out, const struct flight_setting *setting)
{
    struct flight_recorder *r = calloc(1, sizeof *r);
    if (r == NULL)
        return no_memory();
    r->setting = *setting;
    r->program = strdup(setting->program);
    r->arguments = strdup(setting->arguments);
    int rc = r->program != NULL && r->arguments != NULL ? choose_functions(r) : no_memory();
    if (rc == 0)
        rc = flight_state_new(&r->state);
    if (rc == 0)
        rc = flight_store_new(&r->store, &setting->options->limits, setting->container, setting->level, fold,
                              r);
    if (rc != 0) {
        flight_recorder_free(r);
        return rc;
    }
    record_encoder_set_hooks(setting->encoder, add_event, add_plain, r);
    *out = r;
    return 0;
}

void flight_recorder_free(struct flight_recorder *r)
{
    if (r == NULL)
        return;
    join_writer(r);
    flight_store_free(r->store);
    flight_state_free(r->state);
    for (size_t i = 0; i < r->entered.cap; ++i)
        if (r->entered.slots[i].state == INT_MAP_USED)
            free((void *)(uintptr_t)r->entered.slots[i].value);
    int_map_fini(&r->entered);
    int_map_fini(&r->frame_ends);
    buf_fini(&r->signatures);
    free(r->told);
    free(r->program);
    free(r->arguments);
    free(r);
}
