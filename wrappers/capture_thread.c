/* SPDX-License-Identifier: MIT */
#include "capture_internal.h"
#include "capture_process.h"

#include "base/error.h"

#include <string.h>

_Thread_local struct capture_thread capture_self __attribute__((tls_model("initial-exec")));

static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;

static void end_thread(void *self)
{
    capture_thread_end(self);
}

static void make_end_key(void)
{
    pthread_key_create(&end_key, end_thread);
}

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

/* A forked child inherits its parent's thread: that ring belongs to the parent. */
static void forget_ring(struct capture_thread *t)
{
    segment_unmap_ring(t->ring.data);
    t->ring = (struct ring_producer){.control = NULL};
    t->context = NULL;
}

void capture_thread_start(struct capture_thread *t)
{
    forget_ring(t);
    const struct segment *s = capture_process_start();
    t->generation = *capture_generation;
    if (s == NULL)
        return;
    if (t->context == NULL)
        t->context = gl_context_get(NULL);
    if (t->context == NULL || ring_producer_init(&t->ring, s) != 0 || !announce_thread(t)) {
        static _Atomic bool said;
        if (!atomic_exchange(&said, true))
            capture_log("a thread is not recorded: %s", error_message());
        ring_producer_fini(&t->ring);
        return;
    }
    gl_context_switch(NULL, t->context);
    pthread_once(&end_once, make_end_key);
    pthread_setspecific(end_key, t);
}

void capture_thread_end(struct capture_thread *t)
{
    if (t->generation != *capture_generation)
        return;
    if (t->context != NULL)
        gl_context_switch(t->context, NULL);
    t->context = NULL;
    ring_producer_fini(&t->ring);
    t->generation = 0; /* a later destructor that calls GL starts it anew */
}
