/* SPDX-License-Identifier: MIT */
/* Measures what one GL call costs the program: many cheap calls in 1 to 16 threads, each with a context of
 * its own on a display connection of its own. Prints "KIND THREADS NANOSECONDS", the mean per call of one
 * thread. usage: gl_cheap color|enable|matrix|vector|vertex|object|deep|frames|object-frames|first|bursts
 * CALLS THREADS
 * deep: the calls of color, from ten functions that call each other
 * frames, object-frames: the calls of color, or of object, in two frames
 * first, bursts: 50,000 calls of color, which a recorder can put into a buffer of a few megabytes; bursts: as
 * many such bursts as give CALLS, each after a pause and after one that is not measured */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 16 };

static void call_color(long calls)
{
    for (long i = 0; i < calls; i++)
        glColor4f(0.25f, 0.5f, 0.75f, (float)(i & 0xff));
}

static void call_enable(long calls)
{
    for (long i = 0; i < calls; i++)
        glEnable(GL_BLEND);
}

static void call_matrix(long calls)
{
    static const GLfloat matrix[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    for (long i = 0; i < calls; i++)
        glLoadMatrixf(matrix);
}

static void call_vector(long calls)
{
    static const GLfloat vector[4] = {0.25f, 0.5f, 0.75f, 1};
    for (long i = 0; i < calls; i++)
        glColor4fv(vector);
}

static void call_vertex(long calls)
{
    for (long i = 0; i < calls; i += 300) {
        glBegin(GL_POINTS);
        for (int j = 0; j < 298; j++)
            glVertex3f(2.0f, 2.0f, (float)j);
        glEnd();
    }
}

static GLuint link_program(void)
{
    const char *text = "uniform mat4 m; uniform vec4 v; void main() { gl_Position = m * v; }";
    GLuint program = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

/* What precedes a draw: names of objects, and short arrays whose number is an argument. */
static void call_object(long calls)
{
    static const GLfloat values[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    GLuint program = link_program(), textures[2];
    GLint matrix = glGetUniformLocation(program, "m"), vector = glGetUniformLocation(program, "v");
    glGenTextures(2, textures);
    for (long i = 0; i < calls; i += 5) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)(i & 1));
        glBindTexture(GL_TEXTURE_2D, textures[i & 1]);
        glUniformMatrix4fv(matrix, 1, GL_FALSE, values);
        glUniform4fv(vector, 1, values);
        glUniform4f(vector, 1, 2, 3, (float)(i & 0xff));
    }
}

static void call_in_frames(void (*run)(long calls), long calls)
{
    for (int i = 0; i < 2; i++) {
        run(calls / 2);
        glXSwapBuffers(glXGetCurrentDisplay(), glXGetCurrentDrawable());
    }
}

static void call_frames(long calls)
{
    call_in_frames(call_color, calls);
}

static void call_object_frames(long calls)
{
    call_in_frames(call_object, calls);
}

/* Puts as many functions on the stack as a backtrace may have. */
__attribute__((noinline)) static void call_deep_down(long calls, int levels)
{
    if (levels > 0)
        call_deep_down(calls, levels - 1);
    else
        call_color(calls);
    __asm__ volatile(""); /* no tail call */
}

static void call_deep(long calls)
{
    call_deep_down(calls, 10);
}

enum { BURST = 50000 };

static const struct kind {
    const char *name;
    void (*run)(long calls);
    bool is_first, has_pauses;
} kinds[] = {
    {"color", call_color, false, false},
    {"enable", call_enable, false, false},
    {"matrix", call_matrix, false, false},
    {"vector", call_vector, false, false},
    {"vertex", call_vertex, false, false},
    {"object", call_object, false, false},
    {"deep", call_deep, false, false},
    {"frames", call_frames, false, false},
    {"object-frames", call_object_frames, false, false},
    {"first", call_color, true, false},
    {"bursts", call_color, false, true},
};

struct worker {
    const struct kind *kind;
    long calls;
    pthread_barrier_t *ready;
    double nanoseconds; /* per call */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns nanoseconds per call. */
static double time_calls(const struct kind *kind, long calls)
{
    double start = now();
    kind->run(calls);
    return (now() - start) / (double)calls;
}

static double time_bursts(const struct kind *kind, long calls)
{
    double sum = 0;
    long bursts = calls / BURST + 1;
    time_calls(kind, BURST);
    for (long i = 0; i < bursts; i++) {
        nanosleep(&(struct timespec){0, 50000000}, NULL); /* time for the recorder to write everything */
        sum += time_calls(kind, BURST);
    }
    return sum / (double)bursts;
}

static void *run_worker(void *argument)
{
    struct worker *w = argument;
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    pthread_barrier_wait(w->ready);
    w->nanoseconds = w->kind->has_pauses ? time_bursts(w->kind, w->calls)
                                         : time_calls(w->kind, w->kind->is_first ? BURST : w->calls);
    pthread_barrier_wait(w->ready);
    app_glx_close(&app);
    return NULL;
}

static double measure(const struct kind *kind, long calls, int threads)
{
    pthread_t ids[MAX_THREADS];
    struct worker workers[MAX_THREADS];
    pthread_barrier_t ready;
    double sum = 0;
    pthread_barrier_init(&ready, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        workers[i] = (struct worker){kind, calls, &ready, 0};
        if (pthread_create(&ids[i], NULL, run_worker, &workers[i]) != 0)
            exit(99);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        sum += workers[i].nanoseconds;
    }
    pthread_barrier_destroy(&ready);
    return sum / threads;
}

int main(int argc, char **argv)
{
    const struct kind *kind = NULL;
    for (size_t i = 0; argc == 4 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            kind = &kinds[i];
    long calls = kind != NULL ? atol(argv[2]) : 0;
    int threads = kind != NULL ? atoi(argv[3]) : 0;
    if (calls < 1 || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr,
                "usage: gl_cheap color|enable|matrix|vector|vertex|object|deep|first|bursts CALLS THREADS\n");
        return 2;
    }
    XInitThreads();
    printf("%s %d %.2f\n", kind->name, threads, measure(kind, calls, threads));
    return 0;
}
