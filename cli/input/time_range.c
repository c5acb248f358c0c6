/* SPDX-License-Identifier: MIT */
#include "input/time_range.h"

#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND INT64_C(1000000000) /* in nanoseconds */
#define DAY    INT64_C(86400)      /* in seconds */

#define LAST_YEAR 2261 /* whose nanoseconds since 1970 are all below 2^63 */

/* What is beyond the range of times is before or after all of them. */
static int64_t add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

/* --- parsing --------------------------------------------------------------------------------------- */

/* Reads a decimal number of units of `unit` nanoseconds, with a fraction. Returns what follows it, or NULL.
 */
static const char *read_decimal(const char *text, int64_t unit, int64_t *out)
{
    int64_t value = 0, part = unit;
    if (!isdigit((unsigned char)*text))
        return NULL;
    for (; isdigit((unsigned char)*text); ++text)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *text - '0', &value))
            return NULL;
    if (__builtin_mul_overflow(value, unit, &value))
        return NULL;
    if (*text == '.')
        for (++text; isdigit((unsigned char)*text); ++text) {
            part /= 10;
            if (__builtin_add_overflow(value, (*text - '0') * part, &value))
                return NULL;
        }
    *out = value;
    return text;
}

static bool parse_seconds(const char *text, int64_t *out)
{
    static const struct {
        const char *name;
        int64_t unit;
    } units[] = {{"", SECOND}, {"s", SECOND}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    size_t length = strspn(text, "0123456789.");
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (strcmp(text + length, units[i].name) == 0) {
            const char *end = read_decimal(text, units[i].unit, out);
            return end == text + length;
        }
    return false;
}

/* Days since 1970-01-01. */
static int64_t days_of(const struct tm *date)
{
    struct tm noon = {
        .tm_year = date->tm_year, .tm_mon = date->tm_mon, .tm_mday = date->tm_mday, .tm_hour = 12};
    return timegm(&noon) / DAY;
}

static bool is_date(const struct tm *date)
{
    struct tm found;
    time_t seconds = (time_t)(days_of(date) * DAY);
    return gmtime_r(&seconds, &found) != NULL && found.tm_mon == date->tm_mon &&
           found.tm_mday == date->tm_mday;
}

/* The seconds since 1970 of a local time. */
static int64_t local_seconds(struct tm date, int64_t seconds)
{
    date.tm_hour = (int)(seconds / 3600);
    date.tm_min = (int)(seconds / 60 % 60);
    date.tm_sec = (int)(seconds % 60);
    date.tm_isdst = -1;
    return mktime(&date);
}

static int64_t wall_time(const struct tm *date, int64_t of_day, bool is_utc)
{
    int64_t seconds = is_utc ? days_of(date) * DAY + of_day / SECOND : local_seconds(*date, of_day / SECOND);
    int64_t whole;
    if (__builtin_mul_overflow(seconds, SECOND, &whole))
        return seconds < 0 ? INT64_MIN : INT64_MAX;
    return add(whole, of_day % SECOND);
}

/* "14:05:09.25" or "14:05", and "Z". */
static bool parse_time_of_day(const char *text, int64_t *out, bool *is_utc)
{
    char *end;
    unsigned long hours = strtoul(text, &end, 10), minutes = 0;
    int64_t seconds = 0;
    if (!isdigit((unsigned char)*text) || *end != ':' || !isdigit((unsigned char)end[1]))
        return false;
    minutes = strtoul(end + 1, &end, 10);
    const char *rest = *end == ':' ? read_decimal(end + 1, SECOND, &seconds) : end;
    if (rest == NULL || hours > 23 || minutes > 59 || seconds >= 61 * SECOND)
        return false;
    *is_utc = *rest == 'Z';
    *out = (int64_t)(hours * 3600 + minutes * 60) * SECOND + seconds;
    return rest[*is_utc] == '\0';
}

static bool parse_wall(const char *text, struct time_point *p)
{
    struct tm date = {0};
    int length = 0;
    int fields = sscanf(text, "%4d-%2d-%2d%n", &date.tm_year, &date.tm_mon, &date.tm_mday, &length);
    bool has_date = fields == 3 && (text[length] == 'T' || text[length] == ' ');
    if (!parse_time_of_day(has_date ? text + length + 1 : text, &p->value, &p->is_utc))
        return false;
    p->kind = TIME_OF_DAY;
    if (!has_date)
        return true;
    if (date.tm_year < 1970 || date.tm_year > LAST_YEAR)
        return false;
    date.tm_year -= 1900;
    --date.tm_mon;
    if (!is_date(&date))
        return false;
    p->kind = TIME_WALL;
    p->value = wall_time(&date, p->value, p->is_utc);
    return true;
}

static bool parse_point(const char *text, struct time_point *p)
{
    *p = (struct time_point){.kind = TIME_OPEN};
    if (*text == '\0')
        return true;
    if (strchr(text, ':') != NULL)
        return parse_wall(text, p);
    p->kind = *text == '@' ? TIME_CLOCK : TIME_RELATIVE;
    return parse_seconds(text + (*text == '@'), &p->value);
}

/* Times of different kinds can only be compared once the trace's clock is known. */
static bool is_reversed(const struct time_range *r)
{
    return r->begin.kind == r->end.kind && r->begin.is_utc == r->end.is_utc && r->end.value < r->begin.value;
}

int time_range_parse(struct time_range *r, const char *text)
{
    char begin[64];
    const char *comma = strchr(text, ',');
    size_t length = comma != NULL ? (size_t)(comma - text) : sizeof begin;
    *r = (struct time_range){.is_resolved = false};
    if (length >= sizeof begin)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not BEGIN,END", text);
    memcpy(begin, text, length);
    begin[length] = '\0';
    if (!parse_point(begin, &r->begin))
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a time", begin);
    if (!parse_point(comma + 1, &r->end))
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a time", comma + 1);
    if (is_reversed(r))
        return trace_error_set(
            TRACE_ERR_USAGE, "\"%s\" ends before it begins%s", text,
            r->begin.kind == TIME_OF_DAY ? ": give the dates, too, if it lasts over midnight" : "");
    return 0;
}

/* --- the clock ------------------------------------------------------------------------------------- */

static bool is_wall(const struct time_point *p)
{
    return p->kind == TIME_WALL || p->kind == TIME_OF_DAY;
}

static bool is_from_first(const struct time_point *p)
{
    return p->kind == TIME_RELATIVE || p->kind == TIME_OF_DAY;
}

bool time_range_needs_first(const struct time_range *r)
{
    return is_from_first(&r->begin) || is_from_first(&r->end);
}

int time_range_check(const struct time_range *r, const struct trace_clock *clock)
{
    if (clock == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "--time: the trace has no times");
    if (clock->wall_offset == TRACE_NO_TIME && (is_wall(&r->begin) || is_wall(&r->end)))
        return trace_error_set(TRACE_ERR_USAGE,
                               "--time: the trace does not tell which time of day it was: give seconds");
    return 0;
}

/* The time of day on the day of the trace's first call. */
static int64_t on_day(const struct time_point *p, int64_t first)
{
    time_t seconds = (time_t)(first / SECOND);
    struct tm date;
    if (p->is_utc)
        gmtime_r(&seconds, &date);
    else
        localtime_r(&seconds, &date);
    return wall_time(&date, p->value, p->is_utc);
}

static int64_t resolve_point(const struct time_point *p, const struct trace_clock *clock, int64_t first)
{
    if (p->kind == TIME_RELATIVE)
        return add(first, p->value);
    if (p->kind == TIME_WALL)
        return add(p->value, -clock->wall_offset);
    if (p->kind == TIME_OF_DAY)
        return add(on_day(p, add(first, clock->wall_offset)), -clock->wall_offset);
    return p->value;
}

void time_range_resolve(struct time_range *r, const struct trace_clock *clock, int64_t first)
{
    r->from = r->begin.kind == TIME_OPEN ? INT64_MIN : resolve_point(&r->begin, clock, first);
    r->to = r->end.kind == TIME_OPEN ? INT64_MAX : resolve_point(&r->end, clock, first);
    r->is_resolved = true;
}
