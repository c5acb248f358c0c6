/* SPDX-License-Identifier: MIT */
/* Processes: both sides of a fork draw, or one draws and then becomes another GL program.
 * usage: gl_fork early          fork before any GL call; parent and child draw
 *        gl_fork late           draw, fork, the child opens its own display and draws, the parent goes on
 *        gl_fork quiet          the child makes no GL call
 *        gl_fork exec PROGRAM [ARGS…]   draw, then exec PROGRAM in this process
 *        gl_fork spawn PROGRAM [ARGS…]  draw, fork and exec PROGRAM, wait, draw again */
#include "app_glx.h"

#include <GL/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void draw(struct app_glx *app, const char *name, int frame, float green)
{
    glClearColor(0.0f, green, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    app_glx_present(app, name, frame);
    fflush(stdout);
}

static void draw_alone(const char *name, float green)
{
    struct app_glx app;
    app_glx_open(&app, 40, 30);
    draw(&app, name, 0, green);
    app_glx_close(&app);
}

/* Runs the child's part, or waits for it in the parent; the parent prints after the child. */
static void fork_and_wait(void (*child)(char **), char **arguments)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        child(arguments);
        fflush(stdout);
        _exit(7);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    printf("child status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

static void draw_child(char **arguments)
{
    (void)arguments;
    draw_alone("child", 0.75f);
}

static void draw_nothing(char **arguments)
{
    (void)arguments;
}

static void exec_program(char **arguments)
{
    execv(arguments[0], arguments);
    perror(arguments[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "late";
    if (strcmp(mode, "early") == 0) {
        fork_and_wait(draw_child, NULL);
        draw_alone("parent", 0.25f);
        return 0;
    }
    struct app_glx app;
    app_glx_open(&app, 40, 30);
    draw(&app, "parent", 0, 0.25f);
    if (strcmp(mode, "exec") == 0 && argc > 2)
        exec_program(argv + 2);
    else if (strcmp(mode, "spawn") == 0 && argc > 2)
        fork_and_wait(exec_program, argv + 2);
    else if (strcmp(mode, "quiet") == 0)
        fork_and_wait(draw_nothing, NULL);
    else if (strcmp(mode, "late") == 0)
        fork_and_wait(draw_child, NULL);
    else
        return 2;
    draw(&app, "parent", 1, 0.5f);
    app_glx_close(&app);
    return 0;
}
