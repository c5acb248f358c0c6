/* SPDX-License-Identifier: MIT
 * The first bytes of the leave event of a call, which usually follows its enter event. Comparing them is
 * faster than decoding the call's number.
 */
#ifndef TRACE_LEAVE_HEAD_H
#define TRACE_LEAVE_HEAD_H

#include "base/varint.h"
#include "formats/apitrace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TRACE_LEAVE_HEAD_BYTES sizeof(uint64_t)    /* tag and call number; this many bytes are compared */
#define TRACE_LEAVE_HEAD_CALLS (UINT64_C(1) << 49) /* the first call number that is longer */

struct trace_leave_head {
    uint64_t bytes;
    uint64_t mask;
    size_t size;
    uint64_t number;
};

static inline uint64_t trace_leave_head_load(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* number must be below TRACE_LEAVE_HEAD_CALLS. */
static inline void trace_leave_head_init(struct trace_leave_head *h, uint64_t number)
{
    uint8_t bytes[TRACE_LEAVE_HEAD_BYTES + VARINT_MAX_BYTES] = {TRACE_RAW_EVENT_LEAVE};
    uint8_t mask[TRACE_LEAVE_HEAD_BYTES] = {0};
    h->size = 1 + varint_put(bytes + 1, number);
    memset(mask, 0xff, h->size);
    h->bytes = trace_leave_head_load(bytes);
    h->mask = trace_leave_head_load(mask);
    h->number = number;
}

/* Makes it that of the next call. Usually only one byte of a number differs from the number before. */
static inline void trace_leave_head_next(struct trace_leave_head *h)
{
    static const uint8_t one[TRACE_LEAVE_HEAD_BYTES] = {0, 1};
    if ((++h->number & 0x7f) == 0)
        trace_leave_head_init(h, h->number);
    else
        h->bytes += trace_leave_head_load(one);
}

/* Returns true if the leave event begins at p. TRACE_LEAVE_HEAD_BYTES must be readable. */
static inline bool trace_leave_head_fits(const struct trace_leave_head *h, const uint8_t *p)
{
    return ((trace_leave_head_load(p) ^ h->bytes) & h->mask) == 0;
}

#endif
