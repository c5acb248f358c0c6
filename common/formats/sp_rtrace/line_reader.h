/* SPDX-License-Identifier: MIT
 * The lines of a text, one after the other; of any length.
 */
#ifndef SP_RTRACE_LINE_READER_H
#define SP_RTRACE_LINE_READER_H

#include "formats/sp_rtrace/file_window.h"
#include "formats/sp_rtrace/text_lines.h"

struct line_reader {
    struct file_window window;
    uint64_t offset; /* of the next line; setting it goes there */
};

void line_reader_init(struct line_reader *r, struct trace_file *file);
void line_reader_fini(struct line_reader *r);

/* A line without its line break, lent until the next one; *found false: the text ends here. */
int line_reader_next(struct line_reader *r, struct text_slice *line, bool *found);

/* Reads the lines below the title of the heap's statistics. *found false: they are not that, and will be read
 * again. */
int line_reader_take_heap(struct line_reader *r, struct trace_heap *heap, bool *found);

#endif
