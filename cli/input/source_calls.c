/* SPDX-License-Identifier: MIT */
#include "input/source_calls.h"

#include "trace/adaptors/adaptors.h"

int source_calls_open(struct source_calls *s, struct trace_probe *probe,
                      const struct call_selection *selection)
{
    *s = (struct source_calls){.frame = 0};
    int rc = source_input_open(&s->in, probe, selection);
    if (rc != 0)
        return rc;
    rc = trace_calls_open(&s->in.source, s->in.source);
    if (rc != 0)
        s->in.source = NULL;
    return rc;
}

void source_calls_close(struct source_calls *s)
{
    source_input_close(&s->in);
}

int source_calls_next(struct source_calls *s, const struct trace_call **out)
{
    struct trace_event event;
    int rc = source_input_next(&s->in, &event);
    *out = rc == 0 ? event.call : NULL;
    if (*out == NULL)
        return rc;
    s->frame = s->next_frame;
    s->next_frame += (event.call->flags & TRACE_CALL_END_FRAME) != 0;
    return 0;
}

void source_calls_release(struct source_calls *s, const struct trace_call *call)
{
    if (call != NULL)
        trace_source_release(s->in.source, &(struct trace_event){.kind = TRACE_EVENT_CALL, .call = call});
}
