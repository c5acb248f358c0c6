/* SPDX-License-Identifier: MIT */
#include "leaks/resource_report_text.h"

#include "base/error.h"
#include "formats/sp_rtrace/sp_rtrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int resource_report_open_text(struct trace_sink **out, struct trace_source *source, bool grouped)
{
    const struct trace_property *properties;
    size_t count = trace_source_properties(source, &properties);
    struct trace_property *all = malloc((count + 1) * sizeof *all);
    size_t kept = 0;
    if (all == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; ++i)
        if (strcmp(properties[i].name, SP_RTRACE_FILTER) != 0)
            all[kept++] = properties[i];
    all[kept++] = (struct trace_property){SP_RTRACE_FILTER, grouped ? "leaks|compress" : "leaks"};
    const struct trace_sink_options options = {
        .properties = all, .property_count = kept, .clock = trace_source_clock(source)};
    int rc = trace_sink_create(out, SP_RTRACE_TEXT, "-", &options);
    free(all);
    return rc;
}

/* --- leaks ----------------------------------------------------------------------------------------- */

/* Makes the event of the leaked allocation. *call is filled in for it. */
static struct trace_event event_of(const struct resource_report *r, const struct live_resource *leak,
                                   struct trace_call *call)
{
    const struct stack *stack = &r->tracker->stacks.stacks[leak->stack];
    *call = (struct trace_call){.number = leak->number,
                                .enter_time = leak->time,
                                .leave_time = leak->time,
                                .sig = leak->kind->sig,
                                .arg_count = leak->kind->sig->arg_count,
                                .args = leak->args,
                                .frame_count = stack->frame_count,
                                .frames = stack->frames};
    return (struct trace_event){.kind = TRACE_EVENT_ALLOC,
                                .number = leak->number,
                                .time = leak->time,
                                .origin = leak->kind->origin,
                                .call = call,
                                .u.resource = {leak->kind->type, leak->id, leak->size}};
}

static int put_group(const struct resource_report *r, struct trace_sink *text,
                     const struct resource_group *group)
{
    struct trace_call call;
    struct trace_event event;
    char summary[96];
    int rc = 0;
    for (size_t i = 0; rc == 0 && i + 1 < group->count; ++i) {
        event = event_of(r, group->members[i], &call);
        rc = sp_rtrace_text_put_member(text, &event, NULL);
    }
    event = event_of(r, group->members[group->count - 1], &call);
    snprintf(summary, sizeof summary, "# allocation summary: %zu block(s) with total size %" PRIu64,
             group->count, group->size);
    return rc == 0 ? sp_rtrace_text_put_member(text, &event, summary) : rc;
}

static int put_groups(const struct resource_report *r, struct trace_sink *text, bool grouped)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->group_count; ++i) {
        struct trace_call call;
        struct trace_event event = event_of(r, r->groups[i].members[0], &call);
        rc = grouped ? put_group(r, text, &r->groups[i]) : trace_sink_put(text, &event);
    }
    return rc;
}

/* --- sums ------------------------------------------------------------------------------------------ */

static int put_line(struct trace_sink *text, const char *line)
{
    const struct trace_event event = {.kind = TRACE_EVENT_COMMENT, .time = TRACE_NO_TIME, .u.text = line};
    return trace_sink_put(text, &event);
}

/* Title and name may have any length. */
static int put_sum(struct trace_sink *text, const char *title, const char *name, const char *description,
                   const struct resource_sum *sum)
{
    char numbers[96];
    size_t size = strlen(title) + strlen(name) + strlen(description) + 16;
    char *line = malloc(size);
    if (line == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (description[0] != '\0')
        snprintf(line, size, "# %s - %s (%s):", title, name, description);
    else
        snprintf(line, size, "# %s - %s:", title, name);
    int rc = put_line(text, line);
    free(line);
    snprintf(numbers, sizeof numbers, "# %" PRIu64 " block(s) leaked with total size of %" PRIu64 " bytes",
             sum->blocks, sum->size);
    return rc == 0 ? put_line(text, numbers) : rc;
}

static const char *or_else(const char *text, const char *other)
{
    return text != NULL ? text : other;
}

static int put_sums(const struct resource_report *r, struct trace_sink *text)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->type_count; ++i) {
        const struct trace_resource_type *type = r->by_type[i].type;
        rc = put_sum(text, "Resource", or_else(type != NULL ? type->name : NULL, "unknown"),
                     or_else(type != NULL ? type->description : NULL, ""), &r->by_type[i]);
    }
    for (size_t i = 0; rc == 0 && i < r->context_count; ++i) {
        const struct trace_context *context = r->by_context[i].context;
        rc = put_sum(text, "Context", context != NULL ? context->name : "none", "", &r->by_context[i]);
    }
    return rc;
}

int resource_report_put_text(const struct resource_report *r, struct trace_sink *text, bool grouped,
                             bool summary)
{
    int rc = summary ? 0 : put_groups(r, text, grouped);
    return rc == 0 ? put_sums(r, text) : rc;
}
