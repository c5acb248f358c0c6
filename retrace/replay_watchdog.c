/* SPDX-License-Identifier: MIT */
#include "replay_watchdog.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/worker_thread.h"

#define INTERVAL_NS 250000000

struct watchdog_thread {
    struct replay_watchdog *watchdog;
    unsigned seconds;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t stopped;
    bool stop; /* protected by mutex */
};

/* Returns true when the watchdog is stopped. */
static bool sleep_a_while(struct watchdog_thread *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += INTERVAL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&t->mutex);
    if (!t->stop)
        pthread_cond_timedwait(&t->stopped, &t->mutex, &until);
    bool stop = t->stop;
    pthread_mutex_unlock(&t->mutex);
    return stop;
}

static void bark(const struct watchdog_thread *t, const char *name)
{
    uint64_t number = atomic_load_explicit(&t->watchdog->number, memory_order_relaxed);
    fprintf(stderr, "error: call %llu %s has taken %u seconds\n", (unsigned long long)number, name,
            t->seconds);
    abort();
}

static void *watch(void *argument)
{
    struct watchdog_thread *t = argument;
    struct replay_watchdog *w = t->watchdog;
    uint64_t before = 0;
    int64_t since = clock_milliseconds();
    while (!sleep_a_while(t)) {
        uint64_t calls = atomic_load_explicit(&w->calls, memory_order_relaxed);
        const char *name = atomic_load_explicit(&w->name, memory_order_acquire);
        int64_t now = clock_milliseconds();
        if (calls != before || name == NULL)
            since = now;
        else if (now - since >= (int64_t)t->seconds * 1000)
            bark(t, name);
        before = calls;
    }
    return NULL;
}

int replay_watchdog_start(struct replay_watchdog *w, unsigned seconds)
{
    struct watchdog_thread *t = calloc(1, sizeof *t);
    if (t == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the watchdog");
    t->watchdog = w;
    t->seconds = seconds;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->stopped, NULL);
    int failed = worker_thread_start(&t->thread, watch, t);
    if (failed != 0) {
        free(t);
        return trace_error_set_errno(TRACE_ERR_MEMORY, failed, "cannot start the watchdog");
    }
    w->thread = t;
    return 0;
}

void replay_watchdog_stop(struct replay_watchdog *w)
{
    struct watchdog_thread *t = w->thread;
    if (t == NULL)
        return;
    pthread_mutex_lock(&t->mutex);
    t->stop = true;
    pthread_cond_signal(&t->stopped);
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    pthread_mutex_destroy(&t->mutex);
    pthread_cond_destroy(&t->stopped);
    free(t);
    w->thread = NULL;
}
