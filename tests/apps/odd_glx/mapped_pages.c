/* SPDX-License-Identifier: MIT
 * A persistent mapping of 16 MB that is written as programs do: in various places before a draw, by system
 * calls, by threads, around a fork, with all descriptors closed, and with none left to open. Each write that
 * a draw shows must be in the trace before that draw. The program's descriptors must not change.
 *
 * count: 11 glXSwapBuffers\(
 * count: 11 glDrawArrays\(
 * stderr is the same: nothing is said
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 16 << 20, SIDE = 64, TRIANGLES = 40, VERTEX = 2 * sizeof(GLfloat) };

static struct app_glx app;
static char *memory;
static int frame;

/* Returns the offset of triangle i, which are spread all over the buffer. */
static size_t place_of(int i)
{
    return (size_t)i * 399360 + (size_t)i % 7 * 24;
}

static void put_triangle(int i, GLfloat grow)
{
    GLfloat x = (GLfloat)(i % 8) / 4 - 1, y = (GLfloat)(i / 8) / 4 - 1; /* NOLINT: whole rows */
    const GLfloat corners[6] = {x, y, x + grow, y, x, y + grow};
    memcpy(memory + place_of(i), corners, sizeof corners);
}

static void draw(const char *what)
{
    GLint first[TRIANGLES];
    GLsizei count[TRIANGLES];
    for (int i = 0; i < TRIANGLES; ++i) {
        first[i] = (GLint)(place_of(i) / VERTEX);
        count[i] = 3;
    }
    glClear(GL_COLOR_BUFFER_BIT);
    glMultiDrawArrays(GL_TRIANGLES, first, count, TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    app_glx_present(&app, what, frame++);
}

static void *put_half(void *argument)
{
    int odd = *(int *)argument;
    for (int i = odd; i < TRIANGLES; i += 2)
        put_triangle(i, 0.15f + 0.05f * (GLfloat)odd);
    return NULL;
}

static void put_by_threads(void)
{
    pthread_t threads[2];
    static int numbers[2] = {0, 1};
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, put_half, &numbers[i]);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
}

static void put_by_read(GLfloat grow)
{
    int fds[2];
    if (pipe(fds) != 0)
        return;
    const GLfloat corners[6] = {-1, -1, -1 + grow, -1, -1, -1 + grow};
    ssize_t written = write(fds[1], corners, sizeof corners);
    ssize_t n = read(fds[0], memory, sizeof corners);
    printf("read %zd of %zd\n", n, written);
    close(fds[0]);
    close(fds[1]);
}

static void print_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int count = 0;
    while (d != NULL && readdir(d) != NULL)
        count++;
    if (d != NULL)
        closedir(d);
    printf("%d descriptors\n", count);
}

static void fork_with(GLfloat in_child, GLfloat in_parent)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < TRIANGLES; ++i)
            put_triangle(i, in_child);
        _exit(0);
    }
    put_triangle(9, in_parent);
    int status = 0;
    waitpid(child, &status, 0);
    printf("child: %d\n", status);
}

static void without_descriptors(void)
{
    struct rlimit limit, none;
    getrlimit(RLIMIT_NOFILE, &limit);
    none = limit;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    put_triangle(30, 0.2f);
    draw("no descriptors");
    put_triangle(30, 0.1f);
    put_triangle(0, 0.3f);
    draw("still none");
    setrlimit(RLIMIT_NOFILE, &limit);
    put_triangle(30, 0.2f);
    draw("descriptors again");
}

int main(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer;
    app_glx_open(&app, SIDE, SIDE);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, SIZE, NULL, flags);
    memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, SIZE, flags);
    if (memory == NULL)
        return APP_STATUS_NO_DISPLAY;
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    print_descriptors();
    memset(memory, 0, SIZE);
    for (int i = 0; i < TRIANGLES; ++i)
        put_triangle(i, 0.2f);
    draw("all");
    put_triangle(17, 0.1f);
    draw("one");
    draw("none");
    for (int i = 0; i < TRIANGLES; i += 3)
        put_triangle(i, 0.05f);
    draw("some");
    put_by_read(0.3f);
    draw("read");
    put_by_threads();
    draw("threads");
    fork_with(0.01f, 0.1f);
    draw("fork");
    print_descriptors();
    close_range(ConnectionNumber(app.display) + 1, ~0u, 0);
    put_triangle(20, 0.15f);
    draw("closed");
    without_descriptors();
    app_glx_close(&app);
    return 0;
}
