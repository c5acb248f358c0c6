/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_merge.h"

#include "base/array.h"
#include "formats/ctf/decode/ctf_packets.h"
#include "formats/ctf/decode/ctf_seek.h"

#include <stdlib.h>

void ctf_merge_fini(struct ctf_merge *m)
{
    for (size_t i = 0; i < m->count; ++i)
        ctf_stream_close(m->heap[i]);
    free(m->heap);
    *m = (struct ctf_merge){.heap = NULL};
}

static inline bool is_before(const struct ctf_stream *a, const struct ctf_stream *b)
{
    return a->time != b->time ? a->time < b->time : a->rank < b->rank;
}

/* Restores the order after the first one's time has changed. */
static void sink_first(struct ctf_merge *m)
{
    struct ctf_stream **heap = m->heap, *moved = heap[0];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < m->count) {
        if (child + 1 < m->count && is_before(heap[child + 1], heap[child]))
            ++child;
        if (!is_before(heap[child], moved))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

int ctf_merge_add(struct ctf_merge *m, struct ctf_stream *s)
{
    int rc = ctf_stream_advance(s);
    if (rc == 0 && s->item != CTF_ITEM_END && ARRAY_RESERVE(m->heap, m->count, m->room) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0 || s->item == CTF_ITEM_END) {
        ctf_stream_close(s);
        return rc;
    }
    size_t i = m->count++;
    for (; i > 0 && is_before(s, m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = s;
    ctf_stream_wait(s);
    return 0;
}

/* Finds the new place of the first one, which has another item, or removes it. */
static void move_first(struct ctf_merge *m)
{
    struct ctf_stream *s = m->heap[0];
    if (s->item == CTF_ITEM_END) {
        ctf_stream_close(s);
        m->heap[0] = m->heap[--m->count];
    }
    if (m->count > 1)
        sink_first(m);
}

static int advance(struct ctf_merge *m)
{
    int rc = ctf_stream_advance(m->heap[0]);
    if (rc == 0)
        move_first(m);
    return rc;
}

int ctf_merge_seek(struct ctf_merge *m, int64_t time)
{
    int rc = ctf_stream_seek(m->heap[0], time);
    if (rc != 0)
        return rc;
    m->is_taken = false;
    move_first(m);
    return 0;
}

static int next(struct ctf_merge *m)
{
    int rc = m->is_taken ? advance(m) : 0;
    m->is_taken = rc == 0 && m->count > 0;
    return rc;
}

int ctf_merge_next(struct ctf_merge *m, struct ctf_stream **out)
{
    int rc = next(m);
    while (rc == 0 && m->is_taken && m->heap[0]->item == CTF_ITEM_PACKET) {
        rc = ctf_packet_count_losses(m->heap[0]);
        if (rc == 0)
            rc = next(m);
    }
    *out = m->is_taken ? m->heap[0] : NULL;
    return rc;
}
