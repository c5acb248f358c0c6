/* SPDX-License-Identifier: MIT
 * Most calls of a function have the same encoded shape: the same arguments, with the same types, and numbers
 * of the same size. Once an event has been scanned, another event of the same shape is recognised by one
 * masked comparison, which also gives its end. All bytes that the scan would check are then equal. Only short
 * events without strings, blobs, structures and backtraces have a shape. Private to event_scan.c and
 * raw_events*.c.
 */
#ifndef TRACE_EVENT_SHAPES_H
#define TRACE_EVENT_SHAPES_H

#include "formats/apitrace/signatures.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TRACE_SHAPE_BYTES 128 /* the highest size of a shape; this many bytes are read for a comparison */
#define TRACE_SHAPE_FIRST 32  /* bytes that are always compared, whatever the size of the shape */

struct trace_shape {
    uint8_t mask[TRACE_SHAPE_BYTES]; /* the bits that must be equal */
    uint8_t bytes[TRACE_SHAPE_BYTES];
    uint32_t size; /* of the details, including their end; 0: there is no shape, and nothing matches */
};

/* The shapes of one function. */
struct trace_shape_set {
    const struct trace_function_sig *sig;
    uint32_t times_hidden; /* if this equals the counter of the signatures, all ids in the shapes are known */
    bool ends_frame;
    struct trace_shape enter[2];
    struct trace_shape leave;
    unsigned misses; /* number of events with another shape */
};

/* Zero-initialise it before use. */
struct trace_shapes {
    struct trace_shape_set **sets; /* indexed by function id; NULL: none */
    uint32_t cap;
};

void trace_shapes_fini(struct trace_shapes *s);

/* Adds the shape of the details from p to end, of an event of sig. They must have been scanned without
 * errors, must not define signatures, and all signatures must be committed. Without memory, no shape is
 * added. */
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

/* Returns the end of the details at p, or NULL if they have no known shape. TRACE_SHAPE_BYTES must be
 * readable after p. */
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
