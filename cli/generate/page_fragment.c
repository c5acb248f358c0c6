/* SPDX-License-Identifier: MIT */
#include "generate/page_fragment.h"

#include "base/buf.h"
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADING ".SH "

static int read_file(const char *path, char **out)
{
    struct buf text = BUF_INIT;
    *out = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return errno == ENOENT ? 0 : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    size_t n = 1;
    int rc = 0;
    while (rc == 0 && n > 0 && (rc = buf_reserve(&text, 4096)) == 0) {
        n = fread(text.data + text.len, 1, 4095, file);
        text.len += n;
    }
    if (ferror(file))
        rc = trace_error_set(TRACE_ERR_IO, "%s: cannot be read", path);
    fclose(file);
    if (rc != 0) {
        buf_fini(&text);
        return rc;
    }
    text.data[text.len] = '\0';
    *out = (char *)text.data;
    return 0;
}

/* Splits the text at its headings. */
static int split_sections(struct page_fragment *f)
{
    int number = 0;
    for (char *line = f->text; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        ++number;
        if (strncmp(line, HEADING, strlen(HEADING)) == 0) {
            if (end == NULL || f->count == PAGE_FRAGMENT_MAX_SECTIONS)
                return trace_error_set(
                    TRACE_ERR_FORMAT, "%s:%d: this section has no text, or is one too many", f->path, number);
            *line = '\0'; /* ends the previous section */
            *end = '\0';
            f->sections[f->count++] =
                (struct page_section){.title = line + strlen(HEADING), .body = end + 1, .line = number};
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return 0;
}

int page_fragment_read(struct page_fragment *f, const char *directory, const char *name)
{
    *f = (struct page_fragment){.count = 0};
    snprintf(f->path, sizeof f->path, "%s/%s.1.in", directory, name);
    int rc = read_file(f->path, &f->text);
    return rc != 0 ? rc : split_sections(f);
}

void page_fragment_free(struct page_fragment *f)
{
    free(f->text);
    f->text = NULL;
    f->count = 0;
}

const char *page_fragment_take(struct page_fragment *f, const char *title)
{
    for (size_t i = 0; i < f->count; ++i)
        if (strcmp(f->sections[i].title, title) == 0) {
            f->sections[i].used = true;
            return f->sections[i].body;
        }
    return NULL;
}

int page_fragment_check_used(const struct page_fragment *f)
{
    for (size_t i = 0; i < f->count; ++i)
        if (!f->sections[i].used)
            return trace_error_set(TRACE_ERR_FORMAT, "%s:%d: no option is called \"%s\"", f->path,
                                   f->sections[i].line, f->sections[i].title);
    return 0;
}
