/* SPDX-License-Identifier: MIT */
#include "diff_print.h"

#include "base/error.h"
#include "base/write_all.h"
#include "trace/call_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FLUSH_BYTES ((size_t)1 << 16) /* text is written in pieces of about this size */
#define GUTTER      3                 /* columns between the sides */

#define STYLE_NORMAL  "\33[0m"
#define STYLE_HEADING "\33[1m"
#define STYLE_PLACE   "\33[36m"
#define STYLE_DELETED "\33[31m"
#define STYLE_ADDED   "\33[32m"

struct side {
    struct diff_cursor cursor;
    struct trace_call_text formatter; /* its text: the present call's */
    size_t length;                    /* of that text without line end */
};

struct printer {
    const struct diff_style *style;
    const struct diff_script *script;
    struct side a, b;
    struct buf out;
};

/* Neighbouring hunks, with their context. */
struct group {
    size_t first, end; /* hunks */
    struct diff_hunk span;
};

/* --- output ---------------------------------------------------------------------------------------- */

static int flush(struct printer *p)
{
    if (write_all(STDOUT_FILENO, p->out.data, p->out.len) != 0)
        return error_set_errno(ERR_IO, errno, "cannot write to the standard output");
    buf_clear(&p->out);
    return 0;
}

static int put_style(struct printer *p, const char *code)
{
    return p->style->color && code != NULL ? buf_append_string(&p->out, code) : 0;
}

static int end_line(struct printer *p, const char *code)
{
    int rc = put_style(p, code != NULL ? STYLE_NORMAL : NULL);
    if (rc == 0)
        rc = buf_append_byte(&p->out, '\n');
    return rc == 0 && p->out.len >= FLUSH_BYTES ? flush(p) : rc;
}

/* Formats the side's next call; an absent side has no text. */
static int take_call(struct side *s)
{
    const struct trace_call *call;
    int rc = diff_cursor_next(&s->cursor, &call);
    if (rc != 0)
        return rc;
    buf_clear(&s->formatter.out);
    rc = trace_call_text_add(&s->formatter, call);
    s->length = s->formatter.out.len - (s->formatter.out.len > 0);
    trace_call_release(s->cursor.reader, call);
    return rc;
}

/* --- headings -------------------------------------------------------------------------------------- */

static int put_names(struct printer *p)
{
    int rc = put_style(p, STYLE_HEADING);
    rc |= buf_printf(&p->out, "--- %s", p->a.cursor.trace->name);
    rc |= end_line(p, STYLE_HEADING);
    rc |= put_style(p, STYLE_HEADING);
    rc |= buf_printf(&p->out, "+++ %s", p->b.cursor.trace->name);
    return rc | end_line(p, STYLE_HEADING);
}

/* The number of the first of count calls; of the call before if there is none. */
static int first_number(struct side *s, size_t count, uint64_t *out)
{
    const struct trace_call *call;
    *out = s->cursor.last_number;
    if (count == 0)
        return 0;
    int rc = diff_cursor_peek(&s->cursor, &call);
    if (rc == 0)
        *out = call->number;
    return rc;
}

static int put_place(struct printer *p, const struct diff_hunk *span)
{
    uint64_t a, b, frame = p->a.cursor.frames;
    int rc = first_number(&p->a, span->a_count, &a);
    if (rc == 0)
        rc = first_number(&p->b, span->b_count, &b);
    if (rc != 0)
        return rc;
    rc = put_style(p, STYLE_PLACE);
    rc |= buf_printf(&p->out, "@@ -%llu,%zu +%llu,%zu @@ frame %llu", (unsigned long long)a, span->a_count,
                     (unsigned long long)b, span->b_count, (unsigned long long)frame);
    return rc | end_line(p, STYLE_PLACE);
}

/* --- unified --------------------------------------------------------------------------------------- */

static int put_calls(struct printer *p, struct side *s, size_t count, char mark, const char *code)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        rc = take_call(s);
        if (rc != 0)
            return rc;
        rc = put_style(p, code);
        rc |= buf_append_byte(&p->out, (uint8_t)mark);
        rc |= buf_append(&p->out, s->formatter.out.data, s->length);
        rc |= end_line(p, code);
    }
    return rc;
}

static int put_unified_hunk(struct printer *p, const struct diff_hunk *h)
{
    int rc = put_calls(p, &p->a, h->a_count, '-', STYLE_DELETED);
    return rc != 0 ? rc : put_calls(p, &p->b, h->b_count, '+', STYLE_ADDED);
}

static int put_unified_same(struct printer *p, size_t count)
{
    int rc = put_calls(p, &p->a, count, ' ', NULL);
    return rc != 0 ? rc : diff_cursor_skip_to(&p->b.cursor, p->b.cursor.next + count);
}

/* --- side by side ---------------------------------------------------------------------------------- */

/* The side's text, cut to the width; returns its columns in *columns. */
static int put_half(struct printer *p, const struct side *s, const char *code, size_t *columns)
{
    size_t half = (p->style->width - GUTTER) / 2;
    *columns = s->length < half ? s->length : half;
    int rc = put_style(p, code);
    size_t from = p->out.len;
    rc |= buf_append(&p->out, s->formatter.out.data, *columns);
    for (size_t i = from; i < p->out.len; ++i)
        if (p->out.data[i] == '\t')
            p->out.data[i] = ' ';
    return rc | put_style(p, code != NULL ? STYLE_NORMAL : NULL);
}

