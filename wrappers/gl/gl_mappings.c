/* SPDX-License-Identifier: MIT */
#include "gl/gl_mappings.h"

#include "base/hash_map.h"
#include "capture/capture_hooks.h"
#include "context/gl_context.h"
#include "memory/memory_watch.h"
#include "process/capture_log.h"

#include <stdatomic.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    _Atomic unsigned count;
    struct int_map mapped, pinned; /* from key_of() to the struct gl_mapping */
    struct gl_mapping *notified;
} mappings = {.lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};

_Atomic unsigned capture_persistent_mappings;

void gl_mappings_lock(void)
{
    pthread_mutex_lock(&mappings.lock);
}

void gl_mappings_unlock(void)
{
    pthread_mutex_unlock(&mappings.lock);
}

bool gl_mappings_any(void)
{
    return atomic_load_explicit(&mappings.count, memory_order_relaxed) != 0;
}

static struct int_map *map_of(bool pinned)
{
    return pinned ? &mappings.pinned : &mappings.mapped;
}

static uint64_t key_of(uint32_t share_group, uint32_t buffer)
{
    return (uint64_t)share_group << 32 | buffer;
}

struct gl_mapping *gl_mapping_find(uint32_t share_group, uint32_t buffer, bool pinned)
{
    uint64_t m;
    bool found = int_map_get(map_of(pinned), key_of(share_group, buffer), &m);
    return found ? (struct gl_mapping *)(uintptr_t)m : NULL;
}

struct gl_mapping *gl_mapping_next_notified(const struct gl_mapping *m)
{
    return m != NULL ? m->next : mappings.notified;
}

static void link_notified(struct gl_mapping *m)
{
    m->previous = NULL;
    m->next = mappings.notified;
    if (m->next != NULL)
        m->next->previous = m;
    mappings.notified = m;
}

static void unlink_notified(struct gl_mapping *m)
{
    *(m->previous != NULL ? &m->previous->next : &mappings.notified) = m->next;
    if (m->next != NULL)
        m->next->previous = m->previous;
}

void gl_mapping_remove(struct gl_mapping *m)
{
    int_map_remove(map_of(m->pinned), key_of(m->share_group, m->buffer));
    if (m->notified)
        unlink_notified(m);
    if (m->watch != NULL)
        atomic_fetch_sub(&capture_persistent_mappings, 1);
    atomic_fetch_sub(&mappings.count, 1);
    memory_watch_free(m->watch);
    free(m);
}

static void forget_group_in(const struct int_map *map, uint32_t group)
{
    for (size_t i = 0; i < map->cap; ++i)
        if (map->slots[i].state == INT_MAP_USED && map->slots[i].key >> 32 == group)
            gl_mapping_remove((struct gl_mapping *)(uintptr_t)map->slots[i].value);
}

/* A share group has ended, and with it all its buffers. */
static void forget_group(uint32_t group)
{
    if (!gl_mappings_any())
        return;
    gl_mappings_lock();
    forget_group_in(&mappings.mapped, group);
    forget_group_in(&mappings.pinned, group);
    gl_mappings_unlock();
}

/* Memory that the parent process allocated is not freed, because another thread of the parent may have held
 * the heap's lock. */
static void forget_parent(void)
{
    mappings.lock = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    mappings.mapped = mappings.pinned = (struct int_map){NULL, 0, 0, 0};
    mappings.notified = NULL;
    atomic_store(&mappings.count, 0);
    atomic_store(&capture_persistent_mappings, 0);
    memory_watch_forget_parent();
}

static const struct gl_context_callbacks context_callbacks = {
    .group_ended = forget_group,
    .forked = forget_parent,
};

/* Returns false if there is no memory. */
static bool put(struct gl_mapping *m)
{
    struct gl_mapping *old = gl_mapping_find(m->share_group, m->buffer, m->pinned);
    if (old != NULL)
        gl_mapping_remove(old); /* it ended without our noticing */
    if (int_map_set(map_of(m->pinned), key_of(m->share_group, m->buffer), (uintptr_t)m) != 0)
        return false;
    if (m->notified)
        link_notified(m);
    if (m->watch != NULL)
        atomic_fetch_add(&capture_persistent_mappings, 1);
    atomic_fetch_add(&mappings.count, 1);
    return true;
}

/* The rest of the pages of pinned memory is the program's, which may do with it what does not go well with
 * tracking, such as mremap(). */
static void start_watch(struct gl_mapping *m)
{
    m->watch = memory_watch_new(m->memory, m->size, m, !m->pinned);
    if (m->watch == NULL)
        capture_log("out of memory: what the program writes to the memory of buffer %u is not recorded "
                    "before %s",
                    m->buffer, m->pinned ? "it is copied by a call" : "the mapping ends");
}

void gl_mapping_add(const struct gl_mapping *wanted, bool watched)
{
    struct gl_mapping *m = wanted->buffer != 0 ? malloc(sizeof *m) : NULL;
    if (m == NULL)
        return;
    *m = *wanted;
    gl_mappings_lock();
    gl_context_set_callbacks(&context_callbacks);
    if (watched && m->size > 0)
        start_watch(m);
    if (!put(m)) {
        memory_watch_free(m->watch);
        free(m);
    }
    gl_mappings_unlock();
}
