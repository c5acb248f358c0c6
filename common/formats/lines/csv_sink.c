/* SPDX-License-Identifier: MIT
 * Calls have their times in one row, so their ends are joined before (the row of the format says so). Values
 * and declarations are printed as `dump` does.
 */
#include "formats/lines/csv_field.h"
#include "formats/lines/lines.h"

#include "base/error.h"
#include "formats/shared/file_sink.h"
#include "trace/text/call_text.h"
#include "trace/text/call_text_values.h"
#include "trace/text/event_text.h"

#include <stdlib.h>

static const char columns[] =
    "number,kind,time_ns,duration_ns,process,thread,cpu,name,arguments,return_value,"
    "resource,resource_id,size,text\n";

struct csv_sink {
    struct file_sink file;
    struct trace_call_text *text; /* of values and declarations */
    struct buf line;
    uint64_t backtraces;
    uint64_t contexts;
    uint64_t streams;
    uint64_t records;
};

static struct csv_sink *cast(struct trace_sink *s)
{
    return (struct csv_sink *)s;
}

/* --- fields ---------------------------------------------------------------------------------------- */

static int add_constant(struct csv_sink *s, const char *text)
{
    return csv_field_add_text(&s->line, text, strlen(text));
}

/* Adds what has been formatted as a field. */
static int add_formatted(struct csv_sink *s)
{
    if (s->text->error != 0)
        return trace_error_set(s->text->error, "%s", s->text->message);
    return csv_field_add_text(&s->line, (const char *)s->text->out.data, s->text->out.len);
}

static int add_value(struct csv_sink *s, const struct trace_value *value)
{
    buf_clear(&s->text->out);
    if (value != NULL && value->type != TRACE_NONE)
        trace_call_text_put_value(s->text, value);
    return add_formatted(s);
}

