/* SPDX-License-Identifier: MIT
 * Where the fields of an event are in memory, behind its header, so that a writer can copy them.
 */
#ifndef CTF_EVENT_BITS_H
#define CTF_EVENT_BITS_H

#include "formats/ctf/decode/ctf_stream_state.h"

struct ctf_event_bits {
    struct ctf_stream *stream;
    struct arena *arena; /* for the event's values */
    const struct ctf_packet *packet;
    uint64_t place;      /* that the packet's stream was at */
    const uint8_t *data; /* the byte that has the first bit; NULL: not all of them are in memory */
    uint64_t begin;      /* bits from the packet's beginning */
    uint64_t end;
};

/* The stream has just read or passed the event. */
void ctf_event_bits_of(struct ctf_stream *s, struct arena *arena, struct ctf_event_bits *out);

/* Returns NULL if the fields are not in memory, or not any more: they are until the stream goes on. */
static inline const uint8_t *ctf_event_bits_data(const struct ctf_event_bits *b)
{
    return b->packet->place == b->place ? b->data : NULL;
}

/* The stream leaves the event. */
static inline void ctf_event_bits_leave(struct ctf_stream *s)
{
    if (s->packet != NULL)
        s->packet->place++;
}

#endif
