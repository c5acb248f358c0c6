/* SPDX-License-Identifier: MIT */
#include "input/event_filter.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* --- options --------------------------------------------------------------------------------------- */

int filter_numbers_add(struct filter_numbers *n, const char *list)
{
    const char *rest = list;
    for (;;) {
        char *end;
        errno = 0;
        long long value = strtoll(rest, &end, 0);
        if (!isdigit((unsigned char)*rest) || errno != 0 || (*end != ',' && *end != '\0'))
            return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a list of numbers", list);
        if (n->count == FILTER_NUMBERS_MAX)
            return trace_error_set(TRACE_ERR_USAGE, "more than %d numbers", FILTER_NUMBERS_MAX);
        n->values[n->count++] = value;
        if (*end == '\0')
            return 0;
        rest = end + 1;
    }
}

int filter_numbers_add_option(void *numbers, const char *list)
{
    return filter_numbers_add(numbers, list);
}

/* text may be NULL: the option is not given. */
static int parse_numbers(struct filter_numbers *n, const char *option, const char *text)
{
    int rc = text != NULL ? filter_numbers_add(n, text) : 0;
    if (rc != 0)
        trace_error_prefix(rc, "%s", option);
    return rc;
}

static int parse_time(struct event_filter *f, const char *text)
{
    int rc = time_range_parse(&f->time, text);
    f->has_time = true;
    if (rc != 0)
        trace_error_prefix(rc, "--time");
    return rc;
}

int event_filter_init(struct event_filter *f, const struct event_filter_options *options)
{
    *f = (struct event_filter){.function = options->function,
                               .threads = options->threads,
                               .streams = options->streams,
                               .fields = options->fields};
    int rc = parse_numbers(&f->threads, "--thread", options->thread);
    if (rc == 0)
        rc = parse_numbers(&f->processes, "--process", options->process);
    if (rc == 0)
        rc = parse_numbers(&f->cpus, "--cpu", options->cpu);
    if (rc == 0 && options->time != NULL)
        rc = parse_time(f, options->time);
    f->is_given = f->function != NULL || f->threads.count > 0 || f->processes.count > 0 ||
                  f->cpus.count > 0 || f->streams.count > 0 || f->fields.count > 0 || f->has_time;
    return rc;
}

void event_filter_fini(struct event_filter *f)
{
    int_map_fini(&f->known);
    int_map_fini(&f->open);
}

/* --- matching -------------------------------------------------------------------------------------- */

static bool has_number(const struct filter_numbers *n, int64_t value)
{
    for (size_t i = 0; i < n->count; ++i)
        if (n->values[i] == value)
            return true;
    return n->count == 0;
}

static bool matches_name(struct event_filter *f, const struct trace_function_sig *sig)
{
    uint64_t key = (uint64_t)(uintptr_t)sig, is_match;
    if (int_map_get(&f->known, key, &is_match))
        return is_match != 0;
    is_match = fnmatch(f->function, sig->name, FNM_EXTMATCH) == 0;
    const char *other = f->name != NULL && !is_match ? f->name(f->name_context, sig) : NULL;
    if (other != NULL)
        is_match = fnmatch(f->function, other, FNM_EXTMATCH) == 0;
    int_map_set(&f->known, key, is_match); /* without memory, it is found again each time */
    return is_match != 0;
}

static bool matches_origin(const struct event_filter *f, const struct trace_event *event)
{
    const struct trace_origin *o = event->origin;
    int64_t of_call = event->call != NULL ? (int64_t)event->call->thread : -1;
    int64_t thread = o != NULL ? o->thread : of_call;
    return has_number(&f->threads, thread) && has_number(&f->processes, o != NULL ? o->process : -1) &&
           has_number(&f->cpus, o != NULL ? o->cpu : -1) &&
           has_number(&f->streams, o != NULL ? o->stream : -1);
}

void event_filter_note_first(struct event_filter *f, const struct trace_event *event)
{
    if (f->has_time && !f->time.is_resolved && event->call != NULL && event->time != TRACE_NO_TIME)
        time_range_resolve(&f->time, f->clock, event->time);
}

