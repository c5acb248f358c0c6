/* SPDX-License-Identifier: MIT */
#include "trace/text/call_text_put.h"

#include <stdio.h>

/* Of times, as in "   0.001234560 s       0.35 us". */
#define SECOND_DECIMALS      9
#define SECOND_WIDTH         15
#define MICROSECOND_DECIMALS 3
#define MICROSECOND_WIDTH    12

void trace_call_text_init(struct trace_call_text *f, const struct trace_call_text_style *style)
{
    memset(f, 0, sizeof *f);
    f->style = *style;
}

void trace_call_text_fini(struct trace_call_text *f)
{
    trace_call_text_forget_signatures(f);
    buf_fini(&f->out);
}

void trace_call_text_forget_signatures(struct trace_call_text *f)
{
    memset(f->enum_cache, 0, sizeof f->enum_cache);
    trace_call_pieces_forget(&f->pieces);
}

void trace_call_text_keep_error(struct trace_call_text *f, int rc)
{
    if (f->error != 0)
        return;
    f->error = rc;
    snprintf(f->message, sizeof f->message, "%s", error_message());
}

/* --- calls ----------------------------------------------------------------------------------------- */

int trace_call_text_add_property(struct trace_call_text *f, const struct trace_property *property)
{
    PUT_LITERAL(f, "// ");
    put_text(f, property->name);
    PUT_LITERAL(f, " = ");
    trace_call_text_put_string(f, property->value, strlen(property->value));
    put_byte(f, '\n');
    return f->error;
}

/* The piece of text before argument i, or after the last. */
static int append_piece(const void *style, const struct trace_function_sig *sig, uint32_t i, struct buf *text)
{
    const struct trace_call_text_style *s = style;
    const char *normal = s->color ? STYLE_NORMAL : "";
    int rc = 0;
    if (i == 0) {
        bool asks = (sig->flags & TRACE_CALL_NO_SIDE_EFFECTS) != 0;
        rc |= buf_append_string(text, s->color && !asks ? STYLE_BOLD : normal);
        rc |= buf_append_string(text, sig->name);
        rc |= buf_append_string(text, normal);
        rc |= buf_append_byte(text, '(');
    }
    if (i == sig->arg_count)
        return rc | buf_append_byte(text, ')');
    if (i > 0)
        rc |= buf_append_string(text, ", ");
    if (s->arg_names) {
        rc |= buf_append_string(text, sig->arg_names[i]);
        rc |= buf_append_string(text, normal);
        rc |= buf_append_string(text, " = ");
    }
    return rc;
}

/* The name and the arguments. */
static void put_name_and_args(struct trace_call_text *f, const struct trace_call *call)
{
    const struct trace_call_pieces *c = trace_call_pieces_get(&f->pieces, append_piece, &f->style, call->sig);
    if (c == NULL) {
        trace_call_text_keep_error(f, ERR_MEMORY);
        return;
    }
    const char *text = (const char *)c->text.data;
    uint32_t named = call->sig->arg_count;
    for (uint32_t i = 0; i < named; ++i) {
        put_padded(f, text + c->starts[i], c->starts[i + 1] - c->starts[i]);
        trace_call_text_put_value(f, &call->args[i]);
    }
    put_padded(f, text + c->starts[named], c->starts[named + 1] - c->starts[named]);
}

static void put_remarks(struct trace_call_text *f, uint32_t flags)
{
    if ((flags & (TRACE_CALL_FAKE | TRACE_CALL_INCOMPLETE)) == 0)
        return;
    PUT_LITERAL(f, " //");
    if ((flags & TRACE_CALL_FAKE) != 0)
        PUT_LITERAL(f, " fake");
    if ((flags & TRACE_CALL_INCOMPLETE) != 0) {
        put_byte(f, ' ');
        PUT_STYLE(f, STYLE_RED);
        PUT_LITERAL(f, "incomplete");
        PUT_STYLE(f, STYLE_NORMAL);
    }
}

