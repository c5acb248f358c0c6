/* SPDX-License-Identifier: MIT */
#include "diff/diff_print.h"

#include "base/error.h"
#include "base/first_error.h"
#include "diff/diff_apitrace.h"
#include "diff/diff_compared.h"
#include "shell/write_output.h"

#include <stdlib.h>

#define GUTTER 3 /* number of columns between the sides */

/* Adjacent hunks, with their context. */
struct group {
    size_t first, end; /* indices of hunks */
    struct diff_hunk span;
};

/* --- headings -------------------------------------------------------------------------------------- */

static int put_names(struct diff_printer *p)
{
    int rc = diff_put_style(p, STYLE_HEADING);
    rc |= buf_printf(&p->out, "--- %s", p->a.cursor.trace->name);
    rc = first_error(rc, diff_end_line(p, STYLE_HEADING));
    rc = first_error(rc, diff_put_style(p, STYLE_HEADING));
    rc = first_error(rc, buf_printf(&p->out, "+++ %s", p->b.cursor.trace->name));
    return first_error(rc, diff_end_line(p, STYLE_HEADING));
}

/* Gets the number of the first of count calls. If there are none, gets the number of the call before. */
static int first_number(struct diff_side *s, size_t count, uint64_t *out)
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

static int put_place(struct diff_printer *p, const struct diff_hunk *span)
{
    uint64_t a, b;
    int rc = first_number(&p->a, span->a_count, &a);
    if (rc == 0)
        rc = first_number(&p->b, span->b_count, &b);
    if (rc != 0)
        return rc;
    rc = diff_put_style(p, STYLE_PLACE);
    rc |= buf_printf(&p->out, "@@ -%llu,%zu +%llu,%zu @@ frame %llu", (unsigned long long)a, span->a_count,
                     (unsigned long long)b, span->b_count, (unsigned long long)p->a.cursor.frames);
    return first_error(rc, diff_end_line(p, STYLE_PLACE));
}

/* --- unified --------------------------------------------------------------------------------------- */

static int put_calls(struct diff_printer *p, struct diff_side *s, size_t count, char mark, const char *code)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        rc = diff_take_call(s);
        if (rc != 0)
            return rc;
        rc = diff_put_style(p, code);
        rc |= buf_append_byte(&p->out, (uint8_t)mark);
        rc |= buf_append(&p->out, s->formatter.out.data, s->length);
        rc = first_error(rc, diff_end_line(p, code));
    }
    return rc;
}

static int put_unified_hunk(struct diff_printer *p, const struct diff_hunk *h)
{
    if (diff_is_compared(p, h))
        return diff_put_highlighted_hunk(p, h);
    int rc = put_calls(p, &p->a, h->a_count, '-', STYLE_DELETED);
    return rc != 0 ? rc : put_calls(p, &p->b, h->b_count, '+', STYLE_ADDED);
}

static int put_unified_same(struct diff_printer *p, size_t count)
{
    int rc = put_calls(p, &p->a, count, ' ', NULL);
    return rc != 0 ? rc : diff_cursor_skip_to(&p->b.cursor, p->b.cursor.next + count);
}

/* --- side by side ---------------------------------------------------------------------------------- */

/* Writes the side's text, cut off at the width. *columns receives the number of columns written. */
static int put_half(struct diff_printer *p, const struct diff_side *s, const struct diff_side *other,
                    const char *code, size_t *columns)
{
    size_t half = (p->style->width - GUTTER) / 2;
    struct diff_line line = {.text = (const char *)s->formatter.out.data, .size = s->length};
    *columns = s->length < half ? s->length : half;
    if (other != NULL && p->style->color)
        diff_find_changes(&line.changes, line.text, line.size, (const char *)other->formatter.out.data,
                          other->length);
    int rc = diff_put_style(p, code);
    size_t from = p->out.len;
    rc |= diff_put_line(p, &line, half);
    for (size_t i = from; i < p->out.len; ++i)
        if (p->out.data[i] == '\t')
            p->out.data[i] = ' ';
    return rc | diff_put_style(p, code != NULL ? STYLE_NORMAL : NULL);
}

/* Writes one line of the next calls. The mark is '<' or '>' for one side alone, '|' or ' ' for both. */
static int put_row(struct diff_printer *p, char mark)
{
    size_t half = (p->style->width - GUTTER) / 2, columns = 0;
    int rc = 0;
    if (mark != '>')
        rc = diff_take_call(&p->a);
    if (mark != '<' && rc == 0)
        rc = diff_take_call(&p->b);
    if (rc == 0 && mark != '>')
        rc = put_half(p, &p->a, mark == '|' ? &p->b : NULL, mark == ' ' ? NULL : STYLE_DELETED, &columns);
    if (rc == 0)
        rc = buf_printf(&p->out, "%*s %c", (int)(half - columns), "", mark);
    if (rc == 0 && mark != '<') {
        rc = buf_append_byte(&p->out, ' ');
        rc |= put_half(p, &p->b, mark == '|' ? &p->a : NULL, mark == ' ' ? NULL : STYLE_ADDED, &columns);
    }
    return rc != 0 ? rc : diff_end_line(p, NULL);
}

static int put_rows(struct diff_printer *p, size_t count, char mark)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i)
        rc = put_row(p, mark);
    return rc;
}

static int put_side_by_side_hunk(struct diff_printer *p, const struct diff_hunk *h)
{
    struct diff_script pairs = {NULL, 0, 0};
    int rc = diff_pair_by_name(p, h, &pairs);
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

static int put_same(struct diff_printer *p, size_t count)
{
    return p->style->format == DIFF_SIDE_BY_SIDE ? put_rows(p, count, ' ') : put_unified_same(p, count);
}

static int put_hunk(struct diff_printer *p, const struct diff_hunk *h)
{
    return p->style->format == DIFF_SIDE_BY_SIDE ? put_side_by_side_hunk(p, h) : put_unified_hunk(p, h);
}

/* Returns the hunks from `first` on that are so close to each other that their contexts meet. */
static struct group find_group(const struct diff_printer *p, size_t first)
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

static int put_group(struct diff_printer *p, const struct group *g)
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

static int put_all(struct diff_printer *p)
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

static int open_side(struct diff_side *s, struct diff_trace *t, const struct diff_style *style)
{
    struct trace_call_text_style text = {.call_nos = style->call_nos,
                                         .arg_names = style->arg_names,
                                         .blob_checksums = true,
                                         .exact_floats = true};
    trace_call_text_init(&s->formatter, &text);
    return diff_cursor_open(&s->cursor, t);
}

static void close_side(struct diff_side *s)
{
    diff_cursor_close(&s->cursor);
    trace_call_text_fini(&s->formatter);
}

int diff_print(struct diff_trace *a, struct diff_trace *b, const struct diff_script *script,
               const struct diff_style *style)
{
    struct diff_printer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    p->style = style;
    p->script = script;
    int rc = open_side(&p->a, a, style);
    if (rc == 0)
        rc = open_side(&p->b, b, style);
    if (rc == 0)
        rc = style->format == DIFF_LIKE_APITRACE ? diff_put_like_apitrace(p) : put_all(p);
    if (rc == 0)
        rc = write_output(&p->out);
    close_side(&p->a);
    close_side(&p->b);
    buf_fini(&p->out);
    free(p);
    return rc;
}
