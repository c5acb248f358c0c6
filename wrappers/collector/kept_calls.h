/* SPDX-License-Identifier: MIT
 * Calls that are kept as long as something needs them, which may be another kept call.
 */
#ifndef COLLECTOR_KEPT_CALLS_H
#define COLLECTOR_KEPT_CALLS_H

#include "collector/flight/flight_store.h"

#include <stddef.h>

struct kept_call {
    struct kept_call *previous, *next; /* of all, oldest first */
    unsigned refs;
    unsigned names;          /* objects that it made and that exist */
    unsigned uses;           /* kept calls that need it as what made their context current */
    struct kept_call **need; /* calls that are kept as long as this one; references */
    size_t need_count, need_cap;
    struct kept_call *current; /* one of these: what made its context current */
    struct flight_call call;   /* the bytes of its events follow */
};

struct kept_calls {
    struct kept_call *first, *last;
    size_t count;
};

/* Returns a copy of the call with one reference, or NULL with the message set. */
struct kept_call *kept_call_new(struct kept_calls *all, const struct flight_call *call);

struct kept_call *kept_call_ref(struct kept_call *k);
void kept_call_unref(struct kept_calls *all, struct kept_call *k); /* k may be NULL */

/* Lets *place refer to k instead of what it referred to. Both may be NULL. */
void kept_call_set(struct kept_calls *all, struct kept_call **place, struct kept_call *k);

/* k needs `other`, which may be NULL or k. Errors: TRACE_ERR_MEMORY. */
int kept_call_need(struct kept_call *k, struct kept_call *other);

/* k was called while `current`, which may be NULL, had made its context current. Errors: TRACE_ERR_MEMORY. */
int kept_call_need_current(struct kept_call *k, struct kept_call *current);

/* Appends all calls, ordered by number. Errors: TRACE_ERR_MEMORY. */
int kept_calls_copy(const struct kept_calls *all, struct buf *out);

#endif
