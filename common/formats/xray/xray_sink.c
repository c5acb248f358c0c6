/* SPDX-License-Identifier: MIT
 * Writes a flight data recorder's log. Each thread has a buffer, which is written when it is full, or when
 * the events say that another one began.
 */
#include "formats/xray/xray.h"
#include "formats/xray/xray_args.h"
#include "formats/xray/xray_buffer_writer.h"
#include "formats/xray/xray_cursor.h"
#include "formats/xray/xray_functions.h"

#include "base/array.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "formats/shared/file_sink.h"

#include <errno.h>
#include <stdlib.h>

#define USUAL_BUFFER  16384 /* bytes */
#define BUFFER_MIN    256
#define BUFFER_MAX    (1 << 20)
#define MEMORY_MAX    ((size_t)16 << 20) /* of all buffers */
#define EVENT_MAX     INT32_MAX
#define ENDS_BUFFER   XRAY_METADATA_SIZE           /* bytes of the record that ends one in version 1 */
#define BEFORE_RECORD ((size_t)XRAY_METADATA_SIZE) /* bytes that set processor or time */

/* The buffer of a thread, and its clock. */
struct thread_buffer {
    struct xray_buffer_writer writer;
    int64_t wall_time; /* at `time`; nanoseconds */
    int64_t time;
};

struct xray_sink {
    struct file_sink file;
    struct xray_header header;
    struct trace_clock clock;
    struct thread_buffer **threads; /* in the order in which they appeared */
    size_t thread_count;
    size_t thread_room;
    struct int_map thread_indexes;
    struct int_map numbers; /* maps addresses of signatures to numbers that were given to functions */
    uint32_t last_number;
    size_t capacity; /* of a buffer */
    int64_t last_time;
    uint64_t last_ticks;
};

static struct xray_sink *cast(struct trace_sink *s)
{
    return (struct xray_sink *)s;
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- buffers --------------------------------------------------------------------------------------- */

static int write_padding(struct xray_sink *s, size_t count)
{
    static const uint8_t zeros[4096];
    int rc = 0;
    while (rc == 0 && count > 0) {
        size_t n = count < sizeof zeros ? count : sizeof zeros;
        rc = log_output_put(&s->file.output, zeros, n);
        count -= n;
    }
    return rc;
}

static int end_buffer(struct xray_sink *s, struct thread_buffer *t)
{
    struct buf *bytes = &t->writer.bytes;
    uint8_t extents[XRAY_METADATA_SIZE];
    if (bytes->len == 0)
        return 0;
    int rc = xray_buffer_end(&t->writer);
    if (rc == 0 && s->header.version > 1) {
        xray_put_extents(extents, bytes->len);
        rc = log_output_put(&s->file.output, extents, sizeof extents);
    }
    if (rc == 0)
        rc = log_output_put(&s->file.output, bytes->data, bytes->len);
    if (rc == 0 && s->header.version == 1)
        rc = write_padding(s, s->capacity - bytes->len);
    buf_clear(bytes);
    return rc;
}

static int end_all(struct xray_sink *s)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->thread_count; ++i)
        rc = end_buffer(s, s->threads[i]);
    return rc;
}

static int add_thread(struct xray_sink *s, uint32_t process, uint32_t thread, struct thread_buffer **out)
{
    struct thread_buffer *t = calloc(1, sizeof *t);
    if (t == NULL || ARRAY_RESERVE(s->threads, s->thread_count, s->thread_room) != 0) {
        free(t);
        return no_memory();
    }
    t->writer.version = s->header.version;
    t->writer.process = process;
    t->writer.thread = thread;
    t->time = TRACE_NO_TIME;
    s->threads[s->thread_count++] = *out = t;
    return 0;
}

static int find_thread(struct xray_sink *s, const struct trace_event *event, struct thread_buffer **out)
{
    const struct trace_origin *origin = event->origin;
    int64_t process = origin != NULL ? origin->process : -1, thread = origin != NULL ? origin->thread : -1;
    if (thread < 0 && event->call != NULL)
        thread = event->call->thread;
    uint32_t p = process > 0 ? (uint32_t)process : 0, t = thread > 0 ? (uint32_t)thread : 0;
    uint64_t index, key = (uint64_t)p << 32 | t;
    if (int_map_get(&s->thread_indexes, key, &index)) {
        *out = s->threads[index];
        return 0;
    }
    if (p != 0 && s->header.version < 3)
        trace_sink_leave_out(&s->file.base, "process of a thread", 1);
    int rc = add_thread(s, p, t, out);
    return rc == 0 ? int_map_set(&s->thread_indexes, key, s->thread_count - 1) : rc;
}

