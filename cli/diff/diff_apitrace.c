/* SPDX-License-Identifier: MIT */
#include "diff/diff_apitrace.h"

#include "base/error.h"
#include "base/format_number.h"
#include "diff/diff_digest.h"
#include "diff/diff_matcher.h"
#include "diff/python_text.h"

#include <stdlib.h>
#include <string.h>

#define STYLE_STRUCK "\33[9m"
#define STYLE_BOLD   "\33[1m"
#define STYLE_LIGHT  "\33[22m"

/* State while the calls are printed. */
struct listing {
    struct diff_printer *p;
    struct diff_function_cache *functions; /* for the first trace */
    struct diff_rules exactly;             /* the rules, except for the contents of blobs */
    size_t a_digits, b_digits;             /* number of digits of the last call numbers of both traces */
};

/* --- pieces ---------------------------------------------------------------------------------------- */

static int put(struct listing *l, const char *text)
{
    return buf_append_string(&l->p->out, text);
}

static int put_old_style(struct listing *l)
{
    return diff_put_style(l->p, STYLE_STRUCK) | diff_put_style(l->p, STYLE_DELETED);
}

static int put_number(struct listing *l, uint64_t number, size_t *digits)
{
    char text[FORMAT_INT_BYTES];
    *digits = format_uint(text, number);
    return buf_append(&l->p->out, text, *digits);
}

/* A call may be NULL: there is none on that side, and its column stays empty. */
static int put_numbers(struct listing *l, const struct trace_call *a, const struct trace_call *b)
{
    int rc = 0;
    if (!l->p->style->call_nos)
        return 0;
    if (a != NULL && b != NULL && a->number == b->number) {
        rc = put_number(l, a->number, &l->a_digits);
        l->b_digits = l->a_digits;
        return rc | put(l, " ");
    }
    if (a == NULL)
        rc |= buf_printf(&l->p->out, "%*s", (int)l->a_digits, "");
    else
        rc |= put_old_style(l) | put_number(l, a->number, &l->a_digits) | diff_put_style(l->p, STYLE_NORMAL);
    rc |= put(l, " ");
    if (b == NULL)
        rc |= buf_printf(&l->p->out, "%*s", (int)l->b_digits, "");
    else
        rc |= diff_put_style(l->p, STYLE_ADDED) | put_number(l, b->number, &l->b_digits) |
              diff_put_style(l->p, STYLE_NORMAL);
    return rc | put(l, " ");
}

static int put_function(struct listing *l, const struct trace_call *call)
{
    return diff_put_style(l->p, STYLE_BOLD) | put(l, call->sig->name) | diff_put_style(l->p, STYLE_LIGHT);
}

static const char *arg_name(const struct trace_call *call, uint32_t i)
{
    return i < call->sig->arg_count ? call->sig->arg_names[i] : "";
}

