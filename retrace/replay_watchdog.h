/* SPDX-License-Identifier: MIT
 * Aborts the replay if a call takes too long, as when the GPU hangs: --watchdog.
 */
#ifndef RETRACE_REPLAY_WATCHDOG_H
#define RETRACE_REPLAY_WATCHDOG_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct replay_watchdog {
    _Atomic uint64_t number;    /* of the call that the driver has now */
    _Atomic(const char *) name; /* of its function; NULL: the driver has none */
    _Atomic uint64_t calls;     /* number of calls that it has got */
    struct watchdog_thread *thread;
};

/* Starts to watch; the watchdog must be zeroed. Errors: TRACE_ERR_MEMORY. */
int replay_watchdog_start(struct replay_watchdog *w, unsigned seconds);
void replay_watchdog_stop(struct replay_watchdog *w); /* does nothing unless it was started */

/* Call these before and after each call. name must stay valid. */
static inline void replay_watchdog_begin(struct replay_watchdog *w, uint64_t number, const char *name)
{
    uint64_t calls = atomic_load_explicit(&w->calls, memory_order_relaxed);
    atomic_store_explicit(&w->number, number, memory_order_relaxed);
    atomic_store_explicit(&w->name, name, memory_order_release);
    atomic_store_explicit(&w->calls, calls + 1, memory_order_relaxed);
}

static inline void replay_watchdog_end(struct replay_watchdog *w)
{
    atomic_store_explicit(&w->name, NULL, memory_order_relaxed);
}

#endif
