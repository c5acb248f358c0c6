/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_contexts.h"

#include "base/error.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
}

/* --- objects ---------------------------------------------------------------------------------------- */

struct flight_object *flight_space_find(const struct flight_space *s, uint64_t key)
{
    uint64_t pointer;
    return int_map_get(&s->objects, key, &pointer) ? (struct flight_object *)(uintptr_t)pointer : NULL;
}

static void free_object(struct flight_contexts *c, struct flight_object *o)
{
    if (o->made != NULL && o->made->names > 0)
        o->made->names--;
    kept_call_unref(&c->calls, o->made);
    kept_call_unref(&c->calls, o->bound);
    free(o);
}

int flight_space_set(struct flight_contexts *c, struct flight_space *s, uint64_t key,
                     const struct flight_object *object)
{
    struct flight_object *old = flight_space_find(s, key), *o = malloc(sizeof *o);
    if (o == NULL || int_map_set(&s->objects, key, (uintptr_t)o) != 0) {
        free(o);
        return no_memory();
    }
    *o = *object;
    o->made = kept_call_ref(object->made);
    o->bound = kept_call_ref(object->bound);
    if (o->made != NULL)
        o->made->names++;
    if (old != NULL)
        free_object(c, old);
    return 0;
}

void flight_space_remove(struct flight_contexts *c, struct flight_space *s, uint64_t key)
{
    struct flight_object *o = flight_space_find(s, key);
    if (o == NULL)
        return;
    int_map_remove(&s->objects, key);
    free_object(c, o);
}

void flight_space_remove_all(struct flight_contexts *c, struct flight_space *s,
                             bool (*matches)(const struct flight_object *object, uint64_t kind,
                                             uint64_t value),
                             uint64_t kind, uint64_t value)
{
    for (size_t i = 0; i < s->objects.cap; ++i) {
        struct int_map_slot *slot = &s->objects.slots[i];
        struct flight_object *o = (struct flight_object *)(uintptr_t)slot->value;
        if (slot->state == INT_MAP_USED && matches(o, kind, value))
            flight_space_remove(c, s, slot->key);
    }
}

static void free_space(struct flight_contexts *c, struct flight_space *s)
{
    for (size_t i = 0; i < s->objects.cap; ++i)
        if (s->objects.slots[i].state == INT_MAP_USED)
            free_object(c, (struct flight_object *)(uintptr_t)s->objects.slots[i].value);
    int_map_fini(&s->objects);
}

static bool is_binding_of(const struct flight_object *o, uint64_t kind, uint64_t name)
{
    return o->kind == kind && o->name == name;
}

void flight_contexts_unbind(struct flight_contexts *c, const struct flight_group *group, uint16_t kind,
                            uint64_t name)
{
    for (size_t i = 0; i < c->by_handle.cap; ++i) {
        struct flight_context *x = (struct flight_context *)(uintptr_t)c->by_handle.slots[i].value;
        if (c->by_handle.slots[i].state == INT_MAP_USED && x->group == group)
            flight_space_remove_all(c, &x->bindings, is_binding_of, kind, name);
    }
    if (group == &c->no_group)
        flight_space_remove_all(c, &c->none.bindings, is_binding_of, kind, name);
}

/* --- contexts --------------------------------------------------------------------------------------- */

static struct flight_context *find_context(const struct flight_contexts *c, uint64_t handle)
{
    uint64_t pointer;
    return int_map_get(&c->by_handle, handle, &pointer) ? (struct flight_context *)(uintptr_t)pointer : NULL;
}

struct flight_context *flight_contexts_current(struct flight_contexts *c, uint32_t thread)
{
    uint64_t pointer;
    return int_map_get(&c->by_thread, thread, &pointer) ? (struct flight_context *)(uintptr_t)pointer
                                                        : &c->none;
}

static void leave_group(struct flight_contexts *c, struct flight_group *group)
{
    if (--group->contexts > 0)
        return;
    free_space(c, &group->objects);
    free_space(c, &group->members);
    free(group);
}

static void free_context(struct flight_contexts *c, struct flight_context *x)
{
    free_space(c, &x->objects);
    free_space(c, &x->bindings);
    kept_call_unref(&c->calls, x->left);
    kept_call_unref(&c->calls, x->current);
    kept_call_unref(&c->calls, x->made);
    leave_group(c, x->group);
    free(x);
}

static void free_if_unused(struct flight_contexts *c, struct flight_context *x)
{
    if (x != &c->none && x->destroyed && x->threads == 0)
        free_context(c, x);
}

