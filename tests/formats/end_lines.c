/* SPDX-License-Identifier: MIT
 * A format in the order of time, for tests: ends of calls, a line each. Whatever a file holds behind its
 * mark, two nested calls are read of it.
 */
#include "base/error.h"
#include "formats/shared/log_output.h"
#include "trace/source_ops.h"
#include "trace/sink_ops.h"
#include "trace/trace_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "end-lines"

/* --- reading --------------------------------------------------------------------------------------- */

static const struct trace_function_sig sigs[] = {{.id = 0, .name = "outer"}, {.id = 1, .name = "inner"}};
static const struct trace_call calls[] = {{.sig = &sigs[0], .ret = {.type = TRACE_NONE}},
                                          {.sig = &sigs[1], .ret = {.type = TRACE_NONE}}};
static const struct trace_event events[] = {
    {.kind = TRACE_EVENT_ENTER, .number = 0, .time = TRACE_NO_TIME, .call = &calls[0]},
    {.kind = TRACE_EVENT_ENTER, .number = 1, .time = TRACE_NO_TIME, .call = &calls[1]},
    {.kind = TRACE_EVENT_EXIT, .number = 1, .time = TRACE_NO_TIME, .call = &calls[1]},
    {.kind = TRACE_EVENT_EXIT, .number = 0, .time = TRACE_NO_TIME, .call = &calls[0]},
};

struct end_source {
    struct trace_source base;
    size_t next;
};

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct end_source *s = (struct end_source *)source;
    *out = (struct trace_event){.kind = TRACE_EVENT_END};
    if (s->next < sizeof events / sizeof events[0])
        *out = events[s->next++];
    return 0;
}

static void source_close(struct trace_source *source)
{
    free(source);
}

static int end_open(struct trace_source **out, struct trace_probe *probe)
{
    static const struct trace_source_ops ops = {.next = source_next, .close = source_close};
    struct end_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    s->base = (struct trace_source){.ops = &ops, .format_name = NAME, .order = TRACE_ORDER_TIME};
    *out = &s->base;
    return 0;
}

static int end_bid(const struct trace_probe *probe)
{
    bool has_mark = probe->head_count >= strlen(NAME) && memcmp(probe->head, NAME, strlen(NAME)) == 0;
    return has_mark ? TRACE_BID_CERTAIN : TRACE_BID_NONE;
}

/* --- writing --------------------------------------------------------------------------------------- */

struct end_sink {
    struct trace_sink base;
    struct log_output output;
};

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    char line[128];
    if (event->kind != TRACE_EVENT_ENTER && event->kind != TRACE_EVENT_EXIT)
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    int n = snprintf(line, sizeof line, "%s %" PRIu64 " %s\n", trace_event_kind_name(event->kind),
                     event->number, event->call->sig->name);
    return log_output_put(&((struct end_sink *)sink)->output, line, (size_t)n);
}

static int sink_close(struct trace_sink *sink)
{
    int rc = log_output_close(&((struct end_sink *)sink)->output);
    free(sink);
    return rc;
}

static void sink_abandon(struct trace_sink *sink)
{
    log_output_abandon(&((struct end_sink *)sink)->output);
    free(sink);
}

static int end_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    static const struct trace_sink_ops ops = {.put = sink_put, .close = sink_close, .abandon = sink_abandon};
    struct end_sink *s = calloc(1, sizeof *s);
    (void)options;
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    s->base.ops = &ops;
    int rc = log_output_open(&s->output, path);
    if (rc == 0)
        rc = log_output_put(&s->output, NAME "\n", strlen(NAME "\n"));
    *out = &s->base;
    return rc;
}

extern const struct trace_format trace_format_end_lines;
const struct trace_format trace_format_end_lines = {
    .name = NAME,
    .summary = "an end of a call a line",
    .bid = end_bid,
    .open = end_open,
    .create = end_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
};
