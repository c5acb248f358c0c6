/* SPDX-License-Identifier: MIT */
#include "edit/event_copy.h"

#include "base/error.h"
#include "shell/messages.h"
#include "shell/number_option.h"
#include "shell/progress.h"

#include <inttypes.h>
#include <stdio.h>

static int put_events(const struct event_copy *c, struct source_input *in, struct trace_sink *sink)
{
    struct trace_event event;
    int rc;
    while ((rc = source_input_next(in, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        rc = trace_sink_put(sink, &event);
        if (rc != 0)
            trace_error_prefix(rc, "%s", c->out_path);
        trace_source_release(in->source, &event);
        if (rc != 0)
            return rc;
    }
    if (rc == 0 && (rc = trace_sink_finish(sink)) != 0)
        trace_error_prefix(rc, "%s", c->out_path);
    return rc;
}

static void tell_left_out(const struct event_copy *c, const struct trace_sink *sink)
{
    const struct trace_left_out *items;
    size_t count = trace_sink_left_out(sink, &items);
    if (count == 0)
        return;
    fprintf(stderr, "warning: %s: %s cannot express all of the trace; left out:\n", c->out_path, c->to);
    for (size_t i = 0; i < count; ++i)
        fprintf(stderr, "%10" PRIu64 "  %s\n", items[i].count, items[i].what);
}

static int open_sink(const struct event_copy *c, struct trace_source *source, struct trace_sink **sink)
{
    struct trace_sink_options options = {
        .jobs = default_jobs(), .clock = trace_source_clock(source), .ctf_rfc = c->ctf_rfc};
    options.property_count = trace_source_properties(source, &options.properties);
    return trace_sink_create(sink, c->to, c->out_path, &options);
}

/* Returns the exit status. The first error is printed. */
static int copy_events(const struct event_copy *c, struct source_input *in)
{
    struct trace_sink *sink;
    if (open_sink(c, in->source, &sink) != 0)
        return cli_print_error();
    if (c->filter == NULL && c->selection == NULL)
        trace_source_set_need(in->source, trace_sink_need(sink));
    int rc = put_events(c, in, sink);
    progress_end();
    if (rc != 0) {
        int status = cli_print_error();
        trace_sink_abandon(sink);
        return status;
    }
    tell_left_out(c, sink);
    rc = trace_sink_close(sink);
    if (rc != 0) {
        trace_error_prefix(rc, "%s", c->out_path);
        return cli_print_error();
    }
    return input_losses_status(&in->losses);
}

/* Brings the calls into the form that the format takes. Whole calls of a source that cannot split them stay
 * whole. After an error *source is closed. */
static int form_calls(struct trace_source **source, const char *to)
{
    const struct trace_format *format = trace_format_find(to);
    enum trace_takes takes = format != NULL ? format->takes : TRACE_TAKES_ANY_CALLS;
    if (takes == TRACE_TAKES_WHOLE_CALLS && trace_source_order(*source) == TRACE_ORDER_TIME)
        return trace_pair_open(source, *source);
    int rc = takes == TRACE_TAKES_ENDS_OF_CALLS ? trace_source_split(*source) : 0;
    if (rc == 0 || rc == TRACE_ERR_UNSUPPORTED)
        return 0;
    trace_source_close(*source);
    return rc;
}

int event_copy_run(const struct event_copy *c, struct trace_source *source, const char *name)
{
    struct source_input in;
    if (form_calls(&source, c->to) != 0)
        return cli_print_error();
    if (source_input_adopt(&in, source, name, c->selection) != 0)
        return cli_print_error();
    in.filter = c->filter;
    int status = copy_events(c, &in);
    if (status == 0 && c->filter != NULL && in.found == 0) {
        trace_error_set(TRACE_ERR_USAGE, "%s: no event is selected, so the new trace has none", name);
        cli_print_warning();
    }
    source_input_close(&in);
    return status;
}
