/* SPDX-License-Identifier: MIT
 * Most calls of a function are encoded alike: the same arguments of the same types, and numbers of as many
 * bytes. Once an event was scanned, its shape tells by one masked comparison where another one of that shape
 * ends; what the scan would look at is equal then. Only what is short and has no string, blob, structure or
 * backtrace has a shape.
 * Private to event_scan.c and raw_events*.c.
 */
#ifndef TRACE_EVENT_SHAPES_H
#define TRACE_EVENT_SHAPES_H

#include "formats/apitrace/signatures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TRACE_SHAPE_BYTES 128 /* at most; that many are read at a place that is compared */
#define TRACE_SHAPE_FIRST 32  /* compared without asking how many there are */

struct trace_shape {
    uint8_t mask[TRACE_SHAPE_BYTES]; /* the bits that count, and */
    uint8_t bytes[TRACE_SHAPE_BYTES];
    uint32_t size; /* of the details, their end included; 0: there is no shape, and nothing fits */
};

/* Of one function. */
struct trace_shape_set {
    const struct trace_function_sig *sig;
    uint32_t times_hidden; /* as long as that of the signatures is the same, all ids in shapes are known */
    bool ends_frame;
    struct trace_shape enter[2];
    struct trace_shape leave;
    unsigned misses; /* events that had another shape */
};

/* Zero-initialise before use. */
struct trace_shapes {
    struct trace_shape_set **sets; /* by function id; NULL: none */
    uint32_t cap;
};

void trace_shapes_fini(struct trace_shapes *s);

/* The details from p to end, which were scanned and found right, of an event of sig. No signature is defined
 * in them, and all are committed. Without memory, there is no shape. */
void trace_shapes_learn(struct trace_shapes *s, const struct trace_signatures *sigs,
                        const struct trace_function_sig *sig, bool leave, const uint8_t *p,
                        const uint8_t *end);

static inline struct trace_shape_set *trace_shapes_find(const struct trace_shapes *s,
                                                        const struct trace_signatures *sigs, uint32_t id)
{
    struct trace_shape_set *set = id < s->cap ? s->sets[id] : NULL;
    return set != NULL && set->times_hidden == sigs->times_hidden ? set : NULL;
}

static inline uint64_t trace_shape_differs(const struct trace_shape *shape, const uint8_t *p, size_t from,
                                           size_t to)
{
    uint64_t different = 0;
    for (size_t i = from; i < to; i += sizeof(uint64_t)) {
        uint64_t found, mask, expected;
        memcpy(&found, p + i, sizeof found);
        memcpy(&mask, shape->mask + i, sizeof mask);
        memcpy(&expected, shape->bytes + i, sizeof expected);
        different |= (found & mask) ^ expected;
    }
    return different;
}

static inline bool trace_shape_fits(const struct trace_shape *shape, const uint8_t *p)
{
    uint64_t different = trace_shape_differs(shape, p, 0, TRACE_SHAPE_FIRST);
    if (shape->size > TRACE_SHAPE_FIRST)
        different |= trace_shape_differs(shape, p, TRACE_SHAPE_FIRST, TRACE_SHAPE_BYTES);
    return different == 0;
}

/* Where the details at p end, behind which TRACE_SHAPE_BYTES can be read; NULL: they have no known shape. */
static inline const uint8_t *trace_shapes_enter_end(const struct trace_shape_set *set, const uint8_t *p)
{
    if (trace_shape_fits(&set->enter[0], p))
        return p + set->enter[0].size;
    return trace_shape_fits(&set->enter[1], p) ? p + set->enter[1].size : NULL;
}

static inline const uint8_t *trace_shapes_leave_end(const struct trace_shape_set *set, const uint8_t *p)
{
    return trace_shape_fits(&set->leave, p) ? p + set->leave.size : NULL;
}

#endif
