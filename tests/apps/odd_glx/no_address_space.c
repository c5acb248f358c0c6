/* SPDX-License-Identifier: MIT
 * No address space is left for rings when the threads make their first calls. They share a ring, and nothing
 * is lost.
 *
 * count: 16000 glColor4ub\(
 * stacks: glColor4ub\(
 * count: 2000 glColor4ub\(red = 7,
 * count: 8 glGetString\(name = GL_VENDOR\)
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { THREADS = 8, CALLS = 2000 };

static pthread_barrier_t all_there;

static void *make_calls(void *number)
{
    pthread_barrier_wait(&all_there);
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < CALLS; ++i)
        glColor4ub(*(GLubyte *)number, 0, 0, (GLubyte)i);
    glGetString(GL_VENDOR);
    return NULL;
}

/* Nothing of a megabyte or more can be mapped afterwards. */
static int limit_addresses(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    int found = file != NULL ? fscanf(file, "%lu", &pages) : 0;
    if (file != NULL)
        fclose(file);
    rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)1 << 20);
    return found == 1 ? setrlimit(RLIMIT_AS, &(struct rlimit){bytes, RLIM_INFINITY}) : -1;
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    pthread_barrier_init(&all_there, NULL, THREADS + 1);
    pthread_t threads[THREADS];
    GLubyte numbers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = (GLubyte)i;
        if (pthread_create(&threads[i], NULL, make_calls, &numbers[i]) != 0)
            return APP_STATUS_NO_DISPLAY;
    }
    pthread_barrier_wait(&all_there);
    if (limit_addresses() != 0)
        return APP_STATUS_NO_DISPLAY;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    puts("done");
    return 0;
}
