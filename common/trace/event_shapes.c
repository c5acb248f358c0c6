/* SPDX-License-Identifier: MIT */
#include "trace/event_shapes.h"

#include "base/varint.h"
#include "trace/format.h"

#include <stdlib.h>

#define EAGER    8  /* events of no known shape that may get one, and then */
#define PATIENCE 32 /* every so many of them: learning costs as much as scanning */

/* --- making a shape -------------------------------------------------------------------------------- */

struct outline {
    struct trace_shape *shape;
    const uint8_t *p; /* the next byte; NULL: it has no shape */
    unsigned sig_count;
};

/* count bytes of which those bits count; how many they are was checked. */
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

/* A number that may have any value of so many bytes. In one of VARINT_MAX_BYTES, bits would count. */
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

static bool note_sig(struct outline *o, enum trace_sig_kind kind, uint32_t id)
{
    for (unsigned i = 0; i < o->sig_count; ++i)
        if (o->shape->sigs[i].kind == kind && o->shape->sigs[i].id == id)
            return true;
    if (o->sig_count == TRACE_SHAPE_SIGS)
        return false;
    o->shape->sigs[o->sig_count].kind = kind;
    o->shape->sigs[o->sig_count++].id = id;
    return true;
}

static void take_sig(struct outline *o, enum trace_sig_kind kind)
{
    if (!note_sig(o, kind, (uint32_t)take_exactly(o)))
        o->p = NULL;
}

static void take_plain_value(struct outline *o)
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
        take_sig(o, TRACE_SIG_BITMASK);
        if (o->p != NULL)
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
        take_sig(o, TRACE_SIG_ENUM);
    } else if (tag == TRACE_ARRAY) {
        take(o, 1, 0xff);
        count = take_exactly(o);
    }
    for (uint64_t i = 0; i < count && o->p != NULL; ++i)
        take_plain_value(o);
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

static void make_shape(struct trace_shape *shape, uint32_t function, const uint8_t *p, const uint8_t *end)
{
    struct outline o = {.shape = shape, .p = p};
    memset(shape, 0, sizeof *shape);
    for (unsigned i = 0; i < TRACE_SHAPE_SIGS; ++i) {
        shape->sigs[i].kind = TRACE_SIG_FUNCTION;
        shape->sigs[i].id = function;
    }
    while (o.p != NULL && o.p < end - 1)
        take_detail(&o);
    if (o.p != NULL)
        take(&o, 1, 0xff); /* TRACE_DETAIL_END */
    else
        shape->size = 0;
}

/* --- sets ------------------------------------------------------------------------------------------ */

void trace_shapes_fini(struct trace_shapes *s)
{
    for (uint32_t i = 0; i < s->cap; ++i)
        free(s->sets[i]);
    free(s->sets);
    *s = (struct trace_shapes){0};
}

static struct trace_shape_set *new_set(struct trace_shapes *s, const struct trace_function_sig *sig)
{
    if (sig->id >= s->cap) {
        uint32_t cap = s->cap == 0 ? 256 : s->cap;
        while (cap <= sig->id)
            cap *= 2;
        struct trace_shape_set **sets = realloc(s->sets, cap * sizeof(struct trace_shape_set *));
        if (sets == NULL)
            return NULL;
        memset(sets + s->cap, 0, (cap - s->cap) * sizeof(struct trace_shape_set *));
        s->sets = sets;
        s->cap = cap;
    }
    free(s->sets[sig->id]);
    struct trace_shape_set *set = s->sets[sig->id] = calloc(1, sizeof *set);
    if (set != NULL)
        set->sig = sig;
    return set;
}

/* The first event of a function has the first shape, another one the second. Later, the second one makes room
 * now and then. */
static struct trace_shape *choose(struct trace_shape_set *set, bool leave)
{
    struct trace_shape *shape = leave ? &set->leave : &set->enter[set->enter[0].size != 0];
    unsigned n = set->misses++;
    bool learns = n < EAGER ? shape->size == 0 : n % PATIENCE == 0;
    return learns ? shape : NULL;
}

void trace_shapes_learn(struct trace_shapes *s, const struct trace_function_sig *sig, bool leave,
                        const uint8_t *p, const uint8_t *end)
{
    if (sig->id >= TRACE_SIG_DENSE || (size_t)(end - p) > TRACE_SHAPE_BYTES)
        return;
    struct trace_shape_set *set = trace_shapes_find(s, sig);
    if (set == NULL)
        set = new_set(s, sig);
    struct trace_shape *shape = set != NULL ? choose(set, leave) : NULL;
    if (shape != NULL)
        make_shape(shape, sig->id, p, end);
}
