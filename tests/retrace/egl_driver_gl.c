/* SPDX-License-Identifier: MIT */
#include "egl_driver_gl.h"

#include "egl_driver.h"

#include <GL/glext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* A pbuffer has one buffer, of which all names but GL_NONE tell. */
static struct driver_state *state(void)
{
    assert_non_null(egl_driver.current);
    return &egl_driver.current->state;
}

static bool is_es(void)
{
    return strncmp(egl_driver.version, "OpenGL ES", 9) == 0;
}

void egl_driver_draw(int colour, int depth)
{
    assert_non_null(egl_driver.draw);
    if (state()->draw_buffer != GL_NONE)
        egl_driver.draw->colour = colour;
    egl_driver.draw->depth = depth;
}

static const GLubyte *get_string(GLenum name)
{
    assert_int_equal(name, GL_VERSION);
    return (const GLubyte *)egl_driver.version;
}

static void get_integer(GLenum name, GLint *out)
{
    if (name >= GL_DRAW_BUFFER0 && name < GL_DRAW_BUFFER0 + 8) {
        assert_int_equal(state()->draw_framebuffer, 0);
        assert_true(is_es() ? egl_driver.version[10] == '3'
                            : egl_driver.version[0] != '2'); /* others have fewer */
        *out = (int)name - GL_DRAW_BUFFER0 == state()->output ? (GLint)state()->draw_buffer : GL_NONE;
        return;
    }
    switch (name) {
    case GL_DRAW_FRAMEBUFFER_BINDING:
        *out = (GLint)state()->draw_framebuffer;
        break;
    case GL_READ_FRAMEBUFFER_BINDING:
        *out = (GLint)state()->read_framebuffer;
        break;
    case GL_DRAW_BUFFER:
        *out = state()->draw_framebuffer == 0 ? (GLint)state()->draw_buffer : GL_COLOR_ATTACHMENT0;
        break;
    case GL_READ_BUFFER:
        *out = state()->read_framebuffer != 0 ? GL_COLOR_ATTACHMENT0
               : egl_driver.read == NULL      ? GL_NONE
                                              : (GLint)egl_driver.read->read_buffer;
        break;
    case GL_COLOR_WRITEMASK:
        for (int i = 0; i < 4; ++i)
            out[i] = state()->colour_mask[i];
        break;
    case GL_DEPTH_WRITEMASK:
        *out = state()->depth_mask;
        break;
    case GL_STENCIL_WRITEMASK:
        *out = (GLint)state()->stencil_mask;
        break;
    default:
        fail_msg("glGetIntegerv(0x%x)", name);
    }
}

static void get_float(GLenum name, GLfloat *out)
{
    assert_int_equal(name, GL_COLOR_CLEAR_VALUE);
    memcpy(out, state()->clear_colour, sizeof state()->clear_colour);
}

static bool *capability(GLenum name)
{
    assert_false(is_es() && name == GL_FRAMEBUFFER_SRGB); /* it has none */
    switch (name) {
    case GL_SCISSOR_TEST:
        return &state()->scissor;
    case GL_RASTERIZER_DISCARD:
        return &state()->discard;
    case GL_FRAMEBUFFER_SRGB:
        return &state()->srgb;
    default:
        fail_msg("capability 0x%x", name);
        return NULL;
    }
}

static void set(GLenum name, bool enabled)
{
    *capability(name) = enabled;
    if (name == GL_SCISSOR_TEST)
        state()->scissor_1 = enabled;
}

static void enable(GLenum name)
{
    set(name, true);
}

static void disable(GLenum name)
{
    set(name, false);
}

static void set_indexed(GLenum name, GLuint index, bool enabled)
{
    assert_int_equal(name, GL_SCISSOR_TEST);
    assert_int_equal(index, 0);
    assert_false(is_es());
    state()->scissor = enabled;
}

static void enable_indexed(GLenum name, GLuint index)
{
    set_indexed(name, index, true);
}

static void disable_indexed(GLenum name, GLuint index)
{
    set_indexed(name, index, false);
}

static void scissor_indexed(GLuint index, GLint x, GLint y, GLsizei width, GLsizei height)
{
    fail_msg("scissor box %u: %d %d %d %d", index, x, y, width, height);
}

static GLboolean is_enabled(GLenum name)
{
    return *capability(name);
}

static void bind_framebuffer(GLenum target, GLuint name)
{
    if (target != GL_READ_FRAMEBUFFER)
        state()->draw_framebuffer = name;
    if (target != GL_DRAW_FRAMEBUFFER)
        state()->read_framebuffer = name;
}

static void draw_buffer(GLenum buffer)
{
    assert_int_equal(state()->draw_framebuffer, 0);
    assert_false(is_es());
    state()->draw_buffer = buffer;
    state()->output = 0;
}

static void draw_buffers(GLsizei count, const GLenum *buffers)
{
    assert_true(is_es() ? count == 1 : count > 1 && count <= 8);
    assert_int_equal(state()->draw_framebuffer, 0);
    state()->draw_buffer = GL_NONE;
    state()->output = 0;
    for (GLsizei i = 0; i < count; ++i)
        if (buffers[i] != GL_NONE) {
            assert_int_equal(state()->draw_buffer, GL_NONE);
            state()->draw_buffer = buffers[i];
            state()->output = i;
        }
}

static void read_buffer(GLenum buffer)
{
    assert_int_equal(state()->read_framebuffer, 0);
    assert_true(!is_es() || buffer == GL_BACK || buffer == GL_NONE);
    if (egl_driver.read != NULL)
        egl_driver.read->read_buffer = buffer;
}

