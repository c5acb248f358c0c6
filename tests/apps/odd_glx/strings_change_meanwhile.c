/* SPDX-License-Identifier: MIT
 * A thread makes strings longer and shorter while another thread passes them to GL. Any of their states may
 * be recorded, and the calls around it must be complete.
 *
 * count: 300 glShaderSource\(
 * count: 300 glDebugMessageInsert\(
 * count: 300 glBlendColor\(red = 0, green = 0.25, blue = 0.5, alpha = 1\)
 * count: 2 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300, PARTS = 40, LENGTH = 3000 };

static char text[PARTS][LENGTH + 1];
static GLint lengths[PARTS];
static atomic_bool stop;

/* The length of the comments changes, and the NUL behind them remains. */
static void *change(void *unused)
{
    (void)unused;
    for (unsigned n = 0; !atomic_load(&stop); ++n) {
        volatile char *t = text[n % PARTS];
        ((volatile GLint *)lengths)[n % PARTS] = n % 3 == 0 ? LENGTH : 3;
        t[5] = '\0';
        t[5] = ' ';
    }
    return NULL;
}

int main(void)
{
    struct app_glx app;
    const char *strings[PARTS];
    pthread_t thread;
    app_glx_open(&app, 32, 32);
    app_glx_present(&app, "frame", 0);
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    for (unsigned i = 0; i < PARTS; ++i) {
        memset(text[i], ' ', LENGTH);
        text[i][0] = text[i][1] = '/';
        lengths[i] = LENGTH;
        strings[i] = text[i];
    }
    pthread_create(&thread, NULL, change, NULL);
    for (unsigned i = 0; i < ROUNDS; ++i) {
        glShaderSource(shader, PARTS, strings, i % 2 == 0 ? NULL : lengths);
        glBlendColor(0, 0.25f, 0.5f, 1);
        glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1, GL_DEBUG_SEVERITY_LOW, -1,
                             text[0]);
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    glDeleteShader(shader);
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    return 0;
}
