/* SPDX-License-Identifier: MIT */
#include "collector/kept_calls.h"

#include "base/error.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
}

struct kept_call *kept_call_new(struct kept_calls *all, const struct flight_call *call)
{
    size_t size = flight_call_size(call);
    struct kept_call *k = malloc(offsetof(struct kept_call, call) + size);
    if (k == NULL) {
        no_memory();
        return NULL;
    }
    *k = (struct kept_call){.refs = 1, .previous = all->last};
    memcpy(&k->call, call, size);
    if (all->last != NULL)
        all->last->next = k;
    else
        all->first = k;
    all->last = k;
    all->count++;
    return k;
}

struct kept_call *kept_call_ref(struct kept_call *k)
{
    if (k != NULL)
        k->refs++;
    return k;
}

static void forget(struct kept_calls *all, struct kept_call *k)
{
    if (k->previous != NULL)
        k->previous->next = k->next;
    else
        all->first = k->next;
    if (k->next != NULL)
        k->next->previous = k->previous;
    else
        all->last = k->previous;
    all->count--;
    if (k->current != NULL)
        k->current->uses--;
    for (size_t i = 0; i < k->need_count; ++i)
        kept_call_unref(all, k->need[i]);
    free(k->need);
    free(k);
}

void kept_call_unref(struct kept_calls *all, struct kept_call *k)
{
    if (k != NULL && --k->refs == 0)
        forget(all, k);
}

void kept_call_set(struct kept_calls *all, struct kept_call **place, struct kept_call *k)
{
    struct kept_call *old = *place;
    *place = kept_call_ref(k);
    kept_call_unref(all, old);
}

int kept_call_need(struct kept_call *k, struct kept_call *other)
{
    if (other == NULL || other == k)
        return 0;
    if (k->need_count == k->need_cap) {
        size_t cap = 2 * k->need_cap + 2;
        struct kept_call **more = realloc(k->need, cap * sizeof(struct kept_call *));
        if (more == NULL)
            return no_memory();
        k->need = more;
        k->need_cap = cap;
    }
    k->need[k->need_count++] = kept_call_ref(other);
    return 0;
}

int kept_call_need_current(struct kept_call *k, struct kept_call *current)
{
    int rc = kept_call_need(k, current);
    if (rc == 0 && current != NULL && current != k && k->current == NULL) {
        k->current = current;
        current->uses++;
    }
    return rc;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct kept_call *x = *(struct kept_call *const *)a, *y = *(struct kept_call *const *)b;
    return (x->call.number > y->call.number) - (x->call.number < y->call.number);
}

int kept_calls_copy(const struct kept_calls *all, struct buf *out)
{
    struct kept_call **list = calloc(all->count + 1, sizeof(struct kept_call *));
    size_t n = 0;
    int rc = 0;
    if (list == NULL)
        return no_memory();
    for (struct kept_call *k = all->first; k != NULL; k = k->next)
        list[n++] = k;
    qsort(list, n, sizeof(struct kept_call *), compare_numbers);
    for (size_t i = 0; i < n && rc == 0; ++i)
        if (buf_append(out, &list[i]->call, flight_call_size(&list[i]->call)) != 0)
            rc = no_memory();
    free(list);
    return rc;
}
