/* SPDX-License-Identifier: MIT */
#include "gl/gl_mappings.h"

#include "capture/capture_hooks.h"
#include "context/gl_context.h"
#include "memory/memory_watch.h"
#include "memory/page_tracker.h"
#include "process/capture_log.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

static struct {
    pthread_mutex_t lock;
    _Atomic unsigned count;
    struct gl_mapping *buckets[BUCKETS]; /* hashed by buffer name */
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

static struct gl_mapping **find_link(uint32_t share_group, uint32_t buffer, bool pinned)
{
    struct gl_mapping **m = &mappings.buckets[buffer % BUCKETS];
    while (*m != NULL &&
           ((*m)->buffer != buffer || (*m)->share_group != share_group || (*m)->pinned != pinned))
        m = &(*m)->next;
    return m;
}

struct gl_mapping *gl_mapping_find(uint32_t share_group, uint32_t buffer, bool pinned)
{
    return *find_link(share_group, buffer, pinned);
}

struct gl_mapping *gl_mapping_next(const struct gl_mapping *m)
{
    unsigned i = m != NULL ? m->buffer % BUCKETS : 0;
    struct gl_mapping *next = m != NULL ? m->next : mappings.buckets[0];
    while (next == NULL && ++i < BUCKETS)
        next = mappings.buckets[i];
    return next;
}

static void remove_at(struct gl_mapping **link)
{
    struct gl_mapping *old = *link;
    *link = old->next;
    if (old->watch != NULL)
        atomic_fetch_sub(&capture_persistent_mappings, 1);
    atomic_fetch_sub(&mappings.count, 1);
    memory_watch_free(old->watch);
    free(old);
}

void gl_mapping_remove(struct gl_mapping *m)
{
    remove_at(find_link(m->share_group, m->buffer, m->pinned));
}

/* A share group has ended, and with it all its buffers. */
static void forget_group(uint32_t group)
{
    if (!gl_mappings_any())
        return;
    gl_mappings_lock();
    for (unsigned i = 0; i < BUCKETS; ++i)
        for (struct gl_mapping **m = &mappings.buckets[i]; *m != NULL;)
            if ((*m)->share_group == group)
                remove_at(m);
            else
                m = &(*m)->next;
    gl_mappings_unlock();
}

/* Memory that the parent process allocated is not freed, because another thread of the parent may have held
 * the heap's lock. */
static void forget_parent(void)
{
    mappings.lock = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    memset(mappings.buckets, 0, sizeof mappings.buckets);
    atomic_store(&mappings.count, 0);
    atomic_store(&capture_persistent_mappings, 0);
    page_tracker_forget_parent();
}

static const struct gl_context_callbacks context_callbacks = {
    .group_ended = forget_group,
    .forked = forget_parent,
};

static void put(struct gl_mapping *m)
{
    struct gl_mapping **link = find_link(m->share_group, m->buffer, m->pinned);
    if (*link != NULL)
        remove_at(link); /* it ended without our noticing */
    m->next = *link;
    *link = m;
    if (m->watch != NULL)
        atomic_fetch_add(&capture_persistent_mappings, 1);
    atomic_fetch_add(&mappings.count, 1);
}

void gl_mapping_add(const struct gl_mapping *wanted, bool watched)
{
    struct gl_mapping *m = wanted->buffer != 0 ? malloc(sizeof *m) : NULL;
    if (m == NULL)
        return;
    *m = *wanted;
    gl_mappings_lock();
    if (watched && m->size > 0) {
        m->watch = memory_watch_new(m->memory, m->size);
        if (m->watch == NULL)
            capture_log("out of memory: what the program writes to the memory of buffer %u is not recorded "
                        "before %s",
                        m->buffer, m->pinned ? "it is copied by a call" : "the mapping ends");
    }
    gl_context_set_callbacks(&context_callbacks);
    put(m);
    gl_mappings_unlock();
}
