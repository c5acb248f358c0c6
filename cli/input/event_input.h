/* SPDX-License-Identifier: MIT
 * The undecoded events of a trace in apitrace's format for a command, damaged parts left out. This is where
 * commands that count or copy events open a trace.
 */
#ifndef CLI_EVENT_INPUT_H
#define CLI_EVENT_INPUT_H

#include "formats/apitrace/read/raw_events.h"
#include "input/input_file.h"
#include "input/input_losses.h"
#include "trace/probe.h"

struct event_input {
    struct trace_raw_events *events;
    const struct input_file *file; /* NULL: it is read once */
    bool whole;                    /* losses are errors */
    struct input_losses losses;    /* how warnings are given may be set after the opening */
};

enum event_input_need {
    EVENT_INPUT_MARKS = 1, /* the events' marks */
    EVENT_INPUT_WHOLE = 2, /* all of the trace: losses are errors */
};

/* Opens the probed trace, which it takes over, or file, and shows progress if progress_begin() was called.
 * needs: of enum event_input_need. After an error, which is trace_raw_events_open()'s, or
 * TRACE_ERR_UNSUPPORTED for another format, there is nothing to close. */
int event_input_open_probed(struct event_input *in, struct trace_probe *probe, unsigned needs);
int event_input_open_file(struct event_input *in, const struct input_file *file, unsigned needs);
void event_input_close(struct event_input *in); /* after a failed opening, too, and more than once */

/* The next event, lent as trace_raw_events_next() lends it; *out is NULL at the end. Losses are warned of and
 * passed over; any other error ends the reading. */
int event_input_next(struct event_input *in, const struct trace_raw_event **out);

#endif
