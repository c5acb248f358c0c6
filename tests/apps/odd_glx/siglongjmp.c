/* SPDX-License-Identifier: MIT
 * Leaves calls by siglongjmp() out of a signal handler, at any point. The calls copy nothing inside GL, whose
 * state stays consistent, but much for the trace. All later calls must be recorded completely.
 *
 * count: 20 glPointSize\(size = 3\)
 * count: 20 glLineWidth\(width = 5\)
 * count: 2 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { CALLS = 20, VECTORS = 1 << 17 };

static sigjmp_buf back;
static volatile sig_atomic_t armed;

static void on_alarm(int number)
{
    (void)number;
    if (!armed)
        return;
    armed = 0;
    siglongjmp(back, 1);
}

static void set_timer(int milliseconds)
{
    const struct timeval step = {.tv_usec = 1000 * milliseconds};
    const struct itimerval timer = {step, step};
    setitimer(ITIMER_REAL, &timer, NULL);
}

int main(void)
{
    struct app_glx app;
    const char *source = "void main() { gl_Position = vec4(0); }";
    GLfloat *values = calloc(VECTORS, 4 * sizeof *values);
    app_glx_open(&app, 32, 32);
    GLuint program = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glUseProgram(program);
    app_glx_present(&app, "frame", 0);
    const struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    set_timer(1);
    for (volatile int i = 0; i < CALLS; ++i) {
        if (sigsetjmp(back, 1) == 0) {
            armed = 1;
            glUniform4fv(-1, VECTORS, values);
            armed = 0;
        }
        glPointSize(3);
        glLineWidth(5);
    }
    set_timer(0);
    printf("0x%04x\n", glGetError());
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    free(values);
    return 0;
}
