/* SPDX-License-Identifier: MIT
 * Writes the records of a text to an output. docs/sp-rtrace-format.md, "Text", describes them.
 */
#ifndef SP_RTRACE_TEXT_WRITER_H
#define SP_RTRACE_TEXT_WRITER_H

#include "formats/shared/line_reader.h"
#include "formats/shared/log_output.h"
#include "trace/sink_ops.h"

/* What a line's texts may take, so that it can be read again, with its numbers and signs. */
#define TEXT_LINE_MAX (LINE_READER_MAX - 512)

#define TEXT_TIME_BYTES 64
#define TEXT_NAMES      64 /* number of cached names; a power of two */

/* A cached function name, so that its length is not measured again. */
struct text_name {
    const struct trace_function_sig *sig; /* NULL: the entry is empty, or the name contains line breaks */
    size_t length;
};

struct text_writer {
    struct log_output output;
    struct trace_sink *sink; /* lent; counts what is left out */
    int64_t time;            /* the last timestamp that was written, and its text */
    size_t time_length;
    char time_text[TEXT_TIME_BYTES];
    struct text_name names[TEXT_NAMES]; /* indexed by a hash of the signature's address */
};

/* All functions return 0 or the error of the output. */
int text_write_header(struct text_writer *w, const struct trace_sink_options *options);
int text_write_declaration(struct text_writer *w,
                           const struct trace_event *event); /* of any kind except calls */

/* names_types: append the name of the resource's type. */
int text_write_call(struct text_writer *w, const struct trace_event *event, bool names_types);

/* Writes a call of a group that shares a backtrace. summary: for the last call of the group, a comment that
 * is written between it and the backtrace; NULL for the other calls. */
int text_write_member(struct text_writer *w, const struct trace_event *event, bool names_types,
                      const char *summary);

/* Writes text to a line that begins at the end of the output. Line breaks are replaced by blanks, and the
 * text is cut where the line would become too long. */
char *text_put(struct text_writer *w, char *out, const char *text, size_t length);

#endif
