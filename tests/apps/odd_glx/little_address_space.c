/* SPDX-License-Identifier: MIT
 * 600 MB of address space are left when GL starts, which must be enough for GL and the calls of all threads.
 *
 * count: 160 glColor4ub\(
 * count: 1 glXSwapBuffers\(
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { THREADS = 16, CALLS = 10, LEFT = 600 };

static pthread_barrier_t all_there;

static void *make_calls(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < CALLS; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    pthread_barrier_wait(&all_there);
    return NULL;
}

static int limit_addresses(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    int found = file != NULL ? fscanf(file, "%lu", &pages) : 0;
    if (file != NULL)
        fclose(file);
    rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)LEFT << 20);
    return found == 1 ? setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}) : -1;
}

int main(void)
{
    if (limit_addresses() != 0)
        return APP_STATUS_NO_DISPLAY;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    pthread_barrier_init(&all_there, NULL, THREADS);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        if (pthread_create(&threads[i], &small, make_calls, NULL) != 0)
            return APP_STATUS_NO_DISPLAY;
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    puts("done");
    return 0;
}
