/* SPDX-License-Identifier: MIT */
#include "trace/text/trace_json_parts.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>

#define SPLICE(w, text, ended) json_splice(w, text, sizeof(text) - 1, ended)

void trace_json_init(struct trace_json *j, enum trace_json_blobs blobs)
{
    memset(j, 0, sizeof *j);
    j->blobs = blobs;
    json_writer_init(&j->w, &j->out);
}

void trace_json_fini(struct trace_json *j)
{
    trace_json_forget_signatures(j);
    buf_fini(&j->out);
}

void trace_json_forget_signatures(struct trace_json *j)
{
    memset(j->enums, 0, sizeof j->enums);
    trace_call_template_forget(&j->pieces);
}

void trace_json_put_string(struct json_writer *w, const char *name, const char *value)
{
    if (value == NULL)
        return;
    json_key(w, name);
    json_text(w, value, strlen(value));
}

void trace_json_put_uint(struct json_writer *w, const char *name, uint64_t value)
{
    json_key(w, name);
    json_uint(w, value);
}

int trace_json_end_line(struct trace_json *j)
{
    j->w.comma = false;
    if (j->w.failed || buf_append_byte(&j->out, '\n') != 0)
        trace_json_keep_error(j, TRACE_ERR_MEMORY);
    return j->error.code == 0 ? 0 : trace_error_restore(&j->error);
}

/* --- the trace ------------------------------------------------------------------------------------- */

static void put_properties(struct json_writer *w, const struct trace_property *properties, size_t count)
{
    json_key(w, "properties");
    json_begin(w, '[');
    for (size_t i = 0; i < count; ++i) {
        json_begin(w, '{');
        trace_json_put_string(w, "name", properties[i].name);
        trace_json_put_string(w, "value", properties[i].value);
        json_end(w, '}');
    }
    json_end(w, ']');
}

int trace_json_trace(struct trace_json *j, const struct trace_json_head *head)
{
    struct json_writer *w = &j->w;
    json_begin(w, '{');
    json_key(w, "trace");
    json_begin(w, '{');
    trace_json_put_uint(w, "dump_version", TRACE_JSON_VERSION);
    trace_json_put_string(w, "file", head->file);
    trace_json_put_string(w, "format", head->format);
    trace_json_put_string(w, "container", head->container);
    if (head->version >= 0)
        trace_json_put_uint(w, "version", (uint64_t)head->version);
    if (head->semantic_version >= 0)
        trace_json_put_uint(w, "semantic_version", (uint64_t)head->semantic_version);
    put_properties(w, head->properties, head->property_count);
    json_end(w, '}');
    json_end(w, '}');
    return trace_json_end_line(j);
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Appends the piece of text before argument i, or after the last one. */
static int append_piece(const void *style, const struct trace_function_sig *sig, uint32_t i, struct buf *text)
{
    struct json_writer w;
    (void)style;
    json_writer_init(&w, text);
    w.comma = true;
    if (i == 0) {
        trace_json_put_string(&w, "name", sig->name);
        json_key(&w, "args");
        json_begin(&w, '[');
    } else {
        json_end(&w, '}');
    }
    if (i < sig->arg_count) {
        json_begin(&w, '{');
        trace_json_put_string(&w, "name", sig->arg_names[i]);
        json_key(&w, "value");
    } else {
        json_end(&w, ']');
    }
    return w.failed ? TRACE_ERR_MEMORY : 0;
}

void trace_json_put_name_and_args(struct trace_json *j, const struct trace_call *call)
{
    const struct trace_call_template *p = trace_call_template_get(&j->pieces, append_piece, NULL, call->sig);
    if (p == NULL) {
        trace_json_keep_error(j, TRACE_ERR_MEMORY);
        return;
    }
    const char *text = (const char *)p->text.data;
    uint32_t named = call->sig->arg_count;
    for (uint32_t i = 0; i < named; ++i) {
        json_splice(&j->w, text + p->starts[i], p->starts[i + 1] - p->starts[i], false);
        trace_json_value(j, &call->args[i]);
    }
    json_splice(&j->w, text + p->starts[named], p->starts[named + 1] - p->starts[named], true);
}

static void put_flags(struct json_writer *w, uint32_t flags)
{
    static const char *const names[] = {
        "fake",       "non_reproducible", "no_side_effects", "render",      "swap_rendertarget", "end_frame",
        "incomplete", "verbose",          "marker",          "marker_push", "marker_pop"};
    SPLICE(w, ",\"flags\":[", false);
    for (size_t i = 0; flags != 0 && i < sizeof names / sizeof names[0]; ++i)
        if ((flags >> i & 1) != 0)
            json_string(w, names[i], strlen(names[i]));
    json_end(w, ']');
}

void trace_json_put_address(struct json_writer *w, const char *name, uint64_t address)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    trace_json_put_string(w, name, text);
}

