/* SPDX-License-Identifier: MIT */
#include "windows/surface_copy.h"

#include <EGL/egl.h>
#include <string.h>

#include "call/write_access.h"

/* Addresses are the same for all contexts of EGL. */
static const struct gl_functions *load(void)
{
    static const char *const names[] = {GL_FUNCTION_LIST(FUNCTION_TABLE_NAME)};
    static _Thread_local struct gl_functions loaded;
    static _Thread_local bool is_loaded;
    for (size_t i = 0; i < sizeof names / sizeof *names && !is_loaded; ++i) {
        void (*address)(void) = eglGetProcAddress(names[i]);
        memcpy((char *)&loaded + i * sizeof address, &address, sizeof address);
    }
    is_loaded = true;
    return &loaded;
}

static struct gl_access current(void)
{
    struct gl_access a = {.gl = load(), .is_es = true};
    if (a.gl->glGetString != NULL)
        gl_version_parse((const char *)a.gl->glGetString(GL_VERSION), &a.is_es, &a.version);
    return a;
}

/* Before EGL 1.5, drivers need not tell the addresses of all functions. */
static bool has_selection(const struct gl_access *a)
{
    return !a->is_es && a->gl->glGetIntegerv != NULL && a->gl->glDrawBuffer != NULL &&
           a->gl->glReadBuffer != NULL;
}

/* OpenGL 3.0 and OpenGL ES 3.0 have framebuffer objects with all that is needed. */
static bool has_framebuffers(const struct gl_access *a)
{
    return a->version >= 30 && a->gl->glBindFramebuffer != NULL && a->gl->glBlitFramebuffer != NULL &&
           a->gl->glDrawBuffers != NULL && a->gl->glGetIntegerv != NULL && a->gl->glIsEnabled != NULL;
}

struct bindings {
    GLint draw, read;
};

/* Binds the surfaces, in place of framebuffer objects. */
static struct bindings bind_surfaces(const struct gl_access *a)
{
    struct bindings old = {0, 0};
    if (!has_framebuffers(a))
        return old;
    a->gl->glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &old.draw);
    a->gl->glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &old.read);
    if (old.draw != 0 || old.read != 0)
        a->gl->glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return old;
}

static void bind_again(const struct gl_access *a, struct bindings old)
{
    if (old.draw != 0 || old.read != 0) {
        a->gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)old.draw);
        a->gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)old.read);
    }
}

/* Colours are cleared by glClear(), because Mesa's glClearBuffer*() takes the only buffer of a pbuffer for
 * missing when it is called the back buffer. */
static void clear(const struct gl_access *a)
{
    struct write_masks masks;
    GLfloat colour[4] = {0, 0, 0, 0};
    write_masks_open(a, &masks);
    a->gl->glGetFloatv(GL_COLOR_CLEAR_VALUE, colour);
    a->gl->glClearColor(0, 0, 0, 0);
    a->gl->glClear(GL_COLOR_BUFFER_BIT);
    a->gl->glClearColor(colour[0], colour[1], colour[2], colour[3]);
    a->gl->glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0);
    write_masks_restore(a, &masks);
}

/* --- selected buffers: the surfaces are bound -------------------------------------------------------- */

static struct surface_buffers get_selected(const struct gl_access *a)
{
    struct surface_buffers b = {.is_known = true};
    GLint draw = GL_NONE, read = GL_NONE;
    int outputs = has_framebuffers(a) ? SELECTED_OUTPUTS : 1;
    for (int i = 0; i < outputs && draw == GL_NONE; ++i) {
        a->gl->glGetIntegerv(outputs > 1 ? (GLenum)(GL_DRAW_BUFFER0 + i) : GL_DRAW_BUFFER, &draw);
        b.output = draw != GL_NONE ? i : 0;
    }
    a->gl->glGetIntegerv(GL_READ_BUFFER, &read);
    b.draw = (unsigned)draw;
    b.read = (unsigned)read;
    return b;
}

static void select_draw(const struct gl_access *a, unsigned buffer, int output)
{
    GLenum buffers[SELECTED_OUTPUTS] = {GL_NONE};
    buffers[output] = buffer;
    if (output == 0)
        a->gl->glDrawBuffer(buffer);
    else
        a->gl->glDrawBuffers(output + 1, buffers);
}

/* Mesa 22 confuses what glPopAttrib() restores with what has been selected, so nothing is selected again. */
static void select_buffers(const struct gl_access *a, struct surface_buffers wanted)
{
    struct surface_buffers now = get_selected(a);
    if (now.draw != wanted.draw || now.output != wanted.output)
        select_draw(a, wanted.draw, wanted.output);
    if (now.read != wanted.read)
        a->gl->glReadBuffer(wanted.read);
}

/* A surface has one buffer, which all names but GL_NONE mean. */
static void select_any(const struct gl_access *a)
{
    struct surface_buffers wanted = get_selected(a);
    wanted.output = 0;
    if (wanted.draw == GL_NONE)
        wanted.draw = GL_BACK;
    if (wanted.read == GL_NONE)
        wanted.read = GL_BACK;
    select_buffers(a, wanted);
}

/* What is between the two, writes to all of the surfaces. */
struct opened {
    struct bindings bindings;
    struct buffer_selection draw, read; /* OpenGL ES */
    struct hindrances hindrances;
};

static void begin(const struct gl_access *a, struct opened *old)
{
    *old = (struct opened){.bindings = bind_surfaces(a)};
    if (a->is_es) {
        draw_buffer_select(a, GL_BACK, &old->draw);
        read_buffer_select(a, GL_BACK, &old->read);
    } else if (has_selection(a)) {
        select_any(a);
    }
    hindrances_lift(a, &old->hindrances, true);
}

static void end(const struct gl_access *a, const struct opened *old)
{
    hindrances_restore(a, &old->hindrances);
    draw_buffer_restore(a, &old->draw);
    read_buffer_restore(a, &old->read);
    bind_again(a, old->bindings);
}

void surface_copy(int width, int height, unsigned parts)
{
    struct gl_access a = current();
    struct opened opened;
    if (!has_framebuffers(&a))
        return;
    begin(&a, &opened);
    if (parts & SURFACE_COLOURS)
        a.gl->glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    if (parts & SURFACE_DEPTH)
        a.gl->glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                                GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
    end(&a, &opened);
}

void surface_clear(void)
{
    struct gl_access a = current();
    struct opened opened;
    if (!has_framebuffers(&a) || a.gl->glClearBufferfi == NULL)
        return;
    begin(&a, &opened);
    clear(&a);
    end(&a, &opened);
}

struct surface_buffers surface_buffers_get(void)
{
    struct gl_access a = current();
    if (!has_selection(&a))
        return (struct surface_buffers){.is_known = false};
    struct bindings old = bind_surfaces(&a);
    struct surface_buffers buffers = get_selected(&a);
    bind_again(&a, old);
    return buffers;
}

void surface_buffers_set(struct surface_buffers buffers)
{
    struct gl_access a = current();
    if (!buffers.is_known || !has_selection(&a))
        return;
    struct bindings old = bind_surfaces(&a);
    select_buffers(&a, buffers);
    bind_again(&a, old);
}
