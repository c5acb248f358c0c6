/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/record_pool.h"

#include "base/error.h"

#include <stdlib.h>

static void reset_record(struct trace_call_record *record)
{
    trace_chunk_unref(record->chunks[0]);
    trace_chunk_unref(record->chunks[1]);
    record->chunks[0] = record->chunks[1] = NULL;
    arena_reset(&record->arena);
}

static void free_records(struct trace_call_record *record)
{
    while (record != NULL) {
        struct trace_call_record *next = record->next;
        reset_record(record);
        arena_fini(&record->arena);
        free(record);
        record = next;
    }
}

void trace_record_pool_fini(struct trace_record_pool *pool)
{
    free_records(pool->free);
    free_records(atomic_exchange(&pool->returned, NULL));
    pool->free = NULL;
}

struct trace_call_record *trace_record_pool_take_slowly(struct trace_record_pool *pool)
{
    struct trace_call_record *record = atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
    if (record != NULL) {
        pool->free = record->next;
        return record;
    }
    record = calloc(1, sizeof *record);
    if (record == NULL)
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    else
        arena_init(&record->arena);
    return record;
}

void trace_record_pool_give(struct trace_record_pool *pool, struct trace_call_record *record)
{
    reset_record(record);
    if (atomic_load_explicit(&pool->owner, memory_order_relaxed) == (uintptr_t)pthread_self()) {
        record->next = pool->free;
        pool->free = record;
        return;
    }
    struct trace_call_record *head = atomic_load_explicit(&pool->returned, memory_order_relaxed);
    do
        record->next = head;
    while (!atomic_compare_exchange_weak_explicit(&pool->returned, &head, record, memory_order_release,
                                                  memory_order_relaxed));
}
