/* SPDX-License-Identifier: MIT
 * Copies the fields of an event as they are, where they would be written the same.
 */
#ifndef CTF_ENCODE_BITS_H
#define CTF_ENCODE_BITS_H

#include "formats/ctf/decode/ctf_event_bits.h"
#include "formats/ctf/write/ctf_encode.h"

/* Whether what one program reads is what the other one writes, bit by bit, if it begins at the same bit of
 * *align. *align becomes the larger alignment, in bits. */
bool ctf_program_writes_same(const struct ctf_program *in, const struct ctf_program *out, uint64_t *align);

/* Appends an event: the header's values, and the fields as they are. Returns false, without any effect, if it
 * has to be encoded: the fields are not in memory, or not in whole bytes, or begin at another bit of `align`;
 * likewise the header. Errors are left to the encoding. */
bool ctf_encode_copy(struct ctf_encoder *e, const struct ctf_short_header *header,
                     const struct ctf_event_bits *bits, uint64_t align);

#endif
