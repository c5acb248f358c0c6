/* SPDX-License-Identifier: MIT */
#include "diff/state_lines.h"

#include "base/array.h"
#include "base/error.h"
#include "diff/diff_align.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct line {
    const char *text;
    size_t size;
};

struct lines {
    struct line *lines;
    uint64_t *hashes;
    size_t count, room;
};

static int split(struct lines *out, const struct json_value *v)
{
    const char *end = v->text + v->count;
    for (const char *at = v->text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((newline != NULL ? newline : end) - at);
        if (ARRAY_RESERVE(out->lines, out->count, out->room) != 0)
            return TRACE_ERR_MEMORY;
        out->lines[out->count++] = (struct line){at, size};
        at += size + 1;
    }
    out->hashes = malloc((out->count + 1) * sizeof *out->hashes);
    if (out->hashes == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for lines");
    for (size_t i = 0; i < out->count; ++i)
        out->hashes[i] = XXH3_64bits(out->lines[i].text, out->lines[i].size);
    return 0;
}

static void lines_fini(struct lines *l)
{
    free(l->lines);
    free(l->hashes);
}

static void put_lines(const struct lines *l, size_t first, size_t count, char tag, state_line_callback put,
                      void *context)
{
    for (size_t i = first; i < first + count; ++i)
        put(context, tag, l->lines[i].text, l->lines[i].size);
}

static void put_script(const struct diff_script *script, const struct lines *a, const struct lines *b,
                       state_line_callback put, void *context)
{
    size_t done = 0;
    for (size_t i = 0; i < script->count; ++i) {
        const struct diff_hunk *h = &script->hunks[i];
        put_lines(a, done, h->a - done, ' ', put, context);
        put_lines(a, h->a, h->a_count, '-', put, context);
        put_lines(b, h->b, h->b_count, '+', put, context);
        done = h->a + h->a_count;
    }
    put_lines(a, done, a->count - done, ' ', put, context);
}

int state_lines_compare(const struct json_value *a, const struct json_value *b, state_line_callback put,
                        void *context)
{
    struct lines first = {0}, second = {0};
    struct diff_script script = {0};
    const struct trace_progress_callback none = {0};
    int rc = split(&first, a);
    if (rc == 0)
        rc = split(&second, b);
    if (rc == 0)
        rc = diff_align(first.hashes, first.count, second.hashes, second.count, &diff_default_effort, none,
                        &script);
    if (rc == 0)
        put_script(&script, &first, &second, put, context);
    diff_script_fini(&script);
    lines_fini(&first);
    lines_fini(&second);
    return rc;
}
