/* SPDX-License-Identifier: MIT */
#include "dump/dump_trace.h"

#include "base/clock.h"
#include "base/error.h"
#include "shell/command.h"
#include "dump/dump_threads.h"
#include "shell/pager.h"
#include "shell/progress.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* output is written in pieces of about this size, */
#define FLUSH_TIME  100               /* or after so many milliseconds, */
#define FLUSH_CALLS 1024              /* which are looked at after so many calls */

int dump_write(struct buf *text)
{
    if (write_all(STDOUT_FILENO, text->data, text->len) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write to the standard output");
    buf_clear(text);
    return 0;
}

static int flush(struct dump *d)
{
    return dump_write(dump_printer_output(&d->printer));
}

/* While calls go by that are not wanted, what was found is not held back. */
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
    int rc = d->timestamps || as_json ? trace_reader_want_times(reader, known) : 0;
    d->printer.text.style.times = *known && !as_json;
    if (rc == 0 && d->timestamps && !*known) {
        const char *problem = trace_reader_index_problem(reader);
        rc = flush(d);
        fprintf(stderr, "warning: %s: %s%s\n", path, problem != NULL ? "no times are known: " : "",
                problem != NULL ? problem : "the trace has no times (\"trace-cli trace\" records them)");
    }
    return rc;
}

/* --- its calls ------------------------------------------------------------------------------------- */

static int put_call(struct dump *d, const struct trace_reader *reader, const struct trace_call *call)
{
    int rc = dump_printer_put(&d->printer, reader, call);
    return rc == 0 && dump_printer_output(&d->printer)->len >= FLUSH_BYTES ? flush(d) : rc;
}

void dump_warn_of_damage(struct dump *d)
{
    d->damaged = cli_print_warning();
}

/* Between the calls before and those after it. */
static int warn_of_damage(struct dump *d)
{
    char message[512];
    snprintf(message, sizeof message, "%s", trace_error_message());
    int rc = flush(d);
    if (rc != 0)
        return rc;
    trace_error_set(TRACE_ERR_DAMAGED, "%s", message);
    dump_warn_of_damage(d);
    return 0;
}

/* What was asked for is not there, or not shown. */
static void warn_of_nothing(const struct dump *d, const struct selected_calls *calls, const char *path)
{
    selected_calls_warn_of_none(calls, path);
    if (calls->found == 0 || d->printer.hidden < calls->found)
        return;
    trace_error_set(TRACE_ERR_USAGE,
                    "%s: the calls selected only ask for strings or names: --verbose shows them", path);
    cli_print_warning();
}

/* A trace that is cut off is shown as far as it goes, incomplete calls included; then comes the error. */
static int put_calls(struct dump *d, struct trace_reader *reader, const char *path)
{
    char truncation[512] = "";
    struct selected_calls calls;
    d->printer.hidden = 0;
    selected_calls_init(&calls, reader, &d->selection);
    for (;;) {
        const struct trace_call *call;
        int rc = selected_calls_next(&calls, &call);
        if (rc == TRACE_ERR_DAMAGED && (rc = warn_of_damage(d)) == 0)
            continue;
        if (rc == TRACE_ERR_TRUNCATED) {
            snprintf(truncation, sizeof truncation, "%s", trace_error_message());
            continue;
        }
        if (rc != 0)
            return rc;
        if (call == NULL)
            break;
        rc = put_call(d, reader, call);
        trace_call_release(reader, call);
        if (rc == 0)
            rc = flush_now_and_then(d);
        if (rc != 0)
            return rc;
    }
    int rc = flush(d);
    if (rc != 0)
        return rc;
    warn_of_nothing(d, &calls, path);
    d->cut_off = truncation[0] != '\0';
    return !d->cut_off ? 0 : trace_error_set(TRACE_ERR_TRUNCATED, "%s", truncation);
}

/* Parts of a trace that any thread may print know neither what is wanted nor times. */
static bool is_for_threads(const struct dump *d, bool has_times)
{
    return d->jobs > 1 && !d->selection.calls_given && !d->selection.frames_given && !has_times;
}

int dump_trace(struct dump *d, const char *path)
{
    struct trace_reader *reader;
    bool has_times;
    char message[512];
    d->cut_off = false;
    int rc = trace_reader_open(&reader, path);
    if (rc != 0)
        return rc;
    if (d->wants_pager && d->pager == 0)
        d->pager = pager_start(0);
    trace_reader_resume_after_damage(reader);
    progress_begin_beside_output("dump");
    progress_watch_reader(reader);
    rc = want_times(d, reader, path, &has_times);
    if (rc == 0)
        rc = dump_printer_put_trace(&d->printer, reader, path);
    if (rc == 0)
        rc = is_for_threads(d, has_times) ? dump_in_threads(d, reader) : put_calls(d, reader, path);
    snprintf(message, sizeof message, "%s", trace_error_message());
    dump_printer_forget_signatures(&d->printer); /* they live as long as their reader */
    trace_reader_close(reader);
    progress_end();
    int flush_rc = flush(d);
    return rc != 0 ? trace_error_set(rc, "%s", message) : flush_rc;
}
