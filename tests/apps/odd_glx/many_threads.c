/* SPDX-License-Identifier: MIT
 * 2,000 threads that make 20 calls each, WIDTH of them at the same time. usage: many_threads WIDTH
 *
 * arguments: 1
 * arguments: 8
 * arguments: 200
 * arguments: 500
 * count: 40000 glColor4ub\(
 * count: 2000 glColor4ub\(red = 19,
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2000, CALLS = 20, MAX_WIDTH = 500 };

static pthread_barrier_t all_there;

static void *make_calls(void *number)
{
    int n = *(int *)number;
    glColor4ub(0, (GLubyte)n, (GLubyte)(n >> 8), 255);
    pthread_barrier_wait(&all_there); /* all of these threads record at the same time */
    for (int i = 1; i < CALLS; ++i)
        glColor4ub((GLubyte)i, (GLubyte)n, (GLubyte)(n >> 8), 255);
    return NULL;
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 1;
    if (width < 1 || width > MAX_WIDTH)
        return 1;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    pthread_barrier_init(&all_there, NULL, (unsigned)width);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (int done = 0; done < THREADS; done += width) {
        pthread_t threads[MAX_WIDTH];
        int numbers[MAX_WIDTH];
        for (int i = 0; i < width; ++i) {
            numbers[i] = done + i;
            if (pthread_create(&threads[i], &small, make_calls, &numbers[i]) != 0)
                return APP_STATUS_NO_DISPLAY;
        }
        for (int i = 0; i < width; ++i)
            pthread_join(threads[i], NULL);
    }
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    puts("done");
    return 0;
}