/* Writes a whole call, to the end of the line. */
static int put_call(struct listing *l, const struct trace_call *call)
{
    struct buf *out = &l->p->out;
    int rc = put_function(l, call) | buf_append_byte(out, '(');
    for (uint32_t i = 0; i < call->arg_count && rc == 0; ++i) {
        if (i > 0)
            rc |= buf_append(out, ", ", 2);
        if (l->p->style->arg_names)
            rc |= put(l, arg_name(call, i)) | buf_append(out, " = ", 3);
        rc |= python_text_value(out, &call->args[i]);
    }
    rc |= buf_append_byte(out, ')');
    if (call->ret.type != TRACE_NONE)
        rc |= buf_append(out, " = ", 3) | python_text_value(out, &call->ret);
    rc |= diff_put_style(l->p, STYLE_NORMAL);
    if (rc != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return diff_end_line(l->p, NULL);
}

/* --- changed calls --------------------------------------------------------------------------------- */

static int put_changed_value(struct listing *l, const struct trace_value *a, const struct trace_value *b)
{
    struct buf *out = &l->p->out;
    int rc = put_old_style(l) | python_text_value(out, a) | diff_put_style(l->p, STYLE_NORMAL);
    rc |= put(l, " -> ");
    return rc | diff_put_style(l->p, STYLE_ADDED) | python_text_value(out, b) |
           diff_put_style(l->p, STYLE_NORMAL);
}

static int put_value(struct listing *l, const struct diff_arg_rule *rule, const struct trace_value *a,
                     const struct trace_value *b)
{
    bool same = rule->treatment == DIFF_IGNORED ||
                diff_digest_value(&l->exactly, a) == diff_digest_value(&l->exactly, b);
    return same ? python_text_value(&l->p->out, b) : put_changed_value(l, a, b);
}

static int put_changed_name(struct listing *l, const char *a, const char *b)
{
    struct buf *out = &l->p->out;
    if (strcmp(a, b) == 0)
        return python_text_name(out, b);
    int rc = put_old_style(l) | python_text_name(out, a) | diff_put_style(l->p, STYLE_NORMAL);
    rc |= put(l, " -> ");
    return rc | diff_put_style(l->p, STYLE_ADDED) | python_text_name(out, b) |
           diff_put_style(l->p, STYLE_NORMAL);
}

/* If one call has fewer arguments, its last one is compared with the other's remaining ones. */
static uint32_t arg_or_last(const struct trace_call *call, uint32_t i)
{
    return i < call->arg_count ? i : call->arg_count - 1;
}

static int put_changed_arg(struct listing *l, const struct diff_function *f, const struct trace_call *a,
                           const struct trace_call *b, uint32_t i)
{
    const struct trace_call *from = a->arg_count > 0 ? a : b;
    const struct trace_call *to = b->arg_count > 0 ? b : a;
    uint32_t m = arg_or_last(from, i), n = arg_or_last(to, i);
    int rc = i > 0 ? put(l, ", ") : 0;
    if (l->p->style->arg_names)
        rc |= put_changed_name(l, arg_name(from, m), arg_name(to, n)) | put(l, " = ");
    return rc | put_value(l, diff_arg_rule(f, i), &from->args[m], &to->args[n]);
}

static int put_changed_call(struct listing *l, const struct trace_call *a, const struct trace_call *b)
{
    const struct diff_function *f = diff_look_up_function(l->functions, l->p->style->rules, a->sig);
    if (f == NULL)
        return TRACE_ERR_MEMORY;
    uint32_t count = a->arg_count > b->arg_count ? a->arg_count : b->arg_count;
    int rc = put(l, "| ") | put_numbers(l, a, b) | put_function(l, b) | put(l, "(");
    for (uint32_t i = 0; i < count && rc == 0; ++i)
        rc = put_changed_arg(l, f, a, b, i);
    rc |= put(l, ")");
    if (a->ret.type != TRACE_NONE || b->ret.type != TRACE_NONE)
        rc |= put(l, " = ") | put_value(l, diff_return_rule(f), &a->ret, &b->ret);
    if (rc != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return diff_end_line(l->p, NULL);
}

/* --- calls in a row -------------------------------------------------------------------------------- */

static int put_deleted(struct listing *l, size_t count)
{
    struct diff_cursor *c = &l->p->a.cursor;
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        const struct trace_call *call;
        rc = diff_cursor_next(c, &call);
        if (rc != 0)
            return rc;
        rc = put(l, "- ") | put_numbers(l, call, NULL) | put_old_style(l);
        if (rc == 0)
            rc = put_call(l, call);
        call_input_release(&c->in, call);
    }
    return rc;
}

static int put_inserted(struct listing *l, size_t count)
{
    struct diff_cursor *c = &l->p->b.cursor;
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        const struct trace_call *call;
        rc = diff_cursor_next(c, &call);
        if (rc != 0)
            return rc;
        rc = put(l, "+ ") | put_numbers(l, NULL, call) | diff_put_style(l->p, STYLE_ADDED);
        if (rc == 0)
            rc = put_call(l, call);
        call_input_release(&c->in, call);
    }
    return rc;
}

typedef int put_both(struct listing *l, const struct trace_call *a, const struct trace_call *b);

static int put_same_call(struct listing *l, const struct trace_call *a, const struct trace_call *b)
{
    int rc = put(l, "  ") | put_numbers(l, a, b);
    return rc != 0 ? rc : put_call(l, b);
}

