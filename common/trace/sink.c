/* SPDX-License-Identifier: MIT */
#include "trace/sink_ops.h"

#include "base/error.h"

#include <string.h>

enum trace_need trace_sink_need(const struct trace_sink *s)
{
    return s->need;
}

/* What every sink relies on, so that none has to check it. */
static int check_event(const struct trace_sink *s, const struct trace_event *event)
{
    if (event->kind <= TRACE_EVENT_END || event->kind >= TRACE_EVENT_KINDS)
        return trace_error_set(TRACE_ERR_USAGE, "an event of no kind");
    if (event->record != NULL && event->record->is_deferred)
        return s->need == TRACE_NEEDS_PLACES
                   ? 0
                   : trace_error_set(TRACE_ERR_USAGE, "a record without its values");
    if (event->kind > TRACE_EVENT_FREE)
        return 0;
    const struct trace_call *call = event->call;
    if (call == NULL || call->sig == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "%s without a signature", trace_event_kind_name(event->kind));
    if (call->arg_count < call->sig->arg_count || (call->arg_count > 0 && call->args == NULL))
        return trace_error_set(TRACE_ERR_USAGE, "%s %s() with fewer arguments than its signature",
                               trace_event_kind_name(event->kind), call->sig->name);
    return 0;
}

int trace_sink_put(struct trace_sink *s, const struct trace_event *event)
{
    if (s->rc != 0)
        return trace_error_set(s->rc, "an earlier event could not be written");
    int rc = check_event(s, event);
    if (rc == 0)
        rc = s->ops->put(s, event);
    if (rc != 0 && rc != TRACE_ERR_USAGE)
        s->rc = rc;
    return rc;
}

int trace_sink_flush(struct trace_sink *s)
{
    if (s->rc == 0 && s->ops->flush != NULL)
        s->rc = s->ops->flush(s);
    return s->rc;
}

int trace_sink_finish(struct trace_sink *s)
{
    if (s->rc == 0 && s->ops->finish != NULL)
        s->rc = s->ops->finish(s);
    return s->rc;
}

int trace_sink_close(struct trace_sink *s)
{
    return s->ops->close(s);
}

void trace_sink_abandon(struct trace_sink *s)
{
    if (s != NULL)
        s->ops->abandon(s);
}

size_t trace_sink_left_out(const struct trace_sink *s, const struct trace_left_out **out)
{
    *out = s->left_out;
    return s->left_out_count;
}

int trace_sink_leave_out(struct trace_sink *s, const char *what, uint64_t count)
{
    size_t i = 0;
    while (i < s->left_out_count && strcmp(s->left_out[i].what, what) != 0)
        ++i;
    if (i == TRACE_LEFT_OUT_MAX)
        i = TRACE_LEFT_OUT_MAX - 1; /* if there are too many kinds, the rest is counted with the last one */
    if (i == s->left_out_count)
        s->left_out[s->left_out_count++] = (struct trace_left_out){.what = what};
    s->left_out[i].count += count;
    return 0;
}
