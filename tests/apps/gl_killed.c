/* SPDX-License-Identifier: MIT */
/* Calls glClearStencil(1), glClearStencil(2), … for ever and keeps, in a file that outlives it, how many of
 * those calls have returned. Whoever kills it compares that number with the trace's last call. usage:
 * gl_killed FILE [COUNT]   (COUNT: kill -9 itself after as many calls; 0: never) */
#include "app_glx.h"

#include <GL/gl.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CALLS_PER_FRAME = 1000 };

static volatile uint64_t *map_counter(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || ftruncate(fd, sizeof(uint64_t)) != 0) {
        perror(path);
        exit(99);
    }
    void *memory = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
        perror(path);
        exit(99);
    }
    close(fd);
    return memory;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: gl_killed FILE [COUNT]\n");
        return 2;
    }
    volatile uint64_t *counter = map_counter(argv[1]);
    uint64_t limit = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    for (uint64_t i = 1;; i++) {
        glClearStencil((GLint)i);
        *counter = i;
        if (i == limit)
            raise(SIGKILL);
        if (i % CALLS_PER_FRAME == 0) {
            glClear(GL_COLOR_BUFFER_BIT);
            glXSwapBuffers(app.display, app.window);
        }
    }
}
