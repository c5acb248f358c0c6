/* SPDX-License-Identifier: MIT */
#include "base/worker_thread.h"

#include <signal.h>
#include <stdbool.h>

/* The C library would give it as much as the limit of the main thread's stack (ulimit -s), which may be more
 * than there is. */
#define STACK_SIZE ((size_t)8 << 20)

int worker_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the new thread inherits it */
    pthread_attr_t attributes;
    bool known = pthread_attr_init(&attributes) == 0;
    if (known)
        pthread_attr_setstacksize(&attributes, STACK_SIZE);
    int failed = pthread_create(out, known ? &attributes : NULL, run, argument);
    if (known)
        pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}
