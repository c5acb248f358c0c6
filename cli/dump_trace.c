/* SPDX-License-Identifier: MIT */
#include "dump_trace.h"

#include "base/clock.h"
#include "base/error.h"
#include "command.h"
#include "progress.h"
#include "base/write_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* output is written in pieces of about this size, */
#define FLUSH_TIME  100               /* or after so many milliseconds, */
#define FLUSH_CALLS 1024              /* which are looked at after so many calls */

static struct buf *output(struct dump *d)
{
    return d->as_json ? &d->json.out : &d->text.out;
}

static int flush(struct dump *d)
{
    struct buf *out = output(d);
    if (write_all(STDOUT_FILENO, out->data, out->len) != 0)
        return error_set_errno(ERR_IO, errno, "cannot write to the standard output");
    buf_clear(out);
    return 0;
}

/* While calls go by that are not wanted, what was found is not held back. */
static int flush_now_and_then(struct dump *d)
{
    if (++d->calls_read % FLUSH_CALLS != 0 || output(d)->len == 0)
        return 0;
    int64_t now = clock_milliseconds();
    if (now - d->flushed_at < FLUSH_TIME)
        return 0;
    d->flushed_at = now;
    return flush(d);
}

/* --- the trace ------------------------------------------------------------------------------------- */

static int compare_properties(const void *a, const void *b)
{
    const struct trace_property *x = a;
    const struct trace_property *y = b;
    return strcmp(x->name, y->name);
}

static int put_properties(struct dump *d, const struct trace_reader *reader)
{
    const struct trace_property *properties;
    size_t count = trace_reader_properties(reader, &properties);
    struct trace_property *sorted = malloc((count + 1) * sizeof *sorted);
    int rc = sorted == NULL ? error_set(ERR_MEMORY, "out of memory") : 0;
    if (rc == 0 && count > 0) {
        memcpy(sorted, properties, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_properties);
    }
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = trace_call_text_add_property(&d->text, &sorted[i]);
    free(sorted);
    return rc;
}

/* Asks for the times of calls. Text has no columns for them if there are none. */
static int want_times(struct dump *d, struct trace_reader *reader, const char *path)
{
    bool known = false;
    int rc = d->timestamps || d->as_json ? trace_reader_want_times(reader, &known) : 0;
    d->text.style.times = known && !d->as_json;
    if (rc == 0 && d->timestamps && !known) {
        rc = flush(d);
        fprintf(stderr, "warning: %s: the trace has no times (\"trace-cli trace\" records them)\n", path);
    }
    return rc;
}

static int put_heading(struct dump *d, const struct trace_reader *reader, const char *path)
{
    if (d->as_json)
        return dump_json_trace(&d->json, reader, path);
    return d->grep_ready ? 0 : put_properties(d, reader);
}

/* --- its calls ------------------------------------------------------------------------------------- */

static bool is_wanted(struct dump *d, const struct trace_call *call)
{
    if (!d->verbose && (call->flags & TRACE_CALL_VERBOSE) != 0)
        return false;
    return !d->grep_ready || name_pattern_matches(&d->grep, call->sig);
}

static int put_call(struct dump *d, const struct trace_reader *reader, const struct trace_call *call)
{
    int rc = d->as_json ? dump_json_call(&d->json, call, trace_reader_frame(reader))
                        : trace_call_text_add(&d->text, call);
    return rc == 0 && output(d)->len >= FLUSH_BYTES ? flush(d) : rc;
}

/* Between the calls before and those after it. */
static int warn_of_damage(struct dump *d)
{
    char message[512];
    snprintf(message, sizeof message, "%s", error_message());
    int rc = flush(d);
    if (rc != 0)
        return rc;
    error_set(ERR_DAMAGED, "%s", message);
    d->damaged = cli_print_warning();
    return 0;
}

/* A trace that is cut off is shown as far as it goes, incomplete calls included; then comes the error. */
static int put_calls(struct dump *d, struct trace_reader *reader)
{
    char truncation[512] = "";
    struct selected_calls calls;
    selected_calls_init(&calls, reader, &d->selection);
    for (;;) {
        const struct trace_call *call;
        int rc = selected_calls_next(&calls, &call);
        if (rc == ERR_DAMAGED && (rc = warn_of_damage(d)) == 0)
            continue;
        if (rc == ERR_TRUNCATED) {
            snprintf(truncation, sizeof truncation, "%s", error_message());
            continue;
        }
        if (rc != 0)
            return rc;
        if (call == NULL)
            break;
        if (is_wanted(d, call))
            rc = put_call(d, reader, call);
        trace_call_release(reader, call);
        if (rc == 0)
            rc = flush_now_and_then(d);
        if (rc != 0)
            return rc;
    }
    d->cut_off = truncation[0] != '\0';
    return !d->cut_off ? 0 : error_set(ERR_TRUNCATED, "%s", truncation);
}

/* Signatures live as long as their reader. */
static void forget_signatures(struct dump *d)
{
    if (d->as_json)
        dump_json_forget_signatures(&d->json);
    else
        trace_call_text_forget_signatures(&d->text);
    if (d->grep_ready)
        name_pattern_forget(&d->grep);
}

int dump_trace(struct dump *d, const char *path)
{
    struct trace_reader *reader;
    char message[512];
    d->cut_off = false;
    int rc = trace_reader_open(&reader, path);
    if (rc != 0)
        return rc;
    trace_reader_resume_after_damage(reader);
    progress_begin_beside_output("dump");
    trace_reader_watch(reader, progress_watcher());
    rc = want_times(d, reader, path);
    if (rc == 0)
        rc = put_heading(d, reader, path);
    if (rc == 0)
        rc = put_calls(d, reader);
    snprintf(message, sizeof message, "%s", error_message());
    forget_signatures(d);
    trace_reader_close(reader);
    progress_end();
    int flush_rc = flush(d);
    return rc != 0 ? error_set(rc, "%s", message) : flush_rc;
}
