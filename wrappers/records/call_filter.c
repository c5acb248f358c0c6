/* SPDX-License-Identifier: MIT */
#include "records/call_filter.h"

#include "spec_ids.h"

#include <string.h>

_Static_assert(SPEC_FUNCTION_COUNT <= CALL_FILTER_FUNCTIONS_MAX, "each function has a class");

#define START "trace-cli:start"
#define STOP  "trace-cli:stop"
#define NEXT  ((uint32_t)CALL_FILTER_ANY + 1)

/* Only succeeds if state is still `old`. */
static bool replace(struct call_filter *c, uint32_t old, uint32_t reasons)
{
    uint32_t wanted = ((old + NEXT) & ~(uint32_t)CALL_FILTER_ANY) | reasons;
    return atomic_compare_exchange_strong(&c->state, &old, wanted);
}

void call_filter_change(struct call_filter *c, uint32_t set, uint32_t clear)
{
    uint32_t old;
    do
        old = atomic_load(&c->state);
    while (!replace(c, old, ((old & CALL_FILTER_ANY) | set) & ~clear));
}

/* --- markers ----------------------------------------------------------------------------------------- */

bool call_filter_is_marker(uint32_t function)
{
    switch (function) {
    case SPEC_FN_glDebugMessageInsert:
    case SPEC_FN_glDebugMessageInsertAMD:
    case SPEC_FN_glDebugMessageInsertARB:
    case SPEC_FN_glDebugMessageInsertKHR:
    case SPEC_FN_glInsertEventMarkerEXT:
    case SPEC_FN_glPushDebugGroup:
    case SPEC_FN_glPushDebugGroupKHR:
    case SPEC_FN_glPushGroupMarkerEXT:
    case SPEC_FN_glStringMarkerGREMEDY:
        return true;
    default:
        return false;
    }
}

static bool contains(const uint8_t *body, size_t size, const char *text)
{
    return memmem(body, size, text, strlen(text)) != NULL;
}

enum call_filter_word call_filter_read_marker(const uint8_t *body, size_t size)
{
    if (contains(body, size, START))
        return CALL_FILTER_START;
    return contains(body, size, STOP) ? CALL_FILTER_STOP : CALL_FILTER_NOTHING;
}

void call_filter_obey(struct call_filter *c, const uint8_t *body, size_t size)
{
    enum call_filter_word word = call_filter_read_marker(body, size);
    if (word == CALL_FILTER_NOTHING || atomic_load(&c->obeys_markers) == 0)
        return;
    atomic_fetch_add(&c->markers, 1);
    if (word == CALL_FILTER_START)
        call_filter_change(c, 0, CALL_FILTER_STOPPED);
    else
        call_filter_change(c, CALL_FILTER_STOPPED, 0);
}

void call_filter_agree(struct call_filter *c, uint32_t markers_read, bool stopped)
{
    for (;;) {
        uint32_t old = atomic_load(&c->state), reasons = old & CALL_FILTER_ANY;
        reasons = stopped ? reasons | CALL_FILTER_STOPPED : reasons & ~(uint32_t)CALL_FILTER_STOPPED;
        if (atomic_load(&c->markers) != markers_read || reasons == (old & CALL_FILTER_ANY) ||
            replace(c, old, reasons))
            return;
    }
}

/* --- frames -------------------------------------------------------------------------------------------- */

static bool wants_frame(const struct call_filter *c, uint32_t frame)
{
    for (uint32_t i = 0; i < c->range_count && i < CALL_FILTER_RANGES; ++i) {
        const struct call_filter_range *r = &c->ranges[i];
        if (frame >= r->first && frame <= r->last && (r->step <= 1 || (frame - r->first) % r->step == 0))
            return true;
    }
    return false;
}

/* A frame's end is not a moment: several threads may be about to end one. */
static bool may_want_frame(struct call_filter *c)
{
    uint32_t frame = atomic_load(&c->frames_ended), last = atomic_load(&c->frames_ending);
    if (last - frame > CALL_FILTER_FUNCTIONS_MAX) /* the program has overwritten them */
        return true;
    for (; frame != last; ++frame)
        if (wants_frame(c, frame))
            return true;
    return wants_frame(c, last);
}

static void look_at_frame(struct call_filter *c)
{
    uint32_t old, reasons;
    do {
        old = atomic_load(&c->state);
        reasons = old & CALL_FILTER_ANY & ~(uint32_t)CALL_FILTER_FRAME;
        reasons |= may_want_frame(c) ? 0 : CALL_FILTER_FRAME;
    } while (!replace(c, old, reasons));
}

void call_filter_set_frames(struct call_filter *c, const struct call_filter_range *ranges, uint32_t count)
{
    if (count > CALL_FILTER_RANGES)
        return;
    memcpy(c->ranges, ranges, count * sizeof *ranges);
    c->range_count = count;
    look_at_frame(c);
}

/* What is called while the record is being published may belong to the next frame already. */
void call_filter_end_frame(struct call_filter *c)
{
    if (c->range_count == 0)
        return;
    atomic_fetch_add(&c->frames_ending, 1);
    look_at_frame(c);
}

void call_filter_begin_frame(struct call_filter *c)
{
    if (c->range_count == 0)
        return;
    atomic_fetch_add(&c->frames_ended, 1);
    look_at_frame(c);
}
