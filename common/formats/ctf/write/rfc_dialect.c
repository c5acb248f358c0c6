/* SPDX-License-Identifier: MIT
 * Version 1.1 of the request for comments, as it is written.
 */
#include "formats/ctf/metadata/rfc_headers.h"
#include "formats/ctf/write/ctf_out.h"
#include "formats/ctf/write/rfc_adapt.h"
#include "formats/ctf/write/rfc_print.h"

#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT_BITS 32 /* of the sequence number, all of which count */

/* A header of type 1 has 5 bits for the id and 27 for the time, one of type 2 has 16 and 32. The highest id
 * announces the extension (sections 6.1.1 and 6.1.3). */
#define TYPE1_IDS       31
#define TYPE1_TIME_BITS 27
#define TYPE2_IDS       65535
#define TYPE2_TIME_BITS 32

/* --- headers ------------------------------------------------------------------------------------------ */

static int set_packet_header(struct ctf_trace *t)
{
    t->sizes_are_bytes = true;
    return rfc_set_packet_header(t);
}

/* Names of sections are those of files: of other names, the number stands for them. */
static bool can_be_file(const struct ctf_trace *t, const char *name)
{
    bool is_good = name != NULL && *name != '\0' && strlen(name) < 100 && strcmp(name, "metadata") != 0;
    for (const char *c = name; is_good && *c != '\0'; ++c)
        is_good = isascii(*c) && (isalnum((unsigned char)*c) || *c == '_');
    for (size_t i = 0; is_good && i < t->stream_count; ++i)
        is_good = t->streams[i]->file_name == NULL || strcmp(t->streams[i]->file_name, name) != 0;
    return is_good;
}

static int name_section(struct ctf_trace *t, struct ctf_stream_class *stream)
{
    char number[32];
    if (can_be_file(t, stream->name)) {
        stream->file_name = stream->name;
        return 0;
    }
    int length = snprintf(number, sizeof number, "stream%zu", t->stream_count - 1);
    stream->file_name = ctf_trace_copy_text(t, number, (size_t)length);
    return stream->file_name != NULL ? 0 : TRACE_ERR_MEMORY;
}

static int set_stream_headers(struct ctf_trace *t, struct ctf_stream_class *stream, size_t events,
                              const struct ctf_class *extra)
{
    (void)extra; /* there is none: fields of packets are in the context of events */
    int rc = name_section(t, stream);
    return rc == 0 ? rfc_make_event_header(t, events <= TYPE1_IDS ? 1 : 2, &stream->event_header) : rc;
}

/* The extension is only there if the id or the time needs it: the time has the low bits of the counter, which
 * has wrapped at most once since the event before it. */
static int put_event_header(struct ctf_encoder *e, const struct ctf_out_stream *s, struct ctf_told *told)
{
    const struct ctf_program *header = &s->class->event_header;
    bool is_type1 = header->ops[1].size == 5;
    uint64_t id = told->values[CTF_EVENT_CLASS_ID], reserved = is_type1 ? TYPE1_IDS : TYPE2_IDS;
    uint64_t passed = told->values[CTF_TIMESTAMP] - s->end;
    bool is_extended = id >= reserved || passed >> (is_type1 ? TYPE1_TIME_BITS : TYPE2_TIME_BITS) != 0;
    static const struct trace_value nothing = {.type = TRACE_NONE};
    if (is_extended)
        told->values[CTF_EVENT_CLASS_ID] = reserved;
    int rc = ctf_encode(e, header, &nothing);
    if (rc == 0 && is_extended) /* the id in the extension is the last one that was written */
        ctf_encode_late(e, &e->marks[CTF_EVENT_CLASS_ID], id);
    return rc;
}

/* --- types --------------------------------------------------------------------------------------------- */

static int adapt(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
                 const struct ctf_class **out)
{
    (void)from;
    return rfc_adapt(t, in, out);
}

/* Any name can stand in quotation marks. */
static int write_name(struct ctf_trace *t, const char *name, const char **out)
{
    (void)t;
    *out = name;
    return 0;
}

/* --- packets ------------------------------------------------------------------------------------------- */

/* Packets and metadata have the same one: that of the source, or a part of the UUID. */
static uint32_t session_of(const struct ctf_trace *t)
{
    if (t->has_session)
        return t->session;
    return (uint32_t)t->uuid[0] << 24 | (uint32_t)t->uuid[1] << 16 | (uint32_t)t->uuid[2] << 8 | t->uuid[3];
}

static void begin_packet(const struct ctf_out_stream *s, struct ctf_told *told)
{
    told->values[CTF_SESSION] = session_of(&s->class->trace->model);
    told->values[CTF_SEQUENCE_BITS] = COUNT_BITS;
}

static int end_packet(struct ctf_out_stream *s)
{
    return rfc_pack(&s->packet, &s->class->trace->out->rfc);
}

static int pack_metadata(const struct ctf_out_trace *t, const struct buf *text, struct buf *out)
{
    return rfc_pack_metadata(text->data, text->len, t->model.order == CTF_BIG_ENDIAN, session_of(&t->model),
                             &t->out->rfc, out);
}

const struct ctf_out_dialect ctf_out_rfc = {
    .id = CTF_RFC,
    .set_packet_header = set_packet_header,
    .set_stream_headers = set_stream_headers,
    .adapt = adapt,
    .write_name = write_name,
    .write_variable = write_name,
    .print = rfc_print_metadata,
    .begin_packet = begin_packet,
    .end_packet = end_packet,
    .put_event_header = put_event_header,
    .pack_metadata = pack_metadata,
};
