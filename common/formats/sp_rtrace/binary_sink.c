/* SPDX-License-Identifier: MIT
 * Writes events as a binary log, as the programs of version 2.0 do, or as the document describes it.
 */
#include "formats/sp_rtrace/log_clock.h"
#include "formats/sp_rtrace/packet_writer.h"
#include "formats/sp_rtrace/packets.h"
#include "formats/sp_rtrace/sink_checks.h"
#include "formats/sp_rtrace/sp_rtrace.h"

#include "base/error.h"
#include "base/hash_map.h"

#include <stdlib.h>

#define ARCH_MAX 249 /* in bytes; with more, the size of the handshake would not fit in its byte */

struct binary_sink {
    struct trace_sink base;
    struct packet_writer writer;
    bool documented;      /* as the document of version 1.4 */
    uint64_t number;      /* number of the last call */
    struct int_map types; /* maps ids of declared resource types */
    /* Type of the last call; it has been declared, or has no name. */
    const struct trace_resource_type *last_type;
};

static struct binary_sink *cast(struct trace_sink *s)
{
    return (struct binary_sink *)s;
}

static void put_text(struct binary_sink *s, const char *text)
{
    packet_put_string(&s->writer, text, text != NULL ? strlen(text) : 0);
}

/* An empty name is written as a null string; the programs do not write empty strings. */
static void put_name(struct binary_sink *s, const char *name)
{
    put_text(s, name != NULL && *name != '\0' ? name : NULL);
}

/* --- the beginning --------------------------------------------------------------------------------- */

static uint64_t find_number(const struct trace_sink_options *options, const char *name, uint64_t otherwise)
{
    const char *value = sink_property(options, name);
    return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}

static int put_handshake(struct binary_sink *s, const struct trace_sink_options *options)
{
    uint8_t bytes[HANDSHAKE_MAX] = {HANDSHAKE_MARK};
    const char *arch = sink_property(options, "arch");
    size_t length = arch != NULL ? strlen(arch) : 0;
    if (length > ARCH_MAX) {
        trace_sink_leave_out(&s->base, "end of a long architecture's name", 1);
        length = ARCH_MAX;
    }
    size_t total = (5 + length + 2 + 3) / 4 * 4;
    bytes[1] = (uint8_t)(total - 2);
    bytes[2] = s->documented ? 1 : 2;
    bytes[3] = s->documented ? 4 : 0;
    bytes[4] = (uint8_t)length;
    if (length > 0)
        memcpy(bytes + 5, arch, length);
    bytes[5 + length] = 0; /* little-endian */
    bytes[6 + length] = 8; /* size of a pointer in bytes */
    return log_output_put(&s->writer.output, bytes, total);
}

/* Always written, because sp-rtrace's tools require it. */
static int put_process(struct binary_sink *s, const struct trace_sink_options *options)
{
    struct packet_writer *w = &s->writer;
    uint64_t start = find_number(options, "process.start", 0);
    packet_begin(w, PACKET_PINF);
    packet_put_clamped(w, find_number(options, "process.id", 0), "process id above 4294967295");
    packet_put_clamped(w, start / 1000000000, "start after 2106");
    packet_put_u32(w, (uint32_t)(start % 1000000000 / 1000));
    packet_put_clamped(w, find_number(options, "backtrace.depth", NO_DEPTH),
                       "backtrace depth above 4294967295");
    put_name(s, sink_property(options, "process.name"));
    return packet_end(w);
}

/* --- declarations ---------------------------------------------------------------------------------- */

/* Words have no bits. */
static uint32_t flag_bits(struct binary_sink *s, const struct trace_resource_type *type)
{
    uint32_t bits = type->refcounted ? RESOURCE_REFCOUNTED : 0;
    const char *flags = type->flags != NULL ? type->flags : "";
    while (*flags != '\0') {
        size_t length = strcspn(flags, "|");
        char *end;
        unsigned long long value = strncmp(flags, "0x", 2) == 0 ? strtoull(flags, &end, 16) : 0;
        if (value != 0 && value <= UINT32_MAX && end == flags + length)
            bits |= (uint32_t)value;
        else
            trace_sink_leave_out(&s->base, "flag of a resource type", 1);
        flags += length + (flags[length] == '|');
    }
    return bits;
}

static int put_resource_type(struct binary_sink *s, const struct trace_resource_type *type)
{
    int rc = int_map_set(&s->types, type->id, 1);
    if (rc != 0)
        return rc;
    packet_begin(&s->writer, PACKET_RESR);
    packet_put_u32(&s->writer, type->id);
    packet_put_u32(&s->writer, flag_bits(s, type));
    put_text(s, type->name);
    put_text(s, type->description);
    return packet_end(&s->writer);
}

