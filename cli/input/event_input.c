/* SPDX-License-Identifier: MIT */
#include "input/event_input.h"

#include "base/error.h"
#include "input/source_input.h"
#include "shell/progress.h"

static uint64_t count_calls(const void *events)
{
    return trace_raw_events_next_number(events);
}

static void begin(struct event_input *in, struct trace_raw_events *events, unsigned needs)
{
    in->events = events;
    in->whole = (needs & EVENT_INPUT_WHOLE) != 0;
    if (!in->whole)
        trace_raw_events_resume_after_damage(events);
    trace_raw_events_set_progress(events, progress_callback_with_calls(count_calls, events));
}

int event_input_open_probed(struct event_input *in, struct trace_probe *probe, unsigned needs)
{
    struct trace_raw_events *events;
    *in = (struct event_input){.events = NULL};
    int rc = trace_format_require(probe, "apitrace");
    if (rc == 0)
        rc = trace_raw_events_open_probed(&events, probe, (needs & EVENT_INPUT_MARKS) != 0);
    if (rc == 0)
        begin(in, events, needs);
    return rc;
}

int event_input_open_file(struct event_input *in, const struct input_file *file, unsigned needs)
{
    struct trace_probe probe;
    *in = (struct event_input){.events = NULL};
    int rc = trace_probe_open(&probe, file->path);
    if (rc == 0)
        rc = event_input_open_probed(in, &probe, needs);
    trace_probe_close(&probe);
    in->file = file;
    return input_file_mend_message(file, rc);
}

void event_input_close(struct event_input *in)
{
    trace_raw_events_close(in->events);
    in->events = NULL;
}

int event_input_next(struct event_input *in, const struct trace_raw_event **out)
{
    int rc;
    while ((rc = trace_raw_events_next(in->events, out)) != 0) {
        if (in->file != NULL)
            input_file_mend_message(in->file, rc);
        rc = in->whole ? rc : input_losses_add(&in->losses, rc);
        if (rc != 0)
            return rc;
    }
    return 0;
}
