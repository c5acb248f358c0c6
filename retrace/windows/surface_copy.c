/* SPDX-License-Identifier: MIT */
#include "windows/surface_copy.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <string.h>

struct copy_functions {
    void (*glBindFramebuffer)(GLenum, GLuint);
    void (*glBlitFramebuffer)(GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum);
    void (*glClear)(GLbitfield);
    void (*glClearBufferfi)(GLenum, GLint, GLfloat, GLint);
    void (*glClearColor)(GLfloat, GLfloat, GLfloat, GLfloat);
    void (*glColorMask)(GLboolean, GLboolean, GLboolean, GLboolean);
    void (*glDepthMask)(GLboolean);
    void (*glDisable)(GLenum);
    void (*glDrawBuffer)(GLenum);
    void (*glEnable)(GLenum);
    void (*glGetBooleanv)(GLenum, GLboolean *);
    GLenum (*glGetError)(void);
    void (*glGetFloatv)(GLenum, GLfloat *);
    void (*glGetIntegerv)(GLenum, GLint *);
    const GLubyte *(*glGetString)(GLenum);
    GLboolean (*glIsEnabled)(GLenum);
    void (*glReadBuffer)(GLenum);
    void (*glStencilMaskSeparate)(GLenum, GLuint);
};

static bool load(struct copy_functions *gl)
{
    static const char *const names[] = {"glBindFramebuffer", "glBlitFramebuffer", "glClear",
                                        "glClearBufferfi",   "glClearColor",      "glColorMask",
                                        "glDepthMask",       "glDisable",         "glDrawBuffer",
                                        "glEnable",          "glGetBooleanv",     "glGetError",
                                        "glGetFloatv",       "glGetIntegerv",     "glGetString",
                                        "glIsEnabled",       "glReadBuffer",      "glStencilMaskSeparate"};
    void (*found[sizeof names / sizeof *names])(void);
    _Static_assert(sizeof found == sizeof *gl, "a name for each function");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        found[i] = eglGetProcAddress(names[i]);
        if (found[i] == NULL)
            return false;
    }
    memcpy(gl, found, sizeof *gl);
    return true;
}

/* OpenGL 3.0 and OpenGL ES 3.0 have framebuffer objects with all that is needed. */
static bool has_framebuffers(const struct copy_functions *gl)
{
    const char *version = (const char *)gl->glGetString(GL_VERSION);
    const char *number = version != NULL ? strpbrk(version, "0123456789") : NULL;
    return number != NULL && *number >= '3';
}

static bool is_es(const struct copy_functions *gl)
{
    const char *version = (const char *)gl->glGetString(GL_VERSION);
    return version == NULL || strncmp(version, "OpenGL ES", 9) == 0;
}

struct bindings {
    GLint draw, read;
};

/* Binds the surfaces, in place of framebuffer objects. */
static struct bindings bind_surfaces(const struct copy_functions *gl)
{
    struct bindings old = {0, 0};
    if (!has_framebuffers(gl))
        return old;
    gl->glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &old.draw);
    gl->glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &old.read);
    if (old.draw != 0 || old.read != 0)
        gl->glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return old;
}

static void bind_again(const struct copy_functions *gl, struct bindings old)
{
    if (old.draw != 0 || old.read != 0) {
        gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)old.draw);
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)old.read);
    }
}

/* What concerns clearing and copying, and would change or hinder it. */
struct write_state {
    GLboolean enabled[3];
    GLboolean colours[4], depth;
    GLint stencil; /* of front faces, which is the one that clears use */
};

static const GLenum hindrances[] = {GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB};
enum { HINDRANCES = sizeof hindrances / sizeof hindrances[0] };

static void open_writes(const struct copy_functions *gl, struct write_state *old)
{
    for (size_t i = 0; i < HINDRANCES; ++i) {
        old->enabled[i] = gl->glIsEnabled(hindrances[i]);
        if (old->enabled[i])
            gl->glDisable(hindrances[i]);
    }
    gl->glGetBooleanv(GL_COLOR_WRITEMASK, old->colours);
    gl->glGetBooleanv(GL_DEPTH_WRITEMASK, &old->depth);
    gl->glGetIntegerv(GL_STENCIL_WRITEMASK, &old->stencil);
    gl->glGetError(); /* OpenGL ES has no GL_FRAMEBUFFER_SRGB */
}

static void close_writes(const struct copy_functions *gl, const struct write_state *old)
{
    for (size_t i = 0; i < HINDRANCES; ++i)
        if (old->enabled[i])
            gl->glEnable(hindrances[i]);
}

/* The masks of all draw buffers are set together, unless they have to stay. Colours are cleared by glClear(),
 * because Mesa's glClearBuffer*() takes the only buffer of a pbuffer for missing when it is called the back
 * buffer. */
static void clear(const struct copy_functions *gl, const struct write_state *old)
{
    const GLboolean *c = old->colours;
    GLfloat colour[4] = {0, 0, 0, 0};
    bool is_masked = !c[0] || !c[1] || !c[2] || !c[3];
    if (is_masked)
        gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    if (!old->depth)
        gl->glDepthMask(GL_TRUE);
    gl->glStencilMaskSeparate(GL_FRONT, ~0u);
    gl->glGetFloatv(GL_COLOR_CLEAR_VALUE, colour);
    gl->glClearColor(0, 0, 0, 0);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    gl->glClearColor(colour[0], colour[1], colour[2], colour[3]);
    gl->glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0);
    gl->glStencilMaskSeparate(GL_FRONT, (GLuint)old->stencil);
    if (!old->depth)
        gl->glDepthMask(GL_FALSE);
    if (is_masked)
        gl->glColorMask(c[0], c[1], c[2], c[3]);
}

static void blit(const struct copy_functions *gl, int width, int height)
{
    const GLbitfield parts[] = {GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        gl->glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, parts[i], GL_NEAREST);
}

void surface_copy(int width, int height)
{
    struct copy_functions gl;
    struct write_state writes;
    if (!load(&gl) || !has_framebuffers(&gl))
        return;
    struct bindings old = bind_surfaces(&gl);
    open_writes(&gl, &writes);
    clear(&gl, &writes);
    blit(&gl, width, height);
    close_writes(&gl, &writes);
    bind_again(&gl, old);
}

struct surface_buffers surface_buffers_get(void)
{
    struct copy_functions gl;
    GLint draw = 0, read = 0;
    if (!load(&gl) || is_es(&gl))
        return (struct surface_buffers){0, 0};
    struct bindings old = bind_surfaces(&gl);
    gl.glGetIntegerv(GL_DRAW_BUFFER, &draw);
    gl.glGetIntegerv(GL_READ_BUFFER, &read);
    bind_again(&gl, old);
    return (struct surface_buffers){(unsigned)draw, (unsigned)read};
}

void surface_buffers_set(struct surface_buffers buffers)
{
    struct copy_functions gl;
    if ((buffers.draw == 0 && buffers.read == 0) || !load(&gl))
        return;
    struct bindings old = bind_surfaces(&gl);
    if (buffers.draw != 0)
        gl.glDrawBuffer(buffers.draw);
    if (buffers.read != 0)
        gl.glReadBuffer(buffers.read);
    bind_again(&gl, old);
}
