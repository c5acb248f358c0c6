/* SPDX-License-Identifier: MIT
 * Buffers with the same name in two contexts that do not share objects, both mapped; a mapping that another
 * context of the share group uses and ends; contexts that are destroyed with a mapped buffer, even while they
 * are current.
 *
 * of the first context: a write for itself, and one when it is unmapped
 * count: 2 memcpy\(.* n = 600\)
 * before: memcpy\(.* n = 600\).* glRecti\(
 * of the second: one for itself, and one that its draw has not to do with the first context's buffer
 * count: 1 memcpy\(.* n = 700\)
 * mapped in one context, drawn in another, the first one destroyed, written again, unmapped by the other
 * count: 2 memcpy\(.* n = 800\)
 * mapped in a context that was destroyed while it was current, written before and after
 * count: 2 memcpy\(.* n = 900\)
 * a large one in each of many contexts, which takes no memory for long
 * count: 50 memcpy\(.* n = 4194304\)
 * READ_ONLY: none
 * lacks: memcpy\(.* n = 1000\)
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { NAME = 77, LARGE = 4 << 20 };
static const GLbitfield persistent = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

static XVisualInfo *visual;

static GLXContext new_context(const struct app_glx *app, GLXContext share)
{
    return glXCreateContext(app->display, visual, share, True);
}

static void switch_to(const struct app_glx *app, GLXContext context)
{
    if (!glXMakeCurrent(app->display, context != NULL ? app->window : None, context))
        puts("cannot switch");
}

static char *map(GLuint name, GLsizeiptr size)
{
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferStorage(GL_ARRAY_BUFFER, size, NULL, persistent);
    return glMapBufferRange(GL_ARRAY_BUFFER, 0, size, persistent);
}

static void draw(void)
{
    glRecti(-1, -1, 0, 0);
    glFinish();
    printf("error 0x%x\n", glGetError());
}

static void use_one_name(const struct app_glx *app)
{
    char *first = map(NAME, 600);
    GLXContext other = new_context(app, NULL);
    switch_to(app, other);
    char *second = map(NAME, 700);
    first[0] = 1;
    second[0] = 1;
    draw();
    switch_to(app, app->context);
    draw();
    second[0] = 2; /* lost: its context is destroyed before anything reads it */
    glXDestroyContext(app->display, other);
    draw();
    first[0] = 3;
    printf("unmapped: %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    glDeleteBuffers(1, &(GLuint){NAME});
}

static void share_one(const struct app_glx *app)
{
    GLXContext maker = new_context(app, NULL), user = new_context(app, maker);
    switch_to(app, maker);
    char *memory = map(NAME, 800);
    switch_to(app, user);
    memory[0] = 1;
    draw();
    glXDestroyContext(app->display, maker);
    memory[0] = 2;
    glBindBuffer(GL_ARRAY_BUFFER, NAME);
    printf("unmapped: %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    draw();
    switch_to(app, app->context);
    glXDestroyContext(app->display, user);
}

static void destroy_current(const struct app_glx *app)
{
    GLXContext context = new_context(app, NULL);
    switch_to(app, context);
    char *memory = map(NAME, 900);
    memory[0] = 1;
    draw();
    glXDestroyContext(app->display, context);
    memory[0] = 2;
    draw();
    switch_to(app, app->context);
    draw();
}

static void destroy_many(const struct app_glx *app)
{
    for (int i = 0; i < 20; ++i) {
        GLXContext context = new_context(app, NULL);
        switch_to(app, context);
        glBindBuffer(GL_ARRAY_BUFFER, NAME);
        glBufferData(GL_ARRAY_BUFFER, 1000, NULL, GL_STATIC_DRAW);
        glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY);
        if (i % 2 == 0)
            switch_to(app, app->context);
        glXDestroyContext(app->display, context);
        draw();
    }
    switch_to(app, app->context);
}

static void destroy_large(const struct app_glx *app)
{
    for (int i = 0; i < 50; ++i) {
        GLXContext context = new_context(app, NULL);
        switch_to(app, context);
        memset(map(NAME, LARGE), i + 1, LARGE);
        draw();
        switch_to(app, app->context);
        glXDestroyContext(app->display, context);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("memory: %s\n", usage.ru_maxrss < 160 << 10 ? "little" : "much");
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    int attributes[] = {GLX_RGBA, GLX_DEPTH_SIZE, 1, GLX_DOUBLEBUFFER, None};
    XWindowAttributes window;
    XGetWindowAttributes(app.display, app.window, &window);
    int count;
    visual = XGetVisualInfo(app.display, VisualIDMask,
                            &(XVisualInfo){.visualid = XVisualIDFromVisual(window.visual)}, &count);
    if (visual == NULL)
        visual = glXChooseVisual(app.display, DefaultScreen(app.display), attributes);
    use_one_name(&app);
    share_one(&app);
    destroy_current(&app);
    destroy_many(&app);
    destroy_large(&app);
    app_glx_present(&app, "frame", 0);
    XFree(visual);
    app_glx_close(&app);
    return 0;
}
