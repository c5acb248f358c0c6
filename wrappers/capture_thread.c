/* SPDX-License-Identifier: MIT */
#include "capture_internal.h"
#include "capture_process.h"
#include "own_stack.h"

#include "base/error.h"

#include <string.h>
#include <unistd.h>

#define WAITS_FOR_A_RING  20 /* a thread that is about to end may leave one */
#define WAIT_MICROSECONDS 2000
#define RETRY_CALLS       256 /* calls between attempts, at most */

_Thread_local struct capture_thread capture_self __attribute__((tls_model("initial-exec")));

static bool announce_thread(struct capture_thread *t)
{
    struct {
        struct record header;
        uint64_t number;
    } start = {{.size = sizeof start, .kind = RECORD_THREAD},
               atomic_fetch_add(&t->ring.segment->next_thread, 1)};
    uint8_t *at = ring_reserve(&t->ring, sizeof start, capture_process_wait);
    if (at == NULL)
        return false;
    memcpy(at, &start, sizeof start);
    ring_publish(&t->ring, sizeof start);
    return true;
}

/* Without memory for a context nothing can be recorded, and nobody else has any to give. */
static bool take_ring(struct capture_thread *t, struct ring_pool *pool)
{
    if (t->context == NULL)
        t->context = gl_context_get(NULL);
    if (t->context == NULL) {
        error_set(ERR_MEMORY, "out of memory");
        return false;
    }
    if (ring_pool_take(pool, &t->ring) != 0)
        return false;
    if (!announce_thread(t)) {
        ring_producer_fini(&t->ring);
        return false;
    }
    gl_context_switch(NULL, t->context);
    t->ring.slot->belonging = t->context;
    t->calls_missed = 0;
    return true;
}

static void take_first_ring(struct capture_thread *t, struct ring_pool *pool)
{
    for (unsigned i = 0; i < WAITS_FOR_A_RING; ++i) {
        if (take_ring(t, pool))
            return;
        if (capture_process_gave_up())
            return;
        usleep(WAIT_MICROSECONDS);
    }
    t->calls_missed = 1;
    static _Atomic bool said;
    if (!atomic_exchange(&said, true))
        capture_log("calls of a thread are not recorded for now: %s", error_message());
}

static void start_thread(void *argument)
{
    struct capture_thread *t = argument;
    /* A forked child inherits its parent's thread: that ring belongs to the parent. */
    t->ring = (struct ring_producer){.control = NULL};
    t->context = NULL;
    t->calls_missed = 0;
    struct ring_pool *pool = capture_process_start();
    t->generation = *capture_generation;
    if (pool != NULL)
        take_first_ring(t, pool);
}

void capture_thread_start(struct capture_thread *t)
{
    run_on_own_stack(start_thread, t);
}

static void look_again(void *argument)
{
    struct ring_pool *pool = capture_process_start();
    if (pool != NULL)
        take_ring(argument, pool);
}

bool capture_thread_retry(struct capture_thread *t)
{
    if (t->calls_missed == 0 || capture_process_gave_up())
        return false;
    uint32_t n = t->calls_missed++;
    if ((n & (n - 1)) == 0 || n % RETRY_CALLS == 0)
        run_on_own_stack(look_again, t);
    if (t->ring.control != NULL)
        return true;
    capture_process_count_lost();
    return false;
}

void capture_thread_set_context(struct capture_thread *t, struct gl_context *c)
{
    gl_context_switch(t->context, c);
    t->context = c;
    if (t->ring.slot != NULL)
        t->ring.slot->belonging = c;
}