static void indexed_colour_mask(GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a)
{
    assert_int_equal(index, 0);
    memcpy(state()->colour_mask, (GLboolean[]){r, g, b, a}, sizeof state()->colour_mask);
}

static void colour_mask(GLboolean r, GLboolean g, GLboolean b, GLboolean a)
{
    indexed_colour_mask(0, r, g, b, a);
    memcpy(state()->colour_mask_1, state()->colour_mask, sizeof state()->colour_mask_1);
}

static void depth_mask(GLboolean mask)
{
    state()->depth_mask = mask;
}

static void stencil_mask(GLenum face, GLuint mask)
{
    assert_int_equal(face, GL_FRONT);
    state()->stencil_mask = mask;
}

static void clear_colour(GLfloat r, GLfloat g, GLfloat b, GLfloat a)
{
    memcpy(state()->clear_colour, (GLfloat[]){r, g, b, a}, sizeof state()->clear_colour);
}

/* Nothing may keep a write from its pixels. */
static void assert_writable(void)
{
    assert_false(state()->scissor);
    assert_false(state()->discard);
    assert_true(is_es() || !state()->srgb);
    assert_int_equal(state()->draw_framebuffer, 0);
    assert_int_equal(state()->read_framebuffer, 0);
}

static void clear(GLbitfield parts)
{
    assert_int_equal(parts, GL_COLOR_BUFFER_BIT);
    assert_writable();
    assert_memory_equal(state()->colour_mask, ((GLboolean[]){1, 1, 1, 1}), 4);
    assert_memory_equal(state()->clear_colour, ((GLfloat[]){0, 0, 0, 0}), 4 * sizeof(GLfloat));
    if (state()->draw_buffer != GL_NONE)
        egl_driver.draw->colour = 0;
}

static void clear_depth(GLenum buffer, GLint index, GLfloat depth, GLint stencil)
{
    assert_int_equal(buffer, GL_DEPTH_STENCIL);
    assert_int_equal(index, 0);
    assert_int_equal(stencil, 0);
    assert_writable();
    assert_true(state()->depth_mask);
    assert_int_equal(state()->stencil_mask, ~0u);
    egl_driver.draw->depth = (int)depth;
}

/* What a copy does not reach has been cleared, if the driver has all that this takes. */
static void assert_known_rest(int width, int height, int value)
{
    bool is_part = width < egl_driver.draw->width || height < egl_driver.draw->height;
    if (is_part && egl_driver.missing == NULL)
        assert_int_not_equal(value, DRIVER_UNKNOWN);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void blit(GLint x0, GLint y0, GLint x1, GLint y1, GLint to_x0, GLint to_y0, GLint to_x1, GLint to_y1,
                 GLbitfield parts, GLenum filter)
{
    const struct driver_surface *from = egl_driver.read;
    struct driver_surface *to = egl_driver.draw;
    assert_writable();
    assert_int_equal(filter, GL_NEAREST);
    assert_true(x0 == 0 && y0 == 0 && to_x0 == 0 && to_y0 == 0 && x1 == to_x1 && y1 == to_y1);
    assert_int_equal(x1, smaller(from->width, to->width));
    assert_int_equal(y1, smaller(from->height, to->height));
    if ((parts & GL_COLOR_BUFFER_BIT) != 0 && state()->draw_buffer != GL_NONE &&
        from->read_buffer != GL_NONE) {
        assert_known_rest(x1, y1, to->colour);
        to->colour = from->colour;
    }
    if ((parts & GL_DEPTH_BUFFER_BIT) != 0) {
        assert_known_rest(x1, y1, to->depth);
        to->depth = from->depth;
    }
    assert_int_equal((parts & GL_DEPTH_BUFFER_BIT) != 0, (parts & GL_STENCIL_BUFFER_BIT) != 0);
}

static void flush(void)
{
    egl_driver_note("flush\n");
}

void (*egl_driver_find_gl(const char *name))(void)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"glBindFramebuffer", (void (*)(void))bind_framebuffer},
        {"glBlitFramebuffer", (void (*)(void))blit},
        {"glClear", (void (*)(void))clear},
        {"glClearBufferfi", (void (*)(void))clear_depth},
        {"glClearColor", (void (*)(void))clear_colour},
        {"glColorMask", (void (*)(void))colour_mask},
        {"glColorMaski", (void (*)(void))indexed_colour_mask},
        {"glDepthMask", (void (*)(void))depth_mask},
        {"glDisable", (void (*)(void))disable},
        {"glDisablei", (void (*)(void))disable_indexed},
        {"glDrawBuffer", (void (*)(void))draw_buffer},
        {"glDrawBuffers", (void (*)(void))draw_buffers},
        {"glEnable", (void (*)(void))enable},
        {"glEnablei", (void (*)(void))enable_indexed},
        {"glFlush", (void (*)(void))flush},
        {"glGetFloatv", (void (*)(void))get_float},
        {"glGetIntegerv", (void (*)(void))get_integer},
        {"glGetString", (void (*)(void))get_string},
        {"glIsEnabled", (void (*)(void))is_enabled},
        {"glReadBuffer", (void (*)(void))read_buffer},
        {"glScissorIndexed", (void (*)(void))scissor_indexed},
        {"glStencilMaskSeparate", (void (*)(void))stencil_mask},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    return NULL;
}