static int add_arguments(struct csv_sink *s, const struct trace_call *call)
{
    struct buf *out = &s->text->out;
    buf_clear(out);
    for (uint32_t i = 0; i < call->sig->arg_count; ++i) {
        if (call->args[i].type == TRACE_NONE)
            continue;
        if ((out->len > 0 && buf_append_string(out, ", ") != 0) ||
            buf_append_string(out, call->sig->arg_names[i]) != 0 || buf_append_string(out, " = ") != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        trace_call_text_put_value(s->text, &call->args[i]);
    }
    return add_formatted(s);
}

static int add_times(struct csv_sink *s, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    bool has_duration =
        event->kind == TRACE_EVENT_CALL && event->time != TRACE_NO_TIME && call->leave_time != TRACE_NO_TIME;
    int rc = csv_field_add_sint(&s->line, event->time, event->time != TRACE_NO_TIME);
    return rc == 0
               ? csv_field_add_sint(&s->line, has_duration ? call->leave_time - event->time : 0, has_duration)
               : rc;
}

static int add_origin(struct csv_sink *s, const struct trace_event *event)
{
    static const struct trace_origin unknown = {.process = -1, .thread = -1, .cpu = -1, .stream = -1};
    const struct trace_origin *o = event->origin != NULL ? event->origin : &unknown;
    int64_t thread = o->thread < 0 && event->call != NULL ? event->call->thread : o->thread;
    s->contexts += o->contexts != 0;
    s->streams += o->stream >= 0;
    s->records += trace_record_has_contexts(event->record);
    int rc = csv_field_add_sint(&s->line, o->process, o->process >= 0);
    if (rc == 0)
        rc = csv_field_add_sint(&s->line, thread, thread >= 0);
    return rc == 0 ? csv_field_add_sint(&s->line, o->cpu, o->cpu >= 0) : rc;
}

static int add_call(struct csv_sink *s, const struct trace_event *event)
{
    if (event->call == NULL)
        return buf_append_string(&s->line, ",,,") == 0 ? 0 : TRACE_ERR_MEMORY;
    s->backtraces += event->call->frame_count > 0;
    int rc = add_constant(s, event->call->sig->name);
    if (rc == 0)
        rc = add_arguments(s, event->call);
    return rc == 0 ? add_value(s, &event->call->ret) : rc;
}

static int add_resource(struct csv_sink *s, const struct trace_event *event)
{
    const struct trace_resource *r = &event->u.resource;
    if (event->kind != TRACE_EVENT_ALLOC && event->kind != TRACE_EVENT_FREE)
        return buf_append_string(&s->line, ",,,") == 0 ? 0 : TRACE_ERR_MEMORY;
    int rc = add_constant(s, r->type != NULL && r->type->name != NULL ? r->type->name : "");
    if (rc == 0)
        rc = csv_field_add_address(&s->line, r->id, true);
    return rc == 0 ? csv_field_add_uint(&s->line, r->size, event->kind == TRACE_EVENT_ALLOC || r->size > 0)
                   : rc;
}

/* What other events say, without the sign and the line break around it. */
static int add_text(struct csv_sink *s, const struct trace_event *event)
{
    struct buf *out = &s->text->out;
    if (event->call != NULL)
        return csv_field_add_text(&s->line, "", 0);
    if (event->kind == TRACE_EVENT_MARK || event->kind == TRACE_EVENT_COMMENT)
        return add_constant(s, event->u.text != NULL ? event->u.text : "");
    buf_clear(out);
    int rc = trace_event_text_add(s->text, event);
    if (rc != 0)
        return rc;
    size_t from = out->len >= 2 && memcmp(out->data, "# ", 2) == 0 ? 2 : 0;
    size_t end = out->len > from && out->data[out->len - 1] == '\n' ? out->len - 1 : out->len;
    return csv_field_add_text(&s->line, (const char *)out->data + from, end - from);
}

/* --- the sink -------------------------------------------------------------------------------------- */

/* Each field begins with a comma, also the first. */
static int end_line(struct csv_sink *s)
{
    if (buf_append_byte(&s->line, '\n') != 0)
        return TRACE_ERR_MEMORY;
    return log_output_put(&s->file.output, s->line.data + 1, s->line.len - 1);
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct csv_sink *s = cast(sink);
    buf_clear(&s->line);
    int rc = csv_field_add_uint(&s->line, event->number, event->call != NULL);
    if (rc == 0)
        rc = add_constant(s, trace_event_kind_name(event->kind));
    if (rc == 0)
        rc = add_times(s, event);
    if (rc == 0)
        rc = add_origin(s, event);
    if (rc == 0)
        rc = add_call(s, event);
    if (rc == 0)
        rc = add_resource(s, event);
    if (rc == 0)
        rc = add_text(s, event);
    if (rc == 0)
        rc = end_line(s);
    return rc;
}

static void tell(struct csv_sink *s, const char *what, uint64_t count)
{
    if (count > 0)
        trace_sink_leave_out(&s->file.base, what, count);
}

static int sink_finish(struct trace_sink *sink)
{
    struct csv_sink *s = cast(sink);
    tell(s, "backtrace", s->backtraces);
    tell(s, "context of an event", s->contexts);
    tell(s, "stream of an event", s->streams);
    tell(s, "context fields of an event", s->records);
    return log_output_flush(&s->file.output);
}

static void release(struct file_sink *file)
{
    struct csv_sink *s = (struct csv_sink *)file;
    if (s->text != NULL)
        trace_call_text_fini(s->text);
    free(s->text);
    buf_fini(&s->line);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = file_sink_flush,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int csv_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    const struct trace_call_text_style style = {
        .arg_names = true, .exact_floats = true, .utf8 = true, .blob_checksums = true};
    struct csv_sink *s = calloc(1, sizeof *s);
    if (s == NULL || (s->text = calloc(1, sizeof *s->text)) == NULL) {
        free(s);
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    }
    trace_call_text_init_zeroed(s->text, &style);
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    rc = log_output_put(&s->file.output, columns, sizeof columns - 1);
    if (rc != 0) {
        file_sink_abandon(&s->file.base);
        return rc;
    }
    tell(s, "property", options->property_count);
    *out = &s->file.base;
    return 0;
}
