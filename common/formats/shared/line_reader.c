/* SPDX-License-Identifier: MIT */
#include "formats/shared/line_reader.h"

#include "base/error.h"

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

/* Lines are not counted as they are read, since readers go to and fro. */
static int say_too_long(struct line_reader *r)
{
    const uint8_t *bytes, *end;
    size_t got;
    unsigned long long number = 1;
    for (uint64_t at = 0; at < r->offset; at += got) {
        int rc = file_window_get(&r->window, at, 1, &bytes, &got);
        if (rc != 0)
            return rc;
        if (got == 0)
            break;
        if (got > r->offset - at)
            got = (size_t)(r->offset - at);
        for (const uint8_t *p = bytes; (end = memchr(p, '\n', (size_t)(bytes + got - p))) != NULL;
             p = end + 1)
            ++number;
    }
    return trace_error_set(TRACE_ERR_FORMAT, "line %llu is longer than %zu bytes", number, LINE_READER_MAX);
}

/* A line that is not all in memory yet, or the first or last one. */
static int next_slowly(struct line_reader *r, struct text_slice *line, bool *found)
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
        if (got > LINE_READER_MAX + 1)
            return say_too_long(r);
        seen = got;
    }
    *found = end != NULL || got > 0;
    *line = (struct text_slice){(const char *)bytes, end != NULL ? (size_t)(end - bytes) : got};
    uint64_t start = r->offset;
    r->offset += line->length + (end != NULL);
    strip(line, start == 0);
    if (line->length > LINE_READER_MAX) {
        r->offset = start;
        return say_too_long(r);
    }
    return 0;
}

int line_reader_next(struct line_reader *r, struct text_slice *line, bool *found)
{
    const struct file_window *w = &r->window;
    uint64_t at = r->offset - w->start; /* huge before the window */
    if (r->offset == 0 || at >= w->len)
        return next_slowly(r, line, found);
    const uint8_t *start = w->data + at, *end = memchr(start, '\n', w->len - (size_t)at);
    size_t length = end != NULL ? (size_t)(end - start) : SIZE_MAX;
    if (length > LINE_READER_MAX)
        return next_slowly(r, line, found);
    r->offset += length + 1;
    *line = (struct text_slice){(const char *)start, length - (length > 0 && end[-1] == '\r')};
    *found = true;
    return 0;
}
