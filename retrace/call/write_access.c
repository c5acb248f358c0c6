/* SPDX-License-Identifier: MIT */
#include "call/write_access.h"

#include <string.h>

void gl_version_parse(const char *text, bool *is_es, int *version)
{
    if (text == NULL)
        text = "1.1";
    *is_es = strncmp(text, "OpenGL ES", 9) == 0;
    const char *digits = strpbrk(text, "0123456789");
    if (digits != NULL && digits[1] == '.')
        *version = 10 * (digits[0] - '0') + (digits[2] - '0');
}

/* --- hindrances --------------------------------------------------------------------------------------- */

enum { CLEAR_HINDRANCES = 2, ES_HINDRANCES = 2 };

/* The first two concern clears, too. OpenGL ES lacks the last one. */
static const GLenum hindrances[HINDRANCES] = {GL_SCISSOR_TEST, GL_RASTERIZER_DISCARD, GL_FRAMEBUFFER_SRGB};

static bool has_many_viewports(const struct gl_access *a)
{
    return !a->is_es && a->version >= 41 && a->gl->glEnablei != NULL && a->gl->glDisablei != NULL &&
           a->gl->glScissorIndexed != NULL;
}

static void set_enabled(const struct gl_access *a, GLenum what, bool enabled)
{
    if (what == GL_SCISSOR_TEST && has_many_viewports(a))
        (enabled ? a->gl->glEnablei : a->gl->glDisablei)(what, 0);
    else
        (enabled ? a->gl->glEnable : a->gl->glDisable)(what);
}

void hindrances_lift(const struct gl_access *a, struct hindrances *h, bool for_copy)
{
    int count = !for_copy ? CLEAR_HINDRANCES : a->is_es ? ES_HINDRANCES : HINDRANCES;
    *h = (struct hindrances){{false}};
    for (int i = 0; i < count; ++i) {
        h->enabled[i] = a->gl->glIsEnabled(hindrances[i]);
        if (h->enabled[i])
            set_enabled(a, hindrances[i], false);
    }
}

void hindrances_restore(const struct gl_access *a, const struct hindrances *h)
{
    for (int i = 0; i < HINDRANCES; ++i)
        if (h->enabled[i])
            set_enabled(a, hindrances[i], true);
}

void scissor_enable(const struct gl_access *a, bool enabled)
{
    set_enabled(a, GL_SCISSOR_TEST, enabled);
}

void scissor_set(const struct gl_access *a, int x, int y, int width, int height)
{
    if (has_many_viewports(a))
        a->gl->glScissorIndexed(0, x, y, width, height);
    else
        a->gl->glScissor(x, y, width, height);
}

/* --- masks -------------------------------------------------------------------------------------------- */

static void set_colour_mask(const struct gl_access *a, GLboolean red, GLboolean green, GLboolean blue,
                            GLboolean alpha)
{
    if (a->version >= (a->is_es ? 32 : 30) && a->gl->glColorMaski != NULL)
        a->gl->glColorMaski(0, red, green, blue, alpha);
    else
        a->gl->glColorMask(red, green, blue, alpha);
}

static bool is_colour_masked(const struct write_masks *m)
{
    return !m->colours[0] || !m->colours[1] || !m->colours[2] || !m->colours[3];
}

void write_masks_open(const struct gl_access *a, struct write_masks *old)
{
    *old = (struct write_masks){.depth = GL_TRUE};
    a->gl->glGetIntegerv(GL_COLOR_WRITEMASK, old->colours);
    a->gl->glGetIntegerv(GL_DEPTH_WRITEMASK, &old->depth);
    a->gl->glGetIntegerv(GL_STENCIL_WRITEMASK, &old->stencil);
    if (is_colour_masked(old))
        set_colour_mask(a, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    if (!old->depth)
        a->gl->glDepthMask(GL_TRUE);
    if (a->gl->glStencilMaskSeparate != NULL)
        a->gl->glStencilMaskSeparate(GL_FRONT, ~0u);
}

void write_masks_restore(const struct gl_access *a, const struct write_masks *old)
{
    const GLint *c = old->colours;
    if (a->gl->glStencilMaskSeparate != NULL)
        a->gl->glStencilMaskSeparate(GL_FRONT, (GLuint)old->stencil);
    if (!old->depth)
        a->gl->glDepthMask(GL_FALSE);
    if (is_colour_masked(old))
        set_colour_mask(a, c[0] != 0, c[1] != 0, c[2] != 0, c[3] != 0);
}

/* --- selected buffers --------------------------------------------------------------------------------- */

static GLenum get_buffer(const struct gl_access *a, GLenum pname, GLint otherwise)
{
    a->gl->glGetIntegerv(pname, &otherwise);
    return (GLenum)otherwise;
}

static void select_draw_es(const struct gl_access *a, struct buffer_selection *old)
{
    static const GLenum back = GL_BACK;
    if (a->version < 30 || a->gl->glDrawBuffers == NULL || get_buffer(a, GL_DRAW_BUFFER0, GL_BACK) != GL_NONE)
        return;
    old->buffers[0] = GL_NONE;
    old->count = 1;
    a->gl->glDrawBuffers(1, &back);
}

void draw_buffer_select(const struct gl_access *a, GLenum buffer, struct buffer_selection *old)
{
    int outputs = a->version >= 30 && a->gl->glDrawBuffers != NULL ? SELECTED_OUTPUTS : 1;
    *old = (struct buffer_selection){.count = 0};
    if (a->is_es)
        select_draw_es(a, old);
    if (a->is_es || a->gl->glDrawBuffer == NULL)
        return;
    old->buffers[0] = get_buffer(a, GL_DRAW_BUFFER, GL_BACK);
    old->count = 1;
    for (int i = 1; i < outputs; ++i) {
        old->buffers[i] = get_buffer(a, GL_DRAW_BUFFER0 + (GLenum)i, GL_NONE);
        if (old->buffers[i] != GL_NONE)
            old->count = i + 1;
    }
    if (old->count == 1 ? old->buffers[0] == buffer : old->buffers[0] == GL_NONE)
        old->count = 0;
    else
        a->gl->glDrawBuffer(buffer);
}

void read_buffer_select(const struct gl_access *a, GLenum buffer, struct buffer_selection *old)
{
    *old = (struct buffer_selection){.count = 0};
    if (a->is_es && (a->version < 30 || a->gl->glReadBuffer == NULL))
        return;
    old->buffers[0] = get_buffer(a, GL_READ_BUFFER, GL_BACK);
    if (old->buffers[0] == buffer || (a->is_es && old->buffers[0] != GL_NONE))
        return;
    old->count = 1;
    a->gl->glReadBuffer(a->is_es ? GL_BACK : buffer);
}

void draw_buffer_restore(const struct gl_access *a, const struct buffer_selection *old)
{
    if (old->count == 1 && !a->is_es)
        a->gl->glDrawBuffer(old->buffers[0]);
    else if (old->count > 0)
        a->gl->glDrawBuffers(old->count, old->buffers);
}

void read_buffer_restore(const struct gl_access *a, const struct buffer_selection *old)
{
    if (old->count > 0)
        a->gl->glReadBuffer(old->buffers[0]);
}
