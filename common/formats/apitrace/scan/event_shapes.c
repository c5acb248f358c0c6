/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/scan/event_shapes.h"

#include "base/varint.h"
#include "formats/apitrace/format.h"

#include <stdlib.h>

#define LEARN_FIRST 8  /* number of events of unknown shape that are learned; after that, */
#define LEARN_EVERY 32 /* one in this many, because learning costs as much as scanning */

/* --- making a shape -------------------------------------------------------------------------------- */

struct outline {
    struct trace_shape *shape;
    const uint8_t *p; /* the next byte; NULL: the event has no shape */
};

/* Adds count bytes, of which the bits in mask must be equal. There must be as many bytes. */
static void take(struct outline *o, size_t count, uint8_t mask)
{
    struct trace_shape *shape = o->shape;
    for (size_t i = 0; i < count; ++i, ++shape->size) {
        shape->mask[shape->size] = mask;
        shape->bytes[shape->size] = o->p[i] & mask;
    }
    o->p += count;
}

static size_t uint_size(const uint8_t *p)
{
    size_t n = 1;
    while (*p++ >= 0x80)
        ++n;
    return n;
}

/* Adds a number of the same size with any value. A number of VARINT_MAX_BYTES has no shape, because some of
 * its bits would have to be equal. */
static void take_number(struct outline *o)
{
    size_t n = uint_size(o->p);
    if (n < VARINT_MAX_BYTES)
        take(o, n, 0x80);
    else
        o->p = NULL;
}

static uint64_t take_exactly(struct outline *o)
{
    uint64_t value = 0;
    size_t n = uint_size(o->p);
    varint_get(o->p, o->p + n, &value);
    take(o, n, 0xff);
    return value;
}

static void take_scalar(struct outline *o)
{
    uint8_t tag = *o->p;
    take(o, 1, 0xff);
    switch (tag) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        break;
    case TRACE_SINT:
    case TRACE_UINT:
    case TRACE_OPAQUE:
        take_number(o);
        break;
    case TRACE_FLOAT:
        take(o, sizeof(float), 0);
        break;
    case TRACE_DOUBLE:
        take(o, sizeof(double), 0);
        break;
    case TRACE_BITMASK:
        take_exactly(o);
        take_number(o);
        break;
    default:
        o->p = NULL;
    }
}

static void take_value(struct outline *o)
{
    uint8_t tag = *o->p;
    uint64_t count = 1;
    if (tag == TRACE_ENUM) {
        take(o, 1, 0xff);
        take_exactly(o);
    } else if (tag == TRACE_ARRAY) {
        take(o, 1, 0xff);
        count = take_exactly(o);
    }
    for (uint64_t i = 0; i < count && o->p != NULL; ++i)
        take_scalar(o);
}

static void take_detail(struct outline *o)
{
    uint8_t tag = *o->p;
    take(o, 1, 0xff);
    switch (tag) {
    case TRACE_DETAIL_ARG:
        take_exactly(o);
        take_value(o);
        break;
    case TRACE_DETAIL_RET:
        take_value(o);
        break;
    case TRACE_DETAIL_FLAGS:
        take_number(o);
        break;
    default:
        o->p = NULL;
    }
}

/* A byte with no mask bits is compared with 0, and this one is 1, so nothing matches. */
static void make_empty(struct trace_shape *shape)
{
    *shape = (struct trace_shape){.bytes = {1}};
}

static void make_shape(struct trace_shape *shape, const uint8_t *p, const uint8_t *end)
{
    struct outline o = {.shape = shape, .p = p};
    memset(shape, 0, sizeof *shape);
    while (o.p != NULL && o.p < end - 1)
        take_detail(&o);
    if (o.p != NULL)
        take(&o, 1, 0xff); /* TRACE_DETAIL_END */
    else
        make_empty(shape);
}

/* --- sets ------------------------------------------------------------------------------------------ */

void trace_shapes_fini(struct trace_shapes *s)
{
    for (uint32_t i = 0; i < s->cap; ++i)
        free(s->sets[i]);
    free(s->sets);
    *s = (struct trace_shapes){0};
}

static struct trace_shape_set *new_set(struct trace_shapes *s, uint32_t id)
{
    if (id >= s->cap) {
        uint32_t cap = s->cap == 0 ? 256 : s->cap;
        while (cap <= id)
            cap *= 2;
        struct trace_shape_set **sets = realloc(s->sets, cap * sizeof(struct trace_shape_set *));
        if (sets == NULL)
            return NULL;
        memset(sets + s->cap, 0, (cap - s->cap) * sizeof(struct trace_shape_set *));
        s->sets = sets;
        s->cap = cap;
    }
    if (s->sets[id] == NULL)
        s->sets[id] = malloc(sizeof(struct trace_shape_set));
    return s->sets[id];
}

static void clear_set(struct trace_shape_set *set, uint32_t times_hidden,
                      const struct trace_function_sig *sig)
{
    set->sig = sig;
    set->times_hidden = times_hidden;
    set->ends_frame = (sig->flags & TRACE_CALL_END_FRAME) != 0;
    set->misses = 0;
    make_empty(&set->enter[0]);
    make_empty(&set->enter[1]);
    make_empty(&set->leave);
}

/* The first event of a function sets the first shape, another one the second. Later, the second shape is
 * replaced from time to time. */
static struct trace_shape *choose(struct trace_shape_set *set, bool leave)
{
    struct trace_shape *shape = leave ? &set->leave : &set->enter[set->enter[0].size != 0];
    unsigned n = set->misses++;
    bool learns = n < LEARN_FIRST ? shape->size == 0 : n % LEARN_EVERY == 0;
    return learns ? shape : NULL;
}

void trace_shapes_learn(struct trace_shapes *s, const struct trace_signatures *sigs,
                        const struct trace_function_sig *sig, bool leave, const uint8_t *p,
                        const uint8_t *end)
{
    if (sig->id >= TRACE_SIG_DENSE || (size_t)(end - p) > TRACE_SHAPE_BYTES)
        return;
    struct trace_shape_set *set = trace_shapes_find(s, sigs, sig->id);
    if (set == NULL && (set = new_set(s, sig->id)) != NULL)
        clear_set(set, sigs->times_hidden, sig);
    struct trace_shape *shape = set != NULL ? choose(set, leave) : NULL;
    if (shape != NULL)
        make_shape(shape, p, end);
}
