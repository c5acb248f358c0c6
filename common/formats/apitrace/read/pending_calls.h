/* SPDX-License-Identifier: MIT
 * The functions and threads of calls that have been entered and have not returned. Private to raw_events*.c.
 */
#ifndef TRACE_PENDING_CALLS_H
#define TRACE_PENDING_CALLS_H

#include "base/hash_map.h"
#include "trace/model.h"

#define TRACE_RECENT_CALLS 64 /* a power of two */

struct trace_pending_call {
    const struct trace_function_sig *sig; /* NULL: no such call */
    uint64_t number;
    uint32_t thread;
};

/* Zero-initialise it before use. */
struct trace_pending_calls {
    /* Indexed by the low bits of the call number. Few calls are pending at the same time, so most are never
     * put into the maps. */
    struct trace_pending_call recent[TRACE_RECENT_CALLS];
    struct int_map signatures; /* for all other calls, maps the number to the signature */
    struct int_map threads;    /* maps the number to the thread, unless it is 0 */

    uint64_t *rest; /* the numbers of all calls, once they are iterated in order */
    size_t rest_count;
    size_t rest_next;
};

void trace_pending_calls_fini(struct trace_pending_calls *c);

/* Moves a recent call to the maps. */
int trace_pending_calls_set_aside(struct trace_pending_calls *c, const struct trace_pending_call *call);

/* The slow paths of the next two functions, for calls in the maps. */
void trace_pending_calls_find_old(const struct trace_pending_calls *c, uint64_t number,
                                  struct trace_pending_call *out);
void trace_pending_calls_remove_old(struct trace_pending_calls *c, uint64_t number);

/* Finds a pending call. sig is NULL if there is none with this number. */
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

/* Calls visit for each pending call, in no particular order, until it returns true. Returns false if it never
 * does. */
typedef bool (*trace_pending_calls_visit)(void *context, uint64_t number,
                                          const struct trace_function_sig *sig);
bool trace_pending_calls_any(const struct trace_pending_calls *c, trace_pending_calls_visit visit,
                             void *context);

/* Iterates over the pending calls in ascending order, at the end of the stream, when no more calls are
 * entered or left. Returns false if there are no more, or if there is no memory. */
bool trace_pending_calls_next(struct trace_pending_calls *c, struct trace_pending_call *out);

#endif