static bool matches_time(struct event_filter *f, const struct trace_event *event)
{
    if (event->time == TRACE_NO_TIME)
        return false;
    event_filter_note_first(f, event);
    return event->time >= f->time.from && event->time < f->time.to;
}

/* A trace_begin_chooser. */
static int64_t choose_begin(void *filter, int64_t first)
{
    struct event_filter *f = filter;
    if (!f->time.is_resolved)
        time_range_resolve(&f->time, f->clock, first);
    return f->time.from;
}

static int begin(struct event_filter *f, const struct trace_clock *clock)
{
    int_map_fini(&f->known);
    int_map_fini(&f->open);
    f->time.is_resolved = false;
    f->clock = clock;
    return f->has_time ? time_range_check(&f->time, clock) : 0;
}

int event_filter_begin(struct event_filter *f, struct trace_source *source, bool wants_all)
{
    int rc = begin(f, trace_source_clock(source));
    if (rc == 0 && f->has_time && f->time.begin.kind != TIME_OPEN && !wants_all)
        trace_source_choose_begin(source, choose_begin, f, f->is_each);
    return rc;
}

int event_filter_begin_calls(struct event_filter *f, bool has_times, int64_t wall_offset, const char *path)
{
    f->calls_clock = (struct trace_clock){.name = "monotonic", .wall_offset = wall_offset};
    int rc = begin(f, has_times ? &f->calls_clock : NULL);
    if (rc == 0 && f->streams.count > 0)
        rc = trace_error_set(TRACE_ERR_USAGE, "--stream: the trace has no streams");
    if (rc != 0)
        trace_error_prefix(rc, "%s", path);
    return rc;
}

bool event_filter_wants(void *filter, const struct trace_event *event)
{
    struct event_filter *f = filter;
    if (!f->is_given)
        return true;
    bool in_time = !f->has_time || matches_time(f, event);
    bool wanted = in_time && matches_origin(f, event) &&
                  (f->function == NULL || matches_name(f, event->call->sig)) &&
                  field_filter_matches(&f->fields, event);
    f->has_matched |= wanted;
    return wanted;
}

/* --- events of all kinds --------------------------------------------------------------------------- */

/* Whether the two ends of a call may differ in what is asked for: the name and the thread are the same. */
static bool keeps_open(const struct event_filter *f)
{
    return !f->is_each && (f->has_time || f->cpus.count > 0 || f->streams.count > 0 || f->fields.count > 0);
}

static bool wants_end(struct event_filter *f, const struct trace_event *event)
{
    if (!keeps_open(f))
        return event_filter_wants(f, event);
    bool is_open = int_map_get(&f->open, event->number, NULL);
    if (is_open)
        int_map_remove(&f->open, event->number);
    return is_open;
}

/* Declarations have neither an origin nor a time. */
static bool wants_other(struct event_filter *f, const struct trace_event *event)
{
    if (event->origin != NULL && !matches_origin(f, event))
        return false;
    if (event->time == TRACE_NO_TIME || !f->has_time)
        return true;
    if (!f->time.is_resolved && !time_range_needs_first(&f->time))
        time_range_resolve(&f->time, f->clock, event->time);
    return !f->time.is_resolved || matches_time(f, event);
}

bool event_filter_passes(void *filter, const struct trace_event *event)
{
    struct event_filter *f = filter;
    if (!f->is_given)
        return true;
    if (event->call == NULL)
        return wants_other(f, event);
    if (event->kind == TRACE_EVENT_EXIT || event->kind == TRACE_EVENT_TAIL_EXIT)
        return wants_end(f, event);
    bool wanted = event_filter_wants(f, event);
    if (wanted && event->kind == TRACE_EVENT_ENTER && keeps_open(f))
        int_map_set(&f->open, event->number, 0);
    return wanted;
}

bool event_filter_is_over(const struct event_filter *f, const struct trace_event *event)
{
    return f->has_time && f->time.is_resolved && event->time != TRACE_NO_TIME && event->time >= f->time.to &&
           f->open.len == 0;
}
