/* SPDX-License-Identifier: MIT
 * Runs programs over the bits of a packet.
 */
#ifndef CTF_DECODE_H
#define CTF_DECODE_H

#include "formats/ctf/decode/ctf_short_header.h"

#define CTF_MORE 1 /* more of the packet must be in memory first */

/* What fields with roles told. */
struct ctf_told {
    uint32_t mask; /* a bit for each role that a field had */
    uint64_t values[CTF_ROLES];
    uint8_t sizes[CTF_ROLES]; /* of these integers, in bits */
    uint8_t uuid[16];
};

static inline bool ctf_told_has(const struct ctf_told *told, enum ctf_role role)
{
    return (told->mask >> role & 1) != 0;
}

struct ctf_decoder {
    const uint8_t *data; /* a part of the packet; from its beginning it is a multiple of CTF_ALIGN_MAX */
    uint64_t at;         /* the next bit of data */
    uint64_t end;        /* the bits that are in memory */
    uint64_t limit;      /* the bits until the content of the packet ends; at least end */
    uint64_t *slots;
    uint64_t clock; /* the counter; timestamps update it */
    struct ctf_told *told;
    struct arena *arena; /* gets what values point to */
    uint64_t empty;      /* elements without bits that were read with the scope */
    uint64_t memory;     /* bytes that the scope's values take */
};

/* Reads the scope into *out, a structure; out may be NULL: only roles and slots are of interest. Returns 0,
 * CTF_MORE, TRACE_ERR_DAMAGED if the packet cannot contain that, or the values take too much memory, or
 * TRACE_ERR_MEMORY. The message says only what is wrong. An empty program reads nothing and leaves *out as it
 * is. */
int ctf_decode(struct ctf_decoder *d, const struct ctf_program *program, struct trace_value *out);

/* Reads a short header, as ctf_decode() would, and returns true; or returns false, without any effect, if it
 * has another form or is not all in memory. */
bool ctf_decode_short_header(struct ctf_decoder *d, const struct ctf_short_header *h);

#endif