/* Writes calls of both sides. */
static int put_pairs(struct listing *l, size_t count, put_both *put_pair)
{
    struct diff_cursor *ca = &l->p->a.cursor, *cb = &l->p->b.cursor;
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        const struct trace_call *a, *b;
        rc = diff_cursor_next(ca, &a);
        if (rc != 0)
            return rc;
        rc = diff_cursor_next(cb, &b);
        if (rc == 0) {
            rc = put_pair(l, a, b);
            call_input_release(&cb->in, b);
        }
        call_input_release(&ca->in, a);
    }
    return rc;
}

/* Calls that are equal. The first trace is only read for their numbers. */
static int put_same(struct listing *l, size_t count)
{
    struct diff_cursor *ca = &l->p->a.cursor, *cb = &l->p->b.cursor;
    if (l->p->style->context != DIFF_WHOLE) {
        int rc = diff_cursor_skip_to(ca, ca->next + count);
        return rc != 0 ? rc : diff_cursor_skip_to(cb, cb->next + count);
    }
    if (l->p->style->call_nos)
        return put_pairs(l, count, put_same_call);
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; ++i) {
        const struct trace_call *call;
        rc = diff_cursor_next(cb, &call);
        if (rc != 0)
            return rc;
        rc = put(l, "  ");
        if (rc == 0)
            rc = put_call(l, call);
        call_input_release(&cb->in, call);
    }
    return rc != 0 ? rc : diff_cursor_skip_to(ca, ca->next + count);
}

/* --- differences ----------------------------------------------------------------------------------- */

/* Calls without a counterpart. Those of the second trace come first if they are fewer. */
static int put_unlike(struct listing *l, const struct diff_hunk *h)
{
    if (h->b_count < h->a_count) {
        int rc = put_inserted(l, h->b_count);
        return rc != 0 ? rc : put_deleted(l, h->a_count);
    }
    int rc = put_deleted(l, h->a_count);
    return rc != 0 ? rc : put_inserted(l, h->b_count);
}

static int match_names(struct listing *l, const struct diff_hunk *h, struct diff_script *out)
{
    bool given_up;
    uint64_t *names = malloc((h->a_count + h->b_count) * sizeof *names);
    if (names == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < h->a_count; ++i)
        names[i] = l->p->a.cursor.trace->names[h->a + i];
    for (size_t i = 0; i < h->b_count; ++i)
        names[h->a_count + i] = l->p->b.cursor.trace->names[h->b + i];
    int rc = diff_match(names, h->a_count, names + h->a_count, h->b_count, false,
                        (struct trace_progress_callback){NULL, NULL}, out, &given_up);
    free(names);
    return rc == 0 && given_up ? diff_pair_by_name(l->p, h, out) : rc;
}

static int put_replaced(struct listing *l, const struct diff_hunk *h)
{
    struct diff_script odd = {NULL, 0, 0};
    int rc = match_names(l, h, &odd);
    size_t done = 0;
    for (size_t n = 0; n < odd.count && rc == 0; ++n) {
        rc = put_pairs(l, odd.hunks[n].a - done, put_changed_call);
        if (rc == 0)
            rc = put_unlike(l, &odd.hunks[n]);
        done = odd.hunks[n].a + odd.hunks[n].a_count;
    }
    if (rc == 0)
        rc = put_pairs(l, h->a_count - done, put_changed_call);
    diff_script_fini(&odd);
    return rc;
}

static int put_hunk(struct listing *l, const struct diff_hunk *h)
{
    return h->a_count > 0 && h->b_count > 0 ? put_replaced(l, h) : put_unlike(l, h);
}

static int put_all(struct listing *l)
{
    const struct diff_script *s = l->p->script;
    const struct diff_cursor *c = &l->p->a.cursor;
    int rc = 0;
    for (size_t n = 0; n < s->count && rc == 0; ++n) {
        rc = put_same(l, s->hunks[n].a - c->next);
        if (rc == 0)
            rc = put_hunk(l, &s->hunks[n]);
    }
    return rc != 0 || l->p->style->context != DIFF_WHOLE ? rc : put_same(l, c->trace->count - c->next);
}

int diff_put_like_apitrace(struct diff_printer *p)
{
    struct listing l = {.p = p, .functions = calloc(1, sizeof *l.functions)};
    if (l.functions == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    l.exactly = (struct diff_rules){.like_apitrace = true, .blobs = p->style->rules->blobs};
    int rc = put_all(&l);
    diff_function_cache_fini(l.functions);
    free(l.functions);
    return rc;
}
