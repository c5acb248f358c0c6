/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_stream.h"

#include "formats/ctf/decode/ctf_packets.h"
#include "formats/ctf/decode/ctf_stream_window.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- items ----------------------------------------------------------------------------------------- */

static void set_item(struct ctf_stream *s, enum ctf_item item, uint64_t clock)
{
    s->item = item;
    s->clock = clock;
    s->time = s->kind != NULL && s->kind->clock != NULL ? ctf_time_of(&s->kind->time, clock) : TRACE_NO_TIME;
}

/* The current message says what cannot be read. */
static int set_damage(struct ctf_stream *s, int rc)
{
    trace_error_keep(&s->damage, rc);
    set_item(s, CTF_ITEM_DAMAGE, s->d.clock);
    return 0;
}

/* The rest of the packet cannot be read, for the reason that the message says. */
static int lose_rest(struct ctf_stream *s, int rc)
{
    uint64_t at = s->packet_at + (s->shift + s->d.at) / 8;
    bool is_cut = s->is_cut;
    if (rc != TRACE_ERR_DAMAGED)
        return rc;
    ctf_packet_end(s);
    if (is_cut)
        return trace_error_set(TRACE_ERR_TRUNCATED,
                               "%s: the file ends within the packet at offset %" PRIu64
                               ": its last events are lost",
                               s->file.path, s->packet_at);
    return trace_error_prefix(rc, "%s: the packet at offset %" PRIu64 " is lost from offset %" PRIu64 " on",
                              s->file.path, s->packet_at, at);
}

/* --- events ---------------------------------------------------------------------------------------- */

static int find_event(struct ctf_stream *s)
{
    const struct ctf_stream_class *class = s->kind->class;
    if (!ctf_told_has(&s->told, CTF_EVENT_CLASS_ID)) {
        if (class->event_count != 1)
            return trace_error_set(TRACE_ERR_DAMAGED, "its events do not tell which they are");
        s->event = &s->kind->events[0];
        return 0;
    }
    uint64_t id = s->told.values[CTF_EVENT_CLASS_ID];
    s->event = ctf_layout_find_event(s->kind, id);
    return s->event != NULL
               ? 0
               : trace_error_set(TRACE_ERR_DAMAGED,
                                 "the metadata have no event %" PRIu64 " of stream %" PRIu64, id, class->id);
}

static int read_event_header(struct ctf_stream *s)
{
    s->d.arena = &s->scratch;
    s->told.mask &= ~(UINT32_C(1) << CTF_EVENT_CLASS_ID);
    int rc = ctf_decode_short_header(&s->d, &s->kind->short_header)
                 ? 0
                 : ctf_stream_decode(s, &s->kind->event_header, NULL);
    return rc == 0 ? find_event(s) : rc;
}

/* Most streams lack some scope. */
static inline int read_scope(struct ctf_stream *s, const struct ctf_program *program, struct trace_value *out)
{
    return program->count > 0 ? ctf_stream_decode(s, program, out) : 0;
}

static int read_fields(struct ctf_stream *s, struct arena *arena, struct trace_value *scopes)
{
    s->d.arena = arena;
    int rc = read_scope(s, &s->kind->common_context, &scopes[TRACE_SCOPE_COMMON]);
    if (rc == 0)
        rc = read_scope(s, &s->event->specific_context, &scopes[TRACE_SCOPE_SPECIFIC]);
    if (rc == 0)
        rc = read_scope(s, &s->event->payload, &scopes[TRACE_SCOPE_PAYLOAD]);
    return rc;
}

static int end_event(struct ctf_stream *s, int rc)
{
    if (rc == 0 && s->shift + s->d.at == s->event_bit)
        rc = trace_error_set(TRACE_ERR_DAMAGED, "it has no bits, so there is no end of such events");
    if (rc == TRACE_ERR_DAMAGED)
        trace_error_prefix(rc, "event \"%s\"", s->event->class->name);
    return rc == 0 ? 0 : lose_rest(s, rc);
}

int ctf_stream_pass_event(struct ctf_stream *s)
{
    s->d.arena = &s->scratch;
    int rc = read_scope(s, &s->kind->common_context, NULL);
    if (rc == 0)
        rc = read_scope(s, &s->event->specific_context, NULL);
    if (rc == 0)
        rc = read_scope(s, &s->event->payload, NULL);
    return end_event(s, rc);
}

int ctf_stream_read_passed(const struct ctf_event_bits *b, struct trace_value *scopes)
{
    struct ctf_stream *s = b->stream;
    if (b->packet->place != b->place)
        return trace_error_set(TRACE_ERR_USAGE, "the fields of an event that has been left");
    int rc = 0;
    if (s->fields_bit >= s->shift)
        s->d.at = s->fields_bit - s->shift;
    else
        rc = ctf_stream_place(s, s->fields_bit, 0);
    return rc == 0 ? read_fields(s, b->arena, scopes) : rc;
}

