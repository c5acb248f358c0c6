/* SPDX-License-Identifier: MIT */
#include "gl/egl_image_reader.h"

#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/own_stack.h"

#include "spec_ids.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPEC_GL_TEXTURE_2D = 0x0DE1,
    SPEC_GL_COLOR_ATTACHMENT0 = 0x8CE0,
    SPEC_GL_FRAMEBUFFER_COMPLETE = 0x8CD5,
    SPEC_EGL_NONE = 0x3038,
    SPEC_EGL_EXTENSIONS = 0x3055,
    SPEC_EGL_CONTEXT_CLIENT_VERSION = 0x3098,
    SPEC_EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT = 0x3138,
    SPEC_EGL_LOSE_CONTEXT_ON_RESET_EXT = 0x31BF,
    OWN_NAME = 1, /* of the context's only texture, and of its only framebuffer */
    KEPT_CONTEXTS = 8,
};

/* Casts the real function to a function of this type. */
#define REAL(name, type, parameters) ((type(*) parameters)real_function_find(SPEC_FN_##name))

/* A context of ours. To make one takes a hundred times as long as to read a small image. */
struct own_context {
    void *display, *context; /* context: NULL if there is none */
    bool tells_resets;
};

/* The contexts are only current while an image is read, so that they end with their display, in whatever
 * thread the program terminates it. */
static struct {
    pthread_mutex_t lock; /* one image is read at a time */
    bool watches_forks;
    unsigned egl_unloads; /* at the last reading */
    struct own_context kept[KEPT_CONTEXTS];
} reader = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct reading {
    struct own_context *own;
    bool keeps;
    void *image;
    struct gl_texels *out;
};

/* --- contexts, in a thread of ours -------------------------------------------------------------------- */

static bool bind(const struct own_context *c, void *context)
{
    return REAL(eglMakeCurrent, uint32_t, (void *, void *, void *, void *))(c->display, NULL, NULL,
                                                                            context) != 0;
}

static void destroy(struct own_context *c)
{
    if (c->context != NULL)
        REAL(eglDestroyContext, uint32_t, (void *, void *))(c->display, c->context);
    c->context = NULL;
}

/* An error would reach the program, if it has a callback for debug messages. So nothing is tried. */
static bool has_robust_contexts(void *display)
{
    static const char name[] = "EGL_EXT_create_context_robustness";
    const char *list = REAL(eglQueryString, const char *, (void *, int32_t))(display, SPEC_EGL_EXTENSIONS);
    const char *found = list != NULL ? strstr(list, name) : NULL;
    return found != NULL && (found[sizeof name - 1] == ' ' || found[sizeof name - 1] == 0);
}

/* The thread's API is OpenGL ES, as every thread's is at first (EGL 1.5, section 3.7). */
static void create(struct own_context *c)
{
    c->tells_resets = has_robust_contexts(c->display);
    const int32_t attributes[] = {
        SPEC_EGL_CONTEXT_CLIENT_VERSION,
        3,
        c->tells_resets ? SPEC_EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT : SPEC_EGL_NONE,
        SPEC_EGL_LOSE_CONTEXT_ON_RESET_EXT,
        SPEC_EGL_NONE,
    };
    c->context = REAL(eglCreateContext, void *, (void *, void *, void *, const int32_t *))(c->display, NULL,
                                                                                           NULL, attributes);
}

/* After a reset of the GPU, a context is lost, and drivers may end a process that goes on using it. */
static bool is_lost(const struct own_context *c)
{
    return c->tells_resets && REAL(glGetGraphicsResetStatusEXT, uint32_t, (void))() != 0;
}

/* Makes the context current, and makes it if need be. */
static bool begin(struct own_context *c)
{
    if (c->context != NULL) {
        bool is_bound = bind(c, c->context);
        if (is_bound && !is_lost(c))
            return true;
        bind(c, NULL);
        destroy(c);
    }
    create(c);
    if (c->context != NULL && bind(c, c->context))
        return true;
    destroy(c);
    return false;
}

/* --- reading -------------------------------------------------------------------------------------------- */

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

