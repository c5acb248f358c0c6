/* SPDX-License-Identifier: MIT
 * Copies events from a trace in any format to another one: all of them, or those that a filter selects.
 */
#ifndef CLI_EVENT_COPY_H
#define CLI_EVENT_COPY_H

#include "input/source_input.h"
#include "trace/adaptors/adaptors.h"

struct event_copy {
    const char *to;                        /* name of the output's format */
    const struct ctf_rfc_options *ctf_rfc; /* as in trace_sink_options */
    const char *out_path;
    const struct call_selection *selection; /* NULL: all events */
    struct event_filter *filter;            /* for events of the selection; NULL: all */
};

/* Copies the events of the source, which it takes over. name is for messages. Shows progress if
 * progress_begin() was called. Prints errors and warnings, and counts of what the output's format could not
 * express. Returns the exit status. */
int event_copy_run(const struct event_copy *c, struct trace_source *source, const char *name);

#endif
