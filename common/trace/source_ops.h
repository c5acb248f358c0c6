/* SPDX-License-Identifier: MIT
 * What is behind a source: a format's reader, or an adaptor around another source. It embeds struct
 * trace_source as its first member.
 */
#ifndef TRACE_SOURCE_OPS_H
#define TRACE_SOURCE_OPS_H

#include "trace/source.h"

/* As the functions of source.h with these names. NULL is allowed where said. */
struct trace_source_ops {
    int (*next)(struct trace_source *s, struct trace_event *out);
    void (*release)(struct trace_source *s, const struct trace_event *event); /* NULL: nothing to do */
    void (*close)(struct trace_source *s);                                    /* frees s */
    void (*resume_after_damage)(struct trace_source *s);                      /* NULL: it cannot */
    void (*set_progress)(struct trace_source *s,
                         struct trace_progress_callback w);     /* NULL: it tells nothing */
    int (*seek)(struct trace_source *s, uint64_t number);       /* NULL: forward only */
    int (*split)(struct trace_source *s);                       /* sets s->order; NULL: it cannot */
    const struct trace_clock *(*clock)(struct trace_source *s); /* NULL: no times */
    struct trace_reader *(*reader)(struct trace_source *s);     /* NULL: not apitrace's */
};

struct trace_source {
    const struct trace_source_ops *ops;
    const char *format_name;
    enum trace_source_order order;
    const struct trace_property *properties;
    size_t property_count;
};

#endif
