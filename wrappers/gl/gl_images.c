/* SPDX-License-Identifier: MIT
 * Textures whose memory belongs to something else: EGL images and X pixmaps. That memory does not exist when
 * the trace is replayed. So after the call that attaches it, a fake glTexImage2D() records the current
 * contents of the texture.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "gl/egl_image_reader.h"
#include "gl/gl_pixel_store.h"
#include "gl/gl_texels.h"
#include "lookup/real_functions.h"
#include "lookup/x_windows.h"

#include "spec_ids.h"

#include <stdlib.h>

enum {
    SPEC_GL_TEXTURE_2D = 0x0DE1,
    SPEC_GL_TEXTURE_RECTANGLE = 0x84F5,
    SPEC_GLX_TEXTURE_TARGET_EXT = 0x20D6,
    SPEC_GLX_TEXTURE_RECTANGLE_EXT = 0x20DD,
};

static void record_image(struct capture_thread *t, uint32_t target, const struct gl_texels *p)
{
    const union spec_arg args[9] = {{.u = target},    {.i = 0},         {.i = p->internal},
                                    {.i = p->width},  {.i = p->height}, {.i = 0},
                                    {.u = p->format}, {.u = p->type},   spec_arg_ptr(p->pixels)};
    const struct capture_override memory = {8, p->pixels, (int64_t)p->width * p->height * p->bytes};
    gl_pixel_store_record_initial(t);
    capture_fake_call_with(t, SPEC_FN_glTexImage2D, args, &memory);
    gl_pixel_store_record_programs(t);
}

/* A buffer that is bound for packing is unbound while texels are read. One that another context has deleted
 * could not be bound again. */
static bool may_unbind_pack_buffer(const struct gl_context *c)
{
    uint32_t buffer = gl_context_bound_buffer(c, GL_BUFFER_PIXEL_PACK);
    return buffer == 0 || ((uint8_t(*)(uint32_t))real_function_find(SPEC_FN_glIsBuffer))(buffer) != 0;
}

/* In OpenGL ES, nothing but a framebuffer object reads a texture. So another context reads the image, which
 * GLX's contexts do not have. */
static void read_texels(struct capture_thread *t, struct gl_texels *out)
{
    const struct gl_context *c = t->context;
    bool has_image = t->image != NULL && t->binds_surface;
    bool is_es = c->profile == GL_PROFILE_ES;
    *out = (struct gl_texels){0};
    if (has_image && (is_es || gl_context_bound_buffer(c, GL_BUFFER_PIXEL_PACK) != 0)) {
        ((void (*)(void))real_function_find(SPEC_FN_glFinish))();
        egl_image_read(t->draw_display.p, t->image, out);
    } else if (!is_es && may_unbind_pack_buffer(c)) {
        gl_texels_get(c, t->image_target, out);
    }
}

static void complete_image(struct capture_thread *t)
{
    struct gl_texels texels;
    if (t->context->in_begin)
        return;
    gl_context_identify(t->context);
    read_texels(t, &texels);
    if (texels.pixels != NULL)
        record_image(t, t->image_target, &texels);
    free(texels.pixels);
}

/* (target, image, …). External textures cannot be read. */
DEFINE_HOOK(image_target_texture)
{
    UNUSED_HOOK_ARGUMENTS;
    t->image_target = (uint32_t)args[0].u;
    t->image = args[1].p;
    if (t->image_target == SPEC_GL_TEXTURE_2D)
        t->complete = complete_image;
}

/* eglTerminate(display) */
DEFINE_HOOK(terminate_images)
{
    UNUSED_HOOK_ARGUMENTS;
    egl_image_reader_terminate(args[0].p);
}

/* glXBindTexImageEXT(display, drawable, …): an attribute of the drawable says which texture target it is for.
 */
DEFINE_HOOK(bind_tex_image)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t kind = 0;
    bool is_rectangle =
        x_glx_attribute(args[0].p, (unsigned long)args[1].u, SPEC_GLX_TEXTURE_TARGET_EXT, &kind) &&
        kind == SPEC_GLX_TEXTURE_RECTANGLE_EXT;
    t->image = NULL;
    t->image_target = is_rectangle ? SPEC_GL_TEXTURE_RECTANGLE : SPEC_GL_TEXTURE_2D;
    t->complete = complete_image;
}
