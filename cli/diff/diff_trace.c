/* SPDX-License-Identifier: MIT */
#include "diff/diff_trace.h"

#include "base/error.h"
#include "diff/diff_digest.h"
#include "shell/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_trace(struct diff_trace *t, struct trace_reader **out)
{
    int rc = trace_reader_open(out, t->input.path);
    if (rc != 0)
        return spool_name_in_message(&t->input, rc);
    trace_reader_resume_after_damage(*out);
    return 0;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Keeps the present message. When the trace is read again, it says the same. */
static int add_warning(struct diff_trace *t, const char *kind)
{
    int rc = t->loaded ? 0 : buf_printf(&t->warnings, "%s: %s\n", kind, trace_error_message());
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* The next call to compare, or NULL. */
static int next_call(struct diff_trace *t, struct selected_calls *calls, const struct trace_call **out)
{
    for (;;) {
        int rc = spool_name_in_message(&t->input, selected_calls_next(calls, out));
        if (rc == 0 && t->like_apitrace && *out != NULL && diff_is_left_out((*out)->sig->name)) {
            trace_call_release(calls->reader, *out);
            t->left_out += !t->loaded;
            continue;
        }
        if (rc != TRACE_ERR_TRUNCATED && rc != TRACE_ERR_DAMAGED)
            return rc;
        rc = add_warning(t, "warning");
        if (rc != 0)
            return rc;
    }
}

static int reserve(struct diff_trace *t)
{
    if (t->count < t->cap)
        return 0;
    size_t cap = t->cap == 0 ? 4096 : t->cap + t->cap / 2;
    uint64_t *digests = realloc(t->digests, cap * sizeof *digests);
    if (digests != NULL)
        t->digests = digests;
    uint32_t *names = t->named ? realloc(t->names, cap * sizeof *names) : NULL;
    if (names != NULL)
        t->names = names;
    if (digests == NULL || (t->named && names == NULL))
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory after %zu calls", t->name, t->count);
    t->cap = cap;
    return 0;
}

static int add_call(struct diff_trace *t, const struct diff_rules *rules, struct diff_function_cache *cache,
                    const struct trace_call *call)
{
    const struct diff_function *f = diff_look_up_function(cache, rules, call->sig);
    int rc = f == NULL ? TRACE_ERR_MEMORY : reserve(t);
    if (rc != 0)
        return rc;
    t->digests[t->count] = diff_digest_call(rules, f, call);
    if (t->named)
        t->names[t->count] = (uint32_t)f->name_digest;
    t->count++;
    return 0;
}

int diff_trace_load(struct diff_trace *t, const struct diff_rules *rules)
{
    struct trace_reader *reader;
    struct diff_function_cache *cache = calloc(1, sizeof *cache);
    const struct trace_call *call;
    struct selected_calls calls;
    int rc =
        cache == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : spool_open(&t->input, t->name);
    if (rc == 0) {
        t->name = t->input.name;
        rc = open_trace(t, &reader);
    }
    if (rc != 0) {
        free(cache);
        return rc;
    }
    progress_watch_reader(reader);
    selected_calls_init(&calls, reader, &t->selection);
    while ((rc = next_call(t, &calls, &call)) == 0 && call != NULL) {
        rc = add_call(t, rules, cache, call);
        trace_call_release(reader, call);
        if (rc != 0)
            break;
    }
    if (rc != 0 && rc != TRACE_ERR_MEMORY && t->count > 0)
        rc = add_warning(t, "error");
    t->loaded = true;
    diff_function_cache_fini(cache);
    free(cache);
    trace_reader_close(reader);
    return rc;
}

void diff_trace_fini(struct diff_trace *t)
{
    call_selection_fini(&t->selection);
    free(t->digests);
    free(t->names);
    buf_fini(&t->warnings);
    spool_close(&t->input);
}

/* --- cursors --------------------------------------------------------------------------------------- */

int diff_cursor_open(struct diff_cursor *c, struct diff_trace *t)
{
    *c = (struct diff_cursor){.trace = t};
    int rc = open_trace(t, &c->reader);
    if (rc != 0)
        return rc;
    progress_watch_reader(c->reader);
    selected_calls_init(&c->calls, c->reader, &t->selection);
    return 0;
}

void diff_cursor_close(struct diff_cursor *c)
{
    if (c->reader != NULL)
        trace_call_release(c->reader, c->held);
    trace_reader_close(c->reader);
    c->reader = NULL;
    c->held = NULL;
}

int diff_cursor_peek(struct diff_cursor *c, const struct trace_call **out)
{
    if (c->held == NULL) {
        int rc = next_call(c->trace, &c->calls, &c->held);
        if (rc != 0)
            return rc;
        if (c->held == NULL)
            return trace_error_set(TRACE_ERR_IO, "%s: the file has changed while it was read",
                                   c->trace->name);
        c->frames = trace_reader_frame(c->reader);
    }
    *out = c->held;
    return 0;
}

int diff_cursor_next(struct diff_cursor *c, const struct trace_call **out)
{
    int rc = diff_cursor_peek(c, out);
    if (rc != 0)
        return rc;
    c->held = NULL;
    c->frames += ((*out)->flags & TRACE_CALL_END_FRAME) != 0;
    c->last_number = (*out)->number;
    c->next++;
    return 0;
}

int diff_cursor_skip_to(struct diff_cursor *c, size_t index)
{
    int rc = 0;
    while (c->next < index && rc == 0) {
        const struct trace_call *call = NULL;
        if (c->held == NULL && c->trace->left_out == 0) /* the last one is read: its number and frame count */
            c->next += selected_calls_pass(&c->calls, index - c->next - 1);
        rc = diff_cursor_next(c, &call);
        trace_call_release(c->reader, call);
    }
    return rc;
}
