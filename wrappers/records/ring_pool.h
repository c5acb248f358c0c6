/* SPDX-License-Identifier: MIT
 * The rings of this process: which threads have them, and where they are mapped.
 * A thread keeps its ring until it ends, and holds a robust mutex all that time. So the kernel says when it
 * has ended, however that happened, and after the last thing that it did; nothing has to be called. The next
 * thread takes over the ring at once, drained or not. So there are only as many rings as threads that record
 * at the same time.
 */
#ifndef RECORDS_RING_POOL_H
#define RECORDS_RING_POOL_H

#include "records/shared_ring.h"

#include <pthread.h>

struct ring_slot {
    pthread_mutex_t owner; /* robust */
    uint8_t *data;         /* the mapping, kept for the next owner; NULL: none */
    void *told;            /* a mapping of told_size bytes, what the consumer was told by the owners; kept for
                              the next one; NULL: none */
    size_t told_size;
    void *owner_data; /* what the owner had, for ring_pool.owner_ended; NULL: nothing */
};

struct ring_pool {
    const struct segment *segment; /* not owned */
    pthread_mutex_t lock;
    struct ring_slot *slots; /* one for each ring of the segment */
    uint32_t slots_made;
    void (*owner_ended)(void *owner_data); /* called when a thread has ended, with what it had */
    /* A ring that threads use in turn when there is no other one to be had. */
    struct {
        pthread_mutex_t lock;
        struct ring_slot *slot; /* NULL: there is none */
        struct ring_producer producer;
        uint32_t user; /* number of the thread that wrote last */
    } common;
};

/* Errors: TRACE_ERR_MEMORY. */
int ring_pool_init(struct ring_pool *pool, const struct segment *segment,
                   void (*owner_ended)(void *owner_data));

/* Unmaps everything. The calling thread no longer owns a ring. */
void ring_pool_fini(struct ring_pool *pool);

/* In a forked child: unmaps the rings, which are the parent's, and forgets the rest. The slots stay in
 * memory, since the C library may still have the calling thread's in a list. */
void ring_pool_forget(struct ring_pool *pool);

/* Undoes mlockall() for the rings that are mapped. */
void ring_pool_unlock(struct ring_pool *pool);

/* Takes a ring for the calling thread. Errors: TRACE_ERR_MEMORY if no ring is available at the moment. */
int ring_pool_take(struct ring_pool *pool, struct ring_producer *p);

/* Releases the rings of threads that have ended, so that the consumer gives their memory back, and unmaps
 * those that are not needed soon. */
void ring_pool_tidy(struct ring_pool *pool);

/* Maps the common ring, while there is room for it. */
void ring_pool_reserve_common(struct ring_pool *pool);

/* Lends the common ring to the calling thread, whose number is `thread`; a record says that the next ones are
 * its. False when there is no common ring. Nobody else gets it until it is returned, which must be soon, and
 * no signal handler may run until then. wait: as of ring_reserve(). */
bool ring_pool_borrow(struct ring_pool *pool, struct ring_producer *p, uint32_t thread,
                      bool (*wait)(struct ring_producer *p));

/* Returns the common ring to the pool. If p was closed, there is no longer a common ring. */
void ring_pool_return(struct ring_pool *pool, struct ring_producer *p);

/* Appends a record that names the thread of the following records. Returns false if wait gave up. */
bool ring_announce_thread(struct ring_producer *p, uint8_t kind, uint32_t thread,
                          bool (*wait)(struct ring_producer *p));

/* Returns the calling thread's ring to the pool before the thread ends. */
void ring_producer_fini(struct ring_producer *p);

#endif
