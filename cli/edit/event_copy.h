/* SPDX-License-Identifier: MIT
 * Copies the events of a trace of any format into another trace: all of them, or those that are wanted.
 */
#ifndef CLI_EVENT_COPY_H
#define CLI_EVENT_COPY_H

#include "input/source_input.h"
#include "trace/adaptors/adaptors.h"

struct event_copy {
    const char *to; /* name of the output's format */
    const char *out_path;
    const struct call_selection *selection; /* NULL: all events */
    trace_filter_wants wants;               /* which of those in the selection; NULL: all */
    void *context;
};

/* Copies the events of the source, which it takes over; name is for messages. Shows progress if
 * progress_begin() was called, and tells what the format could not express. Returns the exit status; errors
 * and warnings are printed. */
int event_copy_run(const struct event_copy *c, struct trace_source *source, const char *name);

#endif
