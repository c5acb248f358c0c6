/* SPDX-License-Identifier: MIT
 * Threads end in every possible way, some with calls at the very end, and with no pthread key left.
 *
 * count: 401 glColor4ub\(
 * count: 100 glColor4ub\(red = 1,
 * count: 100 glColor4ub\(red = 2,
 * count: 100 glColor4ub\(red = 3,
 * count: 100 glColor4ub\(red = 4,
 * count: 1 glColor4ub\(red = 5,
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 50 };

static pthread_key_t key;
static sem_t reached;

static void call_at_end(void *rounds_left)
{
    glColor4ub(1, 0, 0, 0);
    if (*(int *)rounds_left > 0) {
        --*(int *)rounds_left;
        pthread_setspecific(key, rounds_left);
    }
}

/* Makes two calls in the key's destructor, after everything else. */
static void *call_in_destructor(void *unused)
{
    static _Thread_local int rounds_left;
    rounds_left = 1;
    (void)unused;
    pthread_setspecific(key, &rounds_left);
    return NULL;
}

static void *exit_after_calls(void *unused)
{
    (void)unused;
    glColor4ub(2, 0, 0, 0);
    glColor4ub(2, 0, 0, 0);
    pthread_exit(NULL);
}

static void call_in_cleanup(void *unused)
{
    (void)unused;
    glColor4ub(3, 0, 0, 0);
}

static void *be_cancelled(void *unused)
{
    (void)unused;
    pthread_cleanup_push(call_in_cleanup, NULL);
    sem_post(&reached);
    glColor4ub(3, 0, 0, 0);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return NULL;
}

/* Cancelled before its first call, which is not a cancellation point and must not become one. */
static void *be_cancelled_early(void *unused)
{
    int old;
    (void)unused;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    sem_wait(&reached);
    pthread_setcancelstate(old, &old);
    glColor4ub(4, 0, 0, 0);
    glColor4ub(4, 0, 0, 0);
    pthread_testcancel();
    return NULL;
}

static void *detached(void *unused)
{
    (void)unused;
    glColor4ub(5, 0, 0, 0);
    sem_post(&reached);
    return NULL;
}

static void run(void *(*work)(void *))
{
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        if (work == be_cancelled)
            sem_wait(&reached);
        if (work == be_cancelled || work == be_cancelled_early)
            pthread_cancel(thread);
        if (work == be_cancelled_early)
            sem_post(&reached);
        pthread_join(thread, NULL);
    }
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    sem_init(&reached, 0, 0);
    pthread_key_create(&key, call_at_end);
    pthread_key_t other;
    while (pthread_key_create(&other, NULL) == 0)
        ;
    run(call_in_destructor);
    run(exit_after_calls);
    run(be_cancelled);
    run(be_cancelled_early);
    pthread_t thread;
    pthread_create(&thread, NULL, detached, NULL);
    pthread_detach(thread);
    sem_wait(&reached);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    puts("done");
    fflush(stdout);
    pthread_exit(NULL);
}