/* Nothing of ours may keep the image's memory once the program has deleted all that shows it. */
static void read_in_context(const struct reading *r)
{
    static const uint32_t name = OWN_NAME;
    REAL(glBindTexture, void, (uint32_t, uint32_t))(SPEC_GL_TEXTURE_2D, OWN_NAME);
    REAL(glEGLImageTargetTexture2DOES, void, (uint32_t, void *))(SPEC_GL_TEXTURE_2D, r->image);
    if (gl_texels_describe(SPEC_GL_TEXTURE_2D, r->out))
        read_texture(r->out);
    REAL(glDeleteFramebuffers, void, (int32_t, const uint32_t *))(1, &name);
    REAL(glDeleteTextures, void, (int32_t, const uint32_t *))(1, &name);
}

static void *read_in_thread(void *argument)
{
    const struct reading *r = argument;
    if (begin(r->own)) {
        read_in_context(r);
        bind(r->own, NULL);
    }
    if (!r->keeps)
        destroy(r->own);
    REAL(eglReleaseThread, uint32_t, (void))();
    return NULL;
}

static void *destroy_in_thread(void *argument)
{
    destroy(argument);
    REAL(eglReleaseThread, uint32_t, (void))();
    return NULL;
}

/* --- in the program's threads --------------------------------------------------------------------------- */

/* The thread does not outlive the call: what a program may do depends on how many threads it has. It begins
 * with the caller's signals blocked, because the program's signals are not for it. */
static void run_thread(void *(*work)(void *argument), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, argument) == 0)
        pthread_join(thread, NULL);
}

/* A forked child has none of the parent's threads: not the one that may have been reading. The contexts
 * belong to displays that the child may not be able to use. */
static void forget_parent(void)
{
    pthread_mutex_init(&reader.lock, NULL);
    memset(reader.kept, 0, sizeof reader.kept);
}

static void lock_reader(struct quiet *quiet)
{
    quiet_begin(quiet);
    pthread_mutex_lock(&reader.lock);
    unsigned unloads = real_functions_egl_unloads();
    if (unloads != reader.egl_unloads)
        memset(reader.kept, 0, sizeof reader.kept); /* they went with the library */
    reader.egl_unloads = unloads;
}

static void unlock_reader(const struct quiet *quiet)
{
    pthread_mutex_unlock(&reader.lock);
    quiet_end(quiet);
}

static struct own_context *find_kept(const void *display)
{
    for (unsigned i = 0; i < KEPT_CONTEXTS; ++i)
        if (reader.kept[i].context != NULL && reader.kept[i].display == display)
            return &reader.kept[i];
    return NULL;
}

static struct own_context *find_free(void)
{
    for (unsigned i = 0; i < KEPT_CONTEXTS; ++i)
        if (reader.kept[i].context == NULL)
            return &reader.kept[i];
    return NULL;
}

static void read_locked(void *display, void *image, struct gl_texels *out)
{
    struct own_context other = {.display = display}, *own = find_kept(display);
    if (own == NULL && (own = find_free()) != NULL)
        *own = other;
    struct reading r = {own != NULL ? own : &other, own != NULL, image, out};
    if (!reader.watches_forks)
        reader.watches_forks = pthread_atfork(NULL, NULL, forget_parent) == 0;
    run_thread(read_in_thread, &r);
}

void egl_image_read(void *display, void *image, struct gl_texels *out)
{
    struct quiet quiet;
    *out = (struct gl_texels){0};
    if (!own_stack_blocks_signals())
        return; /* a program that forbids itself system calls may not make threads */
    lock_reader(&quiet);
    read_locked(display, image, out);
    unlock_reader(&quiet);
}

void egl_image_reader_terminate(const void *display)
{
    struct quiet quiet;
    lock_reader(&quiet);
    struct own_context *own = find_kept(display);
    if (own != NULL && own_stack_blocks_signals())
        run_thread(destroy_in_thread, own);
    if (own != NULL)
        own->context = NULL;
    unlock_reader(&quiet);
}

void egl_image_reader_forget(const void *display)
{
    struct quiet quiet;
    lock_reader(&quiet);
    struct own_context *own = find_kept(display);
    if (own != NULL)
        own->context = NULL;
    unlock_reader(&quiet);
}
