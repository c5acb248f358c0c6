/* SPDX-License-Identifier: MIT */
#include "leaks/leak_contexts.h"

#include "base/error.h"
#include "spec_ids.h"

#include <stdlib.h>

/* --- one context ----------------------------------------------------------------------------------- */

static struct leak_context *find_context(const struct leak_contexts *c, uint64_t handle)
{
    uint64_t pointer = 0;
    int_map_get(&c->by_handle, handle, &pointer);
    return (struct leak_context *)(uintptr_t)pointer;
}

static struct leak_group *new_group(struct leak_contexts *c)
{
    struct leak_group *group = calloc(1, sizeof *group);
    if (group != NULL)
        group->number = ++c->group_count;
    return group;
}

static void free_context(struct leak_context *context)
{
    leak_space_fini(&context->space);
    if (--context->group->contexts == 0) {
        leak_space_fini(&context->group->space);
        free(context->group);
    }
    free(context);
}

static struct leak_context *enter_context(struct leak_contexts *c, uint64_t handle, uint64_t share)
{
    struct leak_context *with = share != 0 ? find_context(c, share) : NULL;
    struct leak_context *context = calloc(1, sizeof *context);
    if (context != NULL)
        context->group = with != NULL ? with->group : new_group(c);
    if (context == NULL || context->group == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        free(context);
        return NULL;
    }
    context->handle = handle;
    context->group->contexts++;
    if (int_map_set(&c->by_handle, handle, (uint64_t)(uintptr_t)context) == 0)
        return context;
    free_context(context);
    return NULL;
}

/* Makes the context's own objects findings. If it is the last context of its group, also the shared objects.
 */
static int release_context(struct leak_contexts *c, struct leak_context *context, uint64_t until)
{
    int rc = leak_space_end(&context->space, &c->findings, until);
    if (rc == 0 && context->group->contexts == 1)
        rc = leak_space_end(&context->group->space, &c->findings, until);
    if (find_context(c, context->handle) == context)
        int_map_remove(&c->by_handle, context->handle);
    free_context(context);
    return rc;
}

static int destroy_context(struct leak_contexts *c, struct leak_context *context, uint64_t call)
{
    if (!context->destroyed) {
        context->destroyed = true;
        context->destroyed_by = call;
    }
    return context->threads == 0 ? release_context(c, context, context->destroyed_by) : 0;
}

/* --- threads --------------------------------------------------------------------------------------- */

struct leak_context *leak_contexts_current(struct leak_contexts *c, uint32_t thread)
{
    uint64_t pointer = 0;
    c->none.group = &c->no_group;
    return int_map_get(&c->current, thread, &pointer) ? (struct leak_context *)(uintptr_t)pointer : &c->none;
}

static int leave(struct leak_contexts *c, uint32_t thread, struct leak_context *context)
{
    int_map_remove(&c->current, thread);
    context->threads--;
    return context->destroyed ? destroy_context(c, context, context->destroyed_by) : 0;
}

int leak_contexts_make_current(struct leak_contexts *c, uint32_t thread, uint64_t handle)
{
    struct leak_context *old = leak_contexts_current(c, thread);
    struct leak_context *context = handle != 0 ? find_context(c, handle) : NULL;
    if (old == context)
        return 0;
    if (handle != 0 && context == NULL && (context = enter_context(c, handle, 0)) == NULL)
        return TRACE_ERR_MEMORY;
    int rc = old != &c->none ? leave(c, thread, old) : 0;
    if (rc == 0 && context != NULL)
        rc = int_map_set(&c->current, thread, (uint64_t)(uintptr_t)context);
    if (rc == 0 && context != NULL)
        context->threads++;
    return rc;
}

/* A handle is reused, so the context that had it no longer exists, although the trace does not show when it
 * ended. */
static int forget_handle(struct leak_contexts *c, uint64_t handle, uint64_t call)
{
    struct leak_context *context = find_context(c, handle);
    if (context == NULL)
        return 0;
    for (size_t i = 0; i < c->current.cap && context->threads > 0; ++i) {
        const struct int_map_slot *slot = &c->current.slots[i];
        if (slot->state == INT_MAP_USED && slot->value == (uint64_t)(uintptr_t)context) {
            int_map_remove(&c->current, slot->key);
            context->threads--;
        }
    }
    return destroy_context(c, context, call);
}

