/* SPDX-License-Identifier: MIT
 * mlockall() locks the program's memory. It must not lock the recorder's.
 *
 * arguments: 0
 * arguments: 1
 * count: 40 glColor4ub\(
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { THREADS = 4, CALLS = 10, MUCH = 24 << 10 };

static long locked_kb(void)
{
    long kb = -1;
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmLck: %ld kB", &kb) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kb;
}

static pthread_barrier_t all_there;

static void *make_calls(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < CALLS; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    pthread_barrier_wait(&all_there);
    pthread_barrier_wait(&all_there);
    return NULL;
}

/* usage: locked_memory 0|1    1: GL has started when the memory is locked */
int main(int argc, char **argv)
{
    int late = argc > 1 && atoi(argv[1]) != 0;
    struct app_glx app;
    pthread_t threads[THREADS];
    pthread_barrier_init(&all_there, NULL, THREADS + 1);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    if (!late && mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        return APP_STATUS_NO_DISPLAY;
    long before = locked_kb();
    for (int i = 0; i < THREADS; ++i)
        if (pthread_create(&threads[i], &small, make_calls, NULL) != 0)
            return APP_STATUS_NO_DISPLAY;
    pthread_barrier_wait(&all_there);
    pthread_barrier_wait(&all_there);
    if (late && mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        return APP_STATUS_NO_DISPLAY;
    /* What the threads' calls have locked, or, if locked late, all memory. */
    puts(locked_kb() - before < MUCH * (late ? 2 : 1) ? "little is locked" : "much is locked");
    fprintf(getenv("LOCKED_MEMORY_SHOW") != NULL ? stderr : fopen("/dev/null", "w"), "%ld kB\n",
            locked_kb() - before);
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    munlockall();
    app_glx_open(&app, 32, 32);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
