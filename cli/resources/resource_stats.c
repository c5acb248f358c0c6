/* SPDX-License-Identifier: MIT */
#include "resources/resource_stats.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int resource_stats_init(struct resource_stats *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 1; i < RESOURCE_CONTEXTS; ++i)
        s->contexts[i].context = UINT32_C(1) << (i - 1);
    return resource_tracker_init(&s->tracker, 0);
}

void resource_stats_fini(struct resource_stats *s)
{
    resource_tracker_fini(&s->tracker);
    free(s->types);
    free(s->functions);
    int_map_fini(&s->by_sig);
    int_map_fini(&s->by_type);
}

/* --- finding counts -------------------------------------------------------------------------------- */

static int add_count(struct resource_count **items, size_t *count, const char *name)
{
    if ((*count & (*count - 1)) == 0) { /* grow at every power of two */
        size_t room = *count == 0 ? 1 : *count * 2;
        struct resource_count *grown = realloc(*items, room * sizeof *grown);
        if (grown == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        *items = grown;
    }
    (*items)[(*count)++] = (struct resource_count){.name = name};
    return 0;
}

/* Finds or adds the count for the object at an address. *out is valid until the next call. */
static int find_count(struct int_map *map, struct resource_count **items, size_t *count, const void *key,
                      const char *name, struct resource_count **out)
{
    uint64_t address = (uint64_t)(uintptr_t)key, place;
    if (!int_map_get(map, address, &place)) {
        place = *count;
        int rc = add_count(items, count, name);
        if (rc == 0)
            rc = int_map_set(map, address, place);
        if (rc != 0)
            return rc;
    }
    *out = &(*items)[place];
    return 0;
}

/* --- counting -------------------------------------------------------------------------------------- */

static void count_event(struct resource_count *c, const struct trace_event *event)
{
    if (event->kind == TRACE_EVENT_FREE) {
        c->releases++;
        return;
    }
    c->allocations++;
    c->size += event->u.resource.size;
}

static void count_live(struct resource_count *c, int64_t change, uint64_t size)
{
    c->live += (uint64_t)change;
    c->live_size += change < 0 ? -size : size;
    if (c->live_size > c->peak_size)
        c->peak_size = c->live_size;
}

/* Calls that were made in no context are counted in contexts[0], others in each active context. */
static void for_contexts(struct resource_stats *s, const struct trace_origin *origin,
                         const struct trace_event *event, int64_t change, uint64_t size)
{
    uint32_t active = origin != NULL ? origin->contexts : 0;
    for (unsigned i = 0; i < RESOURCE_CONTEXTS; ++i) {
        struct resource_count *c = &s->contexts[i];
        if (i == 0 ? active != 0 : (active & c->context) == 0)
            continue;
        if (event != NULL)
            count_event(c, event);
        else
            count_live(c, change, size);
    }
}

/* Notes that a resource was allocated or released. */
static void change_live(struct resource_stats *s, struct resource_count *type,
                        const struct live_resource *resource, int64_t change)
{
    uint64_t size = resource->size;
    count_live(&s->all, change, size);
    count_live(type, change, size);
    for_contexts(s, resource->kind->origin, NULL, change, size);
}

/* Passes the event to the tracker, and learns its effect from the tracker's state before and after. */
static int follow(struct resource_stats *s, struct resource_count *type, const struct trace_event *event)
{
    const struct trace_resource *resource = &event->u.resource;
    const struct live_resource *known = resource_tracker_find(&s->tracker, resource);
    const struct live_resource before = known != NULL ? *known : (struct live_resource){0};
    bool was_live = known != NULL;
    int rc = resource_tracker_add(&s->tracker, event);
    if (rc != 0)
        return rc;
    known = resource_tracker_find(&s->tracker, resource);
    bool is_new = event->kind == TRACE_EVENT_ALLOC && known != NULL && known->number == event->number;
    if (is_new)
        change_live(s, type, known, 1);
    else if (was_live && known == NULL)
        change_live(s, type, &before, -1);
    return 0;
}

static int add_resource(struct resource_stats *s, const struct trace_event *event)
{
    const struct trace_resource_type *resource = event->u.resource.type;
    struct resource_count *type;
    int rc = find_count(&s->by_type, &s->types, &s->type_count, resource,
                        resource != NULL ? resource->name : NULL, &type);
    if (rc != 0)
        return rc;
    count_event(&s->all, event);
    count_event(type, event);
    for_contexts(s, event->origin, event, 0, 0);
    return follow(s, type, event);
}

int resource_stats_add(struct resource_stats *s, const struct trace_event *event)
{
    struct resource_count *function;
    if (event->kind != TRACE_EVENT_ALLOC && event->kind != TRACE_EVENT_FREE)
        return 0;
    int rc = find_count(&s->by_sig, &s->functions, &s->function_count, event->call->sig,
                        event->call->sig->name, &function);
    if (rc != 0)
        return rc;
    count_event(function, event);
    return add_resource(s, event);
}

/* --- the end --------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct resource_count *x = a, *y = b;
    return strcmp(x->name != NULL ? x->name : "", y->name != NULL ? y->name : "");
}

static int by_allocations(const void *a, const void *b)
{
    const struct resource_count *x = a, *y = b;
    if (x->allocations != y->allocations)
        return x->allocations < y->allocations ? 1 : -1;
    if (x->releases != y->releases)
        return x->releases < y->releases ? 1 : -1;
    return by_name(a, b);
}

/* Merges counts of functions with the same name and different arguments. */
static void join_functions(struct resource_stats *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->function_count; ++i) {
        struct resource_count *c = &s->functions[i];
        if (kept == 0 || by_name(&s->functions[kept - 1], c) != 0) {
            s->functions[kept++] = *c;
            continue;
        }
        s->functions[kept - 1].allocations += c->allocations;
        s->functions[kept - 1].releases += c->releases;
        s->functions[kept - 1].size += c->size;
    }
    s->function_count = kept;
}

void resource_stats_sort(struct resource_stats *s)
{
    if (s->function_count > 0) {
        qsort(s->functions, s->function_count, sizeof *s->functions, by_name);
        join_functions(s);
        qsort(s->functions, s->function_count, sizeof *s->functions, by_allocations);
    }
    if (s->type_count > 0)
        qsort(s->types, s->type_count, sizeof *s->types, by_name);
}
