/* SPDX-License-Identifier: MIT
 * Copies the events of a trace of any format into another trace: all of them, or those that are wanted.
 */
#ifndef CLI_EVENT_COPY_H
#define CLI_EVENT_COPY_H

#include "input/source_input.h"

struct event_copy {
    const char *to; /* name of the output's format */
    const char *out_path;
    const struct call_selection *selection; /* NULL: all events */
    /* Is an event with a call wanted, which is in the selection? NULL: all are. */
    bool (*wants)(const void *context, const struct trace_event *event);
    const void *context;
};

/* Copies the probed trace, shows progress if progress_begin() was called, and tells what the format could not
 * express. Returns the exit status; errors and warnings are printed. */
int event_copy_run(const struct event_copy *c, struct trace_probe *probe);

#endif
