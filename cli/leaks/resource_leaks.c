/* SPDX-License-Identifier: MIT */
#include "leaks/resource_leaks.h"

#include "base/error.h"
#include "input/source_input.h"
#include "leaks/resource_report_text.h"
#include "shell/messages.h"
#include "shell/progress.h"

#include <stdlib.h>
#include <string.h>

/* State while the trace is read. */
struct resource_leaks {
    struct source_input in;
    struct resource_tracker tracker;
    struct mapped_files files;
    struct trace_context *contexts; /* names are owned */
    size_t context_count;
    struct trace_sink *text; /* sink for the report; NULL: the report is JSON */
    bool has_resources;
    bool has_calls; /* calls that are neither allocations nor releases */
};

static int add_context(struct resource_leaks *l, const struct trace_context *context)
{
    struct trace_context *grown = realloc(l->contexts, (l->context_count + 1) * sizeof *grown);
    if (grown == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    l->contexts = grown;
    grown[l->context_count] = *context;
    grown[l->context_count].name = strdup(context->name != NULL ? context->name : "");
    if (grown[l->context_count].name == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    l->context_count++;
    return 0;
}

/* Passes an event on. Declarations go to the report unchanged. */
static int follow_event(struct resource_leaks *l, const struct trace_event *event)
{
    if (event->call != NULL) {
        bool is_resource = event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE;
        l->has_resources |= is_resource;
        l->has_calls |= !is_resource;
        return resource_tracker_add(&l->tracker, event);
    }
    int rc = resource_tracker_add(&l->tracker, event);
    if (rc == 0 && event->kind == TRACE_EVENT_CONTEXT)
        rc = add_context(l, &event->u.context);
    else if (rc == 0 && event->kind == TRACE_EVENT_MAPPING)
        rc = mapped_files_add(&l->files, &event->u.mapping);
    bool is_declared = event->kind != TRACE_EVENT_COMMENT && event->kind != TRACE_EVENT_LOSS;
    return rc == 0 && l->text != NULL && is_declared ? trace_sink_put(l->text, event) : rc;
}

static int follow_events(struct resource_leaks *l)
{
    struct trace_event event;
    int rc;
    while ((rc = source_input_next(&l->in, &event)) == 0 && event.kind != TRACE_EVENT_END) {
        rc = follow_event(l, &event);
        trace_source_release(l->in.source, &event);
        if (rc != 0)
            break;
    }
    return rc;
}

static int report(struct resource_leaks *l, const struct resource_leaks_options *o, const char *path,
                  bool *found)
{
    struct resource_report r;
    int rc = resource_report_init(&r, &l->tracker, &o->filter, &l->files, o->compress, o->sort, l->contexts,
                                  l->context_count);
    if (rc != 0)
        return rc;
    *found = r.leak_count > 0;
    rc = o->json ? resource_report_print_json(&r, path)
                 : resource_report_put_text(&r, l->text, o->compress, o->summary);
    resource_report_fini(&r);
    return rc;
}

static int show(struct resource_leaks *l, const struct resource_leaks_options *o, const char *path,
                bool *found)
{
    int rc = o->json ? 0 : resource_report_open_text(&l->text, l->in.source, o->compress);
    if (rc == 0)
        rc = follow_events(l);
    progress_end();
    if (rc == 0)
        rc = report(l, o, path, found);
    if (l->text == NULL)
        return rc;
    if (rc == 0)
        rc = trace_sink_finish(l->text);
    if (rc == 0)
        return trace_sink_close(l->text);
    int status = rc;
    trace_sink_abandon(l->text);
    return status;
}

/* Warns that the trace has no allocations, so "no leaks" would be misleading. */
static void warn_of_mere_calls(const struct resource_leaks *l, const char *path)
{
    if (l->has_resources || !l->has_calls)
        return;
    trace_error_set(TRACE_ERR_USAGE, "%s: the trace has calls, but no allocations or releases", path);
    cli_print_warning();
}

static void fini(struct resource_leaks *l)
{
    resource_tracker_fini(&l->tracker);
    mapped_files_fini(&l->files);
    for (size_t i = 0; i < l->context_count; ++i)
        free((char *)l->contexts[i].name);
    free(l->contexts);
    source_input_close(&l->in);
}

int resource_leaks_show(const struct resource_leaks_options *o, struct trace_probe *probe, bool *found)
{
    struct resource_leaks l = {.text = NULL};
    *found = false;
    int rc = source_input_open(&l.in, probe, &o->followed);
    if (rc == 0)
        rc = resource_tracker_init(&l.tracker, o->depth);
    if (rc == 0)
        rc = show(&l, o, probe->name, found);
    if (rc == 0)
        warn_of_mere_calls(&l, probe->name);
    int status = rc != 0 ? cli_print_error() : input_losses_status(&l.in.losses);
    fini(&l);
    return status;
}
