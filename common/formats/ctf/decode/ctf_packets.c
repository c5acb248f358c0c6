/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_packets.h"

#include "formats/ctf/decode/ctf_packet_search.h"
#include "formats/ctf/decode/ctf_stream_window.h"
#include "formats/ctf/decode/rfc_packets.h"

#include <inttypes.h>
#include <stdlib.h>

#define LEAST 4096 /* bytes that are brought into memory with a header */

void ctf_packet_give_back(struct ctf_packet *packet)
{
    if (packet == NULL || --packet->users > 0)
        return;
    arena_fini(&packet->arena);
    free(packet);
}

void ctf_packet_end(struct ctf_stream *s)
{
    s->in_packet = false;
    if (s->counters != NULL) {
        s->counters->has_time = true;
        s->counters->end_clock =
            ctf_told_has(&s->told, CTF_END_TIME) ? s->told.values[CTF_END_TIME] : s->d.clock;
    }
    ctf_packet_give_back(s->packet);
    s->packet = NULL;
}

static int damaged(const char *cause)
{
    return trace_error_set(TRACE_ERR_DAMAGED, "%s", cause);
}

/* --- header and context ---------------------------------------------------------------------------- */

static int check_identity(const struct ctf_stream *s)
{
    const struct ctf_trace *t = s->layout->trace;
    if (ctf_told_has(&s->told, CTF_MAGIC) && s->told.values[CTF_MAGIC] != CTF_MAGIC_NUMBER)
        return trace_error_set(TRACE_ERR_DAMAGED, "it begins with 0x%08" PRIx64 " instead of 0x%08" PRIx32,
                               s->told.values[CTF_MAGIC], CTF_MAGIC_NUMBER);
    if (ctf_told_has(&s->told, CTF_UUID) && t->has_uuid && memcmp(s->told.uuid, t->uuid, sizeof t->uuid) != 0)
        return damaged("its UUID is not that of the metadata: it belongs to another trace");
    if (ctf_told_has(&s->told, CTF_SESSION) && t->has_session && s->told.values[CTF_SESSION] != t->session)
        return trace_error_set(TRACE_ERR_DAMAGED,
                               "its session is 0x%" PRIx64 ", that of the trace is 0x%" PRIx32,
                               s->told.values[CTF_SESSION], t->session);
    return 0;
}

static int find_kind(struct ctf_stream *s)
{
    const struct ctf_trace *t = s->layout->trace;
    uint64_t id = s->told.values[CTF_STREAM_CLASS_ID];
    if (ctf_told_has(&s->told, CTF_STREAM_CLASS_ID)) {
        s->kind = ctf_layout_find_stream(s->layout, id);
        if (s->kind == NULL)
            return trace_error_set(TRACE_ERR_DAMAGED, "the metadata have no stream %" PRIu64, id);
        return 0;
    }
    if (t->dialect == CTF_RFC)
        s->kind = rfc_packet_find_section(s);
    else if (t->stream_count == 1)
        s->kind = &s->layout->streams[0];
    if (s->kind == NULL)
        return damaged("it does not tell to which stream of the metadata it belongs");
    return 0;
}

