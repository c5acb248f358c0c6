/* SPDX-License-Identifier: MIT
 * The records of calls that have been entered and not left.
 * Private to reader*.c.
 */
#ifndef TRACE_PENDING_RECORDS_H
#define TRACE_PENDING_RECORDS_H

#include "base/hash_map.h"
#include "formats/apitrace/read/record_pool.h"
#include "trace/call_set.h"

/* Zero-initialise before use. */
struct trace_pending_records {
    struct trace_call_record *newest; /* usually leaves next: it stays out of the map */
    struct int_map older;             /* call number to record */

    struct trace_call_record **rest; /* at the end of the stream: those that never left, in enter order */
    size_t rest_count;
    size_t rest_next;
};

/* Gives all back. */
void trace_pending_records_drop(struct trace_pending_records *p, struct trace_record_pool *pool);

/* record becomes the newest, unless memory is out. */
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

/* NULL: no such call is pending. */
static inline struct trace_call_record *trace_pending_records_find(const struct trace_pending_records *p,
                                                                   uint64_t number)
{
    uint64_t pointer = 0;
    if (p->newest != NULL && p->newest->call.number == number)
        return p->newest;
    int_map_get(&p->older, number, &pointer);
    return (struct trace_call_record *)(uintptr_t)pointer;
}

/* One that was found has been left. */
static inline void trace_pending_records_remove(struct trace_pending_records *p,
                                                const struct trace_call_record *record)
{
    if (record == p->newest)
        p->newest = NULL;
    else
        int_map_remove(&p->older, record->call.number);
}

/* The stream is over: they are all that is left, for trace_pending_records_next_rest(). */
int trace_pending_records_end(struct trace_pending_records *p);

/* In enter order; it is no longer pending. NULL: there is no other. */
struct trace_call_record *trace_pending_records_next_rest(struct trace_pending_records *p);

/* The least number >= from of any; false: none. */
bool trace_pending_records_least(const struct trace_pending_records *p, uint64_t from, uint64_t *out);

/* Is there one that has not come to its end and is in the set, or are there too many to tell? */
bool trace_pending_records_any(const struct trace_pending_records *p, const struct trace_call_set *set);

#endif
