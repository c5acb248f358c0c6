/* SPDX-License-Identifier: MIT */
#include "dump/dump_events.h"

#include "base/error.h"
#include "trace/text/trace_json_events.h"
#include "input/source_input.h"
#include "shell/messages.h"
#include "shell/pager.h"
#include "shell/progress.h"
#include "shell/write_output.h"
#include "trace/text/event_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* output is written in pieces of about this size */

/* The destination of the events: a sink of the format's own text, or the printer's buffer. */
struct event_dump {
    struct dump *d;
    struct source_input in;
    struct map_names names;
    struct trace_sink *sink; /* NULL: the buffer is used */
    const char *path;
    uint64_t frame; /* frame of calls */
};

static struct buf *output(struct event_dump *e)
{
    return dump_printer_output(&e->d->printer);
}

static int flush_before_warning(void *context)
{
    struct event_dump *e = context;
    return e->sink != NULL ? trace_sink_flush(e->sink) : write_output(output(e));
}

static bool is_hidden(const struct event_dump *e, const struct trace_event *event)
{
    const struct dump_printer *p = &e->d->printer;
    return p->options->grep != NULL &&
           (event->call == NULL || !name_pattern_matches((struct name_pattern *)&p->grep, event->call->sig));
}

static int put_into_buffer(struct event_dump *e, const struct trace_event *event)
{
    struct dump_printer *p = &e->d->printer;
    int rc = p->options->as_json ? trace_json_event(&p->json, event, e->frame)
                                 : trace_event_text_add(&p->text, event);
    if (event->kind == TRACE_EVENT_CALL && (event->call->flags & TRACE_CALL_END_FRAME) != 0)
        e->frame++;
    return rc == 0 && output(e)->len >= FLUSH_BYTES ? write_output(output(e)) : rc;
}

static bool is_babeltrace(const struct event_dump *e)
{
    const char *format = e->d->printer.options->format;
    return format != NULL && strcmp(format, "babeltrace") == 0;
}

/* babeltrace's text has no losses; it is told of them beside it. */
static int warn_of_loss(struct event_dump *e, const struct trace_event *event)
{
    const struct trace_loss *loss = &event->u.loss;
    int rc = flush_before_warning(e);
    if (loss->count > 0)
        trace_error_set(TRACE_ERR_DAMAGED, "%s: %" PRIu64 " events are lost: %s", e->path, loss->count,
                        loss->reason);
    else
        trace_error_set(TRACE_ERR_DAMAGED, "%s: events are lost: %s", e->path, loss->reason);
    cli_print_warning();
    return rc;
}

static int put_into_sink(struct event_dump *e, const struct trace_event *event)
{
    bool is_told = event->kind == TRACE_EVENT_LOSS && is_babeltrace(e);
    return is_told ? warn_of_loss(e, event) : trace_sink_put(e->sink, event);
}

static int put_events(struct event_dump *e)
{
    struct trace_event event;
    int rc;
    while ((rc = source_input_next(&e->in, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        if (!is_hidden(e, &event))
            rc = e->sink != NULL ? put_into_sink(e, &event) : put_into_buffer(e, &event);
        trace_source_release(e->in.source, &event);
        if (rc != 0)
            return rc;
    }
    if (rc == 0)
        source_input_warn_of_none(&e->in, e->path);
    return rc;
}

/* Text has no columns for times if the trace has none. */
static int want_times(struct event_dump *e)
{
    bool known = trace_source_clock(e->in.source) != NULL;
    e->d->printer.text.style.times = e->d->timestamps && known;
    if (!e->d->timestamps || known)
        return 0;
    int rc = write_output(output(e));
    trace_error_set(TRACE_ERR_USAGE, "%s: the trace has no times", e->path);
    cli_print_warning();
    return rc;
}

static int put_head(struct event_dump *e)
{
    struct trace_json_head head = {.file = e->path,
                                   .format = trace_source_format_name(e->in.source),
                                   .version = -1,
                                   .semantic_version = -1};
    head.property_count = trace_source_properties(e->in.source, &head.properties);
    return trace_json_trace(&e->d->printer.json, &head);
}

/* Prints the properties of the trace. */
static int put_trace(struct event_dump *e)
{
    const struct dump_printer_options *options = e->d->printer.options;
    if (options->as_json)
        return put_head(e);
    const char *text = options->format;
    if (text == NULL)
        text = trace_format_find(trace_source_format_name(e->in.source))->text;
    else
        trace_source_split(e->in.source); /* where it can */
    if (text == NULL)
        return want_times(e);
    struct trace_sink_options sink_options = {.clock = trace_source_clock(e->in.source),
                                              .babeltrace = &options->babeltrace};
    sink_options.property_count = trace_source_properties(e->in.source, &sink_options.properties);
    return trace_sink_create(&e->sink, text, "-", &sink_options);
}

/* Keeps the first error. */
static int finish(struct event_dump *e, int rc)
{
    if (rc == 0)
        rc = e->sink != NULL ? trace_sink_finish(e->sink) : write_output(output(e));
    if (rc != 0) {
        int status = cli_print_error();
        trace_sink_abandon(e->sink);
        return status;
    }
    if (e->sink != NULL && trace_sink_close(e->sink) != 0)
        return cli_print_error();
    return input_losses_status(&e->in.losses);
}

/* Whether no event is left out for what is known of it. */
static bool is_everything(const struct event_dump *e)
{
    return e->sink != NULL && !e->d->filter.is_given && !e->d->selection.calls_given &&
           e->d->printer.options->grep == NULL;
}

int dump_events(struct dump *d, struct trace_probe *probe, const char *path)
{
    struct event_dump e = {.d = d, .path = path};
    if (source_input_open(&e.in, probe, &d->selection) != 0)
        return cli_print_error();
    if (map_names_apply(&e.names, d->instr_maps, d->symbolize, e.in.source, path) != 0) {
        source_input_close(&e.in);
        return cli_print_error();
    }
    d->filter.is_each = is_babeltrace(&e);
    if (event_filter_begin(&d->filter, e.in.source, d->selection.calls_given) != 0) {
        source_input_close(&e.in);
        map_names_fini(&e.names);
        return cli_print_error();
    }
    e.in.filter = &d->filter;
    if (d->wants_pager && d->pager == 0)
        d->pager = pager_start(0);
    e.in.losses.flush = flush_before_warning;
    e.in.losses.context = &e;
    int rc = put_trace(&e);
    if (rc == 0 && is_everything(&e))
        trace_source_set_need(e.in.source, trace_sink_need(e.sink));
    if (rc == 0)
        rc = put_events(&e);
    int status = finish(&e, rc);
    dump_printer_forget_signatures(&d->printer);
    source_input_close(&e.in);
    map_names_fini(&e.names);
    return status;
}
