/* SPDX-License-Identifier: MIT
 * Textures, framebuffers and pixels.
 */
#include "stub_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void read_buffer(GLenum buffer)
{
    stub_gl.integers[GL_READ_BUFFER] = (GLint)buffer;
    stub_gl_log("glReadBuffer(0x%x)", buffer);
}

static void delete_textures(GLsizei count, const GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i)
        stub_gl_log("glDeleteTextures(%u)", names[i]);
}

static GLenum texture_binding(GLenum target)
{
    static const GLenum bindings[][2] = {
        {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D},
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
        {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D},
        {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP},
        {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE},
        {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY},
        {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY},
        {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY},
        {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE},
        {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY},
    };
    size_t i = 0;
    while (bindings[i][0] != target)
        assert_true(++i < sizeof bindings / sizeof *bindings);
    return bindings[i][1];
}

static void copy_image(GLuint from, GLenum from_target, GLint from_level, GLint from_x, GLint from_y,
                       GLint from_z, GLuint to, GLenum to_target, GLint to_level, GLint to_x, GLint to_y,
                       GLint to_z, GLsizei width, GLsizei height, GLsizei depth)
{
    (void)from_x, (void)from_y, (void)from_z, (void)to_x, (void)to_y, (void)to_z;
    stub_gl_log("image of 0x%x, %u, %d to 0x%x, %u, %d: %d x %d x %d", from_target, from, from_level,
                to_target, to, to_level, width, height, depth);
}

static void copy_image_of_gpu(GLuint gpu, GLbitfield mask, GLuint from, GLenum from_target, GLint from_level,
                              GLint from_x, GLint from_y, GLint from_z, GLuint to, GLenum to_target,
                              GLint to_level, GLint to_x, GLint to_y, GLint to_z, GLsizei width,
                              GLsizei height, GLsizei depth)
{
    (void)gpu, (void)mask;
    copy_image(from, from_target, from_level, from_x, from_y, from_z, to, to_target, to_level, to_x, to_y,
               to_z, width, height, depth);
}

static void bind_texture(GLenum target, GLuint name)
{
    if (stub_gl.texture_target != 0 && target != stub_gl.texture_target) {
        stub_gl.error = GL_INVALID_OPERATION;
        return;
    }
    stub_gl.integers[texture_binding(target)] = (GLint)name;
    stub_gl_log("glBindTexture(0x%x, %u)", target, name);
}

/* RGBA, rows without gaps. */
static void texture_image(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                          GLint border, GLenum format, GLenum type, const void *pixels)
{
    (void)target, (void)level, (void)internal, (void)border, (void)format, (void)type;
    if (stub_gl.integers[GL_PIXEL_UNPACK_BUFFER_BINDING] != 0)
        stub_gl_log("glTexImage2D(%d x %d, offset %zu)", width, height, (size_t)pixels);
    else
        stub_gl_log("glTexImage2D(%d x %d, %s)", width, height,
                    stub_gl_text_of(pixels, (size_t)width * (size_t)height * 4));
}

/* An update of nothing in level 9 of a texture of 5 x 4, which is RGBA. */
static void update_nothing(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                           GLenum format, GLenum type, const void *texels)
{
    assert_true(target == stub_gl.texture_target && width == 0 && height == 0 && texels != NULL);
    if (level != 9 || x > 5 || y > 4 || format != GL_RGBA || type != GL_UNSIGNED_BYTE)
        stub_gl.error = GL_INVALID_VALUE;
}

enum { PACK_REVERSE_ROW_ORDER_ANGLE = 0x93a4 };

static void read_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                        void *pixels)
{
    (void)x, (void)y;
    if (type != (format == GL_DEPTH_COMPONENT ? GL_FLOAT : GL_UNSIGNED_BYTE))
        stub_gl_log("(of type 0x%x)", type);
    if (stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] != 0) {
        stub_gl_log("glReadPixels(%d x %d, offset %zu)", width, height, (size_t)pixels);
        return;
    }
    stub_gl_log("glReadPixels(%d x %d) of framebuffer %d, buffer 0x%x, alignment %d, row length %d, skips %d "
                "and %d%s",
                width, height, stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING],
                stub_gl.integers[GL_READ_BUFFER], stub_gl.integers[GL_PACK_ALIGNMENT],
                stub_gl.integers[GL_PACK_ROW_LENGTH], stub_gl.integers[GL_PACK_SKIP_ROWS],
                stub_gl.integers[GL_PACK_SKIP_PIXELS],
                format == GL_DEPTH_COMPONENT ? ", depths"
                : format == GL_STENCIL_INDEX ? ", stencils"
                                             : "");
    if (stub_gl.shows_contexts)
        stub_gl_log("read in %d", stub_windows_current());
    if (stub_gl.integers[GL_PACK_INVERT_MESA] != 0 || stub_gl.integers[PACK_REVERSE_ROW_ORDER_ANGLE] != 0)
        /* the last row comes first, below the address */
        pixels = (uint8_t *)pixels - (size_t)stub_gl.integers[GL_PACK_SKIP_ROWS] * (size_t)width * 4;
    size_t bytes = format == GL_STENCIL_INDEX ? 1 : format == GL_RGB ? 3 : 4;
    memset(pixels, stub_gl.pixel, (size_t)width * (size_t)height * bytes);
    stub_gl.error = stub_gl.read_error;
}

