/* SPDX-License-Identifier: MIT */
#include "diff/diff_trace.h"

#include "base/error.h"
#include "diff/diff_digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next call to compare. *out is NULL at the end. */
static int next_call(struct diff_trace *t, struct call_input *in, const struct trace_call **out)
{
    int rc;
    while ((rc = call_input_next(in, out)) == 0 && *out != NULL) {
        if (!t->like_apitrace || !diff_is_query((*out)->sig->name))
            break;
        call_input_release(in, *out);
        t->left_out += !t->loaded;
    }
    return rc;
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

static int add_calls(struct diff_trace *t, const struct diff_rules *rules, struct diff_function_cache *cache,
                     struct call_input *in)
{
    const struct trace_call *call;
    int rc;
    while ((rc = next_call(t, in, &call)) == 0 && call != NULL) {
        rc = add_call(t, rules, cache, call);
        call_input_release(in, call);
        if (rc != 0)
            break;
    }
    if (rc != 0 && rc != TRACE_ERR_MEMORY && t->count > 0) /* the calls that were read are compared */
        rc = buf_printf(&t->warnings, "error: %s\n", trace_error_message()) == 0
                 ? 0
                 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return rc;
}

int diff_trace_load(struct diff_trace *t, const struct diff_rules *rules)
{
    struct call_input in = {.reader = NULL};
    struct diff_function_cache *cache = calloc(1, sizeof *cache);
    int rc = cache == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory")
                           : input_file_open(&t->file, t->name);
    if (rc == 0) {
        t->name = t->file.name;
        rc = call_input_open_file(&in, &t->file, &t->selection);
    }
    if (rc == 0) {
        in.losses.warnings = &t->warnings;
        rc = add_calls(t, rules, cache, &in);
        input_losses_status(&in.losses);
        t->loaded = true;
        diff_function_cache_fini(cache);
    }
    free(cache);
    call_input_close(&in);
    return rc;
}

void diff_trace_fini(struct diff_trace *t)
{
    call_selection_fini(&t->selection);
    free(t->digests);
    free(t->names);
    buf_fini(&t->warnings);
    input_file_close(&t->file);
}

/* --- cursors --------------------------------------------------------------------------------------- */

int diff_cursor_open(struct diff_cursor *c, struct diff_trace *t)
{
    *c = (struct diff_cursor){.trace = t};
    int rc = call_input_open_file(&c->in, &t->file, &t->selection);
    c->in.losses.silent = true; /* they were reported when the trace was loaded */
    return rc;
}

void diff_cursor_close(struct diff_cursor *c)
{
    call_input_release(&c->in, c->held);
    call_input_close(&c->in);
    c->held = NULL;
}

int diff_cursor_peek(struct diff_cursor *c, const struct trace_call **out)
{
    if (c->held == NULL) {
        int rc = next_call(c->trace, &c->in, &c->held);
        if (rc != 0)
            return rc;
        if (c->held == NULL)
            return trace_error_set(TRACE_ERR_IO, "%s: the file has changed while it was read",
                                   c->trace->name);
        c->frames = call_input_frame(&c->in);
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
        /* The last call was read: sets its number and the frame count. */
        if (c->held == NULL && c->trace->left_out == 0)
            c->next += call_input_pass(&c->in, index - c->next - 1);
        rc = diff_cursor_next(c, &call);
        call_input_release(&c->in, call);
    }
    return rc;
}
