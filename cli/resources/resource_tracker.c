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
    arena_init(&t->arena);
    return stack_table_init(&t->stacks);
}

void resource_tracker_fini(struct resource_tracker *t)
{
    for (uint32_t i = 0; i < t->count; ++i)
        free(t->resources[i].args);
    free(t->resources);
    free(t->slots);
    free(t->types);
    int_map_fini(&t->kinds);
    int_map_fini(&t->known_types);
    arena_fini(&t->arena);
    stack_table_fini(&t->stacks);
    memset(t, 0, sizeof *t);
}

/* --- types, and what allocations have in common ----------------------------------------------------- */

static int add_type(struct resource_tracker *t, const struct trace_resource_type *type)
{
    uint64_t key = (uint64_t)(uintptr_t)type, index;
    if (int_map_get(&t->known_types, key, &index)) {
        t->last_type = (uint32_t)index;
        return 0;
    }
    if ((t->type_count & (t->type_count - 1)) == 0) { /* a power of two, or 0: all room is used */
        size_t room = t->type_count == 0 ? 1 : (size_t)t->type_count * 2;
        const struct trace_resource_type **types = realloc(t->types, room * sizeof *types);
        if (types == NULL)
            return no_memory();
        t->types = types;
    }
    t->types[t->type_count] = type;
    t->last_type = t->type_count;
    return int_map_set(&t->known_types, key, t->type_count++);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static bool is_kind(const struct live_kind *k, const struct trace_event *event)
{
    return k->sig == event->call->sig && k->type == event->u.resource.type && k->origin == event->origin;
}

static const struct live_kind *add_kind(struct resource_tracker *t, const struct trace_event *event,
                                        uint64_t hash, const struct live_kind *next)
{
    struct live_kind *kind = arena_alloc(&t->arena, sizeof *kind);
    if (kind == NULL)
        return NULL;
    *kind = (struct live_kind){
        .origin = event->origin, .sig = event->call->sig, .type = event->u.resource.type, .next = next};
    return int_map_set(&t->kinds, hash, (uint64_t)(uintptr_t)kind) == 0 ? kind : NULL;
}

/* Returns NULL if there is no memory. */
static const struct live_kind *find_kind(struct resource_tracker *t, const struct trace_event *event)
{
    if (t->last_kind != NULL && is_kind(t->last_kind, event))
        return t->last_kind;
    uint64_t hash = mix(mix(mix(0, (uintptr_t)event->call->sig), (uintptr_t)event->u.resource.type),
                        (uintptr_t)event->origin);
    uint64_t address = 0;
    int_map_get(&t->kinds, hash, &address);
    const struct live_kind *first = (const struct live_kind *)(uintptr_t)address, *kind = first;
    while (kind != NULL && !is_kind(kind, event))
        kind = kind->next;
    if (kind == NULL)
        kind = add_kind(t, event, hash, first);
    return t->last_kind = kind;
}

/* --- by type and id ---------------------------------------------------------------------------------- */

#define FIRST_SLOTS 1024

static uint32_t first_slot(const struct resource_tracker *t, const struct trace_resource_type *type,
                           uint64_t id)
{
    return (uint32_t)mix(mix(0, (uintptr_t)type), id) & (t->slot_count - 1);
}

/* Returns the slot of the resource, or the empty slot for it. The table has one. */
static uint32_t *find_slot(const struct resource_tracker *t, const struct trace_resource_type *type,
                           uint64_t id)
{
    for (uint32_t i = first_slot(t, type, id);; i = (i + 1) & (t->slot_count - 1)) {
        if (t->slots[i] == 0)
            return &t->slots[i];
        const struct live_resource *r = &t->resources[t->slots[i] - 1];
        if (r->id == id && r->kind->type == type)
            return &t->slots[i];
    }
}

static int make_slots(struct resource_tracker *t)
{
    uint32_t *old = t->slots, old_count = t->slot_count;
    uint32_t count = old_count == 0 ? FIRST_SLOTS : old_count * 2;
    if (t->used_slots < old_count / 4 * 3)
        return 0;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (slots == NULL)
        return no_memory();
    t->slots = slots;
    t->slot_count = count;
    for (uint32_t i = 0; i < old_count; ++i)
        if (old[i] != 0) {
            const struct live_resource *r = &t->resources[old[i] - 1];
            *find_slot(t, r->kind->type, r->id) = old[i];
        }
    free(old);
    return 0;
}

/* Closes the gap that an emptied slot leaves for those behind it that could not have their first slots. */
static void empty_slot(struct resource_tracker *t, uint32_t *slot)
{
    uint32_t mask = t->slot_count - 1, gap = (uint32_t)(slot - t->slots);
    for (uint32_t i = (gap + 1) & mask; t->slots[i] != 0; i = (i + 1) & mask) {
        const struct live_resource *r = &t->resources[t->slots[i] - 1];
        uint32_t first = first_slot(t, r->kind->type, r->id);
        if (((i - first) & mask) >= ((i - gap) & mask)) {
            t->slots[gap] = t->slots[i];
            gap = i;
        }
    }
    t->slots[gap] = 0;
    --t->used_slots;
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
                                  .kind = find_kind(t, event),
                                  .id = event->u.resource.id,
                                  .size = event->u.resource.size,
                                  .references = 1};
    int rc = out->kind != NULL ? copy_args(out, call) : no_memory();
    if (t->depth != 0 && frames > t->depth)
        frames = t->depth;
    return rc == 0 ? stack_table_find(&t->stacks, call->frames, frames, &out->stack) : rc;
}

