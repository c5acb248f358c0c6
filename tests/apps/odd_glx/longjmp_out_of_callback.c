/* SPDX-License-Identifier: MIT
 * Leaves GL calls by longjmp() out of debug callbacks, at various stack depths. Every later call must be
 * recorded.
 *
 * count: 4 glDebugMessageInsert\(.*"leave"
 * count: 4 glClearDepth\(
 * count: 4 glDepthRange\(
 * count: 5 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf back;
static int messages;

static void on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *text, const void *user)
{
    (void)source, (void)type, (void)id, (void)severity, (void)length, (void)user;
    if (strcmp(text, "leave") != 0)
        return;
    messages++;
    longjmp(back, 1);
}

static void insert(void)
{
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1, GL_DEBUG_SEVERITY_HIGH, -1,
                         "leave");
    puts("not left");
}

/* Puts much on the stack between itself and the caller. */
static __attribute__((noinline)) void insert_far_below(int depth)
{
    char space[4096];
    __asm__ volatile("" : : "r"(space) : "memory"); /* keeps it there, unused */
    if (depth > 0)
        insert_far_below(depth - 1);
    else
        insert();
    __asm__ volatile("" : : "r"(space) : "memory");
}

/* Calls from below the frames that were left, whose contents are still on the stack. */
static __attribute__((noinline)) void call_below(void)
{
    char space[16384];
    __asm__ volatile("" : : "r"(space) : "memory");
    glClearDepth(0.5);
    __asm__ volatile("" : : "r"(space) : "memory");
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, NULL);
    app_glx_present(&app, "frame", 0);
    for (volatile int i = 0; i < 4; ++i) {
        if (setjmp(back) == 0) {
            if (i % 2 == 0)
                insert();
            else
                insert_far_below(8);
        }
        call_below();
        glDepthRange(0, 1);
        app_glx_present(&app, "frame", i + 1);
    }
    printf("%d messages\n", messages);
    app_glx_close(&app);
    return 0;
}
