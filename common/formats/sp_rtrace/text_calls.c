/* SPDX-License-Identifier: MIT
 * Writes calls as text: one line for the call, one for each argument, one for each frame, and an empty line.
 */
#include "formats/sp_rtrace/sink_checks.h"
#include "formats/sp_rtrace/text_writer.h"

#include "base/error.h"
#include "base/format_number.h"

#define NUMBERS_BYTES 256 /* room for the numbers and punctuation of a call's line */
#define FRAME_BYTES   24  /* the same for a frame's line */

static char *put_literal(char *out, const char *text, size_t length)
{
    memcpy(out, text, length);
    return out + length;
}

#define PUT(out, literal) put_literal(out, literal, sizeof literal - 1)

static char *put_hex(char *out, uint64_t value)
{
    out = PUT(out, "0x");
    return out + format_hex(out, value);
}

/* --- the line -------------------------------------------------------------------------------------- */

static char *put_two(char *out, uint64_t value)
{
    if (value >= 100)
        return out + format_uint(out, value);
    format_digits(out, value, 2);
    return out + 2;
}

/* Writes milliseconds, as the programs do, or more digits if necessary. */
static char *put_fraction(char *out, uint64_t nanoseconds)
{
    unsigned digits = nanoseconds % 1000000 == 0 ? 3 : nanoseconds % 1000 == 0 ? 6 : 9;
    for (unsigned i = digits; i < 9; ++i)
        nanoseconds /= 10;
    format_digits(out, nanoseconds, digits);
    return out + digits;
}

static void print_time(struct text_writer *w, int64_t time)
{
    uint64_t seconds = (uint64_t)time / 1000000000;
    char *out = PUT(w->time_text, "[");
    out = put_two(out, seconds / 3600);
    out = PUT(out, ":");
    out = put_two(out, seconds / 60 % 60);
    out = PUT(out, ":");
    out = put_two(out, seconds % 60);
    out = PUT(out, ".");
    out = put_fraction(out, (uint64_t)time % 1000000000);
    out = PUT(out, "] ");
    w->time = time;
    w->time_length = (size_t)(out - w->time_text);
}

static char *put_time(struct text_writer *w, char *out, int64_t time)
{
    if (time == TRACE_NO_TIME)
        return out;
    if (time < 0) {
        trace_sink_leave_out(w->sink, "time before the clock began", 1);
        return out;
    }
    if (time != w->time)
        print_time(w, time); /* many calls have the same time */
    memcpy(out, w->time_text, sizeof w->time_text);
    return out + w->time_length;
}

static size_t measure_name(struct text_writer *w, const struct trace_function_sig *sig, bool *is_plain)
{
    struct text_name *known = &w->names[(uintptr_t)sig / sizeof *sig % TEXT_NAMES];
    *is_plain = known->sig == sig;
    if (*is_plain)
        return known->length;
    size_t length = strlen(sig->name);
    if (length < TEXT_LINE_MAX && strpbrk(sig->name, "\n\r") == NULL)
        *known = (struct text_name){sig, length};
    return length;
}

/* A name that ends with <TYPE>: readers would take TYPE for the resource type. */
static bool ends_with_type(const char *name, size_t length, const char *type)
{
    size_t type_length = strlen(type);
    return length >= type_length + 2 && name[length - 1] == '>' && name[length - 2 - type_length] == '<' &&
           memcmp(name + length - 1 - type_length, type, type_length) == 0;
}

static int write_line(struct text_writer *w, const struct trace_event *event, bool names_types)
{
    const char *name = event->call->sig->name;
    const struct trace_resource_type *type = event->u.resource.type;
    const char *type_name = type != NULL ? type->name : NULL;
    bool is_plain;
    size_t name_length = measure_name(w, event->call->sig, &is_plain);
    if (!names_types && type_name != NULL && !ends_with_type(name, name_length, type_name))
        type_name = NULL;
    size_t type_length = type_name != NULL ? strlen(type_name) : 0;
    char *out = log_output_reserve(&w->output, NUMBERS_BYTES + name_length + type_length);
    if (out == NULL)
        return TRACE_ERR_IO;
    out += format_uint(out, event->number);
    out = PUT(out, ". ");
    if (event->origin != NULL && event->origin->contexts != 0) {
        out = PUT(out, "@");
        out += format_hex(out, event->origin->contexts);
        out = PUT(out, " ");
    }
    out = put_time(w, out, event->time);
    out = is_plain ? put_literal(out, name, name_length) : text_put(w, out, name, name_length);
    if (type_name != NULL) {
        out = PUT(out, "<");
        out = text_put(w, out, type_name, type_length);
        out = PUT(out, ">");
    }
    out = PUT(out, "(");
    if (event->kind == TRACE_EVENT_ALLOC) {
        out += format_uint(out, event->u.resource.size);
        out = PUT(out, ") = ");
        out = put_hex(out, event->u.resource.id);
    } else {
        if (event->u.resource.size != 0)
            trace_sink_leave_out(w->sink, "size of a release", 1);
        out = put_hex(out, event->u.resource.id);
        out = PUT(out, ")");
    }
    out = PUT(out, "\n");
    log_output_take(&w->output, out);
    return 0;
}

/* --- arguments ------------------------------------------------------------------------------------- */

