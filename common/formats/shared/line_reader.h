/* SPDX-License-Identifier: MIT
 * Reads a text line by line.
 */
#ifndef FORMATS_LINE_READER_H
#define FORMATS_LINE_READER_H

#include "formats/shared/file_window.h"
#include "formats/shared/text_slice.h"

/* The highest length of a line in bytes, without its line break; limits the cost of a line. */
#define LINE_READER_MAX ((size_t)1 << 20)

struct line_reader {
    struct file_window window;
    uint64_t offset; /* file offset of the next line; set it to continue elsewhere */
};

void line_reader_init(struct line_reader *r, struct trace_file *file);
void line_reader_fini(struct line_reader *r);

/* Returns the size in bytes of the byte order mark at the beginning of the text, or 0 if there is none. */
size_t line_reader_skip_mark(const char *text, size_t count);

/* Reads the next line without its line break (LF or CR LF). The line is lent until the next call. *found is
 * false at the end of the text. Errors: TRACE_ERR_FORMAT if the line is longer than LINE_READER_MAX,
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int line_reader_next(struct line_reader *r, struct text_slice *line, bool *found);

#endif
