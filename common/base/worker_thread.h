/* SPDX-License-Identifier: MIT
 * Threads that only compute: signals are left to the program's own threads, whose handlers and system calls
 * are made for them.
 */
#ifndef BASE_WORKER_THREAD_H
#define BASE_WORKER_THREAD_H

#include <pthread.h>

/* As pthread_create(), for a thread in which all signals are blocked. */
int worker_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument);

#endif
