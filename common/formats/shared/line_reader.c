/* SPDX-License-Identifier: MIT */
#include "formats/shared/line_reader.h"

#include <string.h>

#define FIRST_LOOK ((size_t)256)

void line_reader_init(struct line_reader *r, struct trace_file *file)
{
    file_window_init(&r->window, file);
    r->offset = 0;
}

void line_reader_fini(struct line_reader *r)
{
    file_window_fini(&r->window);
}

size_t line_reader_skip_mark(const char *text, size_t count)
{
    static const char mark[] = "\xef\xbb\xbf";
    return count >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

/* Editors of other systems add a byte order mark, or a carriage return at the end of each line. These do not
 * belong to the line. */
static void strip(struct text_slice *line, bool is_first)
{
    if (is_first) {
        size_t mark = line_reader_skip_mark(line->text, line->length);
        line->text += mark;
        line->length -= mark;
    }
    line->length -= line->length > 0 && line->text[line->length - 1] == '\r';
}

int line_reader_next(struct line_reader *r, struct text_slice *line, bool *found)
{
    const uint8_t *bytes, *end;
    size_t got, seen = 0, want = FIRST_LOOK;
    for (;; want *= 2) {
        int rc = file_window_get(&r->window, r->offset, want, &bytes, &got);
        if (rc != 0)
            return rc;
        end = got > seen ? memchr(bytes + seen, '\n', got - seen) : NULL;
        if (end != NULL || got < want)
            break;
        seen = got;
    }
    *found = end != NULL || got > 0;
    *line = (struct text_slice){(const char *)bytes, end != NULL ? (size_t)(end - bytes) : got};
    uint64_t start = r->offset;
    r->offset += line->length + (end != NULL);
    strip(line, start == 0);
    return 0;
}
