/* SPDX-License-Identifier: MIT */
#include "records/ring_pool.h"

#include "memory/unlocked_memory.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define IDLE_MAPPINGS 8 /* kept, of rings that nobody has */

static size_t slots_bytes(const struct ring_pool *pool)
{
    return pool->segment->ring_count * sizeof *pool->slots;
}

int ring_pool_init(struct ring_pool *pool, const struct segment *segment,
                   void (*owner_ended)(void *owner_data))
{
    *pool = (struct ring_pool){.segment = segment, .owner_ended = owner_ended};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->common.lock, NULL);
    void *p = map_unlocked(slots_bytes(pool), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == NULL)
        return trace_error_set_errno(TRACE_ERR_MEMORY, errno, "cannot map the list of capture rings");
    pool->slots = p;
    return 0;
}

void ring_pool_forget(struct ring_pool *pool)
{
    for (uint32_t i = 0; i < pool->slots_made; ++i)
        segment_unmap_ring(pool->slots[i].data);
    pool->slots = NULL;
    pool->slots_made = 0;
    pool->common.slot = NULL;
}

void ring_pool_fini(struct ring_pool *pool)
{
    struct ring_slot *slots = pool->slots;
    ring_pool_forget(pool);
    if (slots != NULL)
        munmap(slots, slots_bytes(pool));
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->common.lock);
}

void ring_pool_unlock(struct ring_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < pool->slots_made; ++i)
        segment_unlock_ring(pool->slots[i].data);
    pthread_mutex_unlock(&pool->lock);
}

/* Slots are initialised when they are needed, because most processes only need one or two of thousands. */
static void make_slot(struct ring_pool *pool)
{
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&pool->slots[pool->slots_made++].owner, &robust);
    pthread_mutexattr_destroy(&robust);
}

/* Makes the calling thread the owner of the slot. Returns false if the slot belongs to a living thread. */
static bool own(struct ring_pool *pool, struct ring_slot *slot)
{
    if (slot == pool->common.slot)
        return false;
    int rc = pthread_mutex_trylock(&slot->owner);
    if (rc == EOWNERDEAD) {
        pthread_mutex_consistent(&slot->owner);
        if (slot->owner_data != NULL && pool->owner_ended != NULL)
            pool->owner_ended(slot->owner_data);
        slot->owner_data = NULL;
        rc = 0;
    }
    return rc == 0;
}

void ring_pool_tidy(struct ring_pool *pool)
{
    uint32_t idle = 0;
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < pool->slots_made; ++i) {
        struct ring_slot *slot = &pool->slots[i];
        if (!own(pool, slot))
            continue;
        uint32_t owned = RING_OWNED; /* by a thread that has ended */
        atomic_compare_exchange_strong(&pool->segment->control->rings[i].state, &owned, RING_RELEASED);
        if (++idle > IDLE_MAPPINGS) {
            segment_unmap_ring(slot->data);
            slot->data = NULL;
            if (slot->told != NULL)
                munmap(slot->told, slot->told_size);
            slot->told = NULL;
        }
        pthread_mutex_unlock(&slot->owner);
    }
    pthread_mutex_unlock(&pool->lock);
}

static struct ring_place mapped_below(const struct ring_pool *pool, uint32_t index)
{
    while (index > 0)
        if (pool->slots[--index].data != NULL)
            return (struct ring_place){pool->slots[index].data, index};
    return (struct ring_place){NULL, 0};
}

/* Returns 0, 1 if the ring cannot be used at the moment, or an error. */
static int open_ring(struct ring_pool *pool, uint32_t index, struct ring_producer *p)
{
    struct ring_slot *slot = &pool->slots[index];
    if (slot->data == NULL)
        slot->data = segment_map_ring(pool->segment, index, mapped_below(pool, index));
    if (slot->data == NULL)
        return TRACE_ERR_MEMORY;
    if (!ring_producer_open(p, pool->segment, index, slot->data))
        return 1;
    p->slot = slot;
    return 0;
}

static int take_first(struct ring_pool *pool, struct ring_producer *p)
{
    uint32_t count = pool->segment->ring_count;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == pool->slots_made)
            make_slot(pool);
        struct ring_slot *slot = &pool->slots[i];
        if (!own(pool, slot))
            continue;
        int rc = open_ring(pool, i, p);
        if (rc == 0)
            return 0;
        pthread_mutex_unlock(&slot->owner);
        if (rc < 0)
            return rc;
    }
    return trace_error_set(TRACE_ERR_MEMORY, "more than %u threads record at the same time", count);
}

int ring_pool_take(struct ring_pool *pool, struct ring_producer *p)
{
    pthread_mutex_lock(&pool->lock);
    int rc = take_first(pool, p);
    pthread_mutex_unlock(&pool->lock);
    return rc;
}

void ring_pool_reserve_common(struct ring_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    uint32_t index = pool->slots_made;
    if (pool->common.slot == NULL && index + 1 < pool->segment->ring_count) {
        make_slot(pool);
        struct ring_slot *slot = &pool->slots[index];
        slot->data = segment_map_ring(pool->segment, index, mapped_below(pool, index));
        if (slot->data != NULL)
            pool->common.slot = slot;
    }
    pthread_mutex_unlock(&pool->lock);
}

bool ring_announce_thread(struct ring_producer *p, uint8_t kind, uint32_t thread,
                          bool (*wait)(struct ring_producer *p))
{
    struct {
        struct record header;
        uint64_t number;
    } start = {{.size = sizeof start, .kind = kind}, thread};
    uint8_t *at = ring_reserve(p, sizeof start, wait);
    if (at == NULL)
        return false;
    memcpy(at, &start, sizeof start);
    ring_publish(p, sizeof start);
    return true;
}

/* Opens the common ring when it is first used, because the number of producers decides how order numbers are
 * taken. */
static bool open_common(struct ring_pool *pool, uint32_t thread, bool (*wait)(struct ring_producer *p))
{
    struct ring_producer *p = &pool->common.producer;
    struct ring_slot *slot = pool->common.slot;
    if (slot == NULL)
        return false;
    uint8_t kind = RECORD_SWITCH;
    if (p->control == NULL) {
        if (!ring_producer_open(p, pool->segment, (uint32_t)(slot - pool->slots), slot->data))
            return false;
        kind = RECORD_THREAD;
    } else if (pool->common.user == thread) {
        return true;
    }
    pool->common.user = thread;
    return ring_announce_thread(p, kind, thread, wait);
}

bool ring_pool_borrow(struct ring_pool *pool, struct ring_producer *p, uint32_t thread,
                      bool (*wait)(struct ring_producer *p))
{
    pthread_mutex_lock(&pool->common.lock);
    if (open_common(pool, thread, wait)) {
        *p = pool->common.producer;
        return true;
    }
    pthread_mutex_unlock(&pool->common.lock);
    return false;
}

void ring_pool_return(struct ring_pool *pool, struct ring_producer *p)
{
    pool->common.producer = *p;
    if (p->control == NULL)
        pool->common.slot = NULL;
    p->control = NULL; /* its clock is still read */
    p->easy_until = 0;
    pthread_mutex_unlock(&pool->common.lock);
}

void ring_producer_fini(struct ring_producer *p)
{
    if (p->control == NULL)
        return;
    atomic_store_explicit(&p->control->state, RING_RELEASED, memory_order_release);
    if (p->slot != NULL)
        pthread_mutex_unlock(&p->slot->owner);
    *p = (struct ring_producer){.control = NULL};
}
