/* SPDX-License-Identifier: MIT */
#include "profile_metrics.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define BACKEND "opengl"

enum { GROUP_CPU, GROUP_GPU, GROUP_COUNT };

static const struct {
    const char *name;
    unsigned group, number;
    const char *type;
} metrics[METRIC_COUNT] = {
    [METRIC_CPU_START] = {"CPU Start", GROUP_CPU, 0, "TIMESTAMP"},
    [METRIC_CPU_DURATION] = {"CPU Duration", GROUP_CPU, 1, "DURATION"},
    [METRIC_GPU_START] = {"GPU Start", GROUP_GPU, 0, "TIMESTAMP"},
    [METRIC_GPU_DURATION] = {"GPU Duration", GROUP_GPU, 1, "DURATION"},
    [METRIC_PIXELS] = {"Pixels Drawn", GROUP_GPU, 2, "GENERIC"},
    [METRIC_VSIZE_START] = {"VSIZE Start", GROUP_CPU, 2, "GENERIC"},
    [METRIC_VSIZE_DURATION] = {"VSIZE Duration", GROUP_CPU, 3, "GENERIC"},
    [METRIC_RSS_START] = {"RSS Start", GROUP_CPU, 4, "GENERIC"},
    [METRIC_RSS_DURATION] = {"RSS Duration", GROUP_CPU, 5, "GENERIC"},
};

static const char blanks[] = " \t\n";

/* The part of text up to one of the separators outside of brackets, without blanks around it. *text moves
 * behind the separator; NULL: there was none. */
static size_t next_part(const char **text, char separator, const char **part)
{
    const char *from = *text + strspn(*text, blanks), *end = from;
    for (bool bracket = false; *end != '\0' && (bracket || *end != separator); ++end)
        bracket = *end == '[' || (bracket && *end != ']');
    *text = *end != '\0' ? end + 1 : NULL;
    *part = from;
    while (end > from && strchr(blanks, end[-1]) != NULL)
        --end;
    return (size_t)(end - from);
}

static int parse_metric(unsigned *set, const char *name, size_t length)
{
    char text[64];
    unsigned group, number;
    int end = 0;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    bool numbered = sscanf(text, "[%u , %u ]%n", &group, &number, &end) == 2 && (size_t)end == length;
    for (unsigned i = 0; i < METRIC_COUNT; ++i) {
        if (numbered ? metrics[i].group == group && metrics[i].number == number
                     : strcmp(metrics[i].name, text) == 0) {
            *set |= 1U << i;
            return 0;
        }
    }
    return trace_error_set(TRACE_ERR_USAGE, "there is no metric '%s' (see --list-metrics)", text);
}

static int parse_backend(unsigned *set, const char *text, size_t length)
{
    char backend[256];
    const char *part, *rest = backend;
    if (length >= sizeof backend)
        return trace_error_set(TRACE_ERR_USAGE, "the list of metrics is too long");
    snprintf(backend, sizeof backend, "%.*s", (int)length, text);
    size_t name = next_part(&rest, ':', &part);
    if (rest == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "'%s' is not BACKEND: METRIC, …", backend);
    if (name != strlen(BACKEND) || strncmp(part, BACKEND, name) != 0)
        return trace_error_set(TRACE_ERR_USAGE, "there is no backend '%.*s' (" BACKEND ")", (int)name, part);
    while (rest != NULL) {
        size_t metric = next_part(&rest, ',', &part);
        int rc = parse_metric(set, part, metric);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int profile_metrics_parse(unsigned *set, const char *text)
{
    while (text != NULL) {
        const char *part;
        size_t length = next_part(&text, ';', &part);
        if (length == 0 && text == NULL && *set != 0)
            return 0; /* a semicolon at the end */
        int rc = parse_backend(set, part, length);
        if (rc != 0)
            return rc;
    }
    return 0;
}

const char *profile_metric_name(enum profile_metric metric)
{
    return metrics[metric].name;
}

int64_t profile_metric_value(enum profile_metric metric, const struct profile_record *r)
{
    switch (metric) {
    case METRIC_CPU_START:
        return r->cpu.start;
    case METRIC_CPU_DURATION:
        return r->cpu.end - r->cpu.start;
    case METRIC_GPU_START:
        return r->gpu.start;
    case METRIC_GPU_DURATION:
        return r->gpu.end - r->gpu.start;
    case METRIC_PIXELS:
        return r->pixels;
    case METRIC_VSIZE_START:
        return r->vsize.start;
    case METRIC_VSIZE_DURATION:
        return r->vsize.end - r->vsize.start;
    case METRIC_RSS_START:
        return r->rss.start;
    default: /* METRIC_RSS_DURATION */
        return r->rss.end - r->rss.start;
    }
}

void profile_metrics_list(FILE *out, unsigned set)
{
    static const char *const groups[GROUP_COUNT] = {"CPU", "GPU"};
    fprintf(out, "Available metrics: \n\nBackend " BACKEND ":\n\n");
    for (unsigned group = 0; group < GROUP_COUNT; ++group) {
        fprintf(out, "  Group #%u: %s.\n", group, groups[group]);
        for (unsigned i = 0; i < METRIC_COUNT; ++i)
            if (metrics[i].group == group && (set >> i & 1) != 0)
                fprintf(out,
                        "    Metric #%u: %s (type: CNT_TYPE_%s, num. type: CNT_NUM_INT64).\n"
                        "           Description: \n",
                        metrics[i].number, metrics[i].name, metrics[i].type);
        fputc('\n', out);
    }
}
