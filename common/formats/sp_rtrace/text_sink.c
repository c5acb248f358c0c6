/* SPDX-License-Identifier: MIT
 * Writes events as text.
 */
#include "formats/sp_rtrace/sink_checks.h"
#include "formats/sp_rtrace/sp_rtrace.h"
#include "formats/sp_rtrace/text_writer.h"

#include "base/error.h"
#include "base/hash_map.h"

#include <stdlib.h>

struct text_sink {
    struct trace_sink base;
    struct text_writer writer;
    struct int_map types; /* ids of declared resource types */
    uint32_t first_type;
};

static struct text_sink *cast(struct trace_sink *s)
{
    return (struct text_sink *)s;
}

/* If only one type is declared, calls need not name it. */
static bool names_types(const struct text_sink *s, const struct trace_resource_type *type)
{
    return s->types.len != 1 || type == NULL || type->id != s->first_type;
}

static int put_call(struct text_sink *s, const struct trace_event *event)
{
    int rc = sink_check_call(&s->base, event);
    return rc == 0 ? text_write_call(&s->writer, event, names_types(s, event->u.resource.type)) : rc;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct text_sink *s = cast(sink);
    if (event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE)
        return put_call(s, event);
    if (event->kind == TRACE_EVENT_RESOURCE_TYPE) {
        if (s->types.len == 0)
            s->first_type = event->u.resource_type->id;
        int rc = int_map_set(&s->types, event->u.resource_type->id, 1);
        if (rc != 0)
            return rc;
    }
    return text_write_declaration(&s->writer, event);
}

int sp_rtrace_text_put_member(struct trace_sink *sink, const struct trace_event *event, const char *summary)
{
    struct text_sink *s = cast(sink);
    int rc = sink->rc == 0 ? sink_check_call(sink, event) : sink->rc;
    return rc != 0 ? rc
                   : text_write_member(&s->writer, event, names_types(s, event->u.resource.type), summary);
}

static int sink_finish(struct trace_sink *sink)
{
    return log_output_flush(&cast(sink)->writer.output);
}

static int sink_close(struct trace_sink *sink)
{
    struct text_sink *s = cast(sink);
    int rc = log_output_end(&s->writer.output, s->base.rc);
    int_map_fini(&s->types);
    free(s);
    return rc;
}

static void sink_abandon(struct trace_sink *sink)
{
    struct text_sink *s = cast(sink);
    log_output_abandon(&s->writer.output);
    int_map_fini(&s->types);
    free(s);
}

static const struct trace_sink_ops ops = {.put = sink_put,
                                          .flush = sink_finish,
                                          .finish = sink_finish,
                                          .close = sink_close,
                                          .abandon = sink_abandon};

int sp_rtrace_text_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    struct text_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    s->base.ops = &ops;
    s->writer.sink = &s->base;
    s->writer.time = TRACE_NO_TIME;
    int rc = log_output_open(&s->writer.output, path);
    if (rc != 0) {
        free(s);
        return rc;
    }
    rc = text_write_header(&s->writer, options);
    if (rc != 0) {
        sink_abandon(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}
