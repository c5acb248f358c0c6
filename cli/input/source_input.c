/* SPDX-License-Identifier: MIT */
#include "input/source_input.h"

#include "base/error.h"
#include "formats/apitrace/events/apitrace.h"
#include "shell/messages.h"
#include "shell/progress.h"

bool input_is_calls(const struct trace_format *format)
{
    return format == &trace_format_apitrace;
}

int input_probe(struct trace_probe *probe, const char *path, bool *is_calls)
{
    const struct trace_format *format = NULL;
    int rc = trace_probe_open(probe, path);
    if (rc == 0)
        rc = trace_format_detect(&format, probe);
    *is_calls = input_is_calls(format);
    return rc;
}

int source_input_open(struct source_input *in, struct trace_probe *probe,
                      const struct call_selection *selection)
{
    struct trace_source *source;
    *in = (struct source_input){.selection = selection};
    int rc = trace_source_open_probed(&source, probe);
    return rc == 0 ? source_input_adopt(in, source, probe->name, selection) : rc;
}

int source_input_adopt(struct source_input *in, struct trace_source *source, const char *name,
                       const struct call_selection *selection)
{
    *in = (struct source_input){.source = source, .selection = selection};
    if (selection != NULL && selection->frames_given) {
        int rc = trace_error_set(TRACE_ERR_USAGE, "%s: a trace of the format %s has no frames", name,
                                 trace_source_format_name(source));
        source_input_close(in);
        return rc;
    }
    trace_source_resume_after_damage(in->source);
    trace_source_set_progress(in->source, progress_callback());
    return 0;
}

void source_input_close(struct source_input *in)
{
    trace_source_close(in->source);
    in->source = NULL;
}

/* Returns true if --calls selects this event. */
static bool is_selected(struct source_input *in, const struct trace_event *event)
{
    if (in->filter != NULL && !event_filter_passes(in->filter, event))
        return false;
    if (event->call == NULL)
        return true;
    if (in->selection == NULL || !in->selection->calls_given ||
        trace_call_set_contains(&in->selection->calls, event->number, event->call->flags)) {
        in->found++;
        return true;
    }
    return false;
}

/* What follows need not be read. */
static bool is_over(const struct source_input *in, const struct trace_event *event)
{
    return in->filter != NULL && trace_source_order(in->source) == TRACE_ORDER_TIME &&
           event_filter_is_over(in->filter, event);
}

int source_input_next(struct source_input *in, struct trace_event *out)
{
    for (;;) {
        int rc = trace_source_next(in->source, out);
        if (rc != 0) {
            rc = input_losses_add(&in->losses, rc);
            if (rc != 0)
                return rc;
            continue;
        }
        if (out->kind == TRACE_EVENT_END || is_selected(in, out))
            return 0;
        trace_source_release(in->source, out);
        if (is_over(in, out)) {
            *out = (struct trace_event){.kind = TRACE_EVENT_END, .time = TRACE_NO_TIME};
            return 0;
        }
    }
}

void source_input_warn_of_none(const struct source_input *in, const char *path)
{
    bool is_filtered = in->filter != NULL && in->filter->is_given;
    bool calls_given = in->selection != NULL && in->selection->calls_given;
    if (in->found > 0 || (!is_filtered && !calls_given))
        return;
    trace_error_set(TRACE_ERR_USAGE, "%s: no event is %s", path, is_filtered ? "selected" : "in --calls");
    cli_print_warning();
}