/* The replayer does so, too, for a window to get its size. */
static void clear(GLbitfield mask)
{
    stub_gl_question();
    stub_gl.has_cleared_box = stub_gl.integers[GL_SCISSOR_TEST] != 0;
    stub_gl.has_cleared_nothing = stub_gl.integers[GL_RASTERIZER_DISCARD] != 0;
    if (stub_gl.logs_flushes)
        stub_gl_log("glClear(0x%x)", mask);
}

/* glGetFloatv() gives hundredths. */
static void clear_colour(GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha)
{
    const GLfloat colour[] = {red, green, blue, alpha};
    memcpy(stub_gl.clear_colour, colour, sizeof colour);
    stub_gl.integers[GL_COLOR_CLEAR_VALUE] = (GLint)(red * 100);
    if (!stub_gl.logs_flushes)
        return;
    if (!stub_gl.logs_whole_colours)
        stub_gl_log("glClearColor(%g)", (double)red);
    else
        stub_gl_log("glClearColor(%g, %g, %g, %g)", (double)red, (double)green, (double)blue, (double)alpha);
}

static void clear_depth(GLdouble depth)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glClearDepth(%g)", depth);
}

static void clear_depth_of_es(GLfloat depth)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glClearDepthf(%g)", (double)depth);
}

static void clear_stencil(GLint stencil)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glClearStencil(%d)", stencil);
}

static void scissor(GLint x, GLint y, GLsizei width, GLsizei height)
{
    stub_gl.scissor[0] = x, stub_gl.scissor[1] = y, stub_gl.scissor[2] = width, stub_gl.scissor[3] = height;
    if (stub_gl.logs_flushes)
        stub_gl_log("glScissor(%d, %d, %d, %d)", x, y, width, height);
}

static void mask_colours(GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glColorMask(%d, %d, %d, %d)", red, green, blue, alpha);
}

static void mask_first_colours(GLuint buffer, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha)
{
    stub_gl_log("glColorMaski(%u, %d, %d, %d, %d)", buffer, red, green, blue, alpha);
}

static void scissor_of_index(GLuint index, GLint x, GLint y, GLsizei width, GLsizei height)
{
    stub_gl_log("glScissorIndexed(%u, %d, %d, %d, %d)", index, x, y, width, height);
}

static void enable_of_index(GLenum capability, GLuint index)
{
    stub_gl_log("glEnablei(0x%x, %u)", capability, index);
    stub_gl.integers[capability] = 1;
}

static void disable_of_index(GLenum capability, GLuint index)
{
    stub_gl_log("glDisablei(0x%x, %u)", capability, index);
    stub_gl.integers[capability] = 0;
}

static void mask_depth(GLboolean flag)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glDepthMask(%d)", flag);
}

static void mask_stencil(GLenum face, GLuint mask)
{
    if (stub_gl.logs_flushes)
        stub_gl_log("glStencilMaskSeparate(0x%x, 0x%x)", face, mask);
}

static void bind_framebuffer(GLenum target, GLuint framebuffer)
{
    stub_gl_log("glBindFramebuffer(0x%x, %u)", target, framebuffer);
    if (target != GL_READ_FRAMEBUFFER)
        stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] = (GLint)framebuffer;
    if (target != GL_DRAW_FRAMEBUFFER)
        stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING] = (GLint)framebuffer;
}

