/* SPDX-License-Identifier: MIT
 * A pool of call records for reuse. One thread takes records; any thread may return them.
 */
#ifndef TRACE_RECORD_POOL_H
#define TRACE_RECORD_POOL_H

#include "formats/apitrace/parse/call_record.h"

#include <pthread.h>
#include <stdatomic.h>

/* Zero-initialise it before use. */
struct trace_record_pool {
    struct trace_call_record *free;
    _Atomic(struct trace_call_record *) returned; /* records returned by threads other than the owner */
    _Atomic(uintptr_t) owner;                     /* the thread that takes records */
};

/* Frees the records in the pool. */
void trace_record_pool_fini(struct trace_record_pool *pool);

/* Makes the calling thread the one that takes records. */
static inline void trace_record_pool_own(struct trace_record_pool *pool)
{
    atomic_store_explicit(&pool->owner, (uintptr_t)pthread_self(), memory_order_relaxed);
}

/* The slow path of trace_record_pool_take(). */
struct trace_call_record *trace_record_pool_take_slowly(struct trace_record_pool *pool);

/* Takes an empty record, which must be returned to the pool. Returns NULL (with the message set) if there is
 * no memory. */
static inline struct trace_call_record *trace_record_pool_take(struct trace_record_pool *pool)
{
    struct trace_call_record *record = pool->free;
    if (record == NULL)
        return trace_record_pool_take_slowly(pool);
    pool->free = record->next;
    return record;
}

/* Returns a record. May be called from any thread. */
void trace_record_pool_give(struct trace_record_pool *pool, struct trace_call_record *record);

#endif