void trace_json_put_backtrace(struct json_writer *w, const struct trace_call *call)
{
    json_key(w, "backtrace");
    json_begin(w, '[');
    for (uint32_t i = 0; i < call->frame_count; ++i) {
        const struct trace_frame *frame = &call->frames[i];
        json_begin(w, '{');
        trace_json_put_string(w, "module", frame->module);
        trace_json_put_string(w, "function", frame->function);
        trace_json_put_string(w, "file", frame->file);
        if (frame->line >= 0)
            trace_json_put_uint(w, "line", (uint64_t)frame->line);
        if (frame->offset >= 0)
            trace_json_put_uint(w, "offset", (uint64_t)frame->offset);
        if (frame->address != 0)
            trace_json_put_address(w, "address", frame->address);
        json_end(w, '}');
    }
    json_end(w, ']');
}

/* Nanoseconds on the clock of the trace. */
void trace_json_put_time(struct json_writer *w, const char *name, int64_t time)
{
    if (time == TRACE_NO_TIME)
        return;
    json_key(w, name);
    json_sint(w, time);
}

void trace_json_put_origin(struct json_writer *w, const struct trace_origin *origin)
{
    if (origin == NULL)
        return;
    if (origin->process >= 0)
        trace_json_put_uint(w, "process", (uint64_t)origin->process);
    if (origin->thread >= 0)
        trace_json_put_uint(w, "thread", (uint64_t)origin->thread);
    if (origin->cpu >= 0)
        trace_json_put_uint(w, "cpu", (uint64_t)origin->cpu);
    if (origin->stream >= 0)
        trace_json_put_uint(w, "stream", (uint64_t)origin->stream);
    if (origin->contexts != 0)
        trace_json_put_uint(w, "contexts", origin->contexts);
}

static int put_call(struct trace_json *j, const struct trace_call *call, const struct trace_origin *origin,
                    uint64_t frame)
{
    struct json_writer *w = &j->w;
    j->call_number = call->number;
    j->blob_count = 0;
    SPLICE(w, "{\"call\":", false);
    json_uint(w, call->number);
    SPLICE(w, ",\"frame\":", false);
    json_uint(w, frame);
    if (origin != NULL) {
        trace_json_put_origin(w, origin);
    } else {
        SPLICE(w, ",\"thread\":", false);
        json_uint(w, call->thread);
    }
    trace_json_put_time(w, "enter_ns", call->enter_time);
    trace_json_put_time(w, "leave_ns", call->leave_time);
    trace_json_put_name_and_args(j, call);
    if (call->ret.type != TRACE_NONE) {
        SPLICE(w, ",\"ret\":", false);
        trace_json_value(j, &call->ret);
    }
    put_flags(w, call->flags);
    if (call->frames != NULL)
        trace_json_put_backtrace(w, call);
    json_end(w, '}');
    return trace_json_end_line(j);
}

int trace_json_call(struct trace_json *j, const struct trace_call *call, uint64_t frame)
{
    return put_call(j, call, NULL, frame);
}

int trace_json_call_of(struct trace_json *j, const struct trace_call *call, const struct trace_origin *origin,
                       uint64_t frame)
{
    return put_call(j, call, origin != NULL && origin->thread >= 0 ? origin : NULL, frame);
}