/* Parameters of a renderbuffer of 3 x 2, or of level 9 of a texture of 5 x 4. */
static GLint window_answer(GLenum attachment, GLenum pname)
{
    const struct stub_window *w = &stub_gl.window;
    bool is_es = strstr(stub_gl.version, "OpenGL ES") != NULL;
    bool is_colour =
        is_es ? attachment == GL_BACK : attachment == GL_FRONT_LEFT || attachment == GL_BACK_LEFT;
    GLenum size = attachment == GL_DEPTH     ? GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE
                  : attachment == GL_STENCIL ? GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE
                                             : GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE;
    if (!is_colour && attachment != GL_DEPTH && attachment != GL_STENCIL)
        stub_gl_log("(a window has no buffer 0x%x)", attachment);
    else if (pname != size && pname != GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE &&
             pname != GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING)
        stub_gl_log("(buffer 0x%x of a window has no 0x%x)", attachment, pname);
    GLint bits = attachment == GL_DEPTH ? w->depth : attachment == GL_STENCIL ? w->stencil : w->red;
    switch (pname) {
    case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
        return bits > 0 ? GL_FRAMEBUFFER_DEFAULT : GL_NONE;
    case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING:
        return w->encoding;
    default:
        assert_int_not_equal(bits, 0); /* there is nothing to ask about */
        return bits;
    }
}

static void get_attachment(GLenum target, GLenum attachment, GLenum pname, GLint *value)
{
    stub_gl_question();
    if (stub_gl.has_window && target == GL_DRAW_FRAMEBUFFER &&
        stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING] == 0) {
        *value = window_answer(attachment, pname);
        return;
    }
    if (stub_gl.has_no_images) {
        *value = GL_NONE;
        return;
    }
    if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && stub_gl.integers[pname] != 0) {
        *value = stub_gl.integers[pname];
        return;
    }
    if (pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) {
        *value = stub_gl.texture_target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : 0;
        return;
    }
    *value = pname != GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE ? 9
             : stub_gl.texture_target != 0                  ? GL_TEXTURE
                                                            : GL_RENDERBUFFER;
}

static void get_texture(GLenum target, GLint level, GLenum format, GLenum type, void *pixels)
{
    (void)target, (void)level, (void)format, (void)type;
    if (stub_gl.integers[GL_PIXEL_PACK_BUFFER_BINDING] != 0)
        stub_gl_log("glGetTexImage(offset %zu)", (size_t)pixels);
    else
        memset(pixels, stub_gl.pixel, (size_t)stub_gl.texture_side * (size_t)stub_gl.texture_side * 4);
}

/* These are called with a buffer only. */
static void get_texture_of_unit(GLenum unit, GLenum target, GLint level, GLenum format, GLenum type,
                                void *pixels)
{
    (void)unit, (void)target, (void)level, (void)format, (void)type;
    stub_gl_log("glGetMultiTexImageEXT(offset %zu)", (size_t)pixels);
}

static void get_compressed_texture_of_unit(GLenum unit, GLenum target, GLint level, void *image)
{
    (void)unit, (void)target, (void)level;
    stub_gl_log("glGetCompressedMultiTexImageEXT(offset %zu)", (size_t)image);
}

static void get_pixel_map(GLenum map, GLfloat *values)
{
    (void)map;
    stub_gl_log("glGetPixelMapfv(offset %zu)", (size_t)values);
}

static void get_stipple(GLubyte *mask)
{
    stub_gl_log("glGetPolygonStipple(offset %zu)", (size_t)mask);
}

static void get_colour_table(GLenum target, GLenum format, GLenum type, void *table)
{
    (void)target, (void)format, (void)type;
    stub_gl_log("glGetColorTable(offset %zu)", (size_t)table);
}

static void get_range(GLenum target, GLboolean reset, GLenum format, GLenum type, void *values)
{
    (void)target, (void)format, (void)type;
    stub_gl_log("glGetMinmax(%d, offset %zu)", reset, (size_t)values);
}

static void get_renderbuffer(GLenum target, GLenum pname, GLint *value)
{
    (void)target;
    *value = pname == GL_RENDERBUFFER_WIDTH     ? 3
             : pname == GL_RENDERBUFFER_HEIGHT  ? 2
             : pname == GL_RENDERBUFFER_SAMPLES ? stub_gl.samples
                                                : stub_gl.format;
}

static void get_texture_level(GLenum target, GLint level, GLenum pname, GLint *value)
{
    bool face = target == GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    stub_gl_question();
    if (stub_gl.texture_side != 0) {
        *value = pname == GL_TEXTURE_DEPTH ? 1 : stub_gl.texture_side;
        return;
    }
    assert_int_equal(level, 9);
    assert_int_equal(face ? GL_TEXTURE_CUBE_MAP : target, stub_gl.texture_target);
    assert_int_equal(stub_gl.integers[texture_binding(stub_gl.texture_target)], 9);
    *value = pname == GL_TEXTURE_WIDTH     ? 5
             : pname == GL_TEXTURE_HEIGHT  ? 4
             : pname == GL_TEXTURE_SAMPLES ? stub_gl.samples
                                           : GL_RGBA8;
}

