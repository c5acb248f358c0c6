/* SPDX-License-Identifier: MIT */
#include "trace/adaptors/adaptors.h"

#include "base/error.h"
#include "trace/adaptors/wrapped.h"

#include <stdlib.h>

struct filter {
    struct wrapped base;
    trace_filter_wants wants;
    void *context;
};

static int filter_next(struct trace_source *s, struct trace_event *out)
{
    struct filter *f = (struct filter *)s;
    struct trace_source *of = f->base.of;
    for (;;) {
        int rc = trace_source_next(of, out);
        if (rc != 0 || out->kind == TRACE_EVENT_END || f->wants(f->context, out))
            return rc;
        trace_source_release(of, out);
    }
}

static void filter_release(struct trace_source *s, const struct trace_event *event)
{
    trace_source_release(((struct filter *)s)->base.of, event);
}

static void filter_close(struct trace_source *s)
{
    trace_source_close(((struct filter *)s)->base.of);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = filter_next,
    .release = filter_release,
    .close = filter_close,
    .resume_after_damage = wrapped_resume_after_damage,
    .set_progress = wrapped_set_progress,
    .seek = wrapped_seek,
    .choose_begin = wrapped_choose_begin,
    .split = wrapped_split,
    .clock = wrapped_clock,
};

int trace_filter_open(struct trace_source **out, struct trace_source *of, trace_filter_wants wants,
                      void *context)
{
    struct filter *f = calloc(1, sizeof *f);
    if (f == NULL) {
        trace_source_close(of);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    wrapped_init(&f->base, &ops, of);
    f->wants = wants;
    f->context = context;
    *out = &f->base.base;
    return 0;
}
