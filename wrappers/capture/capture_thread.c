/* SPDX-License-Identifier: MIT */
#include "capture/capture_thread.h"

#include "context/gl_context.h"
#include "memory/own_stack.h"
#include "process/capture_log.h"
#include "process/capture_process.h"
#include "unwind/loaded_modules.h"

#include "base/error.h"

#define RETRY_CALLS 256 /* the highest number of calls between two attempts */

/* If the program loads us at run time, there is little room for such memory, and drivers need some of it,
 * too: Mesa does not load without. What is larger belongs to the context. */
_Static_assert(sizeof(struct capture_thread) <= 256, "a thread's own memory stays small");
_Thread_local struct capture_thread capture_self __attribute__((tls_model("initial-exec")));

static bool take_ring(struct capture_thread *t, struct ring_pool *pool)
{
    if (ring_pool_take(pool, &t->ring) != 0)
        return false;
    if (!ring_announce_thread(&t->ring, RECORD_THREAD, t->number, capture_process_wait)) {
        ring_producer_fini(&t->ring);
        return false;
    }
    t->ring.slot->owner_data = t->context;
    return true;
}

/* Gives up the thread's context, when the thread ends or in a forked child. */
static void leave_context(void *context)
{
    gl_context_switch(context, NULL);
}

static void forget_parent(void)
{
    gl_context_forget_parent();
    loaded_modules_forget_parent();
}

static const struct capture_process_callbacks callbacks = {
    .thread_ended = leave_context,
    .forked = forget_parent,
};

static void start_thread(void *argument)
{
    struct capture_thread *t = argument;
    /* A forked child inherits its parent's thread data, but the ring belongs to the parent. */
    t->ring = (struct ring_producer){.control = NULL};
    t->calls_without = 0;
    t->told = NULL;
    t->waiting_frame = NULL;
    t->omit = false;
    struct ring_pool *pool = capture_process_start(&callbacks);
    t->generation = *capture_generation & ~CAPTURE_WANTS_STACKS;
    t->context = pool != NULL ? gl_context_get(NULL) : NULL;
    if (t->context == NULL)
        return;
    gl_context_switch(NULL, t->context);
    t->number = atomic_fetch_add(&pool->segment->control->next_thread, 1);
    t->calls_without = !take_ring(t, pool);
}

void capture_thread_start(struct capture_thread *t)
{
    run_on_own_stack(start_thread, t);
}

static void look_again(void *argument)
{
    struct capture_thread *t = argument;
    struct ring_pool *pool = capture_process_start(&callbacks);
    if (pool != NULL && take_ring(t, pool))
        t->calls_without = 0;
}

static void tell_of_loss(void *unused)
{
    (void)unused;
    static _Atomic bool said;
    if (!atomic_exchange(&said, true))
        capture_log("calls are lost: %s", trace_error_message());
}

bool capture_thread_retry(struct capture_thread *t)
{
    if (t->calls_without == 0 || capture_process_gave_up())
        return false;
    uint32_t n = t->calls_without++;
    if ((n & (n - 1)) == 0 || n % RETRY_CALLS == 0)
        run_on_own_stack(look_again, t);
    if (t->ring.control != NULL || capture_process_rings()->common.slot != NULL)
        return true;
    capture_process_count_lost();
    run_on_own_stack(tell_of_loss, NULL);
    return false;
}

struct segment_control *capture_thread_segment(void)
{
    const struct ring_pool *pool = capture_process_rings();
    return pool != NULL ? pool->segment->control : NULL;
}

void capture_thread_borrow(struct capture_thread *t,
                           void (*write)(struct capture_thread *t, const void *call), const void *call)
{
    struct ring_pool *pool = capture_process_rings();
    struct quiet quiet;
    if (t->calls_without == 0 || pool == NULL)
        return;
    quiet_begin(&quiet);
    if (ring_pool_borrow(pool, &t->ring, t->number, capture_process_wait)) {
        t->told = pool->common.slot->told;
        write(t, call);
        t->told = NULL;
        ring_pool_return(pool, &t->ring);
    }
    quiet_end(&quiet);
}

void capture_thread_set_context(struct capture_thread *t, struct gl_context *c)
{
    gl_context_switch(t->context, c);
    t->context = c;
    if (t->ring.slot != NULL)
        t->ring.slot->owner_data = c;
}
