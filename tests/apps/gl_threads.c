/* SPDX-License-Identifier: MIT */
/* Several threads, each with a context of its own that shares objects with the first one, each drawing on its
 * own pbuffer with a texture that the main thread made. Results are printed in thread order after all have
 * ended. usage: gl_threads [THREADS [FRAMES]] */
#include "app_hash.h"

#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64, MAX_THREADS = 16 };

struct shared {
    Display *display;
    GLXFBConfig config;
    GLXContext root;
    GLuint texture;
    int frames;
};

struct worker {
    const struct shared *shared;
    int index;
    GLXContext context;
    GLXPbuffer pbuffer;
    uint64_t hash;
};

static void fail(const char *what)
{
    fprintf(stderr, "gl_threads: %s\n", what);
    exit(99);
}

static void open_worker(struct worker *w)
{
    static const int size[] = {GLX_PBUFFER_WIDTH, SIZE, GLX_PBUFFER_HEIGHT, SIZE, None};
    const struct shared *s = w->shared;
    w->pbuffer = glXCreatePbuffer(s->display, s->config, size);
    w->context = glXCreateNewContext(s->display, s->config, GLX_RGBA_TYPE, s->root, True);
    if (w->context == NULL)
        fail("no context");
}

static void draw_frame(const struct worker *w, int frame)
{
    float low = -0.9f + 0.05f * (float)frame;
    float high = 0.3f + 0.04f * (float)w->index;
    glClearColor(0.0f, 0.0f, 0.1f * (float)w->index, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, w->shared->texture);
    glBegin(GL_TRIANGLE_STRIP);
    glTexCoord2f(0.0f, 0.0f);
    glVertex2f(low, low);
    glTexCoord2f(1.0f, 0.0f);
    glVertex2f(high, low);
    glTexCoord2f(0.0f, 1.0f);
    glVertex2f(low, high);
    glTexCoord2f(1.0f, 1.0f);
    glVertex2f(high, high);
    glEnd();
    glFlush();
}

static void *run_worker(void *argument)
{
    struct worker *w = argument;
    static _Thread_local uint8_t pixels[SIZE * SIZE * 4];
    if (!glXMakeContextCurrent(w->shared->display, w->pbuffer, w->pbuffer, w->context))
        fail("cannot make a context current");
    glViewport(0, 0, SIZE, SIZE);
    for (int frame = 0; frame < w->shared->frames; frame++)
        draw_frame(w, frame);
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    w->hash = app_hash(pixels, sizeof pixels);
    glXMakeContextCurrent(w->shared->display, None, None, NULL);
    return NULL;
}

static GLuint create_texture(void)
{
    static const GLubyte texels[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255};
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glFinish();
    return texture;
}

static void open_shared(struct shared *s, struct worker *first)
{
    static const int attributes[] = {
        GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None};
    int count = 0;
    XInitThreads();
    s->display = XOpenDisplay(NULL);
    if (s->display == NULL)
        fail("cannot open the display");
    GLXFBConfig *configs = glXChooseFBConfig(s->display, DefaultScreen(s->display), attributes, &count);
    if (configs == NULL || count == 0)
        fail("no configuration");
    s->config = configs[0];
    XFree(configs);
    *first = (struct worker){.shared = s};
    open_worker(first);
    s->root = first->context;
    glXMakeContextCurrent(s->display, first->pbuffer, first->pbuffer, first->context);
    s->texture = create_texture();
}

int main(int argc, char **argv)
{
    static struct worker workers[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    int count = argc > 1 ? atoi(argv[1]) : 3;
    struct shared shared = {.frames = argc > 2 ? atoi(argv[2]) : 4};
    struct worker first;
    if (count < 1 || count > MAX_THREADS)
        fail("1 to 16 threads");
    open_shared(&shared, &first);
    for (int i = 0; i < count; i++) {
        workers[i] = (struct worker){.shared = &shared, .index = i};
        open_worker(&workers[i]);
        if (pthread_create(&threads[i], NULL, run_worker, &workers[i]) != 0)
            fail("no thread");
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        printf("gl_threads %d: %016" PRIx64 "\n", i, workers[i].hash);
    }
    return 0;
}
