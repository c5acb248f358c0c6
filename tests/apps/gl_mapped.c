/* SPDX-License-Identifier: MIT
 * Draws that read a large persistent mapping, with one page written before each: measures the cost of
 * tracking the mapping. Prints "mapped DRAWS NANOSECONDS NANOSECONDS": the time and the thread's CPU time per
 * draw.
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAGE = 4096, PAGES = (64 << 20) / PAGE };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static char *map_buffer(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, (GLsizeiptr)PAGES * PAGE, NULL, flags);
    return glMapBufferRange(GL_ARRAY_BUFFER, 0, (GLsizeiptr)PAGES * PAGE, flags);
}

static size_t next_page(size_t page, size_t step)
{
    static unsigned long long seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (step != 0 ? page + step : (size_t)(seed >> 33)) % PAGES;
}

int main(int argc, char **argv)
{
    int draws = argc > 1 ? atoi(argv[1]) : 20000;
    size_t step = argc > 2 ? (size_t)atoi(argv[2]) : 1;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    char *memory = map_buffer();
    if (memory == NULL)
        return APP_STATUS_NO_DISPLAY;
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    memset(memory, 0, (size_t)PAGES * PAGE);
    glDrawArrays(GL_POINTS, 0, 1);
    glFinish();
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);
    size_t page = 0;
    for (int i = 1; i <= draws; ++i) {
        page = next_page(page, step);
        memcpy(memory + page * PAGE, &i, sizeof i);
        glDrawArrays(GL_POINTS, 0, 1);
    }
    start = now(CLOCK_MONOTONIC) - start;
    cpu = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
    printf("mapped %d %.1f %.1f\n", draws, start / draws, cpu / draws);
    glFinish();
    app_glx_close(&app);
    return 0;
}
