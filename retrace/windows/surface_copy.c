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
    void (*glDisable)(GLenum);
    void (*glDrawBuffer)(GLenum);
    void (*glEnable)(GLenum);
    GLenum (*glGetError)(void);
    void (*glGetIntegerv)(GLenum, GLint *);
    const GLubyte *(*glGetString)(GLenum);
    GLboolean (*glIsEnabled)(GLenum);
    void (*glReadBuffer)(GLenum);
};

static bool load(struct copy_functions *gl)
{
    static const char *const names[] = {
        "glBindFramebuffer", "glBlitFramebuffer", "glDisable",   "glDrawBuffer", "glEnable",
        "glGetError",        "glGetIntegerv",     "glGetString", "glIsEnabled",  "glReadBuffer"};
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

static void blit(const struct copy_functions *gl, int width, int height)
{
    const GLbitfield parts[] = {GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT};
    GLboolean scissor = gl->glIsEnabled(GL_SCISSOR_TEST);
    GLboolean srgb = gl->glIsEnabled(GL_FRAMEBUFFER_SRGB);
    if (scissor)
        gl->glDisable(GL_SCISSOR_TEST);
    if (srgb)
        gl->glDisable(GL_FRAMEBUFFER_SRGB);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        gl->glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, parts[i], GL_NEAREST);
    if (scissor)
        gl->glEnable(GL_SCISSOR_TEST);
    if (srgb)
        gl->glEnable(GL_FRAMEBUFFER_SRGB);
    gl->glGetError(); /* OpenGL ES has no GL_FRAMEBUFFER_SRGB */
}

void surface_copy(int width, int height)
{
    struct copy_functions gl;
    if (!load(&gl) || !has_framebuffers(&gl))
        return;
    struct bindings old = bind_surfaces(&gl);
    blit(&gl, width, height);
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
