/* SPDX-License-Identifier: MIT
 * The metrics that can be selected for calls, draws and frames, with apitrace's names and numbers.
 */
#ifndef PROFILE_METRICS_H
#define PROFILE_METRICS_H

#include "profile_record.h"

#include <stdio.h>

/* In the order of columns. */
enum profile_metric {
    METRIC_CPU_START,
    METRIC_CPU_DURATION,
    METRIC_GPU_START,
    METRIC_GPU_DURATION,
    METRIC_PIXELS,
    METRIC_VSIZE_START,
    METRIC_VSIZE_DURATION,
    METRIC_RSS_START,
    METRIC_RSS_DURATION,
    METRIC_COUNT
};

enum {
    METRICS_GPU = 1 << METRIC_GPU_START | 1 << METRIC_GPU_DURATION,
    METRICS_MEMORY = 1 << METRIC_VSIZE_START | 1 << METRIC_VSIZE_DURATION | 1 << METRIC_RSS_START |
                     1 << METRIC_RSS_DURATION,
};

/* Adds the metrics of text to *set, a set of bits 1 << enum profile_metric. text is
 * "BACKEND: METRIC, METRIC; …", where a metric is its name or [GROUP, NUMBER]. The only backend is "opengl".
 * Errors: TRACE_ERR_USAGE. */
int profile_metrics_parse(unsigned *set, const char *text);

const char *profile_metric_name(enum profile_metric metric);
int64_t profile_metric_value(enum profile_metric metric, const struct profile_record *record);

/* Prints the metrics of the set. */
void profile_metrics_list(FILE *out, unsigned set);

#endif
