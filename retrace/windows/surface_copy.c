/* SPDX-License-Identifier: MIT */
#include "windows/surface_copy.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
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
    void (*glDrawBuffers)(GLsizei, const GLenum *);
    void (*glEnable)(GLenum);
    void (*glGetBooleanv)(GLenum, GLboolean *);
    void (*glGetFloatv)(GLenum, GLfloat *);
    void (*glGetIntegerv)(GLenum, GLint *);
    const GLubyte *(*glGetString)(GLenum);
    GLboolean (*glIsEnabled)(GLenum);
    void (*glReadBuffer)(GLenum);
    void (*glStencilMaskSeparate)(GLenum, GLuint);
};

/* Addresses are the same for all contexts of EGL. */
static bool load(struct copy_functions *gl)
{
    static _Thread_local struct copy_functions loaded;
    static _Thread_local bool is_loaded;
    static const char *const names[] = {"glBindFramebuffer", "glBlitFramebuffer", "glClear",
                                        "glClearBufferfi",   "glClearColor",      "glColorMask",
                                        "glDepthMask",       "glDisable",         "glDrawBuffer",
                                        "glDrawBuffers",     "glEnable",          "glGetBooleanv",
                                        "glGetFloatv",       "glGetIntegerv",     "glGetString",
                                        "glIsEnabled",       "glReadBuffer",      "glStencilMaskSeparate"};
    void (*found[sizeof names / sizeof *names])(void);
    _Static_assert(sizeof found == sizeof *gl, "a name for each function");
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_loaded; ++i) {
        found[i] = eglGetProcAddress(names[i]);
        if (found[i] == NULL)
            return false;
    }
    if (!is_loaded)
        memcpy(&loaded, found, sizeof loaded);
    is_loaded = true;
    *gl = loaded;
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

/* OpenGL ES lacks the last one. */
static const GLenum hindrances[] = {GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB};
enum { HINDRANCES = sizeof hindrances / sizeof hindrances[0] };

static void open_writes(const struct copy_functions *gl, struct write_state *old)
{
    for (size_t i = 0; i < (is_es(gl) ? HINDRANCES - 1 : HINDRANCES); ++i) {
        old->enabled[i] = gl->glIsEnabled(hindrances[i]);
        if (old->enabled[i])
            gl->glDisable(hindrances[i]);
    }
    gl->glGetBooleanv(GL_COLOR_WRITEMASK, old->colours);
    gl->glGetBooleanv(GL_DEPTH_WRITEMASK, &old->depth);
    gl->glGetIntegerv(GL_STENCIL_WRITEMASK, &old->stencil);
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

/* --- selected buffers: the surfaces are bound -------------------------------------------------------- */

enum { OUTPUTS = 8 }; /* the least GL_MAX_DRAW_BUFFERS of versions that have framebuffer objects */

static struct surface_buffers get_selected(const struct copy_functions *gl)
{
    struct surface_buffers b = {.is_known = true};
    GLint draw = GL_NONE, read = GL_NONE;
    int outputs = has_framebuffers(gl) ? OUTPUTS : 1;
    for (int i = 0; i < outputs && draw == GL_NONE; ++i) {
        gl->glGetIntegerv(outputs > 1 ? (GLenum)(GL_DRAW_BUFFER0 + i) : GL_DRAW_BUFFER, &draw);
        b.output = draw != GL_NONE ? i : 0;
    }
    gl->glGetIntegerv(GL_READ_BUFFER, &read);
    b.draw = (unsigned)draw;
    b.read = (unsigned)read;
    return b;
}

static void select_draw(const struct copy_functions *gl, unsigned buffer, int output)
{
    GLenum buffers[OUTPUTS] = {GL_NONE};
    buffers[output] = buffer;
    if (output == 0)
        gl->glDrawBuffer(buffer);
    else
        gl->glDrawBuffers(output + 1, buffers);
}

/* Mesa 22 confuses what glPopAttrib() restores with what has been selected, so nothing is selected again. */
static void select_buffers(const struct copy_functions *gl, struct surface_buffers wanted)
{
    struct surface_buffers now = get_selected(gl);
    if (now.draw != wanted.draw || now.output != wanted.output)
        select_draw(gl, wanted.draw, wanted.output);
    if (now.read != wanted.read)
        gl->glReadBuffer(wanted.read);
}

/* A surface has one buffer, which all names but GL_NONE mean. */
static void select_any(const struct copy_functions *gl)
{
    struct surface_buffers wanted = get_selected(gl);
    wanted.output = 0;
    if (wanted.draw == GL_NONE)
        wanted.draw = GL_BACK;
    if (wanted.read == GL_NONE)
        wanted.read = GL_BACK;
    select_buffers(gl, wanted);
}

/* What is between the two, writes to all of the surfaces. */
struct access {
    struct bindings old;
    struct write_state writes;
};

/* Causes no errors. */
static void begin(const struct copy_functions *gl, struct access *a)
{
    a->old = bind_surfaces(gl);
    if (!is_es(gl))
        select_any(gl);
    open_writes(gl, &a->writes);
}

static void end(const struct copy_functions *gl, const struct access *a)
{
    close_writes(gl, &a->writes);
    bind_again(gl, a->old);
}

void surface_copy(int width, int height, unsigned parts)
{
    struct copy_functions gl;
    struct access access = {0};
    if (!load(&gl) || !has_framebuffers(&gl))
        return;
    begin(&gl, &access);
    if (parts & SURFACE_COLOURS)
        gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    if (parts & SURFACE_DEPTH)
        gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                             GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
    end(&gl, &access);
}

void surface_clear(void)
{
    struct copy_functions gl;
    struct access access = {0};
    if (!load(&gl) || !has_framebuffers(&gl))
        return;
    begin(&gl, &access);
    clear(&gl, &access.writes);
    end(&gl, &access);
}

struct surface_buffers surface_buffers_get(void)
{
    struct copy_functions gl;
    if (!load(&gl) || is_es(&gl))
        return (struct surface_buffers){.is_known = false};
    struct bindings old = bind_surfaces(&gl);
    struct surface_buffers buffers = get_selected(&gl);
    bind_again(&gl, old);
    return buffers;
}

void surface_buffers_set(struct surface_buffers buffers)
{
    struct copy_functions gl;
    if (!buffers.is_known || !load(&gl))
        return;
    struct bindings old = bind_surfaces(&gl);
    select_buffers(&gl, buffers);
    bind_again(&gl, old);
}