int ctf_stream_read_event(struct ctf_stream *s, struct arena *arena, struct trace_value *scopes)
{
    scopes[TRACE_SCOPE_PACKET] = s->packet->context;
    for (int i = TRACE_SCOPE_COMMON; i < TRACE_SCOPES; ++i)
        scopes[i].type = TRACE_NONE;
    return end_event(s, read_fields(s, arena, scopes));
}

/* --- the file -------------------------------------------------------------------------------------- */

static int next_loss(struct ctf_stream *s)
{
    enum ctf_item item = s->lost_packets > 0 ? CTF_ITEM_LOST_PACKETS : CTF_ITEM_LOST_EVENTS;
    uint64_t *lost = s->lost_packets > 0 ? &s->lost_packets : &s->lost_events;
    s->lost = *lost;
    *lost = 0;
    set_item(s, item, s->d.clock);
    return 0;
}

static int next_event(struct ctf_stream *s)
{
    s->event_bit = s->shift + s->d.at;
    int rc = read_event_header(s);
    if (rc != 0) {
        rc = lose_rest(s, rc);
        return rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED ? set_damage(s, rc) : rc;
    }
    s->fields_bit = s->shift + s->d.at;
    set_item(s, CTF_ITEM_EVENT, s->d.clock);
    return 0;
}

/* The content has been read to its end. */
static int end_packet(struct ctf_stream *s, bool *has_item)
{
    *has_item = s->is_cut;
    if (s->is_cut)
        return set_damage(s, lose_rest(s, TRACE_ERR_DAMAGED));
    ctf_packet_end(s);
    return 0;
}

static int begin_packet(struct ctf_stream *s, bool *has_item)
{
    int rc = ctf_packet_begin(s);
    *has_item = rc == 0 || rc == TRACE_ERR_DAMAGED;
    if (rc == 0)
        set_item(s, CTF_ITEM_PACKET, s->d.clock);
    return rc == TRACE_ERR_DAMAGED ? set_damage(s, rc) : rc;
}

/* Whether something can follow in the packet: an event begins where its header is aligned. */
static bool has_more(const struct ctf_stream *s)
{
    const struct ctf_program *header = &s->kind->event_header;
    uint64_t mask = header->count > 0 ? header->ops[0].align_mask : 0;
    return ((s->shift + s->d.at + mask) & ~mask) < s->content_bits;
}

int ctf_stream_advance(struct ctf_stream *s)
{
    ctf_event_bits_leave(s);
    for (;;) {
        bool has_item = false;
        int rc;
        if (!s->in_packet && s->packet_end >= s->file.size) {
            s->item = CTF_ITEM_END;
            return 0;
        }
        if (!s->in_packet)
            rc = begin_packet(s, &has_item);
        else if (s->lost_packets > 0 || s->lost_events > 0)
            return next_loss(s);
        else if (has_more(s))
            return next_event(s);
        else
            rc = end_packet(s, &has_item);
        if (rc != 0 || has_item)
            return rc;
    }
}

/* --- life cycle ------------------------------------------------------------------------------------ */

int ctf_stream_open(struct ctf_stream **out, const struct ctf_stream_place *place, const char *path,
                    size_t step)
{
    struct ctf_stream *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    s->layout = place->layout;
    s->instances = place->instances;
    s->slots = calloc((size_t)place->layout->slot_count + 1, sizeof *s->slots);
    arena_init(&s->scratch);
    s->window = (struct ctf_window){.file = &s->file, .step = step};
    s->d = (struct ctf_decoder){.slots = s->slots, .told = &s->told};
    int rc = s->slots != NULL ? ctf_file_open(&s->file, place->files, path)
                              : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0) {
        ctf_stream_close(s);
        return rc;
    }
    const char *slash = strrchr(s->file.path, '/');
    s->name = slash != NULL ? slash + 1 : s->file.path;
    *out = s;
    return 0;
}

void ctf_stream_wait(struct ctf_stream *s)
{
    ctf_event_bits_leave(s);
    ctf_window_fini(&s->window);
    if (s->expanded.len == 0)
        s->d.end = s->d.at;
}

void ctf_stream_close(struct ctf_stream *s)
{
    if (s == NULL)
        return;
    ctf_event_bits_leave(s);
    ctf_packet_give_back(s->packet);
    ctf_file_close(&s->file);
    ctf_window_fini(&s->window);
    buf_fini(&s->expanded);
    arena_fini(&s->scratch);
    free(s->slots);
    free(s);
}
