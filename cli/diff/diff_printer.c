/* SPDX-License-Identifier: MIT */
#include "diff/diff_printer.h"

#include "base/error.h"
#include "shell/write_output.h"

#include <stdlib.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* text is written in pieces of about this size */

#define STYLE_CHANGED "\33[7m" /* in addition */
#define STYLE_SAME    "\33[27m"

int diff_put_style(struct diff_printer *p, const char *code)
{
    return p->style->color && code != NULL ? buf_append_string(&p->out, code) : 0;
}

int diff_end_line(struct diff_printer *p, const char *code)
{
    int rc = diff_put_style(p, code != NULL ? STYLE_NORMAL : NULL);
    if (rc == 0)
        rc = buf_append_byte(&p->out, '\n');
    return rc == 0 && p->out.len >= FLUSH_BYTES ? write_output(&p->out) : rc;
}

int diff_take_call(struct diff_side *s)
{
    const struct trace_call *call;
    int rc = diff_cursor_next(&s->cursor, &call);
    if (rc != 0)
        return rc;
    buf_clear(&s->formatter.out);
    rc = trace_call_text_add(&s->formatter, call);
    s->length = s->formatter.out.len - (s->formatter.out.len > 0);
    call_input_release(&s->cursor.in, call);
    return rc;
}

/* --- changes inside calls -------------------------------------------------------------------------- */

static int put_part(struct diff_printer *p, const struct diff_line *l, size_t at, size_t end, bool changed)
{
    int rc = changed ? diff_put_style(p, STYLE_CHANGED) : 0;
    rc |= buf_append(&p->out, l->text + at, end - at);
    return rc | (changed ? diff_put_style(p, STYLE_SAME) : 0);
}

int diff_put_line(struct diff_printer *p, const struct diff_line *l, size_t limit)
{
    size_t size = l->size < limit ? l->size : limit;
    size_t done = 0;
    int rc = 0;
    for (size_t i = 0; i < l->changes.count && l->changes.parts[i].at < size; ++i) {
        const struct diff_part *part = &l->changes.parts[i];
        size_t end = part->end < size ? part->end : size;
        rc |= put_part(p, l, done, part->at, false) | put_part(p, l, part->at, end, true);
        done = end;
    }
    return rc | put_part(p, l, done, size, false);
}

int diff_pair_by_name(const struct diff_printer *p, const struct diff_hunk *h, struct diff_script *out)
{
    uint64_t *names = malloc((h->a_count + h->b_count + 1) * sizeof *names);
    if (names == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < h->a_count; ++i)
        names[i] = p->a.cursor.trace->names[h->a + i];
    for (size_t i = 0; i < h->b_count; ++i)
        names[h->a_count + i] = p->b.cursor.trace->names[h->b + i];
    int rc = diff_align(names, h->a_count, names + h->a_count, h->b_count, &diff_default_effort,
                        (struct trace_progress_callback){NULL, NULL}, out);
    free(names);
    return rc;
}
