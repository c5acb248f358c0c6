/* SPDX-License-Identifier: MIT */
#include "formats/ctf/babeltrace/babeltrace_time.h"

#include "base/format_number.h"
#include "formats/ctf/decode/ctf_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BILLION 1000000000

static inline char *put(char *p, const char *text, size_t length)
{
    memcpy(p, text, length);
    return p + length;
}

#define PUT(p, text) put(p, text, sizeof(text) - 1)

static inline void split(int64_t time, int64_t *seconds, uint32_t *nanoseconds)
{
    int64_t rest = time % BILLION;
    *seconds = time / BILLION - (rest < 0);
    *nanoseconds = (uint32_t)(rest < 0 ? rest + BILLION : rest);
}

static inline char *put_nanoseconds(char *p, uint32_t nanoseconds)
{
    format_digits(p, nanoseconds, 9);
    return p + 9;
}

/* Keeps the text of the second, because most events are in the same one as the event before. */
static void keep_second(struct babeltrace_time *t, int64_t second)
{
    const struct babeltrace_style *style = t->style;
    struct tm tm;
    time_t clock = (time_t)second;
    t->second = second;
    if (style->clock_seconds) {
        t->length = (size_t)snprintf(t->text, sizeof t->text, "%" PRId64 ".", second);
    } else if ((style->clock_gmt ? gmtime_r(&clock, &tm) : localtime_r(&clock, &tm)) == NULL) {
        t->length = (size_t)snprintf(t->text, sizeof t->text, "??:??:??.");
    } else {
        t->length =
            strftime(t->text, sizeof t->text, style->clock_date ? "%Y-%m-%d %H:%M:%S." : "%H:%M:%S.", &tm);
    }
}

static char *put_time(struct babeltrace_time *t, int64_t time, uint64_t ticks, char *p)
{
    int64_t second, wall;
    uint32_t nanoseconds;
    if (t->style->clock_cycles) {
        format_digits(p, ticks, 20);
        return p + 20;
    }
    if (__builtin_add_overflow(time, t->wall_offset, &wall))
        return PUT(p, "??:??:??.?????????");
    split(wall, &second, &nanoseconds);
    if (t->length == 0 || t->second != second)
        keep_second(t, second);
    memcpy(p, t->text, sizeof t->text); /* of a constant size is faster */
    return put_nanoseconds(p + t->length, nanoseconds);
}

static char *put_delta(const struct babeltrace_time *t, int64_t time, uint64_t ticks, char *p)
{
    int64_t seconds;
    uint32_t nanoseconds;
    bool is_back = t->has_last && time < t->last_time;
    *p++ = is_back ? '-' : '+';
    if (t->style->clock_cycles) {
        if (!t->has_last)
            return PUT(p, "????????????");
        return p + sprintf(p, "%012" PRIu64, is_back ? t->last_ticks - ticks : ticks - t->last_ticks);
    }
    if (!t->has_last)
        return PUT(p, "?.?????????");
    split(is_back ? t->last_time - time : time - t->last_time, &seconds, &nanoseconds);
    if (seconds >= 0 && seconds < 10)
        *p++ = (char)('0' + seconds);
    else
        p += format_sint(p, seconds);
    *p++ = '.';
    return put_nanoseconds(p, nanoseconds);
}

/* The number of an event takes the place of its time. */
static int64_t time_of(const struct trace_event *event)
{
    const struct ctf_event_layout *l = event->record != NULL ? event->record->type->layout : NULL;
    return l != NULL && l->stream->counts_events ? ctf_time_of(&l->stream->time, event->ticks) : event->time;
}

char *babeltrace_time_put(struct babeltrace_time *t, const struct trace_event *event, char *p)
{
    const struct babeltrace_style *style = t->style;
    bool names = (style->names & BABELTRACE_HEADER_NAMES) != 0;
    int64_t time = time_of(event);
    if (time == TRACE_NO_TIME)
        return p;
    p = put_time(t, time, event->ticks, names ? PUT(p, "timestamp = ") : PUT(p, "["));
    p = names ? PUT(p, ", ") : PUT(p, "] ");
    if (!style->no_delta) {
        p = put_delta(t, time, event->ticks, names ? PUT(p, "delta = ") : PUT(p, "("));
        p = names ? PUT(p, ", ") : PUT(p, ") ");
    }
    t->has_last = true;
    t->last_time = time;
    t->last_ticks = event->ticks;
    return p;
}
