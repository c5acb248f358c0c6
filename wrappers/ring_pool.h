/* SPDX-License-Identifier: MIT
 * The rings of this process: which threads have them, and where they are mapped.
 * A thread keeps its ring for its life, and holds a robust mutex meanwhile. So the kernel tells of its end
 * however it ends, and after everything that it does while it ends; nothing has to be called then. The next
 * thread takes the ring over at once, drained or not: the number of rings is that of threads that record at
 * the same time.
 */
#ifndef WRAPPERS_RING_POOL_H
#define WRAPPERS_RING_POOL_H

#include "shared_ring.h"

#include <pthread.h>

struct ring_slot {
    pthread_mutex_t owner; /* robust */
    uint8_t *data;         /* the mapping, kept for the next owner; NULL: none */
    void *belonging;       /* what the owner had, for ring_pool.ended; NULL: nothing */
};

struct ring_pool {
    const struct segment *segment; /* not owned */
    pthread_mutex_t lock;
    struct ring_slot *slots; /* one for each ring of the segment */
    uint32_t slots_made;
    void (*ended)(void *belonging); /* told what threads had that have ended */
};

/* Errors: ERR_MEMORY. */
int ring_pool_init(struct ring_pool *pool, const struct segment *segment, void (*ended)(void *belonging));

/* Unmaps everything. The calling thread owns no ring any more. */
void ring_pool_fini(struct ring_pool *pool);

/* In a forked child: unmaps the rings, which are the parent's, and forgets the rest. The slots stay in
 * memory, since the C library may still have the calling thread's in a list. */
void ring_pool_forget(struct ring_pool *pool);

/* Takes a ring for the calling thread. ERR_MEMORY with the reason when there is none now. */
int ring_pool_take(struct ring_pool *pool, struct ring_producer *p);

/* Hands the calling thread's ring back before the thread ends. */
void ring_producer_fini(struct ring_producer *p);

#endif
