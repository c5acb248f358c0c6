/* SPDX-License-Identifier: MIT
 * Times of events as values of the written clock. A trace without times has a clock that counts its events.
 */
#include "formats/ctf/write/ctf_sink_time.h"

#include "base/array.h"
#include "base/error.h"
#include "formats/ctf/decode/ctf_layout.h"

#include <stdlib.h>

#define BILLION 1000000000

/* The counter is only of use if its values are proportional to the times. */
static bool has_proportional_ticks(const struct ctf_sink *s, const struct trace_event *event, int64_t time)
{
    const struct trace_clock *clock = &s->source_clock;
    if (!s->out.dialect->has_clocks || !clock->has_ticks || clock->frequency == 0 ||
        clock->frequency == BILLION || time != event->time)
        return false;
    int64_t difference = (int64_t)ctf_time_scale(event->ticks, clock->frequency) - time;
    return difference >= -1 && difference <= 1;
}

static void set_offset(struct ctf_clock *clock, int64_t nanoseconds)
{
    int64_t seconds = nanoseconds / BILLION, rest = nanoseconds % BILLION;
    clock->offset_s = rest < 0 ? seconds - 1 : seconds;
    clock->offset =
        (uint64_t)((unsigned __int128)(rest < 0 ? rest + BILLION : rest) * clock->frequency / BILLION);
}

static void begin_clock(struct ctf_sink *s, const struct trace_event *event, int64_t time)
{
    struct ctf_sink_time *t = &s->time;
    t->has_ticks = has_proportional_ticks(s, event, time);
    if (t->has_ticks)
        t->clock->frequency = s->source_clock.frequency;
    t->clock->has_unix_origin = s->source_clock.wall_offset != TRACE_NO_TIME;
    t->clock->is_absolute = t->clock->has_unix_origin;
    if (t->clock->has_unix_origin)
        set_offset(t->clock, s->source_clock.wall_offset);
    t->is_known = true;
}

/* The events before get the time of the first one that has one. */
static void release_held(struct ctf_sink_time *t, uint64_t value)
{
    for (size_t i = 0; i < t->held_count; ++i) {
        struct ctf_held *h = &t->held[i];
        struct ctf_encoder e = {.out = &h->stream->packet};
        if (h->stream->sequence != h->sequence || h->stream->packet.len == 0)
            continue;
        ctf_encode_late(&e, &h->mark, value);
        h->stream->begin = value;
        h->stream->end = value;
    }
    free(t->held);
    t->held = NULL;
    t->held_count = t->held_room = 0;
}

static uint64_t value_of(const struct ctf_sink *s, const struct trace_event *event, int64_t time)
{
    const struct ctf_sink_time *t = &s->time;
    if (t->has_ticks && time == event->time)
        return event->ticks;
    if (time < 0)
        return 0;
    return t->has_ticks ? (uint64_t)((unsigned __int128)(uint64_t)time * t->clock->frequency / BILLION)
                        : (uint64_t)time;
}

uint64_t ctf_sink_time_of(struct ctf_sink *s, struct ctf_out_stream *stream, const struct trace_event *event,
                          int64_t time)
{
    struct ctf_sink_time *t = &s->time;
    if (!t->has_times)
        return ++t->last;
    if (time == TRACE_NO_TIME)
        return t->last > stream->end ? t->last : stream->end;
    bool is_first = !t->is_known;
    if (is_first)
        begin_clock(s, event, time);
    uint64_t value = value_of(s, event, time);
    if (is_first)
        release_held(t, value);
    if (value < stream->end || time < 0) {
        t->backward++;
        value = value < stream->end ? stream->end : value;
    }
    t->last = value;
    return value;
}

int ctf_sink_hold(struct ctf_sink *s, struct ctf_out_stream *stream, int64_t time)
{
    struct ctf_sink_time *t = &s->time;
    t->timeless += time == TRACE_NO_TIME;
    if (!t->has_times || time != TRACE_NO_TIME || t->is_known)
        return 0;
    if (ARRAY_RESERVE(t->held, t->held_count, t->held_room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    t->held[t->held_count++] =
        (struct ctf_held){stream, stream->event_marks[CTF_TIMESTAMP], stream->sequence};
    return 0;
}