/* Handles an allocation. If the id is allocated already and the type has no reference counts, then either its
 * release was not recorded, or both are alive. The older allocation is kept, and can no longer be released.
 */
static int allocate(struct resource_tracker *t, const struct trace_event *event)
{
    const struct trace_resource *resource = &event->u.resource;
    uint32_t place = 0;
    int rc = make_slots(t);
    if (rc != 0)
        return rc;
    uint32_t *slot = find_slot(t, resource->type, resource->id);
    if (*slot != 0 && resource->type != NULL && resource->type->refcounted) {
        t->resources[*slot - 1].references++;
        return 0;
    }
    rc = take_place(t, &place);
    if (rc == 0)
        rc = fill(t, &t->resources[place], event);
    if (rc != 0)
        return rc;
    t->used_slots += *slot == 0;
    *slot = place + 1;
    return 0;
}

static void release(struct resource_tracker *t, const struct trace_event *event)
{
    const struct trace_resource *resource = &event->u.resource;
    uint32_t *slot = t->slot_count > 0 ? find_slot(t, resource->type, resource->id) : NULL;
    if (slot == NULL || *slot == 0)
        return;
    uint32_t place = *slot - 1;
    bool is_counted = resource->type != NULL && resource->type->refcounted;
    if (is_counted && --t->resources[place].references > 0)
        return;
    empty_slot(t, slot);
    give_place_back(t, place);
}

int resource_tracker_add(struct resource_tracker *t, const struct trace_event *event)
{
    if (event->kind == TRACE_EVENT_RESOURCE_TYPE)
        return add_type(t, event->u.resource_type);
    if (event->kind != TRACE_EVENT_ALLOC && event->kind != TRACE_EVENT_FREE)
        return 0;
    const struct trace_resource_type *type = event->u.resource.type;
    bool is_last = t->type_count > 0 && t->types[t->last_type] == type;
    int rc = is_last ? 0 : add_type(t, type);
    if (rc != 0)
        return rc;
    if (event->kind == TRACE_EVENT_ALLOC)
        return allocate(t, event);
    release(t, event);
    return 0;
}

const struct live_resource *resource_tracker_find(const struct resource_tracker *t,
                                                  const struct trace_resource *resource)
{
    const uint32_t *slot = t->slot_count > 0 ? find_slot(t, resource->type, resource->id) : NULL;
    return slot != NULL && *slot != 0 ? &t->resources[*slot - 1] : NULL;
}

uint32_t resource_tracker_type_index(const struct resource_tracker *t, const struct trace_resource_type *type)
{
    uint64_t index = 0;
    int_map_get(&t->known_types, (uint64_t)(uintptr_t)type, &index);
    return (uint32_t)index;
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
    size_t sorted = 1;
    while (sorted < *count && list[sorted - 1]->number < list[sorted]->number)
        ++sorted;
    if (sorted < *count) /* places of released resources were used again */
        qsort(list, *count, sizeof *list, compare_numbers);
    return list;
}
