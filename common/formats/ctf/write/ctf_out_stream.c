/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_out.h"

#include "base/error.h"
#include "base/write_all.h"
#include "formats/ctf/decode/ctf_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define PACKET_BYTES ((size_t)128 << 10) /* a packet ends after it has so many */
#define BUFFER_BYTES ((size_t)4 << 20)   /* of all streams */
#define KEPT_BYTES   ((size_t)8 << 10)   /* of an empty stream's memory, if all of it is scarce */
#define MAGIC        UINT32_C(0xc1fc1fc1)

static struct ctf_encoder encoder_of(struct ctf_out_stream *s, const struct ctf_told *told)
{
    return (struct ctf_encoder){
        .out = &s->packet, .at = s->at, .slots = s->class->trace->slots, .told = told};
}

/* --- packets --------------------------------------------------------------------------------------- */

static int begin_packet(struct ctf_out_stream *s, uint64_t time, const struct trace_value *context)
{
    const struct ctf_trace *t = &s->class->trace->model;
    struct ctf_told told = {
        .values = {
            [CTF_MAGIC] = MAGIC, [CTF_STREAM_CLASS_ID] = s->class->class->id, [CTF_STREAM_ID] = s->instance}};
    memcpy(told.uuid, t->uuid, sizeof told.uuid);
    if (s->class->trace->out->dialect->begin_packet != NULL)
        s->class->trace->out->dialect->begin_packet(s, &told);
    s->at = 0;
    s->begin = s->end = time;
    memset(s->marks, 0, sizeof s->marks);
    struct ctf_encoder e = encoder_of(s, &told);
    e.marks = s->marks;
    int rc = ctf_encode(&e, &s->class->packet_header, context);
    if (rc == 0)
        rc = ctf_encode(&e, &s->class->packet_context, context);
    s->at = e.at;
    return rc;
}

