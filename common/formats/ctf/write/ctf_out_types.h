/* SPDX-License-Identifier: MIT
 * Makes classes of fields that begin at bytes. Functions return NULL, with the message set, if there is no
 * memory.
 */
#ifndef CTF_OUT_TYPES_H
#define CTF_OUT_TYPES_H

#include "formats/ctf/write/ctf_out.h"

struct ctf_class *ctf_out_integer(struct ctf_trace *t, uint8_t size, bool is_signed, uint8_t base);
struct ctf_class *ctf_out_role(struct ctf_trace *t, uint8_t size, uint8_t base, enum ctf_role role,
                               const struct ctf_clock *clock);
struct ctf_class *ctf_out_float(struct ctf_trace *t, uint8_t size);
struct ctf_class *ctf_out_string(struct ctf_trace *t);

/* The number of elements, an integer of 32 bits, comes before them. */
struct ctf_class *ctf_out_sequence(struct ctf_trace *t, enum ctf_kind kind, const struct ctf_class *element);

/* Members of a structure, as it is made. */
struct ctf_out_members {
    struct ctf_member *items;
    size_t count;
    size_t room;
    bool has_failed;
};

/* Adds a member, whose name is written as the dialect needs it. type may be NULL: no memory. */
void ctf_out_add_member(struct ctf_out_members *m, struct ctf_trace *t, const struct ctf_out_dialect *dialect,
                        const char *name, const struct ctf_class *type);

/* Makes the structure, and frees m. */
struct ctf_class *ctf_out_structure(struct ctf_out_members *m, struct ctf_trace *t);

/* Headers as LTTng has them: ctf_out_dialect.set_packet_header and set_stream_headers. */
int ctf_out_set_packet_header(struct ctf_trace *t);
int ctf_out_set_stream_headers(struct ctf_trace *t, struct ctf_stream_class *stream, size_t events,
                               const struct ctf_class *extra);

#endif
