/* SPDX-License-Identifier: MIT
 * The places of a log's declarations, to which its calls refer. Declarations may be anywhere in a log. A
 * source yields them before the first call, in the order of a text. A first pass remembers the first
 * DECLARED_MAX places, and the place from which the rest must be searched for again.
 */
#ifndef SP_RTRACE_DECLARED_H
#define SP_RTRACE_DECLARED_H

#include "base/buf.h"
#include "formats/sp_rtrace/packets.h"

/* In the order in which a text has them. */
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
    struct packet_style style; /* of a binary log's packet */
};

#define DECLARED_MAX 65536 /* the highest number of places that are remembered */

/* Zero-initialise it before use. */
struct declared {
    struct buf places; /* struct declared_place, in file order */
    bool has_heap;     /* statistics of the heap; of several, the last ones are valid */
    struct declared_place heap;
    bool has_rest;              /* some places were not remembered */
    struct declared_place rest; /* the first of them */
};

void declared_fini(struct declared *d);
int declared_add(struct declared *d, const struct declared_place *place);

/* Returns the next remembered place of that kind, starting at index *at, and sets *at to the index after it.
 * Returns NULL if there are no more. */
const struct declared_place *declared_next(const struct declared *d, enum declared_kind kind, size_t *at);

#endif
