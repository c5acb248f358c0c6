/* SPDX-License-Identifier: MIT */
/* A program with a wild pointer: makes glClearStencil(0) to glClearStencil(999) and writes over some of what
 * was recorded of them, wherever shared memory of 8 MB is mapped. Its tracer is stopped meanwhile, if it is
 * the parent and the first argument is "stop". usage: gl_scribbles stop|go */
#include <GL/gl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES (4ul << 20)
#define WHERE      20000ul /* offset in bytes, some hundred calls after the first one */
#define WRITTEN    24ul    /* at most the size of a call's records */

static void nap(long milliseconds)
{
    const struct timespec t = {0, milliseconds * 1000000};
    nanosleep(&t, NULL);
}

static unsigned scribble(void)
{
    char line[512];
    unsigned long start, end, last_end = 0, size = 0;
    unsigned written = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char mode[8] = "";
        if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) != 3 || strcmp(mode, "rw-s") != 0)
            continue;
        size = start == last_end ? size + end - start : end - start;
        last_end = end;
        if (size == 2 * RING_BYTES) { /* a ring, mapped twice in a row */
            memset((void *)(end - size + WHERE), 0xEE, WRITTEN);
            written++;
        }
    }
    if (maps != NULL)
        fclose(maps);
    return written;
}

int main(int argc, char **argv)
{
    int stop = argc > 1 && strcmp(argv[1], "stop") == 0;
    glClear(0);
    nap(300);
    if (stop)
        kill(getppid(), SIGSTOP);
    nap(100);
    for (int i = 0; i < 1000; ++i)
        glClearStencil(i);
    unsigned written = scribble();
    if (stop)
        kill(getppid(), SIGCONT);
    for (int i = 1000; i < 2000; ++i)
        glClearStencil(i);
    fprintf(stderr, "%u rings\n", written);
    return 0;
}
