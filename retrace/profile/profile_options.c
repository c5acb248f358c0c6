/* SPDX-License-Identifier: MIT */
#include "profile_options.h"

#include "profile_metrics.h"

#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MIN_CPU_TIME = 1000 };

bool profile_options_measure(const struct profile_options *o)
{
    return o->cpu || o->gpu || o->pixels || o->memory || o->frame_times || o->list_metrics ||
           o->file != NULL || (o->call_metrics | o->draw_metrics | o->frame_metrics) != 0;
}

static bool set_flag(struct profile_options *o, const char *name)
{
    const struct {
        const char *name;
        bool *member;
    } flags[] = {
        {"pcpu", &o->cpu},
        {"pgpu", &o->gpu},
        {"ppd", &o->pixels},
        {"pmem", &o->memory},
        {"pframe-times", &o->frame_times},
        {"list-metrics", &o->list_metrics},
        {"gen-passes", &o->count_passes},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].member = true;
    return false;
}

static int set_min_cpu_time(struct profile_options *o, const char *value)
{
    char *end = NULL;
    errno = 0;
    o->min_cpu_time = strtoll(value, &end, 10);
    o->has_min_cpu_time = true;
    if (end == value || *end != '\0' || errno != 0 || o->min_cpu_time < 0)
        return trace_error_set(TRACE_ERR_USAGE, "--min-cpu-time: '%s' is not a number of nanoseconds", value);
    return 0;
}

static int set_metrics(unsigned *set, const char *name, const char *value)
{
    int rc = profile_metrics_parse(set, value);
    return rc != 0 ? trace_error_prefix(rc, "--%s", name) : 0;
}

bool profile_options_set(struct profile_options *o, const char *name, const char *value, int *rc)
{
    *rc = 0;
    if (set_flag(o, name))
        return true;
    if (strcmp(name, "profile") == 0)
        o->file = value;
    else if (strcmp(name, "min-cpu-time") == 0)
        *rc = set_min_cpu_time(o, value);
    else if (strcmp(name, "pcalls") == 0)
        *rc = set_metrics(&o->call_metrics, name, value);
    else if (strcmp(name, "pdrawcalls") == 0)
        *rc = set_metrics(&o->draw_metrics, name, value);
    else if (strcmp(name, "pframes") == 0)
        *rc = set_metrics(&o->frame_metrics, name, value);
    else
        return false;
    return true;
}

int64_t profile_options_min_cpu_time(const struct profile_options *o)
{
    return o->has_min_cpu_time ? o->min_cpu_time : DEFAULT_MIN_CPU_TIME;
}
