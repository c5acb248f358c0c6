/* SPDX-License-Identifier: MIT */
#include "input/call_input.h"

#include "base/error.h"
#include "formats/apitrace/read/reader_probed.h"
#include "shell/progress.h"

#include <stdlib.h>

static uint64_t count_calls(const void *reader)
{
    return trace_reader_next_number(reader);
}

/* --- opening and closing --------------------------------------------------------------------------- */

static int open_reader(struct call_input *in, struct trace_probe *probe,
                       const struct call_selection *selection)
{
    int rc = trace_reader_open_probed(&in->reader, probe);
    if (rc != 0) {
        in->reader = NULL;
        return rc;
    }
    trace_reader_resume_after_damage(in->reader);
    trace_reader_set_progress(in->reader, progress_callback_with_calls(count_calls, in->reader));
    selected_calls_init(&in->calls, in->reader, selection);
    return 0;
}

static int open_events(struct call_input *in, struct trace_probe *probe,
                       const struct call_selection *selection)
{
    in->events = malloc(sizeof *in->events);
    if (in->events == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    int rc = source_calls_open(in->events, probe, selection);
    if (rc != 0) {
        free(in->events);
        in->events = NULL;
    }
    return rc;
}

int call_input_open_probed(struct call_input *in, struct trace_probe *probe,
                           const struct call_selection *selection)
{
    const struct trace_format *format;
    *in = (struct call_input){.reader = NULL};
    int rc = trace_format_detect(&format, probe);
    if (rc != 0)
        return rc;
    return input_is_calls(format) ? open_reader(in, probe, selection) : open_events(in, probe, selection);
}

int call_input_open(struct call_input *in, const char *path, const struct call_selection *selection)
{
    struct trace_probe probe;
    *in = (struct call_input){.reader = NULL};
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = call_input_open_probed(in, &probe, selection);
    trace_probe_close(&probe);
    return rc;
}

int call_input_open_file(struct call_input *in, const struct input_file *file,
                         const struct call_selection *selection)
{
    int rc = call_input_open(in, file->path, selection);
    in->file = file;
    return input_file_mend_message(file, rc);
}

void call_input_close(struct call_input *in)
{
    trace_reader_close(in->reader);
    in->reader = NULL;
    if (in->events != NULL)
        source_calls_close(in->events);
    free(in->events);
    in->events = NULL;
}

/* --- calls ----------------------------------------------------------------------------------------- */

static int next_of_events(struct call_input *in, const struct trace_call **out)
{
    in->events->in.losses = in->losses; /* the settings may have changed since the last call */
    int rc = source_calls_next(in->events, out);
    in->losses = in->events->in.losses;
    return in->file != NULL ? input_file_mend_message(in->file, rc) : rc;
}

int call_input_next(struct call_input *in, const struct trace_call **out)
{
    int rc;
    if (in->events != NULL)
        return next_of_events(in, out);
    while ((rc = selected_calls_next(&in->calls, out)) != 0) {
        if (in->file != NULL)
            input_file_mend_message(in->file, rc);
        rc = input_losses_add(&in->losses, rc);
        if (rc != 0)
            return rc;
    }
    return 0;
}

void call_input_release(struct call_input *in, const struct trace_call *call)
{
    if (in->events != NULL)
        source_calls_release(in->events, call);
    else if (in->reader != NULL)
        trace_call_release(in->reader, call);
}

uint64_t call_input_frame(const struct call_input *in)
{
    return in->events != NULL ? in->events->frame : trace_reader_frame(in->reader);
}

uint64_t call_input_pass(struct call_input *in, uint64_t max)
{
    return in->events != NULL ? 0 : selected_calls_pass(&in->calls, max);
}

void call_input_warn_of_none(const struct call_input *in, const char *path)
{
    if (in->events != NULL)
        source_input_warn_of_none(&in->events->in, path);
    else
        selected_calls_warn_of_none(&in->calls, path);
}
