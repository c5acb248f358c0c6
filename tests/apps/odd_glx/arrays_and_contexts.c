/* SPDX-License-Identifier: MIT
 * Client-side arrays in several contexts that share objects, with vertex array objects that are bound and
 * deleted in between; a reused context handle; a display list that begins primitives and another one that
 * ends them.
 *
 * lacks: Pointer\(.*pointer = 0x[0-9a-f]{3}
 * expect: glColorPointer\(size = 4, type = GL_UNSIGNED_BYTE, stride = 0, pointer = blob\(12\)\) // fake
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>

static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};

static GLXContext make_context(struct app_glx *app, GLXContext share)
{
    int attributes[] = {GLX_RGBA, GLX_RED_SIZE,   8, GLX_GREEN_SIZE,   8,   GLX_BLUE_SIZE,
                        8,        GLX_DEPTH_SIZE, 1, GLX_DOUBLEBUFFER, None};
    XVisualInfo *visual = glXChooseVisual(app->display, DefaultScreen(app->display), attributes);
    GLXContext context = glXCreateContext(app->display, visual, share, True);
    XFree(visual);
    if (context == NULL)
        exit(APP_STATUS_NO_DISPLAY);
    return context;
}

static void set_vertices(void)
{
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners));
    glEnableClientState(GL_VERTEX_ARRAY);
}

/* A vertex array object for the buffer, and the default one for memory. */
static void draw_with_objects(GLuint buffer)
{
    GLuint array;
    set_vertices();
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glColor3f(1, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexArray(0);
    glColor3f(0, 1, 0);
    glDrawArrays(GL_LINE_LOOP, 0, 3); /* from memory, with a buffer bound */
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(array);
    glVertexPointer(2, GL_FLOAT, 0, guarded_end(corners, sizeof corners)); /* Mesa accepts this */
    while (glGetError() != GL_NO_ERROR)
        ;
    glColor3f(0, 0, 1);
    glDrawArrays(GL_POINTS, 0, 3);
    glDeleteVertexArrays(1, &array);
    glDrawArrays(GL_POINTS, 0, 3);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* Another context has other arrays. A buffer that is deleted there remains bound here. */
static void draw_in_turn(struct app_glx *app, GLXContext other, GLuint buffer)
{
    static const GLubyte colors[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255};
    GLuint shared;
    glGenBuffers(1, &shared);
    glBindBuffer(GL_ARRAY_BUFFER, shared);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glXMakeCurrent(app->display, app->window, other);
    glViewport(0, 0, app->width, app->height);
    set_vertices();
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, guarded_end(colors, sizeof colors));
    glEnableClientState(GL_COLOR_ARRAY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteBuffers(1, &shared);
    glXMakeCurrent(app->display, app->window, app->context);
    glColor3f(1, 1, 0);
    glDrawArrays(GL_LINE_LOOP, 0, 3);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/* The calls do not show whether primitives have begun. */
static void draw_lists(void)
{
    GLuint lists = glGenLists(2);
    set_vertices();
    glNewList(lists, GL_COMPILE);
    glBegin(GL_LINE_LOOP);
    glEndList();
    glNewList(lists + 1, GL_COMPILE);
    glEnd();
    glEndList();
    glColor3f(1, 0, 1);
    glCallList(lists);
    glVertex2f(-0.5f, 0);
    glVertex2f(0.5f, 0);
    glVertex2f(0, 0.5f);
    glPixelStorei(GL_PACK_ALIGNMENT, 4); /* rejected, as any query would be */
    glCallList(lists + 1);
    printf("error 0x%x\n", glGetError());
    glCallList(lists);
    glArrayElement(0);
    glArrayElement(1);
    glArrayElement(2);
    glCallList(lists + 1);
    printf("error 0x%x\n", glGetError());
    glNewList(lists, GL_COMPILE_AND_EXECUTE);
    glBegin(GL_LINES);
    glArrayElement(0);
    glArrayElement(2);
    glEnd();
    glEndList();
    glDrawArrays(GL_POINTS, 0, 3);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteLists(lists, 2);
}

int main(void)
{
    struct app_glx app;
    GLuint buffer;
    app_glx_open(&app, 32, 32);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    for (int frame = 0; frame < 3; ++frame) {
        GLXContext other = make_context(&app, app.context);
        glClear(GL_COLOR_BUFFER_BIT);
        draw_with_objects(buffer);
        draw_in_turn(&app, other, buffer);
        draw_lists();
        app_glx_present(&app, "frame", frame);
        glXDestroyContext(app.display, other);
    }
    app_glx_close(&app);
    return 0;
}
