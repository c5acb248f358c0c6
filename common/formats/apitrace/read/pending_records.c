/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/pending_records.h"

#include "base/error.h"

#include <stdlib.h>

#define MANY_PENDING 1024 /* a number of calls that are too many to check */

/* Returns the record in a slot of the map, or NULL if the slot is empty. */
static struct trace_call_record *record_of(const struct int_map_slot *slot)
{
    return slot->state == INT_MAP_USED ? (struct trace_call_record *)(uintptr_t)slot->value : NULL;
}

void trace_pending_records_drop(struct trace_pending_records *p, struct trace_record_pool *pool)
{
    struct trace_call_record *record;
    while ((record = trace_pending_records_next_rest(p)) != NULL)
        trace_record_pool_give(pool, record);
    free(p->rest);
    for (size_t i = 0; i < p->older.cap; ++i)
        if ((record = record_of(&p->older.slots[i])) != NULL)
            trace_record_pool_give(pool, record);
    int_map_fini(&p->older);
    if (p->newest != NULL)
        trace_record_pool_give(pool, p->newest);
    *p = (struct trace_pending_records){0};
}

static int compare_records(const void *a, const void *b)
{
    const struct trace_call_record *const *x = a;
    const struct trace_call_record *const *y = b;
    return ((*x)->call.number > (*y)->call.number) - ((*x)->call.number < (*y)->call.number);
}

int trace_pending_records_end(struct trace_pending_records *p)
{
    struct trace_call_record *record;
    p->rest = calloc(p->older.len + 1, sizeof *p->rest);
    if (p->rest == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < p->older.cap; ++i)
        if ((record = record_of(&p->older.slots[i])) != NULL)
            p->rest[p->rest_count++] = record;
    if (p->newest != NULL)
        p->rest[p->rest_count++] = p->newest;
    p->newest = NULL;
    int_map_fini(&p->older);
    qsort(p->rest, p->rest_count, sizeof *p->rest, compare_records);
    return 0;
}

struct trace_call_record *trace_pending_records_next_rest(struct trace_pending_records *p)
{
    return p->rest_next < p->rest_count ? p->rest[p->rest_next++] : NULL;
}

static void take_lower(uint64_t number, uint64_t from, bool *found, uint64_t *out)
{
    if (number < from || (*found && number >= *out))
        return;
    *out = number;
    *found = true;
}

bool trace_pending_records_least(const struct trace_pending_records *p, uint64_t from, uint64_t *out)
{
    bool found = false;
    for (size_t i = 0; i < p->older.cap; ++i)
        if (p->older.slots[i].state == INT_MAP_USED)
            take_lower(p->older.slots[i].key, from, &found, out);
    if (p->newest != NULL)
        take_lower(p->newest->call.number, from, &found, out);
    for (size_t i = p->rest_next; i < p->rest_count; ++i)
        take_lower(p->rest[i]->call.number, from, &found, out);
    return found;
}

static bool is_in(const struct trace_call_set *set, const struct trace_call_record *record)
{
    return record != NULL && trace_call_set_contains(set, record->call.number, record->call.flags);
}

bool trace_pending_records_any(const struct trace_pending_records *p, const struct trace_call_set *set)
{
    if (is_in(set, p->newest))
        return true;
    if (p->older.len > 0 && p->older.cap > 2 * MANY_PENDING)
        return true;
    for (size_t i = 0; i < p->older.cap && p->older.len > 0; ++i)
        if (is_in(set, record_of(&p->older.slots[i])))
            return true;
    return false;
}
