/* SPDX-License-Identifier: MIT */
/* Draws frames that make and delete objects, after a start that makes some that stay. Each frame has the
 * clear colour of its number. usage: gl_frames COUNT [WHAT=FRAME…] with WHAT, done in that frame, counted
 * from 1: slow: sleeps for 80 ms; mark: sets the marker trace-cli:dump; upload: gives a buffer 50 MB; wait:
 * makes a file "waits" and waits until there is one that is called "go". */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UPLOAD ((size_t)50 << 20)

/* Uploads incompressible bytes. */
static void upload(void)
{
    GLuint buffer;
    uint64_t *bytes = malloc(UPLOAD), x = 1;
    if (bytes == NULL)
        exit(99);
    for (size_t i = 0; i < UPLOAD / sizeof *bytes; ++i)
        bytes[i] = x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)UPLOAD, bytes, GL_STATIC_DRAW);
    free(bytes);
}

static void wait_for_go(void)
{
    close(open("waits", O_WRONLY | O_CREAT, 0666));
    while (access("go", F_OK) != 0)
        usleep(10000);
    unlink("go");
}

static void do_extra(const char *what)
{
    void (*mark)(GLsizei, const void *) =
        (void (*)(GLsizei, const void *))glXGetProcAddress((const GLubyte *)"glStringMarkerGREMEDY");
    if (strncmp(what, "slow=", 5) == 0)
        usleep(80000);
    else if (strncmp(what, "mark=", 5) == 0 && mark != NULL)
        mark(0, "here: trace-cli:dump");
    else if (strncmp(what, "upload=", 7) == 0)
        upload();
    else if (strncmp(what, "wait=", 5) == 0)
        wait_for_go();
}

/* Makes what remains: a context, textures with a gap in their names, a buffer, bindings on two units. */
static void make_what_stays(void)
{
    GLuint textures[3], buffer;
    glGenTextures(3, textures);
    glDeleteTextures(1, &textures[1]);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, textures[2]);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGenLists(1);
}

static void make_and_delete(void)
{
    GLuint textures[2];
    GLuint list = glGenLists(2);
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glDeleteTextures(2, textures);
    glDeleteLists(list, 2);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    make_what_stays();
    for (long frame = 1; frame <= atol(argv[1]); ++frame) {
        for (int i = 2; i < argc; ++i)
            if (strchr(argv[i], '=') != NULL && atol(strchr(argv[i], '=') + 1) == frame)
                do_extra(argv[i]);
        make_and_delete();
        glClearColor((GLfloat)frame, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glXSwapBuffers(app.display, app.window);
    }
    printf("drew %s frames\n", argv[1]);
    fflush(stdout);
    _exit(0); /* nothing is deleted */
}
