/* SPDX-License-Identifier: MIT
 * Whose the calls are that have been entered and not left.
 * Private to raw_events*.c.
 */
#ifndef TRACE_PENDING_CALLS_H
#define TRACE_PENDING_CALLS_H

#include "base/hash_map.h"
#include "trace/model.h"

#define TRACE_RECENT_CALLS 64 /* power of two */

struct trace_pending_call {
    const struct trace_function_sig *sig; /* NULL: none */
    uint64_t number;
    uint32_t thread;
};

/* Zero-initialise before use. */
struct trace_pending_calls {
    /* By the low bits of their numbers. Few are pending at once: most stay out of the maps. */
    struct trace_pending_call recent[TRACE_RECENT_CALLS];
    struct int_map signatures; /* of all others, number to signature */
    struct int_map threads;    /* number to thread, unless that is 0 */

    uint64_t *rest; /* once they are asked for in order: the numbers of all */
    size_t rest_count;
    size_t rest_next;
};

void trace_pending_calls_fini(struct trace_pending_calls *c);

/* A recent one makes room. */
int trace_pending_calls_set_aside(struct trace_pending_calls *c, const struct trace_pending_call *call);

/* As the next two, of calls that are in the maps. */
void trace_pending_calls_find_old(const struct trace_pending_calls *c, uint64_t number,
                                  struct trace_pending_call *out);
void trace_pending_calls_remove_old(struct trace_pending_calls *c, uint64_t number);

/* sig is NULL if no such call is pending. */
static inline struct trace_pending_call trace_pending_calls_find(const struct trace_pending_calls *c,
                                                                 uint64_t number)
{
    struct trace_pending_call found = c->recent[number % TRACE_RECENT_CALLS];
    if (found.sig == NULL || found.number != number)
        trace_pending_calls_find_old(c, number, &found);
    return found;
}

static inline void trace_pending_calls_remove(struct trace_pending_calls *c, uint64_t number)
{
    struct trace_pending_call *recent = &c->recent[number % TRACE_RECENT_CALLS];
    if (recent->sig != NULL && recent->number == number)
        recent->sig = NULL;
    else
        trace_pending_calls_remove_old(c, number);
}

static inline int trace_pending_calls_enter(struct trace_pending_calls *c, uint64_t number,
                                            const struct trace_function_sig *sig, uint32_t thread)
{
    struct trace_pending_call *recent = &c->recent[number % TRACE_RECENT_CALLS];
    int rc = recent->sig != NULL ? trace_pending_calls_set_aside(c, recent) : 0;
    if (rc != 0)
        return rc;
    recent->sig = sig;
    recent->number = number;
    recent->thread = thread;
    return 0;
}

/* Calls visit for each, in no order, until that returns true; false if it never does. */
typedef bool (*trace_pending_calls_visit)(void *context, uint64_t number,
                                          const struct trace_function_sig *sig);
bool trace_pending_calls_any(const struct trace_pending_calls *c, trace_pending_calls_visit visit,
                             void *context);

/* At the end, when none is entered or left any more: the next one in order of the numbers; false: there is no
 * other, or memory is out. */
bool trace_pending_calls_next(struct trace_pending_calls *c, struct trace_pending_call *out);

#endif
