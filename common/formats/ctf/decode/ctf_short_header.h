/* SPDX-License-Identifier: MIT
 * Event headers of the forms that LTTng recommends, and most tracers write: an id and a timestamp, which may
 * be in a variant that the id selects, so that others can be longer. Most of the headers of such a stream are
 * read as these two numbers, in a fifth of the time that the header's program takes.
 */
#ifndef CTF_SHORT_HEADER_H
#define CTF_SHORT_HEADER_H

#include "formats/ctf/decode/ctf_program.h"

struct ctf_short_header {
    const struct ctf_op *id; /* NULL: headers of the stream have another form */
    const struct ctf_op *time;
    uint32_t begin_mask;  /* alignment of the header in bits, less 1 */
    uint32_t time_mask;   /* the same of the structure that the timestamp is in */
    struct ctf_range ids; /* that select this timestamp */
};

/* The program is lent. */
void ctf_short_header_init(struct ctf_short_header *h, const struct ctf_program *header);

#endif
