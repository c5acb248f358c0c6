/* SPDX-License-Identifier: MIT
 * `trace-cli info` for formats other than apitrace's: counts events by kind. With statistics, it also sums up
 * allocations and releases.
 */
#ifndef CLI_INFO_EVENTS_H
#define CLI_INFO_EVENTS_H

#include "resources/resource_stats.h"
#include "trace/source.h"

struct event_info {
    const char *path; /* lent */
    const char *format;
    const struct trace_property *properties; /* properties of the source */
    size_t property_count;
    uint64_t events; /* events of all kinds */
    uint64_t kinds[TRACE_EVENT_KINDS];
    bool wants_stats;
    struct resource_stats stats;
    const char *context_names[RESOURCE_CONTEXTS]; /* names of the declared contexts; owned */
};

/* The source is lent until event_info_fini(). */
int event_info_init(struct event_info *info, struct trace_source *source, const char *path, bool stats);
int event_info_add(struct event_info *info, const struct trace_event *event);
void event_info_fini(struct event_info *info);

/* Print on the standard output. Call them after the last event. */
void event_info_print_json(struct event_info *info);
void event_info_print_table(struct event_info *info);

#endif
