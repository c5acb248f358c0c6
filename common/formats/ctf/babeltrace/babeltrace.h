/* SPDX-License-Identifier: MIT
 * The text that babeltrace2 prints for a trace, and what of it is shown.
 */
#ifndef BABELTRACE_H
#define BABELTRACE_H

#include "trace/sink.h"

#define BABELTRACE_NAME "babeltrace"

/* Which names are shown before values. */
enum babeltrace_names {
    BABELTRACE_PAYLOAD_NAMES = 1 << 0,
    BABELTRACE_CONTEXT_NAMES = 1 << 1,
    BABELTRACE_SCOPE_NAMES = 1 << 2,
    BABELTRACE_HEADER_NAMES = 1 << 3,
};

/* What is shown between the time and the name of an event, if the trace tells it. */
enum babeltrace_fields {
    BABELTRACE_HOSTNAME = 1 << 0,
    BABELTRACE_DOMAIN = 1 << 1,
    BABELTRACE_PROCNAME = 1 << 2,
    BABELTRACE_VPID = 1 << 3,
    BABELTRACE_LOG_LEVEL = 1 << 4,
    BABELTRACE_EMF = 1 << 5,
    BABELTRACE_TRACE = 1 << 6,
};

struct babeltrace_style {
    bool clock_cycles;  /* times as the counter's values */
    bool clock_seconds; /* times as seconds since 1970 */
    bool clock_date;    /* times of the day with their date */
    bool clock_gmt;     /* in UTC instead of local time */
    bool no_delta;      /* no time since the previous event */
    bool has_names;     /* names counts, instead of those of payload and contexts */
    bool has_fields;    /* likewise; instead of host, process name and id */
    uint8_t names;
    uint8_t fields;
};

/* Sets the names or the fields of a list of words, separated by commas, as the options of babeltrace2 have
 * them. Errors: TRACE_ERR_USAGE. */
int babeltrace_style_set_names(struct babeltrace_style *style, const char *list);
int babeltrace_style_set_fields(struct babeltrace_style *style, const char *list);

int babeltrace_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
