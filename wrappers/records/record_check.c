/* SPDX-License-Identifier: MIT */
#include "records/record_check.h"

#include "runtime/spec.h"

#include <string.h>

#define STEP        8 /* records start at multiples of this */
#define FOLLOWED_BY 4 /* so many sound records in a row are no coincidence */

static bool has_sound_size(const struct record *r, uint64_t available)
{
    return r->size >= sizeof *r && r->size % STEP == 0 && r->size <= available;
}

bool record_is_sound(const struct record *r, uint64_t available)
{
    return has_sound_size(r, available) && r->kind >= RECORD_THREAD && r->kind <= RECORD_END &&
           (r->flags & ~(RECORD_FAKE | RECORD_FULL_TIME | RECORD_INPUTS | RECORD_OPEN)) == 0 &&
           r->function < spec_function_count;
}

/* Do records follow each other from `at` on, some of them or up to the end? */
static bool records_follow(const uint8_t *data, uint64_t at, uint64_t available)
{
    for (unsigned i = 0; i < FOLLOWED_BY && at < available; ++i) {
        struct record r;
        if (available - at < sizeof r)
            return false;
        memcpy(&r, data + at, sizeof r);
        if (!record_is_sound(&r, available - at))
            return false;
        at += r.size;
    }
    return true;
}

uint64_t record_next_sound(const uint8_t *data, uint64_t available)
{
    struct record bad;
    if (available <= sizeof bad)
        return available;
    memcpy(&bad, data, sizeof bad);
    if (has_sound_size(&bad, available) && records_follow(data, bad.size, available))
        return bad.size;
    for (uint64_t at = STEP; at < available; at += STEP)
        if (records_follow(data, at, available))
            return at;
    return available;
}
