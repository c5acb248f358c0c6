/* SPDX-License-Identifier: MIT */
#include "info/info_events.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int event_info_init(struct event_info *info, struct trace_source *source, const char *path, bool stats)
{
    memset(info, 0, sizeof *info);
    info->path = path;
    info->format = trace_source_format_name(source);
    info->property_count = trace_source_properties(source, &info->properties);
    info->wants_stats = stats;
    return stats ? resource_stats_init(&info->stats) : 0;
}

void event_info_fini(struct event_info *info)
{
    if (info->wants_stats)
        resource_stats_fini(&info->stats);
    for (unsigned i = 0; i < RESOURCE_CONTEXTS; ++i)
        free((char *)info->context_names[i]);
}

static int note_context(struct event_info *info, const struct trace_context *context)
{
    for (unsigned i = 1; i < RESOURCE_CONTEXTS; ++i) {
        if (context->id != UINT32_C(1) << (i - 1) || info->context_names[i] != NULL || context->name == NULL)
            continue;
        info->context_names[i] = strdup(context->name);
        if (info->context_names[i] == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    return 0;
}

int event_info_add(struct event_info *info, const struct trace_event *event)
{
    info->events++;
    info->kinds[event->kind]++;
    if (!info->wants_stats)
        return 0;
    return event->kind == TRACE_EVENT_CONTEXT ? note_context(info, &event->u.context)
                                              : resource_stats_add(&info->stats, event);
}