/* The clock of a buffer shows what the last one showed, and what has passed since. */
static int64_t wall_time_at(const struct xray_sink *s, const struct thread_buffer *t, int64_t time)
{
    if (t->time != TRACE_NO_TIME)
        return t->wall_time + (time - t->time);
    return s->clock.wall_offset != TRACE_NO_TIME ? s->clock.wall_offset + time : time;
}

static int begin_buffer(struct xray_sink *s, struct thread_buffer *t, const struct xray_moment *at)
{
    return xray_buffer_begin(&t->writer, at, wall_time_at(s, t, s->last_time));
}

/* Makes room for count bytes in the thread's buffer, perhaps a new one. *fits: they have room in one. */
static int make_room(struct xray_sink *s, struct thread_buffer *t, const struct xray_moment *at, size_t count,
                     bool *fits)
{
    size_t capacity = s->capacity, used = t->writer.bytes.len;
    int rc = 0;
    count += BEFORE_RECORD;
    if (s->header.version == 1) {
        capacity -= ENDS_BUFFER;
        *fits = count + 3 * (size_t)XRAY_METADATA_SIZE <= capacity;
    } else {
        size_t share = MEMORY_MAX / s->thread_count;
        capacity = share < capacity ? share : capacity;
        *fits = true;
    }
    if (!*fits)
        return 0;
    bool has_records = used > (s->header.version == 1 ? 3 : 4) * (size_t)XRAY_METADATA_SIZE;
    if (has_records && used + count > capacity)
        rc = end_buffer(s, t);
    return rc == 0 && t->writer.bytes.len == 0 ? begin_buffer(s, t, at) : rc;
}

/* --- events ---------------------------------------------------------------------------------------- */

/* An event without a time happens with the one before it. */
static void find_moment(struct xray_sink *s, const struct trace_event *event, int64_t time,
                        struct xray_moment *out)
{
    const struct trace_origin *origin = event->origin;
    if (time != TRACE_NO_TIME) {
        bool counts = s->clock.has_ticks && time == event->time;
        if (!counts && time < 0)
            trace_sink_leave_out(&s->file.base, "time before the clock's 0", 1);
        s->last_ticks = counts ? event->ticks : time > 0 ? (uint64_t)time : 0;
        s->last_time = time;
    }
    out->ticks = s->last_ticks;
    out->cpu = origin != NULL && origin->cpu >= 0 && origin->cpu <= UINT16_MAX ? (uint16_t)origin->cpu : 0;
}

/* Returns true for a function of the number 0, as a damaged log may have it. */
static bool is_number_0(const struct trace_function_sig *sig)
{
    return strcmp(sig->name, "#0") == 0;
}

static int number_of(struct xray_sink *s, const struct trace_function_sig *sig, uint32_t *out)
{
    uint64_t key = (uint64_t)(uintptr_t)sig, number;
    *out = sig->number;
    if (sig->number != 0 && sig->number <= XRAY_FUNCTION_MAX)
        return 0;
    if (!int_map_get(&s->numbers, key, &number)) {
        bool is_nameless = is_number_0(sig);
        number = is_nameless ? 0 : ++s->last_number & XRAY_FUNCTION_MAX;
        if (!is_nameless)
            trace_sink_leave_out(&s->file.base, "name of a function", 1);
        if (int_map_set(&s->numbers, key, number) != 0)
            return no_memory();
    }
    *out = (uint32_t)number;
    return 0;
}

/* Takes the first arguments that are numbers: in a log, none can be left out before another. */
static uint32_t take_args(struct xray_sink *s, const struct trace_call *call, uint64_t *args)
{
    uint32_t count = 0;
    while (count < call->arg_count && count < XRAY_ARGS_MAX && xray_arg_is_number(&call->args[count])) {
        args[count] = trace_value_to_uint(&call->args[count], 0);
        ++count;
    }
    uint32_t known = xray_args_known_from(call, count);
    if (known > 0)
        trace_sink_leave_out(&s->file.base, "argument", known);
    return count;
}

/* Both ends of a call may have contexts. */
static void leave_out_contexts(struct xray_sink *s, const struct trace_event *event)
{
    if (trace_record_has_contexts(event->record))
        trace_sink_leave_out(&s->file.base, "context fields of an event", 1);
}

