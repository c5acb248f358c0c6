/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_copy.h"
#include "formats/ctf/write/ctf_sink_streams.h"
#include "formats/ctf/write/ctf_typed.h"

#include "base/error.h"
#include "formats/ctf/ctf.h"
#include "formats/ctf/write/rfc_options.h"

#include <stdlib.h>
#include <string.h>

static struct ctf_sink *cast(struct trace_sink *s)
{
    return (struct ctf_sink *)s;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct ctf_sink *s = cast(sink);
    if (event->record != NULL && event->record->type->layout != NULL)
        return ctf_sink_copy(s, event);
    if (event->kind == TRACE_EVENT_LOSS && event->origin != NULL && event->u.loss.is_of_stream)
        return ctf_sink_copy_loss(s, event);
    return ctf_sink_put_typed(s, event);
}

/* What a dialect without clocks and an environment cannot say of the trace. */
static void leave_out_metadata(struct ctf_sink *s)
{
    uint64_t properties = 0, levels = 0;
    for (size_t i = 0; i < s->out.trace_count; ++i) {
        const struct ctf_out_trace *t = s->out.traces[i];
        properties += t == s->typed ? s->options.property_count : t->model.variable_count;
        for (size_t n = 0; n < t->class_count; ++n)
            for (size_t e = 0; e < t->classes[n]->event_count; ++e)
                levels += t->classes[n]->events[e]->class->log_level != INT64_MIN;
    }
    if (properties > 0)
        trace_sink_leave_out(&s->base, "property", properties);
    if (s->source_clock.wall_offset != TRACE_NO_TIME)
        trace_sink_leave_out(&s->base, "date of the clock", 1);
    if (levels > 0)
        trace_sink_leave_out(&s->base, "log level of a kind of events", levels);
}

static int sink_finish(struct trace_sink *sink)
{
    struct ctf_sink *s = cast(sink);
    int rc = s->out.trace_count == 0 ? ctf_sink_begin_empty(s) : 0;
    if (rc == 0)
        rc = ctf_out_finish(&s->out);
    ctf_sink_end_copy(s);
    if (!s->out.dialect->has_clocks)
        leave_out_metadata(s);
    if (s->time.backward > 0)
        trace_sink_leave_out(sink, "time before that of the thread's previous event", s->time.backward);
    if (s->time.timeless > 0)
        trace_sink_leave_out(sink, "that an event has no time", s->time.timeless);
    return rc;
}

static void free_sink(struct ctf_sink *s)
{
    ctf_out_abandon(&s->out);
    ctf_shapes_fini(&s->shapes);
    ctf_labels_fini(&s->functions);
    ctf_labels_fini(&s->types);
    string_map_fini(&s->by_shape);
    string_map_fini(&s->by_thread);
    int_map_fini(&s->told);
    int_map_fini(&s->origins);
    int_map_fini(&s->threads);
    int_map_fini(&s->copied);
    int_map_fini(&s->sources);
    int_map_fini(&s->losses);
    arena_fini(&s->scratch);
    buf_fini(&s->shape);
    free(s->time.held);
    free(s);
}

static int sink_close(struct trace_sink *sink)
{
    struct ctf_sink *s = cast(sink);
    int rc = s->base.rc == 0 ? ctf_out_commit(&s->out) : s->base.rc;
    free_sink(s);
    return rc;
}

static void sink_abandon(struct trace_sink *sink)
{
    free_sink(cast(sink));
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .finish = sink_finish,
    .close = sink_close,
    .abandon = sink_abandon,
};

static const char *find_program(const struct trace_sink_options *options)
{
    for (size_t i = 0; i < options->property_count; ++i) {
        const char *path = options->properties[i].value, *slash = strrchr(path, '/');
        if (strcmp(options->properties[i].name, "process.name") == 0)
            return slash != NULL ? slash + 1 : path;
    }
    return "";
}

static int create(struct trace_sink **out, const char *path, const struct trace_sink_options *options,
                  const struct ctf_out_dialect *dialect)
{
    struct ctf_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    s->base.ops = &ops;
    s->base.need = TRACE_NEEDS_PLACES;
    s->options = *options;
    s->shapes.dialect = dialect;
    s->program = find_program(options);
    s->time.has_times = options->clock != NULL;
    s->source_clock.wall_offset = TRACE_NO_TIME;
    if (options->clock != NULL)
        s->source_clock = *options->clock;
    arena_init(&s->scratch);
    int rc = ctf_out_open(&s->out, path, dialect);
    if (rc != 0) {
        free_sink(s);
        return rc;
    }
    if (options->ctf_rfc != NULL) {
        s->out.order = options->ctf_rfc->order;
        s->out.rfc = (struct rfc_style){options->ctf_rfc->compression, options->ctf_rfc->checksum};
    }
    *out = &s->base;
    return 0;
}

int ctf_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    return create(out, path, options, &ctf_out_tsdl);
}

int ctf2_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    return create(out, path, options, &ctf_out_ctf2);
}

int ctf_rfc_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    return create(out, path, options, &ctf_out_rfc);
}
