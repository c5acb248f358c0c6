/* SPDX-License-Identifier: MIT
 * After GL has started, a filter kills the process if it changes its signal mask. The calls from then on have
 * arrays, strings and client-side vertices, all of which are read. One array is in memory that cannot be
 * read.
 *
 * count: 50 glVertex3fv\(v = \{1, 2, 3\}\)
 * count: 2 glBufferData\(.*size = 400000,
 * count: 1 glShaderSource\(.*void main
 * count: 1 glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(24\)\)
 * count: 1 glGetIntegerv\(pname = GL_VIEWPORT, data = \{0, 0, 32, 32\}\)
 * count: 1 glUniform4fv\(location = -1, count = 1, value = \{\}\)
 * count: 2 glXSwapBuffers\(
 * stacks: (glVertex3fv|glBufferData|glUniform4fv)
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { LARGE = 400000 };

static int forbid_signal_masks(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static void draw(void)
{
    static const GLfloat point[] = {1, 2, 3}, triangle[] = {0, 0, 1, 0, 0, 1};
    glBegin(GL_POINTS);
    for (int i = 0; i < 50; ++i)
        glVertex3fv(point);
    glEnd();
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, triangle);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableClientState(GL_VERTEX_ARRAY);
}

int main(void)
{
    struct app_glx app;
    const char *source = "void main() { gl_Position = vec4(0); }";
    GLint viewport[4];
    app_glx_open(&app, 32, 32);
    app_glx_present(&app, "frame", 0);
    GLfloat *values = calloc(1, LARGE);
    GLfloat *unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    if (forbid_signal_masks() != 0)
        return APP_STATUS_NO_DISPLAY;
    draw();
    for (int i = 0; i < 2; ++i)
        glBufferData(GL_ARRAY_BUFFER, LARGE, values, GL_STATIC_DRAW); /* no buffer is bound */
    glShaderSource(shader, 1, &source, NULL);
    glUniform4fv(-1, 1, unreadable); /* ignored without reading the values */
    glGetIntegerv(GL_VIEWPORT, viewport);
    app_glx_present(&app, "frame", 1);
    puts("done");
    fflush(stdout);
    _Exit(0);
}
