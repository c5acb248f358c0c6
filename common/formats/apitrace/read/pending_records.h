/* SPDX-License-Identifier: MIT
 * The records of calls that have been entered and have not returned. Private to reader*.c.
 */
#ifndef TRACE_PENDING_RECORDS_H
#define TRACE_PENDING_RECORDS_H

#include "base/hash_map.h"
#include "formats/apitrace/read/record_pool.h"
#include "trace/call_set.h"

/* Zero-initialise it before use. */
struct trace_pending_records {
    struct trace_call_record *newest; /* the newest call usually returns next, so it is not in the map */
    struct int_map older;             /* maps call numbers to records */

    /* At the end of the stream: the records of calls that never returned, in the order of entry. */
    struct trace_call_record **rest;
    size_t rest_count;
    size_t rest_next;
};

/* Returns all records to the pool. */
void trace_pending_records_drop(struct trace_pending_records *p, struct trace_record_pool *pool);

/* Adds a record as the newest one. Fails only if there is no memory. */
static inline int trace_pending_records_enter(struct trace_pending_records *p,
                                              struct trace_call_record *record)
{
    int rc = 0;
    if (p->newest != NULL)
        rc = int_map_set(&p->older, p->newest->call.number, (uint64_t)(uintptr_t)p->newest);
    if (rc == 0)
        p->newest = record;
    return rc;
}

/* Returns NULL if there is no pending call with this number. */
static inline struct trace_call_record *trace_pending_records_find(const struct trace_pending_records *p,
                                                                   uint64_t number)
{
    uint64_t pointer = 0;
    if (p->newest != NULL && p->newest->call.number == number)
        return p->newest;
    int_map_get(&p->older, number, &pointer);
    return (struct trace_call_record *)(uintptr_t)pointer;
}

/* Removes a record that was found, because its call has returned. */
static inline void trace_pending_records_remove(struct trace_pending_records *p,
                                                const struct trace_call_record *record)
{
    if (record == p->newest)
        p->newest = NULL;
    else
        int_map_remove(&p->older, record->call.number);
}

/* Ends the stream: prepares the remaining records for trace_pending_records_next_rest(). */
int trace_pending_records_end(struct trace_pending_records *p);

/* Removes and returns the next record in the order of entry, or NULL if there are no more. */
struct trace_call_record *trace_pending_records_next_rest(struct trace_pending_records *p);

/* Finds the lowest number, at least from, of a pending call. Returns false if there is none. */
bool trace_pending_records_least(const struct trace_pending_records *p, uint64_t from, uint64_t *out);

/* Returns true if a pending call is in the set, or if there are too many to check. */
bool trace_pending_records_any(const struct trace_pending_records *p, const struct trace_call_set *set);

#endif
