/* SPDX-License-Identifier: MIT
 * The records of a text, written into an output: docs/sp-rtrace-format.md, "Text".
 */
#ifndef SP_RTRACE_TEXT_WRITER_H
#define SP_RTRACE_TEXT_WRITER_H

#include "formats/shared/log_output.h"
#include "trace/sink_ops.h"

#define TEXT_TIME_BYTES 64
#define TEXT_NAMES      64 /* a power of two */

/* A function's name that was written lately: it is not measured again. */
struct text_name {
    const struct trace_function_sig *sig; /* NULL: none, or its name has line breaks */
    size_t length;
};

struct text_writer {
    struct log_output output;
    struct trace_sink *sink; /* lent: it counts what is left out */
    int64_t time;            /* the last one; its text: */
    size_t time_length;
    char time_text[TEXT_TIME_BYTES];
    struct text_name names[TEXT_NAMES]; /* by the signature's address */
};

/* All return 0 or the output's error. */
int text_write_header(struct text_writer *w, const struct trace_sink_options *options);
int text_write_declaration(struct text_writer *w,
                           const struct trace_event *event); /* of any kind but calls */

/* names_types: else the type of the resource goes without saying. */
int text_write_call(struct text_writer *w, const struct trace_event *event, bool names_types);

/* A call of several that share a backtrace. summary: a comment behind the last of them, before the backtrace;
 * NULL: others follow. */
int text_write_member(struct text_writer *w, const struct trace_event *event, bool names_types,
                      const char *summary);

/* Text of a line: a line break in it would end the line, so a blank takes its place. */
char *text_put(struct text_writer *w, char *out, const char *text, size_t length);

#endif
