/* SPDX-License-Identifier: MIT */
#include "diff/diff_compared.h"

#include "base/error.h"
#include "base/first_error.h"

#include <stdlib.h>

#define MAX_COMPARED 1000 /* limit for the calls of a hunk whose texts are compared */

/* The next calls of a side as one text. Line i ends before ends[i]. */
struct texts {
    struct buf text;
    size_t *ends;
};

static int take_texts(struct diff_side *s, size_t count, struct texts *out)
{
    int rc = 0;
    *out = (struct texts){BUF_INIT, malloc((count + 1) * sizeof *out->ends)};
    if (out->ends == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && rc == 0; ++i) {
        rc = diff_take_call(s);
        if (rc == 0 && (rc = buf_append(&out->text, s->formatter.out.data, s->length)) != 0)
            trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        out->ends[i] = out->text.len;
    }
    return rc;
}

static void free_texts(struct texts *t)
{
    buf_fini(&t->text);
    free(t->ends);
}

static struct diff_line get_line(const struct texts *t, size_t i)
{
    size_t at = i == 0 ? 0 : t->ends[i - 1];
    return (struct diff_line){.text = (const char *)t->text.data + at, .size = t->ends[i] - at};
}

#define NO_PARTNER SIZE_MAX

/* Writes the lines of one side, each compared with its partner on the other. */
static int put_compared(struct diff_printer *p, const struct texts *t, const struct texts *other,
                        const size_t *partners, size_t count, char mark, const char *code)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        struct diff_line line = get_line(t, i);
        if (partners[i] != NO_PARTNER) {
            struct diff_line partner = get_line(other, partners[i]);
            diff_find_changes(&line.changes, line.text, line.size, partner.text, partner.size);
        }
        rc = diff_put_style(p, code);
        rc |= buf_append_byte(&p->out, (uint8_t)mark);
        rc |= diff_put_line(p, &line, SIZE_MAX);
        rc = first_error(rc, diff_end_line(p, code));
    }
    return rc;
}

/* Matches calls of the same functions, in the same order. */
static int find_partners(const struct diff_printer *p, const struct diff_hunk *h, size_t *of_a, size_t *of_b)
{
    struct diff_script script = {NULL, 0, 0};
    int rc = diff_pair_by_name(p, h, &script);
    size_t a = 0;
    size_t b = 0;
    for (size_t n = 0; n <= script.count && rc == 0; ++n) {
        struct diff_hunk odd =
            n < script.count ? script.hunks[n] : (struct diff_hunk){h->a_count, 0, h->b_count, 0};
        for (; a < odd.a; ++a, ++b) {
            of_a[a] = b;
            of_b[b] = a;
        }
        for (; a < odd.a + odd.a_count; ++a)
            of_a[a] = NO_PARTNER;
        for (; b < odd.b + odd.b_count; ++b)
            of_b[b] = NO_PARTNER;
    }
    diff_script_fini(&script);
    return rc;
}

int diff_put_highlighted_hunk(struct diff_printer *p, const struct diff_hunk *h)
{
    struct texts a = {BUF_INIT, NULL}, b = {BUF_INIT, NULL};
    size_t of_a[MAX_COMPARED], of_b[MAX_COMPARED];
    int rc = find_partners(p, h, of_a, of_b);
    if (rc == 0)
        rc = take_texts(&p->a, h->a_count, &a);
    if (rc == 0)
        rc = take_texts(&p->b, h->b_count, &b);
    if (rc == 0)
        rc = put_compared(p, &a, &b, of_a, h->a_count, '-', STYLE_DELETED);
    if (rc == 0)
        rc = put_compared(p, &b, &a, of_b, h->b_count, '+', STYLE_ADDED);
    free_texts(&a);
    free_texts(&b);
    return rc;
}

bool diff_is_compared(const struct diff_printer *p, const struct diff_hunk *h)
{
    return p->style->color && h->a_count > 0 && h->b_count > 0 && h->a_count <= MAX_COMPARED &&
           h->b_count <= MAX_COMPARED;
}
