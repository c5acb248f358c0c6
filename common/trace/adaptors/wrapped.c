/* SPDX-License-Identifier: MIT */
#include "trace/adaptors/wrapped.h"

static struct trace_source *inner(struct trace_source *s)
{
    return ((struct wrapped *)s)->of;
}

void wrapped_init(struct wrapped *w, const struct trace_source_ops *ops, struct trace_source *of)
{
    w->base = *of;
    w->base.ops = ops;
    w->of = of;
}

void wrapped_resume_after_damage(struct trace_source *s)
{
    trace_source_resume_after_damage(inner(s));
}

void wrapped_set_progress(struct trace_source *s, struct trace_progress_callback callback)
{
    trace_source_set_progress(inner(s), callback);
}

int wrapped_seek(struct trace_source *s, uint64_t number)
{
    return trace_source_seek(inner(s), number);
}

bool wrapped_choose_begin(struct trace_source *s, trace_begin_chooser chooser, void *context, bool wants_ends)
{
    return trace_source_choose_begin(inner(s), chooser, context, wants_ends);
}

int wrapped_split(struct trace_source *s)
{
    int rc = trace_source_split(inner(s));
    s->order = inner(s)->order;
    return rc;
}

const struct trace_clock *wrapped_clock(struct trace_source *s)
{
    return trace_source_clock(inner(s));
}
