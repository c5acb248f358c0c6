/* SPDX-License-Identifier: MIT */
/* Sleeps between two recognisable calls, and says what it saw of the time.
 * Prints "slept NANOSECONDS of NANOSECONDS", by CLOCK_MONOTONIC: the nap, and with both calls. usage:
 * gl_sleeps MILLISECONDS */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv)
{
    long milliseconds = argc > 1 ? atol(argv[1]) : 50;
    const struct timespec nap = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    long long before = now();
    glClearStencil(1);
    long long start = now();
    nanosleep(&nap, NULL);
    long long slept = now() - start;
    glClearStencil(2);
    long long all = now() - before;
    glFinish();
    app_glx_close(&app);
    printf("slept %lld of %lld\n", slept, all);
    return 0;
}
