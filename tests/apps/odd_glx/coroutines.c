/* SPDX-License-Identifier: MIT
 * Calls GL on the small stack of a coroutine, switches to the main stack inside a debug callback, calls GL
 * there, and returns to the interrupted call. A coroutine that is abandoned inside a call also loses its
 * stack.
 *
 * count: 3 glDebugMessageInsert\(
 * count: 2 glLineWidth\(width = 2\)
 * count: 2 glPointSize\(size = 3\)
 * count: 2 glLineWidth\(width = 4\)
 * expect: glPointSize\(size = 5\)
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 256 << 10 };

static ucontext_t main_context, coroutine;

static void on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *text, const void *user)
{
    (void)source, (void)type, (void)id, (void)severity, (void)length, (void)user;
    if (text[0] == 's')
        swapcontext(&coroutine, &main_context);
}

static void insert(const char *text)
{
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1, GL_DEBUG_SEVERITY_HIGH, -1,
                         text);
}

static void run(void)
{
    glLineWidth(2);
    insert("switch");
    glLineWidth(4);
}

static void *start(void)
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        exit(99);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = STACK;
    coroutine.uc_link = &main_context;
    makecontext(&coroutine, run, 0);
    swapcontext(&main_context, &coroutine);
    return stack;
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, NULL);
    void *stack = start();
    glPointSize(3);
    swapcontext(&main_context, &coroutine);
    munmap(stack, STACK);
    app_glx_present(&app, "frame", 0);

    stack = start();
    munmap(stack, STACK);
    glPointSize(3);
    glLineWidth(4);
    insert("other");
    glPointSize(5);
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    return 0;
}