/* --- what calls do --------------------------------------------------------------------------------- */

int leak_contexts_create(struct leak_contexts *c, struct leak_object *object, uint64_t share,
                         bool creates_on_bind)
{
    int rc = forget_handle(c, object->name, object->call);
    if (rc != 0)
        return rc;
    if (share != 0 && find_context(c, share) == NULL && enter_context(c, share, 0) == NULL)
        return TRACE_ERR_MEMORY;
    struct leak_context *context = enter_context(c, object->name, share);
    if (context == NULL)
        return TRACE_ERR_MEMORY;
    context->creates_on_bind = creates_on_bind;
    object->group = context->group->number;
    return leak_space_add(&c->displays, object);
}

int leak_contexts_destroy(struct leak_contexts *c, uint64_t handle, uint64_t call)
{
    struct leak_context *context = find_context(c, handle);
    leak_space_remove(&c->displays, SPEC_OBJECT_context, handle);
    return context != NULL ? destroy_context(c, context, call) : 0;
}

int leak_contexts_share(struct leak_contexts *c, uint64_t with, uint64_t handle)
{
    struct leak_context *a = find_context(c, with), *b = find_context(c, handle);
    if (a == NULL || b == NULL || a->group == b->group)
        return 0;
    struct leak_group *old = b->group;
    struct leak_object *object = leak_space_find(&c->displays, SPEC_OBJECT_context, handle);
    b->group = a->group;
    b->group->contexts++;
    if (object != NULL)
        object->group = b->group->number;
    if (--old->contexts > 0)
        return 0;
    int rc = leak_space_merge(&b->group->space, &old->space, b->group->number);
    free(old);
    return rc;
}

int leak_contexts_end_display(struct leak_contexts *c, uint64_t display, uint64_t call)
{
    int rc = leak_space_end_owner(&c->displays, display, SPEC_OBJECT_context, &c->findings, call);
    size_t first = c->findings.count;
    if (rc == 0)
        rc = leak_space_end_owner(&c->displays, display, SPEC_OBJECT_none, &c->findings, call);
    size_t end = c->findings.count;
    for (size_t i = first; i < end && rc == 0; ++i) {
        struct leak_context *context = find_context(c, c->findings.items[i].object.name);
        rc = context != NULL ? destroy_context(c, context, call) : 0;
    }
    return rc;
}

/* --- the end --------------------------------------------------------------------------------------- */

static int end_context(struct leak_contexts *c, struct leak_context *context)
{
    return release_context(c, context, context->destroyed ? context->destroyed_by : LEAK_AT_END);
}

int leak_contexts_end(struct leak_contexts *c)
{
    int rc = leak_space_end(&c->displays, &c->findings, LEAK_AT_END);
    if (rc == 0)
        rc = leak_space_end(&c->none.space, &c->findings, LEAK_AT_END);
    if (rc == 0)
        rc = leak_space_end(&c->no_group.space, &c->findings, LEAK_AT_END);
    int_map_fini(&c->current);
    /* Contexts that still exist come last, because then the objects that they share with destroyed contexts
     * still exist, too. */
    for (int destroyed = 1; destroyed >= 0; --destroyed)
        for (size_t i = 0; i < c->by_handle.cap && rc == 0; ++i) {
            const struct int_map_slot *slot = &c->by_handle.slots[i];
            struct leak_context *context = (struct leak_context *)(uintptr_t)slot->value;
            if (slot->state == INT_MAP_USED && context->destroyed == destroyed)
                rc = end_context(c, context);
        }
    return rc;
}

void leak_contexts_fini(struct leak_contexts *c)
{
    for (size_t i = 0; i < c->by_handle.cap; ++i)
        if (c->by_handle.slots[i].state == INT_MAP_USED)
            free_context((struct leak_context *)(uintptr_t)c->by_handle.slots[i].value);
    int_map_fini(&c->by_handle);
    int_map_fini(&c->current);
    leak_space_fini(&c->none.space);
    leak_space_fini(&c->no_group.space);
    leak_space_fini(&c->displays);
    leak_findings_fini(&c->findings);
    *c = (struct leak_contexts){0};
}
