/* SPDX-License-Identifier: MIT
 * The lines of a text, one after the other; of any length.
 */
#ifndef FORMATS_LINE_READER_H
#define FORMATS_LINE_READER_H

#include "formats/shared/file_window.h"
#include "formats/shared/text_slice.h"

struct line_reader {
    struct file_window window;
    uint64_t offset; /* of the next line; setting it goes there */
};

void line_reader_init(struct line_reader *r, struct trace_file *file);
void line_reader_fini(struct line_reader *r);

/* The bytes of a byte order mark with which a text may begin. */
size_t line_reader_skip_mark(const char *text, size_t count);

/* A line without its line break (of Unix or of DOS), lent until the next one; *found false: the text ends
 * here. */
int line_reader_next(struct line_reader *r, struct text_slice *line, bool *found);

#endif
