/* SPDX-License-Identifier: MIT
 * The undecoded events of a trace in the apitrace format, without damaged parts. Commands that count or copy
 * events open a trace here.
 */
#ifndef CLI_EVENT_INPUT_H
#define CLI_EVENT_INPUT_H

#include "formats/apitrace/read/raw_events.h"
#include "input/input_file.h"
#include "input/input_losses.h"
#include "trace/probe.h"

struct event_input {
    struct trace_raw_events *events;
    const struct input_file *file; /* NULL: the trace is read once */
    bool whole;                    /* losses are errors */
    struct input_losses losses;    /* settings for warnings may be changed after opening */
};

enum event_input_need {
    EVENT_INPUT_MARKS = 1, /* events provide marks */
    EVENT_INPUT_WHOLE = 2, /* the whole trace is needed, so losses are errors */
};

/* Opens a trace: a probed one, which is taken over, or file. Shows progress if progress_begin() was called.
 * needs: a set of enum event_input_need. Errors: those of trace_raw_events_open(), and TRACE_ERR_UNSUPPORTED
 * for another format. After an error there is nothing to close. */
int event_input_open_probed(struct event_input *in, struct trace_probe *probe, unsigned needs);
int event_input_open_file(struct event_input *in, const struct input_file *file, unsigned needs);
void event_input_close(struct event_input *in); /* may be called repeatedly, and after open failed */

/* Reads the next event, which is lent as by trace_raw_events_next(). *out is NULL at the end. Losses are
 * skipped with a warning. Any other error ends the reading. */
int event_input_next(struct event_input *in, const struct trace_raw_event **out);

#endif
