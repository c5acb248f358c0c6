/* SPDX-License-Identifier: MIT
 * The place in a packet that is being decoded, and what its fields have told.
 */
#ifndef CTF_DECODER_H
#define CTF_DECODER_H

#include "formats/ctf/ctf_types.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
