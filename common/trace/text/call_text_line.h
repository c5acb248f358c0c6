/* SPDX-License-Identifier: MIT
 * The parts of a call's line, written into memory that is already reserved. Shared by call_text.c and by
 * formats that write the text of a call without making a struct trace_call.
 */
#ifndef TRACE_CALL_TEXT_LINE_H
#define TRACE_CALL_TEXT_LINE_H

#include "trace/text/call_text_scalar.h"

/* A trace_call_template_maker; `style` is that of the formatter. */
int trace_call_text_append_piece(const void *style, const struct trace_function_sig *sig, uint32_t i,
                                 struct buf *text);

/* Returns the constant parts of the text of a function's calls; see trace_call_template_get(). */
static inline const struct trace_call_template *trace_call_text_template(struct trace_call_text *f,
                                                                         const struct trace_function_sig *sig)
{
    return trace_call_template_get(&f->pieces, trace_call_text_append_piece, &f->style, sig);
}

/* Writes a value at p, the end of the text. It may be longer than the reserved room. Then reserves room
 * again, and returns the end of the text, or NULL if there is no memory. */
char *trace_call_text_put_long_value(struct trace_call_text *f, char *p, const struct trace_value *v,
                                     size_t room);

/* Returns the room for the number, the thread, the pieces, and values that are all scalars. */
static inline size_t usual_room(const struct trace_function_sig *sig, const struct trace_call_template *c)
{
    return c->text.len + CALL_TEXT_SHORT + ((size_t)sig->arg_count + 2) * SCALAR_BYTES;
}

static inline char *write_thread(char *p, uint32_t thread)
{
    *p++ = '@';
    p += format_hex(p, thread);
    *p++ = ' ';
    return p;
}

static inline char *write_number_and_thread(const struct trace_call_text *f, char *p, uint64_t number,
                                            uint32_t thread)
{
    if (f->style.call_nos) {
        p += format_uint(p, number);
        *p++ = ' ';
    }
    return f->style.thread_ids ? write_thread(p, thread) : p;
}

/* Writes the piece of text before argument i, or after the last one. There must be room for all pieces. */
static inline char *write_piece(char *p, const struct trace_call_template *c, uint32_t i)
{
    const char *text = (const char *)c->text.data + c->starts[i];
    size_t length = c->starts[i + 1] - c->starts[i];
    memcpy(p, text, CALL_TEXT_SHORT);
    if (length > CALL_TEXT_SHORT)
        memcpy(p, text, length);
    return p + length;
}

#endif
