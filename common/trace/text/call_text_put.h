/* SPDX-License-Identifier: MIT
 * Appends to the text of a trace_call_text; shared by the files that implement it. Lack of memory is noted in
 * the formatter, not returned.
 */
#ifndef TRACE_CALL_TEXT_PUT_H
#define TRACE_CALL_TEXT_PUT_H

#include "base/error.h"
#include "base/format_number.h"
#include "trace/text/call_text_types.h"

#include <string.h>

#define STYLE_NORMAL  "\33[0m"
#define STYLE_BOLD    "\33[1m"
#define STYLE_RED     "\33[31m"
#define STYLE_ADDRESS "\33[32m"
#define STYLE_LITERAL "\33[34m"

/* Keeps rc and the current error message if this is the formatter's first error. */
void trace_call_text_keep_error(struct trace_call_text *f, int rc);

/* Reserves count bytes at the end of the text. Returns NULL if there is no memory. */
static inline char *reserve(struct trace_call_text *f, size_t count)
{
    if (buf_reserve(&f->out, count) != 0) {
        trace_call_text_keep_error(f, TRACE_ERR_MEMORY);
        return NULL;
    }
    return (char *)f->out.data + f->out.len;
}

/* Inline, so that copying a string constant compiles to one or two moves. */
static inline __attribute__((always_inline)) void put_bytes(struct trace_call_text *f, const char *bytes,
                                                            size_t count)
{
    char *p = reserve(f, count);
    if (p != NULL) {
        memcpy(p, bytes, count);
        f->out.len += count;
    }
}

static inline void put_text(struct trace_call_text *f, const char *text)
{
    put_bytes(f, text, strlen(text));
}

/* Appends a string constant, whose length is known at compile time. */
#define PUT_LITERAL(f, text) put_bytes(f, text, sizeof(text) - 1)

/* Appends a string constant if the style is coloured. */
#define PUT_STYLE(f, style_text)                                                                             \
    do {                                                                                                     \
        if ((f)->style.color)                                                                                \
            PUT_LITERAL(f, style_text);                                                                      \
    } while (0)

static inline void put_byte(struct trace_call_text *f, char c)
{
    put_bytes(f, &c, 1);
}

static inline void put_sint(struct trace_call_text *f, int64_t value)
{
    char *p = reserve(f, FORMAT_INT_BYTES);
    if (p != NULL)
        f->out.len += format_sint(p, value);
}

static inline void put_hex(struct trace_call_text *f, uint64_t value)
{
    char *p = reserve(f, FORMAT_HEX_BYTES);
    if (p != NULL)
        f->out.len += format_hex(p, value);
}

#endif