static void put_frame(struct trace_call_text *f, const struct trace_frame *frame)
{
    put_text(f, frame->module != NULL ? frame->module : "?");
    if (frame->function != NULL) {
        PUT_LITERAL(f, ": ");
        put_text(f, frame->function);
    }
    if (frame->offset >= 0) {
        PUT_LITERAL(f, "+0x");
        put_hex(f, (uint64_t)frame->offset);
    }
    if (frame->file != NULL) {
        PUT_LITERAL(f, ": ");
        put_text(f, frame->file);
        if (frame->line >= 0) {
            put_byte(f, ':');
            put_sint(f, frame->line);
        }
    }
    put_byte(f, '\n');
}

int trace_call_text_add_frames(struct trace_call_text *f, const struct trace_call *call)
{
    for (uint32_t i = 0; i < call->frame_count; ++i)
        put_frame(f, &call->frames[i]);
    return f->error == 0 ? 0 : error_set(f->error, "%s", f->message);
}

static void put_backtrace(struct trace_call_text *f, const struct trace_call *call)
{
    PUT_STYLE(f, STYLE_BOLD STYLE_RED);
    PUT_LITERAL(f, "Backtrace:\n");
    PUT_STYLE(f, STYLE_NORMAL);
    trace_call_text_add_frames(f, call);
}

/* --- times ----------------------------------------------------------------------------------------- */

/* nanoseconds as a number with so many decimals, right-aligned in width columns; "?" if it is not known. */
static void put_decimal(struct trace_call_text *f, bool known, int64_t nanoseconds, unsigned decimals,
                        size_t width)
{
    char text[40] = "?";
    size_t n = 1;
    if (known) {
        uint64_t magnitude = nanoseconds < 0 ? 0 - (uint64_t)nanoseconds : (uint64_t)nanoseconds;
        uint64_t unit = decimals == 9 ? 1000000000 : 1000;
        text[0] = '-';
        n = nanoseconds < 0;
        n += format_uint(text + n, magnitude / unit);
        text[n++] = '.';
        format_digits(text + n, magnitude % unit, decimals);
        n += decimals;
    }
    for (size_t i = n; i < width; ++i)
        put_byte(f, ' ');
    put_bytes(f, text, n);
}

static void put_times(struct trace_call_text *f, const struct trace_call *call)
{
    bool entered = call->enter_time != TRACE_NO_TIME;
    bool left = entered && call->leave_time != TRACE_NO_TIME;
    put_decimal(f, entered, call->enter_time, SECOND_DECIMALS, SECOND_WIDTH);
    PUT_LITERAL(f, " s ");
    put_decimal(f, left, left ? call->leave_time - call->enter_time : 0, MICROSECOND_DECIMALS,
                MICROSECOND_WIDTH);
    PUT_LITERAL(f, " us  ");
}

/* --- all of a call --------------------------------------------------------------------------------- */

int trace_call_text_add(struct trace_call_text *f, const struct trace_call *call)
{
    f->call_number = call->number;
    f->blob_count = 0;
    if (f->style.times)
        put_times(f, call);
    if (f->style.call_nos) {
        put_uint(f, call->number);
        put_byte(f, ' ');
    }
    if (f->style.thread_ids) {
        put_byte(f, '@');
        put_hex(f, call->thread);
        put_byte(f, ' ');
    }
    put_name_and_args(f, call);
    if (call->ret.type != TRACE_NONE) {
        PUT_LITERAL(f, " = ");
        trace_call_text_put_value(f, &call->ret);
    }
    put_remarks(f, call->flags);
    put_byte(f, '\n');
    if (f->style.multiline && call->frames != NULL)
        put_backtrace(f, call);
    if (f->style.multiline && (call->flags & TRACE_CALL_END_FRAME) != 0)
        put_byte(f, '\n');
    return f->error == 0 ? 0 : error_set(f->error, "%s", f->message);
}
