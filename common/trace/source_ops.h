/* SPDX-License-Identifier: MIT
 * The implementation of a source: a reader of some format, or an adaptor around another source. It embeds
 * struct trace_source as its first member.
 */
#ifndef TRACE_SOURCE_OPS_H
#define TRACE_SOURCE_OPS_H

#include "trace/source.h"

/* The members implement the functions of source.h with the same names. They may only be NULL where noted. */
struct trace_source_ops {
    int (*next)(struct trace_source *s, struct trace_event *out);
    void (*release)(struct trace_source *s, const struct trace_event *event); /* NULL: nothing to do */
    void (*close)(struct trace_source *s);                                    /* frees s */
    void (*resume_after_damage)(struct trace_source *s); /* NULL: reading cannot continue after damage */
    void (*set_progress)(struct trace_source *s,
                         struct trace_progress_callback w); /* NULL: no progress is reported */
    int (*seek)(struct trace_source *s, uint64_t number);   /* NULL: can only be read forwards */
    bool (*choose_begin)(struct trace_source *s, trace_begin_chooser chooser, void *context,
                         bool wants_ends);                          /* NULL: everything has to be read */
    bool (*set_need)(struct trace_source *s, enum trace_need need); /* NULL: it always yields all */
    int (*split)(struct trace_source *s);                           /* sets s->order; NULL: not supported */
    void (*name_functions)(struct trace_source *s, trace_function_namer namer,
                           void *context); /* NULL: functions have names, or are of other sources */
    const struct trace_clock *(*clock)(struct trace_source *s); /* NULL: there are no timestamps */
    struct trace_reader *(*reader)(struct trace_source *s);     /* NULL: not the apitrace format */
};

struct trace_source {
    const struct trace_source_ops *ops;
    const char *format_name;
    const char *copy_format; /* see trace_source_copy_format(); NULL: format_name */
    enum trace_source_order order;
    const struct trace_property *properties;
    size_t property_count;
};

#endif
