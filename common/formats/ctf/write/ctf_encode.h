/* SPDX-License-Identifier: MIT
 * Writes values as the bits that a program reads: the reverse of ctf_decode().
 */
#ifndef CTF_ENCODE_H
#define CTF_ENCODE_H

#include "base/buf.h"
#include "formats/ctf/decode/ctf_decode.h"

/* Where a field that has a role was written. */
struct ctf_mark {
    const struct ctf_op *op; /* NULL: nowhere */
    uint64_t at;
};

struct ctf_encoder {
    struct buf *out; /* a packet, from its beginning */
    uint64_t at;     /* bits that have been written */
    uint64_t *slots;
    const struct ctf_told *told; /* values of the fields that have roles, but for CTF_CPU */
    struct ctf_mark *marks;      /* gets the places of these fields, by role; NULL: nobody wants them */
};

/* Appends the scope, whose visible members have the values of a structure; what it lacks is 0, or empty. A
 * program without operations writes nothing. Errors: TRACE_ERR_USAGE if the value has another shape than the
 * program, TRACE_ERR_MEMORY. */
int ctf_encode(struct ctf_encoder *e, const struct ctf_program *program, const struct trace_value *value);

/* Changes the value of a field that was 0. */
void ctf_encode_late(struct ctf_encoder *e, const struct ctf_mark *mark, uint64_t value);

#endif