static int put_function(struct xray_sink *s, const struct trace_event *event, int64_t time,
                        enum xray_action action, const uint64_t *args, uint32_t arg_count)
{
    struct thread_buffer *t = NULL;
    struct xray_moment at;
    uint32_t number = 0;
    bool fits;
    int rc = find_thread(s, event, &t);
    if (rc == 0)
        rc = number_of(s, event->call->sig, &number);
    if (rc != 0)
        return rc;
    find_moment(s, event, time, &at);
    rc = make_room(s, t, &at, XRAY_FUNCTION_SIZE + arg_count * (size_t)XRAY_METADATA_SIZE, &fits);
    if (rc == 0 && !fits) {
        trace_sink_leave_out(&s->file.base, "argument", arg_count);
        arg_count = 0;
        rc = make_room(s, t, &at, XRAY_FUNCTION_SIZE, &fits);
    }
    return rc == 0 ? xray_buffer_put_function(&t->writer, &at, number, action, args, arg_count) : rc;
}

static int put_enter(struct xray_sink *s, const struct trace_event *event)
{
    uint64_t args[XRAY_ARGS_MAX];
    uint32_t count = take_args(s, event->call, args);
    const struct trace_function_sig *sig = event->call->sig;
    bool logs_args = count > 0 || sig->number != 0 || is_number_0(sig); /* XRay's own may have unknown ones */
    if (event->call->frame_count > 0)
        trace_sink_leave_out(&s->file.base, "backtrace", 1);
    leave_out_contexts(s, event);
    return put_function(s, event, event->time,
                        logs_args && event->call->arg_count > 0 ? XRAY_ENTER_ARGS : XRAY_ENTER, args, count);
}

static int put_exit(struct xray_sink *s, const struct trace_event *event)
{
    leave_out_contexts(s, event);
    if (event->call->ret.type != TRACE_NONE)
        trace_sink_leave_out(&s->file.base, "return value", 1);
    return put_function(s, event, event->time,
                        event->kind == TRACE_EVENT_TAIL_EXIT ? XRAY_TAIL_EXIT : XRAY_EXIT, NULL, 0);
}

static int put_call(struct xray_sink *s, const struct trace_event *event)
{
    int rc = put_enter(s, event);
    if (event->call->ret.type != TRACE_NONE)
        trace_sink_leave_out(&s->file.base, "return value", 1);
    if (rc != 0 || (event->call->flags & TRACE_CALL_INCOMPLETE) != 0)
        return rc;
    return put_function(s, event, event->call->leave_time, XRAY_EXIT, NULL, 0);
}

static int put_event(struct xray_sink *s, const struct trace_event *event, enum xray_kind kind, uint16_t type,
                     const struct trace_value *data)
{
    struct thread_buffer *t = NULL;
    struct xray_moment at;
    bool fits = data->count <= EVENT_MAX;
    int rc = find_thread(s, event, &t);
    if (rc != 0)
        return rc;
    find_moment(s, event, event->time, &at);
    if (fits)
        rc = make_room(s, t, &at, BEFORE_RECORD + (size_t)data->count, &fits);
    if (rc != 0)
        return rc;
    if (!fits)
        return trace_sink_leave_out(&s->file.base, "event that is larger than a buffer", 1);
    return xray_buffer_put_event(&t->writer, &at, kind, type, data->u.blob, (uint32_t)data->count);
}

/* LLVM's reader refuses a whole log for one event without data. */
static int put_instant(struct xray_sink *s, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    bool is_typed = strcmp(call->sig->name, XRAY_TYPED_NAME) == 0 && call->arg_count == 2;
    bool is_custom = strcmp(call->sig->name, XRAY_CUSTOM_NAME) == 0 && call->arg_count == 1;
    if (!is_typed && !is_custom)
        return trace_sink_leave_out(&s->file.base, trace_event_kind_name(event->kind), 1);
    if (is_typed && s->header.version == 1)
        return trace_sink_leave_out(&s->file.base, "typed event", 1);
    const struct trace_value *data = &call->args[is_typed];
    if ((data->type != TRACE_STRING && data->type != TRACE_BLOB) || data->count == 0)
        return trace_sink_leave_out(&s->file.base, "event without data", 1);
    uint64_t type = is_typed ? trace_value_to_uint(&call->args[0], 0) : 0;
    return put_event(s, event, is_typed ? XRAY_TYPED_EVENT : XRAY_CUSTOM_EVENT, (uint16_t)type, data);
}