static int put_tracer(struct binary_sink *s, const struct trace_tracer *tracer)
{
    if (tracer->major > 0xffff || tracer->minor > 0xffff)
        trace_sink_leave_out(&s->base, "version of a tracing module above 65535", 1);
    packet_begin(&s->writer, PACKET_MINF);
    packet_put_u32(&s->writer, tracer->id);
    packet_put_u32(&s->writer, tracer->major << 16 | (tracer->minor & 0xffff));
    put_text(s, tracer->name);
    return packet_end(&s->writer);
}

static int put_mapping(struct binary_sink *s, const struct trace_mapping *mapping)
{
    if (mapping->offset != TRACE_NO_OFFSET)
        trace_sink_leave_out(&s->base, "offset of a memory mapping", 1);
    packet_begin(&s->writer, PACKET_MMAP);
    packet_put_pointer(&s->writer, mapping->from);
    packet_put_pointer(&s->writer, mapping->to);
    put_text(s, mapping->path);
    return packet_end(&s->writer);
}

/* Writes pointers, as the programs expect, although they write 32-bit values themselves. */
static int put_heap(struct binary_sink *s, const struct trace_heap *heap)
{
    const uint64_t words[] = {heap->arena,   heap->ordblks, heap->smblks,   heap->hblks,    heap->hblkhd,
                              heap->usmblks, heap->fsmblks, heap->uordblks, heap->fordblks, heap->keepcost};
    packet_begin(&s->writer, PACKET_HINF);
    packet_put_pointer(&s->writer, heap->bottom);
    packet_put_pointer(&s->writer, heap->top);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        packet_put_clamped(&s->writer, words[i], "heap statistics above 4294967295");
    return packet_end(&s->writer);
}

/* Writes a context or an attachment. */
static int put_context(struct binary_sink *s, const struct trace_context *context)
{
    packet_begin(&s->writer, PACKET_CTXR);
    packet_put_u32(&s->writer, context->id);
    put_text(s, context->name);
    return packet_end(&s->writer);
}

