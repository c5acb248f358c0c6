/* SPDX-License-Identifier: MIT */
#include "input/call_input.h"

#include "formats/apitrace/read/reader_probed.h"
#include "shell/progress.h"

static uint64_t count_calls(const void *reader)
{
    return trace_reader_next_number(reader);
}

int call_input_open_probed(struct call_input *in, struct trace_probe *probe,
                           const struct call_selection *selection)
{
    *in = (struct call_input){.reader = NULL};
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
}

int call_input_next(struct call_input *in, const struct trace_call **out)
{
    int rc;
    while ((rc = selected_calls_next(&in->calls, out)) != 0) {
        if (in->file != NULL)
            input_file_mend_message(in->file, rc);
        rc = input_losses_add(&in->losses, rc);
        if (rc != 0)
            return rc;
    }
    return 0;
}