static int read_context(struct ctf_stream *s)
{
    s->packet = calloc(1, sizeof *s->packet);
    if (s->packet == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    s->packet->users = 1;
    s->packet->cpu = -1;
    s->packet->number = s->packets++;
    s->packet->context.type = TRACE_NONE;
    arena_init(&s->packet->arena);
    s->d.arena = &s->packet->arena;
    int rc = ctf_stream_decode(s, &s->kind->packet_context, &s->packet->context);
    if (rc == 0 && ctf_told_has(&s->told, CTF_CPU) && s->told.values[CTF_CPU] <= INT32_MAX)
        s->packet->cpu = (int32_t)s->told.values[CTF_CPU];
    return rc;
}

/* --- sizes ----------------------------------------------------------------------------------------- */

static int to_bits(const struct ctf_stream *s, enum ctf_role role, uint64_t fallback, uint64_t *out)
{
    *out = ctf_told_has(&s->told, role) ? s->told.values[role] : fallback;
    if (!ctf_told_has(&s->told, role) || !s->layout->trace->sizes_are_bytes)
        return 0;
    return __builtin_mul_overflow(*out, 8, out) ? damaged("its size is too large") : 0;
}

static int set_sizes(struct ctf_stream *s)
{
    uint64_t left = (s->file.size - s->packet_at) * 8, header = s->shift + s->d.at, packet, content;
    int rc = to_bits(s, CTF_CONTENT_SIZE, left, &content);
    if (rc == 0)
        rc = to_bits(s, CTF_PACKET_SIZE, content, &packet);
    if (rc == 0 && s->layout->trace->dialect == CTF_RFC)
        rc = rfc_packet_include_header(s, &content, &packet);
    if (rc != 0)
        return rc;
    if (!ctf_told_has(&s->told, CTF_CONTENT_SIZE))
        content = packet;
    if (packet < header || packet % 8 != 0)
        return trace_error_set(TRACE_ERR_DAMAGED, "its size cannot be %" PRIu64 " bits", packet);
    if (content < header || content > packet)
        return trace_error_set(TRACE_ERR_DAMAGED,
                               "its content cannot have %" PRIu64 " bits: its header has %" PRIu64
                               ", and all of it %" PRIu64,
                               content, header, packet);
    s->is_cut = packet > left;
    s->content_bits = content < left ? content : left;
    s->packet_end = s->is_cut ? s->file.size : s->packet_at + packet / 8;
    return 0;
}

/* --- what was lost before -------------------------------------------------------------------------- */

/* A counter that wraps to 0 has grown by so much. One of many bits that seems to have grown by more than half
 * of its range has gone back: the order of the packets is not known. */
static uint64_t growth(const struct ctf_told *told, enum ctf_role role, uint64_t before)
{
    uint64_t grown = told->values[role] - before, bits = told->sizes[role];
    if (role == CTF_SEQUENCE_NUMBER && ctf_told_has(told, CTF_SEQUENCE_BITS))
        bits = told->values[CTF_SEQUENCE_BITS] > 0 ? told->values[CTF_SEQUENCE_BITS] : bits;
    if (bits < 64)
        grown &= (UINT64_C(1) << bits) - 1;
    return bits >= 32 && bits <= 64 && grown >> (bits - 1) != 0 ? 0 : grown;
}

/* Events that were discarded before the first packet of a stream count; before one that is not the first,
 * they were told by a packet that is not here. */
static bool is_continued(const struct ctf_told *told)
{
    return ctf_told_has(told, CTF_SEQUENCE_NUMBER) && told->values[CTF_SEQUENCE_NUMBER] != 0;
}

static void compare(struct ctf_stream *s, struct ctf_counters *c)
{
    const struct ctf_told *told = &s->told;
    if (ctf_told_has(told, CTF_DISCARDED_EVENTS)) {
        if (c->has_discarded || !is_continued(told))
            s->lost_events = growth(told, CTF_DISCARDED_EVENTS, c->discarded);
        c->discarded = told->values[CTF_DISCARDED_EVENTS];
        c->has_discarded = true;
    }
    if (ctf_told_has(told, CTF_SEQUENCE_NUMBER)) {
        uint64_t grown = growth(told, CTF_SEQUENCE_NUMBER, c->sequence);
        s->lost_packets = c->has_sequence && grown > 1 ? grown - 1 : 0;
        c->sequence = told->values[CTF_SEQUENCE_NUMBER];
        c->has_sequence = true;
    }
    s->lost_from = c->has_time ? c->end_clock : s->d.clock;
}

/* A packet that tells its instance continues the one before it of that instance, in whatever file that is. */
int ctf_packet_count_losses(struct ctf_stream *s)
{
    int rc = 0;
    s->lost_events = s->lost_packets = 0;
    if (!ctf_told_has(&s->told, CTF_STREAM_ID))
        s->counters = &s->own;
    else
        rc =
            ctf_instances_find(s->instances, s->layout->trace, s->kind->class->id, s->instance, &s->counters);
    if (rc == 0)
        compare(s, s->counters);
    return rc;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int read_header(struct ctf_stream *s)
{
    s->d.arena = &s->scratch;
    arena_reset(&s->scratch);
    int rc = ctf_stream_decode(s, &s->layout->packet_header, NULL);
    if (rc == 0)
        rc = check_identity(s);
    if (rc == 0)
        rc = find_kind(s);
    if (rc == 0) /* again, for the fields of this stream class that refer to it */
        rc = ctf_stream_place(s, 0, LEAST);
    if (rc == 0)
        rc = ctf_stream_decode(s, &s->kind->packet_header, NULL);
    return rc;
}

static int read_beginning(struct ctf_stream *s)
{
    s->told.mask = 0;
    s->is_cut = false;
    buf_clear(&s->expanded);
    s->content_bits = (s->file.size - s->packet_at) * 8;
    int rc = ctf_stream_place(s, 0, LEAST);
    if (rc == 0)
        rc = read_header(s);
    if (rc == 0)
        rc = read_context(s);
    if (rc == 0)
        rc = set_sizes(s);
    if (rc == 0 && s->layout->trace->dialect == CTF_RFC)
        rc = rfc_packet_open(s);
    if (rc == 0)
        rc = ctf_stream_place(s, s->shift + s->d.at, LEAST);
    if (rc != 0)
        return rc;
    if (ctf_told_has(&s->told, CTF_BEGIN_TIME))
        s->d.clock = s->told.values[CTF_BEGIN_TIME];
    s->instance = s->told.values[CTF_STREAM_ID];
    return 0;
}

int ctf_packet_try(struct ctf_stream *s)
{
    s->packet_at = s->packet_end;
    int rc = read_beginning(s);
    s->in_packet = rc == 0;
    if (rc == TRACE_ERR_DAMAGED) {
        s->packet_end = s->packet_at;
        ctf_packet_give_back(s->packet);
        s->packet = NULL;
    }
    return rc;
}

int ctf_packet_begin(struct ctf_stream *s)
{
    int rc = ctf_packet_try(s);
    if (rc != TRACE_ERR_DAMAGED)
        return rc;
    struct trace_kept_error cause;
    trace_error_keep(&cause, rc);
    rc = ctf_packet_search(&s->file, s->layout->trace, s->packet_at + 1, &s->packet_end);
    if (rc != 0)
        return rc;
    return trace_error_set(TRACE_ERR_DAMAGED,
                           "%s: the packet at offset %" PRIu64 " is lost, up to offset %" PRIu64 ": %s",
                           s->file.path, s->packet_at, s->packet_end, cause.message);
}