static int put_attachment(struct binary_sink *s, const struct trace_attachment *attachment)
{
    packet_begin(&s->writer, PACKET_FILE);
    put_text(s, attachment->name);
    put_text(s, attachment->path);
    return packet_end(&s->writer);
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Converts to milliseconds. 0 stands for an unknown time. */
static uint32_t ticks(struct binary_sink *s, int64_t time)
{
    if (time == TRACE_NO_TIME)
        return 0;
    if (time < SP_RTRACE_TICK) {
        trace_sink_leave_out(&s->base, "time within the clock's first millisecond", 1);
        return 0;
    }
    if (time % SP_RTRACE_TICK != 0)
        trace_sink_leave_out(&s->base, "part of a time below a millisecond", 1);
    int64_t value = time / SP_RTRACE_TICK, day = sp_rtrace_clock.period / SP_RTRACE_TICK;
    if (value <= UINT32_MAX)
        return (uint32_t)value;
    trace_sink_leave_out(&s->base, "days of a time above 4294967295 ms", 1);
    return (uint32_t)(value % day != 0 ? value % day : day);
}

static int put_line(struct binary_sink *s, const struct trace_event *event)
{
    struct packet_writer *w = &s->writer;
    const struct trace_resource *resource = &event->u.resource;
    uint32_t type = resource->type != NULL ? resource->type->id : 0;
    uint32_t contexts = event->origin != NULL ? event->origin->contexts : 0;
    uint32_t time = ticks(s, event->time);
    packet_begin(w, PACKET_CALL);
    packet_put_u32(w, s->documented ? time : type);
    packet_put_u32(w, s->documented ? type : contexts);
    packet_put_u32(w, s->documented ? contexts : time);
    packet_put_u32(w, event->kind == TRACE_EVENT_ALLOC ? CALL_ALLOCATES : CALL_RELEASES);
    put_name(s, event->call->sig->name);
    if (s->documented)
        packet_put_pointer(w, resource->id);
    packet_put_clamped(w, resource->size, "size above 4294967295");
    if (!s->documented)
        packet_put_pointer(w, resource->id);
    return packet_end(w);
}

static int put_args(struct binary_sink *s, const struct trace_call *call)
{
    char room[SINK_VALUE_BYTES];
    if (call->arg_count == 0)
        return 0;
    packet_begin(&s->writer, PACKET_ARGS);
    packet_put_u32(&s->writer, call->arg_count);
    for (uint32_t i = 0; i < call->arg_count; ++i) {
        size_t length;
        const char *text = sink_value_text(&s->base, &call->args[i], room, &length);
        put_text(s, i < call->sig->arg_count ? call->sig->arg_names[i] : "");
        packet_put_string(&s->writer, text, length);
    }
    return packet_end(&s->writer);
}

static int put_backtrace(struct binary_sink *s, const struct trace_call *call)
{
    packet_begin(&s->writer, PACKET_BTRC);
    packet_put_u32(&s->writer, call->frame_count);
    for (uint32_t i = 0; i < call->frame_count; ++i) {
        const struct trace_frame *f = &call->frames[i];
        if (f->function != NULL || f->module != NULL || f->file != NULL)
            trace_sink_leave_out(&s->base, "name of a frame", 1);
        packet_put_pointer(&s->writer, f->address);
    }
    return packet_end(&s->writer);
}

/* Declares a type that only calls refer to, as in an excerpt of a text. Its name is the declaration. */
static int declare_type(struct binary_sink *s, const struct trace_resource_type *type)
{
    if (type == NULL || type == s->last_type)
        return 0;
    s->last_type = type;
    bool is_declared = type->name == NULL || int_map_get(&s->types, type->id, NULL);
    return is_declared ? 0 : put_resource_type(s, type);
}

static int put_call(struct binary_sink *s, const struct trace_event *event)
{
    int rc = sink_check_call(&s->base, event);
    if (rc == 0)
        rc = declare_type(s, event->u.resource.type);
    if (rc != 0)
        return rc;
    if (event->number != ++s->number)
        trace_sink_leave_out(&s->base, "index of a call", 1);
    rc = put_line(s, event);
    if (rc == 0 && !s->documented)
        rc = put_args(s, event->call);
    if (rc == 0)
        rc = put_backtrace(s, event->call);
    return rc == 0 && s->documented ? put_args(s, event->call) : rc;
}

/* --- the sink -------------------------------------------------------------------------------------- */

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct binary_sink *s = cast(sink);
    switch (event->kind) {
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return put_call(s, event);
    case TRACE_EVENT_RESOURCE_TYPE:
        return put_resource_type(s, event->u.resource_type);
    case TRACE_EVENT_CONTEXT:
        return put_context(s, &event->u.context);
    case TRACE_EVENT_TRACER:
        return put_tracer(s, &event->u.tracer);
    case TRACE_EVENT_MAPPING:
        return put_mapping(s, &event->u.mapping);
    case TRACE_EVENT_HEAP:
        return put_heap(s, event->u.heap);
    case TRACE_EVENT_ATTACHMENT:
        return put_attachment(s, &event->u.attachment);
    default:
        return sink_leave_out_event(sink, event);
    }
}

static int sink_finish(struct trace_sink *sink)
{
    return log_output_flush(&cast(sink)->writer.output);
}

static void free_sink(struct binary_sink *s)
{
    buf_fini(&s->writer.packet);
    int_map_fini(&s->types);
    free(s);
}

static int sink_close(struct trace_sink *sink)
{
    struct binary_sink *s = cast(sink);
    int rc = log_output_end(&s->writer.output, s->base.rc);
    free_sink(s);
    return rc;
}

static void sink_abandon(struct trace_sink *sink)
{
    log_output_abandon(&cast(sink)->writer.output);
    free_sink(cast(sink));
}

static const struct trace_sink_ops ops = {
    .put = sink_put, .finish = sink_finish, .close = sink_close, .abandon = sink_abandon};

static int create(struct trace_sink **out, const char *path, const struct trace_sink_options *options,
                  bool documented)
{
    struct binary_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    s->base.ops = &ops;
    s->documented = documented;
    s->writer.sink = &s->base;
    s->writer.plain_strings = documented;
    int rc = log_output_open(&s->writer.output, path);
    if (rc != 0) {
        free_sink(s);
        return rc;
    }
    sink_check_header(&s->base, options);
    rc = put_handshake(s, options);
    if (rc == 0)
        rc = put_process(s, options);
    if (rc != 0) {
        sink_abandon(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}

int sp_rtrace_binary_create(struct trace_sink **out, const char *path,
                            const struct trace_sink_options *options)
{
    return create(out, path, options, false);
}

int sp_rtrace_document_create(struct trace_sink **out, const char *path,
                              const struct trace_sink_options *options)
{
    return create(out, path, options, true);
}
