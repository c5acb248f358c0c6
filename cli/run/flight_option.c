/* SPDX-License-Identifier: MIT */
#include "run/flight_option.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_BYTES ((uint64_t)1 << 30)
#define MOST_BYTES    ((double)((uint64_t)1 << 46))
#define MOST_MS       (1000.0 * 3600 * 24 * 366)
#define LEAST_MS      100.0

struct unit {
    const char *name;
    double factor;
    bool is_time; /* in milliseconds, else in bytes */
};

/* Of the letter alone, only the case tells megabytes from minutes. */
static const struct unit units[] = {
    {"", 1, false},           {"K", 1024, false},       {"k", 1024, false},   {"M", 1048576, false},
    {"G", 1073741824, false}, {"g", 1073741824, false}, {"ms", 1, true},      {"s", 1000, true},
    {"m", 60000, true},       {"min", 60000, true},     {"h", 3600000, true},
};

static int refuse(const char *text)
{
    return trace_error_set(
        TRACE_ERR_USAGE,
        "'%.40s' is neither a size nor a duration: say 64M (also K and G), 30s (also ms, m "
        "and h), or both, as in 2m,256M",
        text);
}

static const struct unit *find_unit(const char *name, size_t length)
{
    for (unsigned i = 0; i < sizeof units / sizeof units[0]; ++i)
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0)
            return &units[i];
    return NULL;
}

static int set_size(struct flight_limits *out, const char *text, double bytes)
{
    if (bytes < (double)FLIGHT_MIN_BYTES || bytes > MOST_BYTES)
        return trace_error_set(TRACE_ERR_USAGE,
                               "'%.40s' is too %s for a flight recorder: say 64K or more, as in 64M", text,
                               bytes > MOST_BYTES ? "much" : "little");
    out->bytes = (uint64_t)bytes;
    return 0;
}

static int set_time(struct flight_limits *out, const char *text, double ms)
{
    if (ms < LEAST_MS || ms > MOST_MS)
        return trace_error_set(TRACE_ERR_USAGE,
                               "'%.40s' is too %s for a flight recorder: say 100ms or more, as in 30s", text,
                               ms > MOST_MS ? "long" : "short");
    out->milliseconds = (int64_t)ms;
    return 0;
}

int flight_option_parse(struct flight_limits *out, const char *text)
{
    const char *p = text;
    *out = (struct flight_limits){.bytes = 0};
    do {
        char *end;
        bool is_number = strspn(p, "0123456789") > 0;
        double value = is_number ? strtod(p, &end) : 0;
        if (!is_number || strpbrk(p, "xXeE") != NULL)
            return refuse(text);
        size_t length = strcspn(end, ",");
        const struct unit *unit = find_unit(end, length);
        if (unit == NULL || (unit->is_time ? out->milliseconds != 0 : out->bytes != 0))
            return refuse(text);
        int rc = unit->is_time ? set_time(out, text, value * unit->factor)
                               : set_size(out, text, value * unit->factor);
        if (rc != 0)
            return rc;
        p = end + length;
    } while (*p++ == ',');
    if (out->bytes == 0)
        out->bytes = DEFAULT_BYTES;
    return 0;
}
