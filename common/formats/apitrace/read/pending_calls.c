/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/pending_calls.h"

#include <stdlib.h>

void trace_pending_calls_fini(struct trace_pending_calls *c)
{
    int_map_fini(&c->signatures);
    int_map_fini(&c->threads);
    free(c->rest);
    *c = (struct trace_pending_calls){0};
}

int trace_pending_calls_set_aside(struct trace_pending_calls *c, const struct trace_pending_call *call)
{
    int rc = int_map_set(&c->signatures, call->number, (uint64_t)(uintptr_t)call->sig);
    if (rc == 0 && call->thread != 0)
        rc = int_map_set(&c->threads, call->number, call->thread);
    return rc;
}

void trace_pending_calls_find_old(const struct trace_pending_calls *c, uint64_t number,
                                  struct trace_pending_call *out)
{
    uint64_t pointer = 0;
    uint64_t thread = 0;
    if (int_map_get(&c->signatures, number, &pointer))
        int_map_get(&c->threads, number, &thread);
    out->sig = (const struct trace_function_sig *)(uintptr_t)pointer;
    out->number = number;
    out->thread = (uint32_t)thread;
}

void trace_pending_calls_remove_old(struct trace_pending_calls *c, uint64_t number)
{
    int_map_remove(&c->signatures, number);
    int_map_remove(&c->threads, number);
}

bool trace_pending_calls_any(const struct trace_pending_calls *c, trace_pending_calls_visit visit,
                             void *context)
{
    for (size_t i = 0; i < TRACE_RECENT_CALLS; ++i)
        if (c->recent[i].sig != NULL && visit(context, c->recent[i].number, c->recent[i].sig))
            return true;
    for (size_t i = 0; i < c->signatures.cap; ++i) {
        const struct int_map_slot *slot = &c->signatures.slots[i];
        if (slot->state == INT_MAP_USED &&
            visit(context, slot->key, (const struct trace_function_sig *)(uintptr_t)slot->value))
            return true;
    }
    return false;
}

/* --- in order -------------------------------------------------------------------------------------- */

static bool add_number(void *context, uint64_t number, const struct trace_function_sig *sig)
{
    struct trace_pending_calls *c = context;
    (void)sig;
    c->rest[c->rest_count++] = number;
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return (*x > *y) - (*x < *y);
}

bool trace_pending_calls_next(struct trace_pending_calls *c, struct trace_pending_call *out)
{
    if (c->rest == NULL) {
        c->rest = calloc(c->signatures.len + TRACE_RECENT_CALLS, sizeof *c->rest);
        if (c->rest == NULL)
            return false;
        trace_pending_calls_any(c, add_number, c);
        qsort(c->rest, c->rest_count, sizeof *c->rest, compare_numbers);
    }
    if (c->rest_next == c->rest_count)
        return false;
    *out = trace_pending_calls_find(c, c->rest[c->rest_next++]);
    return true;
}
