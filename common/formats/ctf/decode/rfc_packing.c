/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/rfc_packing.h"

#define STREAMS_MAX 8 /* that are looked at */
#define EVENTS_MAX  1000
#define STEP        ((size_t)16 << 10)

/* Timestamps have wrapped more often than they can have. */
static bool is_late(const struct ctf_stream *s)
{
    return ctf_told_has(&s->told, CTF_END_TIME) &&
           s->told.values[CTF_END_TIME] > s->told.values[CTF_BEGIN_TIME] &&
           s->clock > s->told.values[CTF_END_TIME];
}

/* Reads the event that the stream is at. A file that is cut says nothing of the alignment. */
static int read_event(struct ctf_stream *s, struct arena *arena, bool *fits)
{
    struct trace_value scopes[TRACE_SCOPES];
    arena_reset(arena);
    int rc = ctf_stream_read_event(s, arena, scopes);
    *fits = rc != TRACE_ERR_DAMAGED && !is_late(s);
    return rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED ? 0 : rc;
}

static int read_first_packet(struct ctf_stream *s, struct arena *arena, bool *fits)
{
    int rc = ctf_stream_advance(s);
    for (unsigned i = 0; rc == 0 && *fits && i < EVENTS_MAX && s->packet_at == 0; ++i) {
        if (s->item == CTF_ITEM_END)
            break;
        if (s->item == CTF_ITEM_EVENT)
            rc = read_event(s, arena, fits);
        else if (s->item == CTF_ITEM_DAMAGE)
            *fits = s->damage.code == TRACE_ERR_TRUNCATED;
        if (rc == 0)
            rc = ctf_stream_advance(s);
    }
    return rc;
}

int rfc_packing_count_misfits(const struct ctf_stream_place *place, char *const *streams, size_t count,
                              unsigned *out)
{
    struct arena arena;
    int rc = 0;
    arena_init(&arena);
    *out = 0;
    for (size_t i = 0; rc == 0 && i < count && i < STREAMS_MAX; ++i) {
        bool fits = true;
        struct ctf_stream *s;
        rc = ctf_stream_open(&s, place, streams[i], STEP);
        if (rc != 0)
            break;
        rc = read_first_packet(s, &arena, &fits);
        *out += !fits;
        ctf_stream_close(s);
    }
    arena_fini(&arena);
    return rc;
}
