/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/event_times.h"

#include "base/varint.h"

#include <string.h>

/* Begins a segment: the differences start from 0 again. */
static int begin_segment(struct trace_event_times *times, struct trace_index *t, uint64_t index)
{
    struct trace_segment next = {UINT64_MAX, 0, 0};
    int rc = 0;
    if (index + 1 < trace_index_segment_count(t))
        rc = trace_index_segment(t, index + 1, &next);
    times->segment = index + 1;
    times->next_offset = next.stream_offset;
    times->last = 0;
    return rc;
}

void trace_event_times_go(struct trace_event_times *times, struct trace_index *t, uint64_t index)
{
    struct trace_segment segment;
    struct trace_summary summary;
    times->known = times->wanted && t != NULL && trace_index_has_times(t) &&
                   trace_index_summary(t, &summary) == 0 && summary.time_unit > 0 &&
                   summary.time_unit <= TRACE_TIME_UNIT_LIMIT &&
                   trace_index_segment(t, index, &segment) == 0 && begin_segment(times, t, index) == 0;
    if (times->known) {
        times->at = segment.times_offset;
        times->unit = summary.time_unit;
    }
    times->used = times->count = 0;
}

/* Keeps the unused bytes and reads more. */
static bool refill(struct trace_event_times *times, struct trace_index *t)
{
    uint64_t size = trace_index_section_size(t, TRACE_SECTION_TIMES);
    size_t kept = times->count - times->used;
    size_t room = sizeof times->bytes - kept;
    uint64_t left = times->at < size ? size - times->at : 0;
    size_t n = left < room ? (size_t)left : room;
    memmove(times->bytes, times->bytes + times->used, kept);
    if (trace_index_read_section(t, TRACE_SECTION_TIMES, times->at, times->bytes + kept, n) != 0)
        return false;
    times->at += n;
    times->used = 0;
    times->count = kept + n;
    return true;
}

int64_t trace_event_times_next(struct trace_event_times *times, struct trace_index *t, uint64_t stream_offset)
{
    uint64_t code;
    if (!times->known)
        return TRACE_NO_TIME;
    if (stream_offset >= times->next_offset && begin_segment(times, t, times->segment) != 0)
        times->known = false;
    if (times->known && times->count - times->used < VARINT_MAX_BYTES && !refill(times, t))
        times->known = false;
    int n = times->known ? varint_get(times->bytes + times->used, times->bytes + times->count, &code) : 0;
    times->known = n > 0;
    if (!times->known)
        return TRACE_NO_TIME;
    times->used += (size_t)n;
    if (code == 0)
        return TRACE_NO_TIME;
    uint64_t zigzag = code - 1;
    times->last = (int64_t)((uint64_t)times->last + (zigzag >> 1 ^ (0 - (zigzag & 1))));
    return (int64_t)((uint64_t)times->last * times->unit);
}