/* Another buffer of the thread begins. */
static int put_clock(struct xray_sink *s, const struct trace_event *event)
{
    struct thread_buffer *t = NULL;
    struct xray_moment at;
    int rc = find_thread(s, event, &t);
    if (rc != 0)
        return rc;
    find_moment(s, event, event->time, &at);
    t->wall_time = event->u.clock_reading.time;
    t->time = s->last_time;
    rc = end_buffer(s, t);
    return rc == 0 ? begin_buffer(s, t, &at) : rc;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct xray_sink *s = cast(sink);
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return put_call(s, event);
    case TRACE_EVENT_ENTER:
        return put_enter(s, event);
    case TRACE_EVENT_EXIT:
    case TRACE_EVENT_TAIL_EXIT:
        return put_exit(s, event);
    case TRACE_EVENT_INSTANT:
        return put_instant(s, event);
    case TRACE_EVENT_CLOCK:
        return put_clock(s, event);
    default:
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    }
}

/* --- the sink -------------------------------------------------------------------------------------- */

static int sink_finish(struct trace_sink *sink)
{
    struct xray_sink *s = cast(sink);
    int rc = end_all(s);
    return rc == 0 ? log_output_flush(&s->file.output) : rc;
}

static void release(struct file_sink *file)
{
    struct xray_sink *s = (struct xray_sink *)file;
    for (size_t i = 0; i < s->thread_count; ++i) {
        buf_fini(&s->threads[i]->writer.bytes);
        free(s->threads[i]);
    }
    free(s->threads);
    int_map_fini(&s->thread_indexes);
    int_map_fini(&s->numbers);
    free(s);
}

static int sink_close(struct trace_sink *sink)
{
    if (sink->rc == 0)
        sink->rc = end_all(cast(sink));
    return file_sink_close(sink);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = file_sink_flush,
    .finish = sink_finish,
    .close = sink_close,
    .abandon = file_sink_abandon,
};

/* --- creating -------------------------------------------------------------------------------------- */

static uint64_t buffer_size(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long size = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && size >= BUFFER_MIN && size <= BUFFER_MAX ? size : USUAL_BUFFER;
}

/* Version and type of the log that is read are not those of the one that is written. */
static void take_property(struct xray_sink *s, const struct trace_property *p)
{
    if (strcmp(p->name, XRAY_CONSTANT_TSC_PROPERTY) == 0)
        s->header.constant_tsc = strcmp(p->value, "yes") == 0;
    else if (strcmp(p->name, XRAY_NONSTOP_TSC_PROPERTY) == 0)
        s->header.nonstop_tsc = strcmp(p->value, "yes") == 0;
    else if (strcmp(p->name, XRAY_BUFFER_SIZE_PROPERTY) == 0)
        s->header.buffer_size = buffer_size(p->value);
    else if (strncmp(p->name, "xray.", 5) != 0 && strcmp(p->name, "process.id") != 0)
        trace_sink_leave_out(&s->file.base, "property", 1);
}

static void set_header(struct xray_sink *s, const struct trace_sink_options *options, uint16_t version)
{
    s->header = (struct xray_header){.version = version,
                                     .type = XRAY_FDR,
                                     .constant_tsc = true,
                                     .nonstop_tsc = true,
                                     .frequency = 1000000000,
                                     .buffer_size = USUAL_BUFFER};
    s->clock = (struct trace_clock){.wall_offset = TRACE_NO_TIME};
    if (options->clock != NULL)
        s->clock = *options->clock;
    if (s->clock.has_ticks)
        s->header.frequency = s->clock.frequency;
    for (size_t i = 0; i < options->property_count; ++i)
        take_property(s, &options->properties[i]);
    s->capacity = s->header.buffer_size;
}

static int create(struct trace_sink **out, const char *path, const struct trace_sink_options *options,
                  uint16_t version)
{
    uint8_t header[XRAY_HEADER_SIZE];
    struct xray_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    set_header(s, options, version);
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    xray_put_header(header, &s->header);
    rc = log_output_put(&s->file.output, header, sizeof header);
    if (rc != 0) {
        file_sink_abandon(&s->file.base);
        return rc;
    }
    *out = &s->file.base;
    return 0;
}

int xray_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    return create(out, path, options, XRAY_FDR_LAST_VERSION);
}

int xray_1_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    return create(out, path, options, 1);
}
