/* SPDX-License-Identifier: MIT
 * The fast path for calls that have the shape of earlier ones.
 */
#include "formats/apitrace/scan/event_scan.h"

#include "base/varint.h"

#include <string.h>

#define MAX_HEAD  4                /* bytes of an enter event before its details: tag, thread, function id */
#define MAX_LEAVE sizeof(uint64_t) /* bytes of a leave event before its details: tag, call number */
#define LAST_CALL (UINT64_C(1) << 49) /* the first call number that is longer */
/* The highest number of bytes that are read of a call. */
#define MARGIN ((int)(MAX_HEAD + TRACE_SHAPE_BYTES + MAX_LEAVE + TRACE_SHAPE_BYTES))
#define STEP   16 /* bytes that are copied at a time */

/* The first bytes of the leave event of a call. */
struct leave_head {
    uint64_t bytes;
    uint64_t mask;
    size_t size;
    uint64_t number;
};

static uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void encode_head(struct leave_head *h, uint64_t number)
{
    uint8_t bytes[sizeof(uint64_t) + VARINT_MAX_BYTES] = {TRACE_RAW_EVENT_LEAVE};
    uint8_t mask[sizeof(uint64_t)] = {0};
    h->size = 1 + varint_put(bytes + 1, number);
    memset(mask, 0xff, h->size);
    h->bytes = load64(bytes);
    h->mask = load64(mask);
    h->number = number;
}

/* Usually only one byte of a number differs from the number before. */
static inline void next_head(struct leave_head *h)
{
    static const uint8_t one[sizeof(uint64_t)] = {0, 1};
    if ((++h->number & 0x7f) == 0)
        encode_head(h, h->number);
    else
        h->bytes += load64(one);
}

/* Returns the shapes of the function that is entered at p, with *after its id, or NULL if its calls cannot be
 * skipped. */
static inline const struct trace_shape_set *entered(const struct trace_scan *sc, const uint8_t *p,
                                                    const uint8_t **after)
{
    unsigned more = p[2] >> 7; /* size of the id */
    uint32_t id = (p[2] & 0x7fu) | (uint32_t)(p[3] & 0x7f & (0u - more)) << 7;
    bool is_short = ((p[1] | (p[3] & (0u - more))) & 0x80) == 0;
    *after = p + 3 + more;
    if (p[0] != TRACE_RAW_EVENT_ENTER || !is_short)
        return NULL;
    const struct trace_shape_set *set = trace_shapes_find(&sc->shapes, &sc->s->sigs, id);
    return set != NULL && !set->ends_frame ? set : NULL;
}

/* The function of the previous call. Many consecutive calls are of the same function, and a predicted branch
 * does not have to wait for the lookup. */
struct last_entered {
    uint32_t bytes;                    /* the first bytes of its enter event */
    unsigned head;                     /* number of those before its details */
    const struct trace_shape_set *set; /* NULL: there is none */
};

static inline const struct trace_shape_set *entered_again(const struct trace_scan *sc, const uint8_t *p,
                                                          struct last_entered *last, const uint8_t **after)
{
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    if (bytes != last->bytes || last->set == NULL) {
        last->set = entered(sc, p, after);
        last->bytes = bytes;
        last->head = (unsigned)(*after - p);
    }
    *after = p + last->head;
    return last->set;
}

/* Returns the end of the call that begins at p. *set: its function's shapes. *leave: where its leave event
 * begins. Returns NULL if the call must be scanned. */
static inline const uint8_t *known_end(const struct trace_scan *sc, const uint8_t *p,
                                       const struct leave_head *head, struct last_entered *last,
                                       const struct trace_shape_set **set, const uint8_t **leave)
{
    *set = entered_again(sc, p, last, &p);
    if (*set == NULL || (p = trace_shapes_enter_end(*set, p)) == NULL)
        return NULL;
    *leave = p;
    if (((load64(p) ^ head->bytes) & head->mask) != 0)
        return NULL;
    p += head->size;
    return *p == TRACE_DETAIL_END ? p + 1 : trace_shapes_leave_end(*set, p);
}

/* Skips calls numbered below `last` and LAST_CALL. Lists them in calls, unless it is NULL. */
static inline const uint8_t *pass(const struct trace_scan *sc, const uint8_t *p, const uint8_t *until,
                                  uint64_t *number, uint64_t last, struct trace_known_call *calls)
{
    struct leave_head head;
    struct last_entered before = {.set = NULL};
    if (!trace_scan_has_shapes(sc))
        return p;
    last = last < LAST_CALL ? last : LAST_CALL;
    encode_head(&head, *number);
    while (p < until && sc->s->end - p >= MARGIN && head.number < last) {
        const struct trace_shape_set *set;
        const uint8_t *leave, *end = known_end(sc, p, &head, &before, &set, &leave);
        if (end == NULL)
            break;
        if (calls != NULL)
            *calls++ = (struct trace_known_call){set->sig, p[1], (uint32_t)(end - p)};
        p = end;
        next_head(&head);
    }
    *number = head.number;
    return p;
}

/* Copies size bytes in steps, and maybe some more. Returns their end in out. */
static inline uint8_t *copy_steps(uint8_t *out, const uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i += STEP) {
        uint8_t bytes[STEP];
        memcpy(bytes, p + i, STEP);
        memcpy(out + i, bytes, STEP);
    }
    return out + size;
}

static inline uint8_t *put_head(uint8_t *out, const struct leave_head *h)
{
    memcpy(out, &h->bytes, sizeof h->bytes);
    return out + h->size;
}

const uint8_t *trace_scan_copy_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     uint64_t last, uint64_t *as, struct buf *out)
{
    struct leave_head head, renumbered;
    struct last_entered before = {.set = NULL};
    uint8_t *to = out->data + out->len, *to_end = out->data + out->cap;
    if (!trace_scan_has_shapes(sc))
        return p;
    last = last < LAST_CALL ? last : LAST_CALL;
    encode_head(&head, *number);
    encode_head(&renumbered, *as);
    while (sc->s->end - p >= MARGIN + STEP && to_end - to >= MARGIN + STEP && head.number < last) {
        const struct trace_shape_set *set;
        const uint8_t *leave, *end = known_end(sc, p, &head, &before, &set, &leave);
        if (end == NULL)
            break;
        to = copy_steps(to, p, (size_t)(leave - p));
        to = put_head(to, &renumbered);
        to = copy_steps(to, leave + head.size, (size_t)(end - leave) - head.size);
        p = end;
        next_head(&head);
        next_head(&renumbered);
    }
    *number = head.number;
    *as = renumbered.number;
    out->len = (size_t)(to - out->data);
    return p;
}

const uint8_t *trace_scan_pass_known(const struct trace_scan *sc, const uint8_t *p, const uint8_t *until,
                                     uint64_t *number, uint64_t last)
{
    return pass(sc, p, until, number, last, NULL);
}

const uint8_t *trace_scan_list_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     struct trace_known_call *calls, size_t max)
{
    return pass(sc, p, sc->s->end, number, *number + max, calls);
}
