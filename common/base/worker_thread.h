/* SPDX-License-Identifier: MIT
 * Threads that only compute. All signals are blocked in them, so that the program's own threads, which are
 * prepared for signals, receive them.
 */
#ifndef BASE_WORKER_THREAD_H
#define BASE_WORKER_THREAD_H

#include <pthread.h>

/* Starts a thread in which all signals are blocked, with a stack of 8 MiB. Returns the result of
 * pthread_create(). */
int worker_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument);

#endif