/* Renderbuffers have one target. */
static void check_renderbuffer_target(GLenum target)
{
    if (target != GL_RENDERBUFFER)
        stub_gl_log("(0x%x is no target of renderbuffers)", target);
}

static void storage(GLenum target, GLenum format, GLsizei width, GLsizei height)
{
    check_renderbuffer_target(target);
    stub_gl_log("glRenderbufferStorage(%d, 0x%x, %d x %d)", stub_gl.integers[GL_RENDERBUFFER_BINDING], format,
                width, height);
}

static void sample_storage(GLenum target, GLsizei samples, GLenum format, GLsizei width, GLsizei height)
{
    stub_gl_log("%d samples:", samples);
    storage(target, format, width, height);
}

static void attach(GLenum target, GLenum attachment, GLenum kind, GLuint name)
{
    GLenum pname = target == GL_READ_FRAMEBUFFER ? GL_READ_FRAMEBUFFER_BINDING : GL_DRAW_FRAMEBUFFER_BINDING;
    check_renderbuffer_target(kind);
    if (stub_gl.integers[pname] == 0)
        stub_gl_log("(what is bound to 0x%x has no attachments)", target);
    stub_gl_log("glFramebufferRenderbuffer(0x%x, %u)%s", attachment, name,
                target == GL_READ_FRAMEBUFFER ? " to be read" : "");
}

STUB_LOGS_ONE_NAME(delete_framebuffer, glDeleteFramebuffers)

STUB_LOGS_ONE_NAME(delete_renderbuffer, glDeleteRenderbuffers)

static void delete_framebuffers(GLsizei count, const GLuint *names)
{
    assert_int_equal(count, 1);
    delete_framebuffer(*names);
}

static void delete_renderbuffers(GLsizei count, const GLuint *names)
{
    assert_int_equal(count, 1);
    delete_renderbuffer(*names);
}

static void bind_renderbuffer(GLenum target, GLuint name)
{
    check_renderbuffer_target(target);
    stub_gl.integers[GL_RENDERBUFFER_BINDING] = (GLint)name;
}

static void blit_framebuffer(GLint sx0, GLint sy0, GLint sx1, GLint sy1, GLint x0, GLint y0, GLint x1,
                             GLint y1, GLbitfield mask, GLenum filter)
{
    bool is_same = sx0 == x0 && sy0 == y0 && sx1 == x1 && sy1 == y1 && filter == GL_NEAREST;
    if (stub_gl.shows_framebuffers && !is_same)
        stub_gl_log("(scaled from %d, %d, %d, %d by 0x%x)", sx0, sy0, sx1, sy1, filter);
    if (mask == 0 ||
        (mask & ~(GLbitfield)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)) != 0)
        stub_gl_log("(of buffers 0x%x)", mask);
    if (stub_gl.integers[GL_SCISSOR_TEST])
        stub_gl_log("(cut)");
    stub_gl_log("glBlitFramebuffer(%d, %d, %d, %d)", x0, y0, x1, y1);
    stub_gl.error = stub_gl.copy_error != GL_NO_ERROR ? stub_gl.copy_error : stub_gl.error;
    if (stub_gl.shows_framebuffers)
        stub_gl_log("from framebuffer %d, buffer 0x%x, to framebuffer %d, buffer 0x%x",
                    stub_gl.integers[GL_READ_FRAMEBUFFER_BINDING], stub_gl.integers[GL_READ_BUFFER],
                    stub_gl.integers[GL_DRAW_FRAMEBUFFER_BINDING], stub_gl.integers[GL_DRAW_BUFFER]);
}

static void copy_texture(GLenum target, GLint level, GLenum format, GLint x, GLint y, GLsizei width,
                         GLsizei height, GLint border)
{
    (void)target, (void)level, (void)x, (void)y, (void)border;
    stub_gl_question(); /* it is the replayer's */
    if (format == stub_gl.refused_format) {
        stub_gl.error = GL_INVALID_OPERATION;
        return;
    }
    if (format != GL_RGBA)
        stub_gl_log("(as 0x%x)", format);
    stub_gl_log("glCopyTexImage2D(%d x %d)", width, height);
}

static void draw_buffer(GLenum buffer)
{
    stub_gl.integers[GL_DRAW_BUFFER] = (GLint)buffer;
    stub_gl_log("glDrawBuffer(0x%x)", buffer);
}

