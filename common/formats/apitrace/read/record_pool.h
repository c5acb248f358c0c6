/* SPDX-License-Identifier: MIT
 * Records of calls, for reuse. One thread takes them; all may give them back.
 */
#ifndef TRACE_RECORD_POOL_H
#define TRACE_RECORD_POOL_H

#include "formats/apitrace/parse/call_record.h"

#include <pthread.h>
#include <stdatomic.h>

/* Zero-initialise before use. */
struct trace_record_pool {
    struct trace_call_record *free;
    _Atomic(struct trace_call_record *) returned; /* by other threads than the owner */
    _Atomic(uintptr_t) owner;                     /* the thread that takes */
};

/* Frees the records that are in the pool. */
void trace_record_pool_fini(struct trace_record_pool *pool);

/* The calling thread takes records from now on. */
static inline void trace_record_pool_own(struct trace_record_pool *pool)
{
    atomic_store_explicit(&pool->owner, (uintptr_t)pthread_self(), memory_order_relaxed);
}

/* The slow half of trace_record_pool_take(). */
struct trace_call_record *trace_record_pool_take_slowly(struct trace_record_pool *pool);

/* An empty record, to be given back; NULL (message set) when memory is out. */
static inline struct trace_call_record *trace_record_pool_take(struct trace_record_pool *pool)
{
    struct trace_call_record *record = pool->free;
    if (record == NULL)
        return trace_record_pool_take_slowly(pool);
    pool->free = record->next;
    return record;
}

/* From any thread. */
void trace_record_pool_give(struct trace_record_pool *pool, struct trace_call_record *record);

#endif