static int write_arg(struct text_writer *w, const struct trace_call *call, uint32_t index)
{
    char number[FORMAT_INT_BYTES + 8], value[SINK_VALUE_BYTES];
    const char *name = number;
    size_t length;
    const char *text = sink_value_text(w->sink, &call->args[index], value, &length);
    if (index < call->sig->arg_count)
        name = call->sig->arg_names[index];
    else
        number[format_uint(number, index + UINT64_C(1))] = '\0';
    size_t name_length = strlen(name);
    char *out = log_output_reserve(&w->output, name_length + length + 8);
    if (out == NULL)
        return TRACE_ERR_IO;
    out = PUT(out, "\t$");
    out = text_put(w, out, name, name_length);
    out = PUT(out, " = ");
    if (length > 0)
        out = text_put(w, out, text, length);
    out = PUT(out, "\n");
    log_output_take(&w->output, out);
    return 0;
}

/* --- backtrace ------------------------------------------------------------------------------------- */

static bool is_bare(const struct trace_frame *f)
{
    return f->function == NULL && f->module == NULL && f->file == NULL && f->offset < 0;
}

/* Writes the frames without names that come next. Returns their number, or 0. */
static uint32_t write_bare_frames(struct text_writer *w, const struct trace_frame *frames, uint32_t count)
{
    enum { AT_ONCE = 1024 };
    count = count < AT_ONCE ? count : AT_ONCE;
    char *out = log_output_reserve(&w->output, (size_t)count * FRAME_BYTES);
    uint32_t i = 0;
    if (out == NULL)
        return 0;
    for (; i < count && is_bare(&frames[i]); ++i) {
        out = PUT(out, "\t0x");
        out += format_hex(out, frames[i].address);
        *out++ = '\n';
    }
    log_output_take(&w->output, out);
    return i;
}

static size_t length_of(const char *text)
{
    return text != NULL ? strlen(text) : 0;
}

/* Writes " NAME()". A name that contains parentheses is already complete. A frame that a resolver could not
 * resolve has "in ??". */
static char *put_function(struct text_writer *w, char *out, const struct trace_frame *f)
{
    bool unknown = strcmp(f->function, "??") == 0 && f->file == NULL && f->module == NULL;
    out = unknown ? PUT(out, " in ") : PUT(out, " ");
    out = text_put(w, out, f->function, strlen(f->function));
    return unknown || strchr(f->function, '(') != NULL ? out : PUT(out, "()");
}

/* Writes the source location, or the module if it is unknown. */
static char *put_place(struct text_writer *w, char *out, const struct trace_frame *f)
{
    if (f->file == NULL) {
        out = PUT(out, " from ");
        return text_put(w, out, f->module, strlen(f->module));
    }
    if (f->module != NULL)
        trace_sink_leave_out(w->sink, "module of a frame", 1);
    out = PUT(out, " at ");
    out = text_put(w, out, f->file, strlen(f->file));
    if (f->line < 0)
        return out;
    out = PUT(out, ":");
    return out + format_sint(out, f->line);
}

static int write_named_frame(struct text_writer *w, const struct trace_frame *f)
{
    size_t room = length_of(f->function) + length_of(f->module) + length_of(f->file) + NUMBERS_BYTES;
    char *out = log_output_reserve(&w->output, room);
    if (out == NULL)
        return TRACE_ERR_IO;
    if (f->offset >= 0)
        trace_sink_leave_out(w->sink, "offset of a frame", 1);
    out = PUT(out, "\t");
    out = put_hex(out, f->address);
    if (f->function != NULL)
        out = put_function(w, out, f);
    if (f->file != NULL || f->module != NULL)
        out = put_place(w, out, f);
    out = PUT(out, "\n");
    log_output_take(&w->output, out);
    return 0;
}

static int write_frames(struct text_writer *w, const struct trace_call *call)
{
    int rc = 0;
    for (uint32_t i = 0; i < call->frame_count && rc == 0;) {
        uint32_t bare = write_bare_frames(w, call->frames + i, call->frame_count - i);
        i += bare;
        if (bare == 0)
            rc = write_named_frame(w, &call->frames[i++]);
    }
    return rc;
}

static int write_line_and_args(struct text_writer *w, const struct trace_event *event, bool names_types)
{
    const struct trace_call *call = event->call;
    int rc = write_line(w, event, names_types);
    for (uint32_t i = 0; i < call->arg_count && rc == 0; ++i)
        rc = write_arg(w, call, i);
    return rc;
}

static int write_backtrace(struct text_writer *w, const struct trace_call *call)
{
    int rc = write_frames(w, call);
    return rc == 0 ? log_output_put(&w->output, "\n", 1) : rc;
}

int text_write_call(struct text_writer *w, const struct trace_event *event, bool names_types)
{
    int rc = write_line_and_args(w, event, names_types);
    return rc == 0 ? write_backtrace(w, event->call) : rc;
}

int text_write_member(struct text_writer *w, const struct trace_event *event, bool names_types,
                      const char *summary)
{
    int rc = write_line_and_args(w, event, names_types);
    if (rc != 0 || summary == NULL)
        return rc;
    rc = log_output_put(&w->output, summary, strlen(summary));
    if (rc == 0)
        rc = log_output_put(&w->output, "\n", 1);
    return rc == 0 ? write_backtrace(w, event->call) : rc;
}
