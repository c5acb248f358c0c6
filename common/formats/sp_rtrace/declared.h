/* SPDX-License-Identifier: MIT
 * Where a log says what its calls refer to. Such records may be anywhere in it; a source yields them before
 * the first call, in the order in which a text has them. A first pass remembers the places of as many as fit
 * into little memory, and from where on others have to be looked for again.
 */
#ifndef SP_RTRACE_DECLARED_H
#define SP_RTRACE_DECLARED_H

#include "base/buf.h"
#include "formats/sp_rtrace/packets.h"

/* In the order of a text. */
enum declared_kind {
    DECLARED_ATTACHMENT,
    DECLARED_HEAP,
    DECLARED_MODULE,
    DECLARED_CONTEXT,
    DECLARED_RESOURCE,
    DECLARED_MAPPING,
    DECLARED_KINDS,
};

struct declared_place {
    uint64_t offset;
    enum declared_kind kind;
    struct packet_style style; /* of a binary log */
};

#define DECLARED_MAX 65536 /* places that are remembered */

/* Zero-initialise it. */
struct declared {
    struct buf places; /* struct declared_place, in the order of the log */
    bool has_heap;     /* statistics of the heap; the last ones are valid: */
    struct declared_place heap;
    bool has_rest;              /* there was no room for all: */
    struct declared_place rest; /* the first of those */
};

void declared_fini(struct declared *d);
int declared_add(struct declared *d, const struct declared_place *place);

/* The next remembered place of that kind, from number *at on, which is set behind it; NULL: none. */
const struct declared_place *declared_next(const struct declared *d, enum declared_kind kind, size_t *at);

#endif