static void draw_buffers(GLsizei count, const GLenum *buffers)
{
    stub_gl.integers[GL_DRAW_BUFFER] = (GLint)buffers[0];
    stub_gl_log("glDrawBuffers(0x%x, 0x%x)", buffers[0], count > 1 ? buffers[1] : GL_NONE);
}

/* glGetFloatv() gives hundredths. */
static void transfer(GLenum pname, GLfloat value)
{
    stub_gl_log("glPixelTransferf(0x%x, %g)", pname, (double)value);
    stub_gl.integers[pname] = (GLint)(value * 100);
    if (pname == stub_gl.unknown_pname)
        stub_gl.error = GL_INVALID_ENUM;
}

void *stub_pictures_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glBindFramebuffer", (void (*)(void))bind_framebuffer},
        {"glBindRenderbuffer", (void (*)(void))bind_renderbuffer},
        {"glCopyImageSubData", (void (*)(void))copy_image},
        {"glCopyImageSubDataEXT", (void (*)(void))copy_image},
        {"glCopyImageSubDataNV", (void (*)(void))copy_image},
        {"glCopyImageSubDataOES", (void (*)(void))copy_image},
        {"glMulticastCopyImageSubDataNV", (void (*)(void))copy_image_of_gpu},
        {"glBindTexture", (void (*)(void))bind_texture},
        {"glBlitFramebuffer", (void (*)(void))blit_framebuffer},
        {"glClear", (void (*)(void))clear},
        {"glClearDepth", (void (*)(void))clear_depth},
        {"glClearDepthf", (void (*)(void))clear_depth_of_es},
        {"glClearStencil", (void (*)(void))clear_stencil},
        {"glClearColor", (void (*)(void))clear_colour},
        {"glDrawBuffers", (void (*)(void))draw_buffers},
        {"glColorMask", (void (*)(void))mask_colours},
        {"glDepthMask", (void (*)(void))mask_depth},
        {"glScissor", (void (*)(void))scissor},
        {"glStencilMaskSeparate", (void (*)(void))mask_stencil},
        {"glCopyTexImage2D", (void (*)(void))copy_texture},
        {"glDeleteFramebuffers", (void (*)(void))delete_framebuffers},
        {"glDeleteRenderbuffers", (void (*)(void))delete_renderbuffers},
        {"glDeleteTextures", (void (*)(void))delete_textures},
        {"glDrawBuffer", (void (*)(void))draw_buffer},
        {"glFramebufferRenderbuffer", (void (*)(void))attach},
        {"glGetFramebufferAttachmentParameteriv", (void (*)(void))get_attachment},
        {"glGetFramebufferAttachmentParameterivOES", (void (*)(void))get_attachment},
        {"glGetNamedFramebufferAttachmentParameteriv", (void (*)(void))get_attachment},
        {"glGetRenderbufferParameteriv", (void (*)(void))get_renderbuffer},
        {"glGetTexImage", (void (*)(void))get_texture},
        {"glGetMultiTexImageEXT", (void (*)(void))get_texture_of_unit},
        {"glGetCompressedMultiTexImageEXT", (void (*)(void))get_compressed_texture_of_unit},
        {"glGetPixelMapfv", (void (*)(void))get_pixel_map},
        {"glGetPolygonStipple", (void (*)(void))get_stipple},
        {"glGetColorTable", (void (*)(void))get_colour_table},
        {"glGetMinmax", (void (*)(void))get_range},
        {"glGetTexLevelParameteriv", (void (*)(void))get_texture_level},
        {"glReadBuffer", (void (*)(void))read_buffer},
        {"glReadPixels", (void (*)(void))read_pixels},
        {"glRenderbufferStorage", (void (*)(void))storage},
        {"glRenderbufferStorageMultisample", (void (*)(void))sample_storage},
        {"glTexImage2D", (void (*)(void))texture_image},
        {"glTexSubImage2D", (void (*)(void))update_nothing},
        {"glPixelTransferf", (void (*)(void))transfer},
    };
    static const struct stub_function indexed[] = {
        {"glColorMaski", (void (*)(void))mask_first_colours},
        {"glDisablei", (void (*)(void))disable_of_index},
        {"glEnablei", (void (*)(void))enable_of_index},
        {"glScissorIndexed", (void (*)(void))scissor_of_index},
    };
    if (!stub_gl.has_transfers && strcmp(name, "glPixelTransferf") == 0)
        return NULL;
    void *found = stub_gl.has_indexed ? STUB_FIND(indexed, name) : NULL;
    if (found != NULL)
        return found;
    return STUB_FIND(functions, name);
}
