/* SPDX-License-Identifier: MIT
 * What the user wants to have measured.
 */
#ifndef PROFILE_OPTIONS_H
#define PROFILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct profile_options {
    bool cpu, gpu, pixels, memory, frame_times; /* lines as apitrace prints them */
    bool list_metrics, count_passes;
    unsigned call_metrics, draw_metrics, frame_metrics; /* bits 1 << enum profile_metric */
    const char *file;                                   /* JSON for Perfetto; NULL: none; lent from argv */
    bool has_min_cpu_time;
    int64_t min_cpu_time; /* in nanoseconds */
};

/* Returns true if anything is to be measured. */
bool profile_options_measure(const struct profile_options *o);

/* Sets an option. Returns false if it is not one of the profile's. *rc: 0, or TRACE_ERR_USAGE. */
bool profile_options_set(struct profile_options *o, const char *name, const char *value, int *rc);

/* Returns the time below which calls are left out, in nanoseconds. */
int64_t profile_options_min_cpu_time(const struct profile_options *o);

#endif