/* One line of the next calls: mark '<' or '>' for one side alone, '|' and ' ' for both. */
static int put_row(struct printer *p, char mark)
{
    size_t half = (p->style->width - GUTTER) / 2, columns = 0;
    int rc = 0;
    if (mark != '>')
        rc = take_call(&p->a);
    if (mark != '<' && rc == 0)
        rc = take_call(&p->b);
    if (rc == 0 && mark != '>')
        rc = put_half(p, &p->a, mark == ' ' ? NULL : STYLE_DELETED, &columns);
    if (rc == 0)
        rc = buf_printf(&p->out, "%*s %c", (int)(half - columns), "", mark);
    if (rc == 0 && mark != '<') {
        rc = buf_append_byte(&p->out, ' ');
        rc |= put_half(p, &p->b, mark == ' ' ? NULL : STYLE_ADDED, &columns);
    }
    return rc | end_line(p, NULL);
}

static int put_rows(struct printer *p, size_t count, char mark)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = put_row(p, mark);
    return rc;
}

/* Which calls of a hunk are of the same functions: the gaps between the hunks of *out. */
static int pair_by_name(const struct printer *p, const struct diff_hunk *h, struct diff_script *out)
{
    uint64_t *names = malloc((h->a_count + h->b_count + 1) * sizeof *names);
    if (names == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < h->a_count; ++i)
        names[i] = p->a.cursor.trace->names[h->a + i];
    for (size_t i = 0; i < h->b_count; ++i)
        names[h->a_count + i] = p->b.cursor.trace->names[h->b + i];
    int rc = diff_align(names, h->a_count, names + h->a_count, h->b_count, &diff_default_effort, out);
    free(names);
    return rc;
}

static int put_side_by_side_hunk(struct printer *p, const struct diff_hunk *h)
{
    struct diff_script pairs = {NULL, 0, 0};
    int rc = pair_by_name(p, h, &pairs);
    size_t done = 0;
    for (size_t n = 0; n < pairs.count && rc == 0; ++n) {
        const struct diff_hunk *odd = &pairs.hunks[n];
        rc = put_rows(p, odd->a - done, '|');
        if (rc == 0)
            rc = put_rows(p, odd->a_count, '<');
        if (rc == 0)
            rc = put_rows(p, odd->b_count, '>');
        done = odd->a + odd->a_count;
    }
    if (rc == 0)
        rc = put_rows(p, h->a_count - done, '|');
    diff_script_fini(&pairs);
    return rc;
}

/* --- groups ---------------------------------------------------------------------------------------- */

static int put_same(struct printer *p, size_t count)
{
    return p->style->side_by_side ? put_rows(p, count, ' ') : put_unified_same(p, count);
}

static int put_hunk(struct printer *p, const struct diff_hunk *h)
{
    return p->style->side_by_side ? put_side_by_side_hunk(p, h) : put_unified_hunk(p, h);
}

/* The hunks from `first` that are so near that their contexts meet. */
static struct group find_group(const struct printer *p, size_t first)
{
    size_t context = p->style->context;
    const struct diff_hunk *hunks = p->script->hunks;
    const struct diff_hunk *h = &hunks[first];
    struct group g = {first, first + 1, {0, 0, 0, 0}};
    size_t a_end = h->a + h->a_count, b_end = h->b + h->b_count;
    for (; g.end < p->script->count && (hunks[g.end].a - a_end + 1) / 2 <= context; ++g.end) {
        a_end = hunks[g.end].a + hunks[g.end].a_count;
        b_end = hunks[g.end].b + hunks[g.end].b_count;
    }
    size_t lead = h->a < context ? h->a : context;
    size_t left = p->a.cursor.trace->count - a_end;
    size_t trail = left < context ? left : context;
    g.span = (struct diff_hunk){h->a - lead, a_end + trail - (h->a - lead), h->b - lead,
                                b_end + trail - (h->b - lead)};
    return g;
}

static int put_group(struct printer *p, const struct group *g)
{
    int rc = diff_cursor_skip_to(&p->a.cursor, g->span.a);
    if (rc == 0)
        rc = diff_cursor_skip_to(&p->b.cursor, g->span.b);
    if (rc == 0 && p->style->headings)
        rc = put_place(p, &g->span);
    for (size_t n = g->first; n < g->end && rc == 0; ++n) {
        rc = put_same(p, p->script->hunks[n].a - p->a.cursor.next);
        if (rc == 0)
            rc = put_hunk(p, &p->script->hunks[n]);
    }
    return rc != 0 ? rc : put_same(p, g->span.a + g->span.a_count - p->a.cursor.next);
}

static int put_all(struct printer *p)
{
    int rc = p->style->headings ? put_names(p) : 0;
    if (p->script->count == 0 && p->style->context == DIFF_WHOLE)
        return put_same(p, p->a.cursor.trace->count);
    for (size_t n = 0; n < p->script->count && rc == 0;) {
        struct group g = find_group(p, n);
        rc = put_group(p, &g);
        n = g.end;
    }
    return rc;
}

static int open_side(struct side *s, struct diff_trace *t, const struct diff_style *style)
{
    struct trace_call_text_style text = {.call_nos = style->call_nos,
                                         .arg_names = style->arg_names,
                                         .blob_checksums = true,
                                         .exact_floats = true};
    trace_call_text_init(&s->formatter, &text);
    return diff_cursor_open(&s->cursor, t);
}

static void close_side(struct side *s)
{
    diff_cursor_close(&s->cursor);
    trace_call_text_fini(&s->formatter);
}

int diff_print(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
               const struct diff_style *style)
{
    struct printer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    p->style = style;
    p->script = script;
    int rc = open_side(&p->a, a, style);
    if (rc == 0)
        rc = open_side(&p->b, b, style);
    if (rc == 0)
        rc = put_all(p);
    if (rc == 0)
        rc = flush(p);
    close_side(&p->a);
    close_side(&p->b);
    buf_fini(&p->out);
    free(p);
    return rc;
}