static int append_to_file(const struct ctf_out_stream *s)
{
    int fd = open(s->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot create a stream");
    int rc = write_all(fd, s->packet.data, s->packet.len);
    if (rc != 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write");
    if (close(fd) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write");
    return rc;
}

int ctf_out_end_packet(struct ctf_out_stream *s)
{
    struct ctf_encoder e = encoder_of(s, NULL);
    if (s->packet.len == 0)
        return 0;
    uint64_t unit = s->class->trace->model.sizes_are_bytes ? 8 : 1;
    ctf_encode_late(&e, &s->marks[CTF_CONTENT_SIZE], s->at / unit);
    ctf_encode_late(&e, &s->marks[CTF_PACKET_SIZE], s->packet.len * 8 / unit);
    ctf_encode_late(&e, &s->marks[CTF_BEGIN_TIME], s->begin);
    ctf_encode_late(&e, &s->marks[CTF_END_TIME], s->end);
    ctf_encode_late(&e, &s->marks[CTF_SEQUENCE_NUMBER], s->sequence++);
    ctf_encode_late(&e, &s->marks[CTF_DISCARDED_EVENTS], s->discarded);
    struct ctf_out *o = s->class->trace->out;
    o->buffered -= s->packet.len;
    int rc = o->dialect->end_packet != NULL ? o->dialect->end_packet(s) : 0;
    if (rc == 0)
        rc = append_to_file(s);
    buf_clear(&s->packet);
    s->at = 0;
    return rc;
}

int ctf_out_lose(struct ctf_out_stream *s, uint64_t events, uint64_t packets)
{
    static const struct trace_value nothing = {.type = TRACE_NONE};
    int rc = ctf_out_end_packet(s);
    if (rc == 0 && packets > 0 && s->sequence == 0) /* nobody would miss what was before the first one */
        rc = begin_packet(s, s->end, &nothing);
    if (rc == 0)
        s->class->trace->out->buffered += s->packet.len;
    if (rc == 0)
        rc = ctf_out_end_packet(s);
    s->sequence += packets;
    s->discarded += events;
    return rc;
}

/* --- memory ---------------------------------------------------------------------------------------- */

/* All streams' packets are written, and those that are large give their memory back. */
static int write_all_packets(struct ctf_out *o)
{
    int rc = 0;
    for (size_t t = 0; rc == 0 && t < o->trace_count; ++t)
        for (size_t i = 0; rc == 0 && i < o->traces[t]->stream_count; ++i) {
            struct ctf_out_stream *s = o->traces[t]->streams[i];
            rc = ctf_out_end_packet(s);
            if (s->packet.cap > KEPT_BYTES)
                buf_fini(&s->packet);
        }
    return rc;
}

/* --- events ---------------------------------------------------------------------------------------- */

int ctf_out_values_read(struct ctf_out_values *values)
{
    if (!values->is_deferred)
        return 0;
    values->is_deferred = false;
    return ctf_stream_read_passed(values->bits, values->scopes);
}

/* The values of a context that has the fields of packets, too. */
static const struct trace_value *
common_values(const struct ctf_out_class *c, const struct ctf_out_values *values, struct trace_value *joined)
{
    const struct trace_value *common = &values->scopes[TRACE_SCOPE_COMMON];
    const struct trace_value *parts[] = {&values->scopes[TRACE_SCOPE_PACKET], common};
    uint64_t room[] = {c->extra_count, 0}, count = 0;
    if (c->joined == NULL)
        return common;
    room[1] = c->class->common_context->u.structure.count - c->extra_count;
    for (int i = 0; i < 2; ++i)
        for (uint64_t n = 0; n < room[i]; ++n)
            c->joined[count++] = parts[i]->type == TRACE_STRUCT && n < parts[i]->count
                                     ? parts[i]->u.items[n]
                                     : (struct trace_value){.type = TRACE_NONE};
    *joined = (struct trace_value){.type = TRACE_STRUCT, .count = count, .u.items = c->joined};
    return joined;
}

/* Copies the event's bits, if that is possible. */
static bool copy_event(struct ctf_out_stream *s, const struct ctf_out_event *event, uint64_t time,
                       const struct ctf_out_values *values)
{
    struct ctf_told told;
    told.values[CTF_EVENT_CLASS_ID] = event->class->id;
    told.values[CTF_TIMESTAMP] = time;
    struct ctf_encoder e = encoder_of(s, &told);
    if (!ctf_encode_copy(&e, &s->class->short_header, values->bits, values->align))
        return false;
    s->at = e.at;
    return true;
}

static int encode_event(struct ctf_out_stream *s, const struct ctf_out_event *event, uint64_t time,
                        const struct ctf_out_values *values)
{
    struct ctf_told told = {.values = {[CTF_EVENT_CLASS_ID] = event->class->id, [CTF_TIMESTAMP] = time}};
    struct ctf_encoder e = encoder_of(s, &told);
    e.marks = s->event_marks;
    const struct ctf_out_class *c = s->class;
    const struct ctf_out_dialect *dialect = c->trace->out->dialect;
    struct trace_value joined;
    int rc = dialect->put_event_header != NULL
                 ? dialect->put_event_header(&e, s, &told)
                 : ctf_encode(&e, &c->event_header, &values->scopes[TRACE_SCOPE_PAYLOAD]);
    if (rc == 0)
        rc = ctf_encode(&e, &c->common_context, common_values(c, values, &joined));
    if (rc == 0)
        rc = ctf_encode(&e, &event->specific, &values->scopes[TRACE_SCOPE_SPECIFIC]);
    if (rc == 0)
        rc = ctf_encode(&e, &event->payload, &values->scopes[TRACE_SCOPE_PAYLOAD]);
    s->at = e.at;
    return rc;
}

static int put_event(struct ctf_out_stream *s, const struct ctf_out_event *event, uint64_t time,
                     struct ctf_out_values *values)
{
    if (values->bits != NULL && copy_event(s, event, time, values))
        return 0;
    int rc = ctf_out_values_read(values);
    return rc == 0 ? encode_event(s, event, time, values) : rc;
}

int ctf_out_put(struct ctf_out_stream *s, const struct ctf_out_event *event, uint64_t time,
                struct ctf_out_values *values)
{
    struct ctf_out *o = s->class->trace->out;
    int rc = s->packet.len >= PACKET_BYTES ? ctf_out_end_packet(s) : 0;
    size_t length = s->packet.len;
    if (rc == 0 && length == 0)
        rc = begin_packet(s, time, &values->scopes[TRACE_SCOPE_PACKET]);
    if (rc != 0)
        return rc;
    size_t without = s->packet.len;
    uint64_t at = s->at;
    rc = put_event(s, event, time, values);
    if (rc == 0)
        s->end = time;
    if (rc == TRACE_ERR_USAGE) {
        s->at = at;
        s->packet.len = without;
    }
    o->buffered += s->packet.len - length;
    return rc == 0 && o->buffered > BUFFER_BYTES ? write_all_packets(o) : rc;
}
