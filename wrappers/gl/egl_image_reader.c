/* SPDX-License-Identifier: MIT */
#include "gl/egl_image_reader.h"

#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/own_stack.h"

#include "spec_ids.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    SPEC_GL_TEXTURE_2D = 0x0DE1,
    SPEC_GL_COLOR_ATTACHMENT0 = 0x8CE0,
    SPEC_GL_FRAMEBUFFER_COMPLETE = 0x8CD5,
    SPEC_EGL_NONE = 0x3038,
    SPEC_EGL_CONTEXT_CLIENT_VERSION = 0x3098,
    OWN_NAME = 1, /* of the context's only texture, and of its only framebuffer */
};

/* Casts the real function to a function of this type. */
#define REAL(name, type, parameters) ((type(*) parameters)real_function_find(SPEC_FN_##name))

struct reading {
    void *display, *image;
    struct gl_texels *out;
};

/* A new context packs pixels without gaps: texels have multiples of four bytes. */
static void read_texture(struct gl_texels *out)
{
    REAL(glBindFramebuffer, void, (uint32_t, uint32_t))(SPEC_GL_READ_FRAMEBUFFER, OWN_NAME);
    REAL(glFramebufferTexture2D, void, (uint32_t, uint32_t, uint32_t, uint32_t, int32_t))
    (SPEC_GL_READ_FRAMEBUFFER, SPEC_GL_COLOR_ATTACHMENT0, SPEC_GL_TEXTURE_2D, OWN_NAME, 0);
    if (REAL(glCheckFramebufferStatus, uint32_t, (uint32_t))(SPEC_GL_READ_FRAMEBUFFER) !=
            SPEC_GL_FRAMEBUFFER_COMPLETE ||
        (out->pixels = gl_texels_allocate(out)) == NULL)
        return;
    REAL(glReadPixels, void, (int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void *))
    (0, 0, out->width, out->height, out->format, out->type, out->pixels);
}

static void read_in_context(const struct reading *r)
{
    REAL(glBindTexture, void, (uint32_t, uint32_t))(SPEC_GL_TEXTURE_2D, OWN_NAME);
    REAL(glEGLImageTargetTexture2DOES, void, (uint32_t, void *))(SPEC_GL_TEXTURE_2D, r->image);
    if (gl_texels_describe(SPEC_GL_TEXTURE_2D, r->out))
        read_texture(r->out);
}

/* The thread's API is OpenGL ES, as every thread's is at first (EGL 1.5, section 3.7). */
static void *read_in_thread(void *argument)
{
    static const int32_t attributes[] = {SPEC_EGL_CONTEXT_CLIENT_VERSION, 3, SPEC_EGL_NONE};
    const struct reading *r = argument;
    void *context = REAL(eglCreateContext, void *,
                         (void *, void *, void *, const int32_t *))(r->display, NULL, NULL, attributes);
    if (context == NULL)
        return NULL;
    if (REAL(eglMakeCurrent, uint32_t, (void *, void *, void *, void *))(r->display, NULL, NULL, context))
        read_in_context(r);
    REAL(eglMakeCurrent, uint32_t, (void *, void *, void *, void *))(r->display, NULL, NULL, NULL);
    REAL(eglDestroyContext, uint32_t, (void *, void *))(r->display, context);
    REAL(eglReleaseThread, uint32_t, (void))();
    return NULL;
}

void egl_image_read(void *display, void *image, struct gl_texels *out)
{
    struct reading r = {display, image, out};
    struct quiet quiet;
    pthread_t thread;
    *out = (struct gl_texels){0};
    if (!own_stack_blocks_signals())
        return;          /* a program that forbids itself system calls may not make threads */
    quiet_begin(&quiet); /* the thread begins so, too: the program's signals are not for it */
    if (pthread_create(&thread, NULL, read_in_thread, &r) == 0)
        pthread_join(thread, NULL);
    quiet_end(&quiet);
}
