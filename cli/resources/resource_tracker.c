/* SPDX-License-Identifier: MIT */
#include "resources/resource_tracker.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NOT_USED UINT64_MAX

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

int resource_tracker_init(struct resource_tracker *t, uint32_t depth)
{
    memset(t, 0, sizeof *t);
    t->depth = depth;
    return stack_table_init(&t->stacks);
}

void resource_tracker_fini(struct resource_tracker *t)
{
    for (uint32_t i = 0; i < t->count; ++i)
        free(t->resources[i].args);
    for (uint32_t i = 0; i < t->type_count; ++i)
        int_map_fini(&t->by_type[i]);
    free(t->resources);
    free(t->by_type);
    free(t->types);
    stack_table_fini(&t->stacks);
    memset(t, 0, sizeof *t);
}

/* --- types ----------------------------------------------------------------------------------------- */

static int add_type(struct resource_tracker *t, const struct trace_resource_type *type, struct int_map **out)
{
    struct int_map *maps = realloc(t->by_type, (t->type_count + 1) * sizeof *maps);
    if (maps == NULL)
        return no_memory();
    t->by_type = maps;
    const struct trace_resource_type **types = realloc(t->types, (t->type_count + 1) * sizeof *types);
    if (types == NULL)
        return no_memory();
    t->types = types;
    types[t->type_count] = type;
    *out = &maps[t->type_count++];
    memset(*out, 0, sizeof **out);
    return 0;
}

/* Returns the map of the allocated ids of a type, or NULL if the type has none yet. There are few types, so
 * the search is linear. */
static struct int_map *known_ids(const struct resource_tracker *t, const struct trace_resource_type *type)
{
    for (uint32_t i = 0; i < t->type_count; ++i)
        if (t->types[i] == type)
            return &t->by_type[i];
    return NULL;
}

static int find_ids(struct resource_tracker *t, const struct trace_resource_type *type, struct int_map **out)
{
    *out = known_ids(t, type);
    return *out != NULL ? 0 : add_type(t, type, out);
}

/* --- resources ------------------------------------------------------------------------------------- */

static int take_place(struct resource_tracker *t, uint32_t *out)
{
    if (t->free != 0) {
        *out = t->free - 1;
        t->free = t->resources[*out].stack;
        return 0;
    }
    if (t->count == t->room) {
        uint32_t room = t->room == 0 ? 1024 : t->room * 2;
        struct live_resource *resources = realloc(t->resources, room * sizeof *resources);
        if (resources == NULL)
            return no_memory();
        t->resources = resources;
        t->room = room;
    }
    *out = t->count++;
    return 0;
}

static void give_place_back(struct resource_tracker *t, uint32_t place)
{
    free(t->resources[place].args);
    t->resources[place] = (struct live_resource){.number = NOT_USED, .stack = t->free};
    t->free = place + 1;
}

static size_t text_bytes(const struct trace_value *value)
{
    return value->type == TRACE_STRING ? (size_t)value->count + 1 : 0;
}

/* Copies the arguments with their strings. Values that refer to other memory are dropped. */
static int copy_args(struct live_resource *resource, const struct trace_call *call)
{
    uint32_t count = call->sig->arg_count;
    size_t bytes = count * sizeof *resource->args;
    if (count == 0)
        return 0;
    for (uint32_t i = 0; i < count; ++i)
        bytes += text_bytes(&call->args[i]);
    resource->args = malloc(bytes);
    if (resource->args == NULL)
        return no_memory();
    char *text = (char *)(resource->args + count);
    for (uint32_t i = 0; i < count; ++i) {
        struct trace_value *value = &resource->args[i];
        size_t size = text_bytes(&call->args[i]);
        *value = call->args[i];
        if (size > 0) {
            memcpy(text, value->u.string, size - 1);
            text[size - 1] = '\0';
            value->u.string = text;
            text += size;
        } else if (value->type >= TRACE_STRING) {
            *value = (struct trace_value){.type = TRACE_NONE};
        }
    }
    return 0;
}

static int fill(struct resource_tracker *t, struct live_resource *out, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    uint32_t frames = call->frame_count;
    *out = (struct live_resource){.number = event->number,
                                  .time = event->time,
                                  .origin = event->origin,
                                  .sig = call->sig,
                                  .resource = event->u.resource,
                                  .references = 1};
    int rc = copy_args(out, call);
    if (t->depth != 0 && frames > t->depth)
        frames = t->depth;
    return rc == 0 ? stack_table_find(&t->stacks, call->frames, frames, &out->stack) : rc;
}

/* Handles an allocation. If the id is allocated already and the type has no reference counts, then either its
 * release was not recorded, or both are alive. The older allocation is kept, and can no longer be released.
 */
static int allocate(struct resource_tracker *t, const struct trace_event *event, struct int_map *ids)
{
    const struct trace_resource *resource = &event->u.resource;
    uint64_t known;
    uint32_t place = 0;
    if (resource->type != NULL && resource->type->refcounted && int_map_get(ids, resource->id, &known)) {
        t->resources[known].references++;
        return 0;
    }
    int rc = take_place(t, &place);
    if (rc == 0)
        rc = fill(t, &t->resources[place], event);
    return rc == 0 ? int_map_set(ids, resource->id, place) : rc;
}

static void release(struct resource_tracker *t, const struct trace_event *event, struct int_map *ids)
{
    const struct trace_resource *resource = &event->u.resource;
    uint64_t place;
    if (!int_map_get(ids, resource->id, &place))
        return;
    bool is_counted = resource->type != NULL && resource->type->refcounted;
    if (is_counted && --t->resources[place].references > 0)
        return;
    int_map_remove(ids, resource->id);
    give_place_back(t, (uint32_t)place);
}

int resource_tracker_add(struct resource_tracker *t, const struct trace_event *event)
{
    struct int_map *ids;
    if (event->kind == TRACE_EVENT_RESOURCE_TYPE)
        return find_ids(t, event->u.resource_type, &ids);
    if (event->kind != TRACE_EVENT_ALLOC && event->kind != TRACE_EVENT_FREE)
        return 0;
    int rc = find_ids(t, event->u.resource.type, &ids);
    if (rc != 0)
        return rc;
    if (event->kind == TRACE_EVENT_ALLOC)
        return allocate(t, event, ids);
    release(t, event, ids);
    return 0;
}

const struct live_resource *resource_tracker_find(const struct resource_tracker *t,
                                                  const struct trace_resource *resource)
{
    const struct int_map *ids = known_ids(t, resource->type);
    uint64_t place;
    return ids != NULL && int_map_get(ids, resource->id, &place) ? &t->resources[place] : NULL;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct live_resource *x = *(const struct live_resource *const *)a;
    const struct live_resource *y = *(const struct live_resource *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

const struct live_resource **resource_tracker_list(struct resource_tracker *t, size_t *count)
{
    const struct live_resource **list = malloc(((size_t)t->count + 1) * sizeof *list);
    *count = 0;
    if (list == NULL) {
        no_memory();
        return NULL;
    }
    for (uint32_t i = 0; i < t->count; ++i)
        if (t->resources[i].number != NOT_USED)
            list[(*count)++] = &t->resources[i];
    qsort(list, *count, sizeof *list, compare_numbers);
    return list;
}
