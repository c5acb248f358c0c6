/* SPDX-License-Identifier: MIT
 * The structures around a field, while its class is made one of another dialect.
 */
#ifndef CTF_ENCLOSING_H
#define CTF_ENCLOSING_H

#include "formats/ctf/ctf_types.h"

#define CTF_ENCLOSING_MAX 64 /* structures in structures */

/* Begins as {.depth = 0}; needs no end. */
struct ctf_enclosing {
    /* Lent, of the trace that is read; the last is the innermost. */
    const struct ctf_class *structures[CTF_ENCLOSING_MAX];
    uint32_t depth;
};

/* Returns the structure that is `ups` structures, fewer than depth, outside of the innermost one. It is lent
 * as the trace's classes are. */
const struct ctf_class *ctf_enclosing_at(const struct ctf_enclosing *e, uint32_t ups);

/* Makes the members of c, which is a copy of a structure, those of another dialect. `seen` is empty at first,
 * and is for the names of members. Sets *can to false, if the dialect has no such members. Returns 0 or a
 * negative code. */
typedef int (*ctf_adapt_members)(void *adapter, struct ctf_class *c, struct string_map *seen, bool *can);

/* Calls `adapt` for c with the structure `in` as the innermost one of e. Sets *can to what `adapt` says, or
 * to false if CTF_ENCLOSING_MAX structures are around this one: it is made of its values then. Returns what
 * `adapt` returns. */
int ctf_enclosing_adapt(struct ctf_enclosing *e, const struct ctf_class *in, struct ctf_class *c,
                        ctf_adapt_members adapt, void *adapter, bool *can);

#endif
