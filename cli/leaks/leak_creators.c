/* SPDX-License-Identifier: MIT */
#include "leaks/leak_creators.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static int add_backtrace(struct leak_creators *c, const char *lines)
{
    if (c->count == c->cap) {
        uint32_t cap = c->cap * 2;
        char **grown = realloc(c->backtraces, cap * sizeof *grown);
        if (grown == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        c->backtraces = grown;
        c->cap = cap;
    }
    char *copy = strdup(lines);
    if (copy == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->backtraces[c->count] = copy;
    return string_map_set(&c->index, copy, c->count++);
}

int leak_creators_backtrace(struct leak_creators *c, const struct trace_call *call, uint32_t *out)
{
    struct buf *text = &c->formatter.out;
    uint64_t index = c->count;
    *out = 0;
    if (call->frame_count == 0)
        return 0;
    buf_clear(text);
    if (trace_call_text_add_frames(&c->formatter, call) != 0 || buf_append_byte(text, '\0') != 0)
        return TRACE_ERR_MEMORY;
    const char *lines = (const char *)text->data;
    int rc = string_map_get(&c->index, lines, &index) ? 0 : add_backtrace(c, lines);
    *out = rc == 0 ? (uint32_t)index : 0;
    return rc;
}

struct leak_text *leak_creators_format(struct leak_creators *c, const struct trace_call *call)
{
    buf_clear(&c->formatter.out);
    if (trace_call_text_add(&c->formatter, call) != 0)
        return NULL;
    return leak_text_new(c->formatter.out.data, c->formatter.out.len - 1);
}

void leak_creators_forget_signatures(struct leak_creators *c)
{
    trace_call_text_forget_signatures(&c->formatter);
}

int leak_creators_init(struct leak_creators *c, bool wants_text)
{
    static const struct trace_call_text_style style = {.call_nos = true, .arg_names = true};
    memset(c, 0, sizeof *c);
    trace_call_text_init(&c->formatter, &style);
    c->wants_text = wants_text;
    c->cap = 16;
    c->count = 1;
    c->backtraces = calloc(c->cap, sizeof *c->backtraces);
    return c->backtraces != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void leak_creators_fini(struct leak_creators *c)
{
    for (uint32_t i = 0; i < c->count && c->backtraces != NULL; ++i)
        free(c->backtraces[i]);
    free(c->backtraces);
    string_map_fini(&c->index);
    trace_call_text_fini(&c->formatter);
}
