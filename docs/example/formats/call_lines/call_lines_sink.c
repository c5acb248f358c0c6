/* SPDX-License-Identifier: MIT
 * Writes calls as lines. What a line cannot express is counted.
 */
#include "formats/call_lines/call_lines.h"

#include "base/error.h"
#include "formats/shared/file_sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct call_lines_sink {
    struct file_sink file; /* must be the first member */
};

static struct call_lines_sink *cast(struct trace_sink *sink)
{
    return (struct call_lines_sink *)sink;
}

static int put_text(struct call_lines_sink *s, const char *text)
{
    return log_output_put(&s->file.output, text, strlen(text));
}

/* --- values ---------------------------------------------------------------------------------------- */

static bool is_word(const struct trace_value *value)
{
    return value->count > 0 && memchr(value->u.string, ' ', value->count) == NULL &&
           memchr(value->u.string, '\n', value->count) == NULL;
}

/* Writes a blank and the value. A value that is not a word is written as "?", so that later arguments keep
 * their positions. */
static int put_value(struct call_lines_sink *s, const struct trace_value *value)
{
    char text[32];
    switch (value->type) {
    case TRACE_SINT:
        snprintf(text, sizeof text, " %" PRId64, value->u.sint);
        return put_text(s, text);
    case TRACE_UINT:
        snprintf(text, sizeof text, " %" PRIu64, value->u.uint);
        return put_text(s, text);
    case TRACE_OPAQUE:
        snprintf(text, sizeof text, " 0x%" PRIx64, value->u.uint);
        return put_text(s, text);
    case TRACE_STRING:
        if (is_word(value)) {
            int rc = put_text(s, " ");
            return rc == 0 ? log_output_put(&s->file.output, value->u.string, value->count) : rc;
        }
        break;
    default:
        break;
    }
    trace_sink_leave_out(&s->file.base, "value that is no word", 1);
    return put_text(s, " ?");
}

/* --- the sink -------------------------------------------------------------------------------------- */

static void count_left_out(struct trace_sink *sink, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    if (call->frame_count > 0)
        trace_sink_leave_out(sink, "backtrace", 1);
    if (event->time != TRACE_NO_TIME)
        trace_sink_leave_out(sink, "time of an event", 1);
    if ((call->flags & TRACE_CALL_INCOMPLETE) != 0)
        trace_sink_leave_out(sink, "that a call was never left", 1);
}

static int put_call(struct call_lines_sink *s, const struct trace_call *call)
{
    int rc = put_text(s, call->sig->name);
    for (uint32_t i = 0; i < call->arg_count && rc == 0; ++i)
        rc = put_value(s, &call->args[i]);
    if (rc == 0 && call->ret.type != TRACE_NONE) {
        rc = put_text(s, " ->");
        if (rc == 0)
            rc = put_value(s, &call->ret);
    }
    return rc == 0 ? put_text(s, "\n") : rc;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    if (event->kind != TRACE_EVENT_CALL)
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    count_left_out(sink, event);
    return put_call(cast(sink), event->call);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = file_sink_flush,
    .finish = file_sink_flush,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int call_lines_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    struct call_lines_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    int rc = file_sink_open(&s->file, &ops, file_sink_free, path);
    if (rc != 0)
        return rc;
    if (options->property_count > 0)
        trace_sink_leave_out(&s->file.base, "property", options->property_count);
    rc = put_text(s, CALL_LINES_MARK);
    if (rc != 0) {
        file_sink_abandon(&s->file.base);
        return rc;
    }
    *out = &s->file.base;
    return 0;
}
