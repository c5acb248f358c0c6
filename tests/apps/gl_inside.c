/* SPDX-License-Identifier: MIT */
/* Draws frames while another thread does not return from glCreateShader(), because the debug callback that
 * it calls waits. Then makes a file "waits", and waits until there is one that is called "go". usage:
 * gl_inside HOW with HOW, what happens next: return: the call returns, and the program; exit, kill: the
 * program ends, and the call has not returned. */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <X11/Xlib.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool is_inside, may_return;

static void on_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *text, const void *user)
{
    (void)source, (void)type, (void)id, (void)severity, (void)length, (void)text, (void)user;
    atomic_store(&is_inside, true);
    while (!atomic_load(&may_return))
        usleep(1000);
}

static void *call(void *unused)
{
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, NULL);
    glCreateShader(0); /* an error, so that the driver calls the callback */
    glDebugMessageCallback(NULL, NULL);
    app_glx_close(&app);
    return unused;
}

static void draw(const struct app_glx *app, int frame)
{
    glClearColor((GLfloat)frame, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDeleteShader(glCreateShader(GL_VERTEX_SHADER));
    glXSwapBuffers(app->display, app->window);
}

int main(int argc, char **argv)
{
    struct app_glx app;
    pthread_t thread;
    int frame = 1;
    if (argc < 2)
        return 2;
    XInitThreads();
    app_glx_open(&app, 32, 32);
    if (pthread_create(&thread, NULL, call, NULL) != 0)
        return 99;
    while (!atomic_load(&is_inside))
        draw(&app, frame++);
    for (int i = 0; i < 50; ++i)
        draw(&app, frame++);
    close(open("waits", O_WRONLY | O_CREAT, 0666));
    while (access("go", F_OK) != 0)
        usleep(10000);
    unlink("go");
    if (strcmp(argv[1], "exit") == 0)
        exit(0);
    if (strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    atomic_store(&may_return, true);
    pthread_join(thread, NULL);
    draw(&app, frame++);
    app_glx_close(&app);
    return 0;
}