void flight_contexts_destroy(struct flight_contexts *c, uint64_t handle)
{
    struct flight_context *x = find_context(c, handle);
    if (x == NULL)
        return;
    int_map_remove(&c->by_handle, handle); /* the handle may be used again */
    x->destroyed = true;
    free_if_unused(c, x);
}

int flight_contexts_create(struct flight_contexts *c, uint64_t handle, uint64_t display, uint64_t share,
                           struct kept_call *call)
{
    struct flight_context *with = find_context(c, share), *x = calloc(1, sizeof *x);
    struct flight_group *group = with != NULL ? with->group : calloc(1, sizeof *group);
    if (x == NULL || group == NULL) {
        free(x);
        if (with == NULL)
            free(group);
        return no_memory();
    }
    group->contexts++;
    x->handle = handle;
    x->display = display;
    x->group = group;
    kept_call_set(&c->calls, &x->made, call);
    flight_contexts_destroy(c, handle);
    return int_map_set(&c->by_handle, handle, (uintptr_t)x);
}

/* Another thread makes the context current. If what was called in the thread before is kept, so is the call
 * after which the context was free. */
static int note_move(struct flight_context *x, const struct kept_call *call)
{
    struct kept_call *before = x->current;
    bool moves = before != NULL && before->call.thread != call->call.thread && before->uses > 0;
    return moves ? kept_call_need(before, x->left) : 0;
}

static int enter_context(struct flight_contexts *c, uint32_t thread, struct flight_context *x,
                         struct kept_call *call)
{
    int rc = note_move(x, call);
    if (rc == 0)
        rc = int_map_set(&c->by_thread, thread, (uintptr_t)x);
    if (rc != 0)
        return rc;
    x->threads++;
    kept_call_set(&c->calls, &x->left, NULL);
    kept_call_set(&c->calls, &x->current, call);
    return 0;
}

int flight_contexts_make_current(struct flight_contexts *c, uint32_t thread, uint64_t handle,
                                 struct kept_call *call)
{
    struct flight_context *before = flight_contexts_current(c, thread), *x = find_context(c, handle);
    int rc = 0;
    if (handle != 0 && x == NULL) {
        rc = flight_contexts_create(c, handle, 0, 0, NULL);
        x = find_context(c, handle);
    }
    if (rc != 0 || (x != NULL && x == before)) {
        if (rc == 0)
            kept_call_set(&c->calls, &x->current, call);
        return rc;
    }
    int_map_remove(&c->by_thread, thread);
    if (before != &c->none) {
        before->threads--;
        kept_call_set(&c->calls, &before->left, call);
        free_if_unused(c, before);
    }
    return x != NULL ? enter_context(c, thread, x, call) : 0;
}

static bool belongs_to(const struct flight_object *o, uint64_t kind, uint64_t display)
{
    (void)kind;
    return o->owner == display;
}

void flight_contexts_end_display(struct flight_contexts *c, uint64_t display)
{
    for (size_t i = 0; i < c->by_handle.cap; ++i) {
        struct int_map_slot *slot = &c->by_handle.slots[i];
        if (slot->state == INT_MAP_USED &&
            ((struct flight_context *)(uintptr_t)slot->value)->display == display)
            flight_contexts_destroy(c, slot->key);
    }
    flight_space_remove_all(c, &c->displays, belongs_to, 0, display);
}

/* --- beginning and end ------------------------------------------------------------------------------- */

void flight_contexts_init(struct flight_contexts *c)
{
    *c = (struct flight_contexts){.no_group = {.contexts = 1}};
    c->none.group = &c->no_group;
}

/* Contexts that were destroyed, but are current, are only found by their threads. */
static void free_current(struct flight_contexts *c)
{
    for (size_t i = 0; i < c->by_thread.cap; ++i) {
        if (c->by_thread.slots[i].state != INT_MAP_USED)
            continue;
        struct flight_context *x = (struct flight_context *)(uintptr_t)c->by_thread.slots[i].value;
        x->threads--;
        free_if_unused(c, x);
    }
    int_map_fini(&c->by_thread);
}

void flight_contexts_fini(struct flight_contexts *c)
{
    free_current(c);
    for (size_t i = 0; i < c->by_handle.cap; ++i)
        if (c->by_handle.slots[i].state == INT_MAP_USED)
            free_context(c, (struct flight_context *)(uintptr_t)c->by_handle.slots[i].value);
    int_map_fini(&c->by_handle);
    free_space(c, &c->none.objects);
    free_space(c, &c->none.bindings);
    free_space(c, &c->displays);
    free_space(c, &c->no_group.objects);
    free_space(c, &c->no_group.members);
}
