/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_event_bits.h"

void ctf_event_bits_of(struct ctf_stream *s, struct arena *arena, struct ctf_event_bits *out)
{
    *out = (struct ctf_event_bits){.stream = s,
                                   .arena = arena,
                                   .packet = s->packet,
                                   .place = s->packet->place,
                                   .begin = s->fields_bit,
                                   .end = s->shift + s->d.at};
    if (s->fields_bit >= s->shift)
        out->data = s->d.data + (s->fields_bit - s->shift) / 8;
}
