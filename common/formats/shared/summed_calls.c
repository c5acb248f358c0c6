/* SPDX-License-Identifier: MIT */
#include "formats/shared/summed_calls.h"

#define BILLION 1000000000u

void summed_calls_init(struct summed_calls *s, const struct trace_sink_options *options)
{
    const struct call_tree_options own = {.has_ticks = true};
    call_tree_init(&s->tree, &own);
    s->frequency = options->clock != NULL ? options->clock->frequency : 0;
    s->has_times = s->frequency > 0;
}

void summed_calls_fini(struct summed_calls *s)
{
    call_tree_fini(&s->tree);
}

int summed_calls_add(struct summed_calls *s, const struct trace_event *event)
{
    return call_tree_add(&s->tree, event);
}

int summed_calls_finish(struct summed_calls *s)
{
    return call_tree_finish(&s->tree);
}

uint64_t summed_calls_value(const struct summed_calls *s, const struct call_node *node)
{
    return s->has_times ? (uint64_t)((unsigned __int128)node->self_time * BILLION / s->frequency)
                        : node->self_time;
}
