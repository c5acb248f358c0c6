/* SPDX-License-Identifier: MIT
 * The fast path for calls that have the shape of earlier ones.
 */
#include "formats/apitrace/scan/event_scan.h"

#include "formats/apitrace/scan/leave_head.h"

#include <string.h>

#define MAX_HEAD 4 /* bytes of an enter event before its details: tag, thread, function id */
/* The highest number of bytes that are read of a call. */
#define MARGIN ((int)(MAX_HEAD + TRACE_SHAPE_BYTES + TRACE_LEAVE_HEAD_BYTES + TRACE_SHAPE_BYTES))
#define STEP   16 /* bytes that are copied at a time */

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
                                       const struct trace_leave_head *head, struct last_entered *last,
                                       const struct trace_shape_set **set, const uint8_t **leave)
{
    *set = entered_again(sc, p, last, &p);
    if (*set == NULL || (p = trace_shapes_enter_end(*set, p)) == NULL)
        return NULL;
    *leave = p;
    if (!trace_leave_head_fits(head, p))
        return NULL;
    p += head->size;
    return *p == TRACE_DETAIL_END ? p + 1 : trace_shapes_leave_end(*set, p);
}

/* Skips calls numbered below `last` and TRACE_LEAVE_HEAD_CALLS. Lists them in calls, unless it is NULL. */
static inline const uint8_t *pass(const struct trace_scan *sc, const uint8_t *p, const uint8_t *until,
                                  uint64_t *number, uint64_t last, struct trace_known_call *calls)
{
    struct trace_leave_head head;
    struct last_entered before = {.set = NULL};
    if (!trace_scan_has_shapes(sc))
        return p;
    last = last < TRACE_LEAVE_HEAD_CALLS ? last : TRACE_LEAVE_HEAD_CALLS;
    trace_leave_head_init(&head, *number);
    while (p < until && sc->s->end - p >= MARGIN && head.number < last) {
        const struct trace_shape_set *set;
        const uint8_t *leave, *end = known_end(sc, p, &head, &before, &set, &leave);
        if (end == NULL)
            break;
        if (calls != NULL)
            *calls++ = (struct trace_known_call){set->sig, p[1], (uint32_t)(end - p)};
        p = end;
        trace_leave_head_next(&head);
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

static inline uint8_t *put_head(uint8_t *out, const struct trace_leave_head *h)
{
    memcpy(out, &h->bytes, sizeof h->bytes);
    return out + h->size;
}

const uint8_t *trace_scan_copy_known(const struct trace_scan *sc, const uint8_t *p, uint64_t *number,
                                     uint64_t last, uint64_t *as, struct buf *out)
{
    struct trace_leave_head head, renumbered;
    struct last_entered before = {.set = NULL};
    uint8_t *to = out->data + out->len, *to_end = out->data + out->cap;
    if (!trace_scan_has_shapes(sc))
        return p;
    last = last < TRACE_LEAVE_HEAD_CALLS ? last : TRACE_LEAVE_HEAD_CALLS;
    trace_leave_head_init(&head, *number);
    trace_leave_head_init(&renumbered, *as);
    while (sc->s->end - p >= MARGIN + STEP && to_end - to >= MARGIN + STEP && head.number < last) {
        const struct trace_shape_set *set;
        const uint8_t *leave, *end = known_end(sc, p, &head, &before, &set, &leave);
        if (end == NULL)
            break;
        to = copy_steps(to, p, (size_t)(leave - p));
        to = put_head(to, &renumbered);
        to = copy_steps(to, leave + head.size, (size_t)(end - leave) - head.size);
        p = end;
        trace_leave_head_next(&head);
        trace_leave_head_next(&renumbered);
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
