/* SPDX-License-Identifier: MIT */
#include "dump/dump_trace.h"

#include "base/clock.h"
#include "base/error.h"
#include "shell/command.h"
#include "dump/dump_threads.h"
#include "input/call_input.h"
#include "shell/pager.h"
#include "shell/progress.h"
#include "shell/write_output.h"

#include <stdio.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* output is written in pieces of about this size, */
#define FLUSH_TIME  100               /* or after this many milliseconds, */
#define FLUSH_CALLS 1024              /* which are checked after this many calls */

static int flush(struct dump *d)
{
    return write_output(dump_printer_output(&d->printer));
}

/* Warnings are printed after the calls that precede them. */
static int flush_before_warning(void *dump)
{
    return flush(dump);
}

/* Flushes the output from time to time, so that calls already found are shown while others are skipped. */
static int flush_now_and_then(struct dump *d)
{
    if (++d->calls_read % FLUSH_CALLS != 0 || dump_printer_output(&d->printer)->len == 0)
        return 0;
    int64_t now = clock_milliseconds();
    if (now - d->flushed_at < FLUSH_TIME)
        return 0;
    d->flushed_at = now;
    return flush(d);
}

/* --- the trace ------------------------------------------------------------------------------------- */

/* Asks for the times of calls. Text has no columns for them if there are none. */
static int want_times(struct dump *d, struct trace_reader *reader, const char *path, bool *known)
{
    bool as_json = d->printer.options->as_json;
    *known = false;
    int rc = d->timestamps || as_json || d->filter.has_time ? trace_reader_want_times(reader, known) : 0;
    d->printer.text.style.times = d->timestamps && *known && !as_json;
    if (rc == 0 && d->timestamps && !*known) {
        const char *problem = trace_reader_index_problem(reader);
        rc = flush(d);
        fprintf(stderr, "warning: %s: %s%s\n", path, problem != NULL ? "no times are known: " : "",
                problem != NULL ? problem : "the trace has no times (\"trace-cli trace\" records them)");
    }
    return rc;
}

/* --- its calls ------------------------------------------------------------------------------------- */

static bool is_wanted(struct dump *d, const struct call_input *in, const struct trace_call *call)
{
    if (!d->filter.is_given)
        return true;
    const struct trace_event event = {
        .kind = TRACE_EVENT_CALL, .number = call->number, .time = call->enter_time, .call = call};
    return event_filter_passes(&d->filter, &event) &&
           (!d->reads_all ||
            call_selection_contains(&d->selection, call->number, call_input_frame(in), call->flags));
}

static int put_call(struct dump *d, const struct call_input *in, const struct trace_call *call)
{
    if (!is_wanted(d, in, call))
        return 0;
    d->calls_found++;
    int rc = dump_printer_put(&d->printer, in->reader, call);
    return rc == 0 && dump_printer_output(&d->printer)->len >= FLUSH_BYTES ? flush(d) : rc;
}

/* Warns if no call was selected, or if none was shown. */
static void warn_of_nothing(const struct dump *d, const struct selected_calls *calls, const char *path)
{
    if (d->filter.is_given && d->calls_found == 0) {
        trace_error_set(TRACE_ERR_USAGE, "%s: no call is selected", path);
        cli_print_warning();
        return;
    }
    selected_calls_warn_of_none(calls, path);
    if (calls->found == 0 || d->printer.hidden < calls->found)
        return;
    trace_error_set(TRACE_ERR_USAGE,
                    "%s: the selected calls only query strings or names: --verbose shows them", path);
    cli_print_warning();
}

static int put_calls(struct dump *d, struct call_input *in, const char *path)
{
    const struct trace_call *call;
    int rc;
    d->printer.hidden = 0;
    d->calls_found = 0;
    while ((rc = call_input_next(in, &call)) == 0 && call != NULL) {
        rc = put_call(d, in, call);
        call_input_release(in, call);
        if (rc == 0)
            rc = flush_now_and_then(d);
        if (rc != 0)
            break;
    }
    if (rc == 0)
        rc = flush(d);
    if (rc == 0)
        warn_of_nothing(d, &in->calls, path);
    return rc;
}

/* Other threads can only print a trace if all calls are wanted, without times. */
static bool is_for_threads(const struct dump *d, bool has_times)
{
    return d->jobs > 1 && !d->filter.is_given && !d->selection.calls_given && !d->selection.frames_given &&
           !has_times;
}

static int put_trace(struct dump *d, struct call_input *in, const char *path)
{
    bool has_times;
    int rc = want_times(d, in->reader, path, &has_times);
    if (rc == 0)
        rc = event_filter_begin_calls(&d->filter, has_times, trace_reader_wall_clock(in->reader), path);
    if (rc == 0)
        rc = dump_printer_put_trace(&d->printer, in->reader, path);
    if (rc == 0)
        rc =
            is_for_threads(d, has_times) ? dump_in_threads(&d->printer, d->jobs, in) : put_calls(d, in, path);
    return rc;
}

/* The time of the first call must be known, even if --calls or --frames leave it out. */
static int open_calls(struct dump *d, struct call_input *in, struct trace_probe *probe)
{
    static const struct call_selection all = {.calls_given = false};
    d->reads_all = d->filter.has_time && time_range_needs_first(&d->filter.time);
    return call_input_open_probed(in, probe, d->reads_all ? &all : &d->selection);
}

int dump_calls(struct dump *d, struct trace_probe *probe, const char *path)
{
    struct call_input in;
    int rc = open_calls(d, &in, probe);
    if (rc != 0)
        return cli_print_error();
    if (d->wants_pager && d->pager == 0)
        d->pager = pager_start(0);
    in.losses.flush = flush_before_warning;
    in.losses.context = d;
    rc = put_trace(d, &in, path);
    int flush_rc = flush(d); /* prints nothing unless it fails */
    int status = rc != 0 || flush_rc != 0 ? cli_print_error() : input_losses_status(&in.losses);
    dump_printer_forget_signatures(&d->printer); /* signatures live as long as their reader */
    call_input_close(&in);
    return status;
}
