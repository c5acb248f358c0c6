/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_seek.h"

#include "formats/ctf/decode/ctf_index.h"
#include "formats/ctf/decode/ctf_packets.h"
#include "formats/ctf/decode/ctf_stream.h"

#define STEP ((size_t)4096) /* bytes that are read at once of a packet that is passed over */

/* File offsets of the last two packets that end before the time. */
struct passed {
    uint64_t before;
    uint64_t last;
};

/* Times of events have to be known without the packets before: from the packet's begin. */
static bool ends_before(const struct ctf_stream *s, int64_t time)
{
    return ctf_told_has(&s->told, CTF_BEGIN_TIME) && ctf_told_has(&s->told, CTF_END_TIME) &&
           s->kind->clock != NULL && ctf_time_of(&s->kind->time, s->told.values[CTF_END_TIME]) < time;
}

bool ctf_stream_can_seek(const struct ctf_stream *s, int64_t time)
{
    return !s->is_sought && s->in_packet && ends_before(s, time);
}

static void note(struct passed *p, uint64_t offset)
{
    p->before = p->last;
    p->last = offset;
}

/* --- by the index ---------------------------------------------------------------------------------- */

/* Finds the last entry but one of those that end before the time, if its packet is behind the current one. */
static bool find_entry(struct ctf_index *index, const struct ctf_stream *s, int64_t time,
                       struct ctf_index_entry *out)
{
    uint64_t low = 0, high = index->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (!ctf_index_get(index, middle, out))
            return false;
        if (ctf_time_of(&s->kind->time, out->end) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low >= 2 && ctf_index_get(index, low - 2, out) && out->offset >= s->packet_end &&
           out->offset < s->file.size;
}

/* A packet without a magic number could not be told from other bytes. */
static bool is_packet_of(const struct ctf_stream *s, const struct ctf_index_entry *entry)
{
    const struct ctf_told *told = &s->told;
    return ctf_told_has(told, CTF_MAGIC) && ctf_told_has(told, CTF_PACKET_SIZE) &&
           ctf_told_has(told, CTF_CONTENT_SIZE) && told->values[CTF_PACKET_SIZE] == entry->packet_size &&
           told->values[CTF_CONTENT_SIZE] == entry->content_size &&
           told->values[CTF_BEGIN_TIME] == entry->begin && told->values[CTF_END_TIME] == entry->end;
}

/* Goes to the packet of the entry if it is what the index says. */
static int go_to_entry(struct ctf_stream *s, const struct ctf_index_entry *entry, int64_t time,
                       struct passed *p)
{
    uint64_t next = s->packet_end;
    s->packet_end = entry->offset;
    int rc = ctf_packet_try(s);
    if (rc != 0 && rc != TRACE_ERR_DAMAGED)
        return rc;
    bool is_right = rc == 0 && ends_before(s, time) && is_packet_of(s, entry);
    if (rc == 0)
        ctf_packet_end(s);
    if (is_right)
        *p = (struct passed){entry->offset, entry->offset};
    else
        s->packet_end = next;
    return 0;
}

static int seek_by_index(struct ctf_stream *s, int64_t time, struct passed *p)
{
    struct ctf_index index;
    struct ctf_index_entry entry;
    if (!ctf_index_open(&index, s->file.path))
        return 0;
    int rc = find_entry(&index, s, time, &entry) ? go_to_entry(s, &entry, time, p) : 0;
    ctf_index_close(&index);
    return rc;
}

/* --- from header to header -------------------------------------------------------------------------- */

static int seek_by_headers(struct ctf_stream *s, int64_t time, struct passed *p)
{
    bool is_before = true;
    while (is_before && s->packet_end < s->file.size) {
        int rc = ctf_packet_begin(s);
        if (rc == TRACE_ERR_DAMAGED)
            continue; /* it is told later, unless the next one ends before the time, too */
        if (rc != 0)
            return rc;
        is_before = ends_before(s, time);
        if (is_before)
            note(p, s->packet_at);
        ctf_packet_end(s);
    }
    return 0;
}

/* --- both ------------------------------------------------------------------------------------------ */

int ctf_stream_seek(struct ctf_stream *s, int64_t time)
{
    struct passed p = {s->packet_at, s->packet_at};
    size_t step = s->window.step;
    if (!ctf_stream_can_seek(s, time))
        return 0;
    s->is_sought = true;
    ctf_packet_end(s);
    s->counters = NULL; /* what is passed over does not count */
    s->window.step = STEP < step ? STEP : step;
    int rc = seek_by_index(s, time, &p);
    if (rc == 0)
        rc = seek_by_headers(s, time, &p);
    s->window.step = step;
    s->packet_end = p.before;
    return rc == 0 ? ctf_stream_advance(s) : rc;
}
