/* SPDX-License-Identifier: MIT
 * Textures whose memory belongs to something else: EGL images and X pixmaps. That memory does not exist when
 * the trace is replayed. So after the call that attaches it, a fake glTexImage2D() records the current
 * contents of the texture.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "lookup/x_windows.h"

#include "spec_ids.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPEC_GL_RGBA = 0x1908,
    SPEC_GL_TEXTURE_2D = 0x0DE1,
    SPEC_GL_TEXTURE_RECTANGLE = 0x84F5,
    SPEC_GL_TEXTURE_BINDING_2D = 0x8069,
    SPEC_GL_TEXTURE_BINDING_RECTANGLE = 0x84F6,
    SPEC_GL_TEXTURE_WIDTH = 0x1000,
    SPEC_GL_TEXTURE_HEIGHT = 0x1001,
    SPEC_GL_READ_FRAMEBUFFER_BINDING = 0x8CAA,
    SPEC_GL_COLOR_ATTACHMENT0 = 0x8CE0,
    SPEC_GL_FRAMEBUFFER_COMPLETE = 0x8CD5,
    SPEC_GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE = 0x8211,
    SPEC_GL_UNSIGNED_NORMALIZED = 0x8C17,
    SPEC_GL_TEXTURE_RED_SIZE = 0x805C,
    SPEC_GL_RGBA_INTEGER = 0x8D99,
    SPEC_GL_RGBA32F = 0x8814,
    SPEC_GL_RGBA16F = 0x881A,
    SPEC_GL_RGBA32UI = 0x8D70,
    SPEC_GL_RGBA32I = 0x8D82,
    SPEC_GLX_TEXTURE_TARGET_EXT = 0x20D6,
    SPEC_GLX_TEXTURE_RECTANGLE_EXT = 0x20DD,
    MAX_SIDE = 1 << 15, /* pixels */
};

/* Casts the real function to a function of this type. */
#define REAL(name, type, parameters) ((type(*) parameters)real_function_find(SPEC_FN_##name))

static int32_t get_integer(uint32_t pname)
{
    int32_t value = 0;
    REAL(glGetIntegerv, void, (uint32_t, int32_t *))(pname, &value);
    return value;
}

static int32_t get_level(uint32_t target, uint32_t pname)
{
    int32_t value = 0;
    REAL(glGetTexLevelParameteriv, void, (uint32_t, int32_t, uint32_t, int32_t *))(target, 0, pname, &value);
    return value;
}

/* Returns true if there are framebuffers to read from and queries for the size of a level. OpenGL 3.0 and
 * OpenGL ES 3.1 have both. */
static bool can_read(void)
{
    const char *version = REAL(glGetString, const char *, (uint32_t))(SPEC_GL_VERSION);
    if (version == NULL)
        return false;
    bool is_es = strncmp(version, "OpenGL ES ", 10) == 0;
    const char *number = is_es ? version + 10 : version;
    char *end;
    long major = strtol(number, &end, 10), minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return 10 * major + minor >= (is_es ? 31 : 30);
}

/* --- pixel store ----------------------------------------------------------------------------------- */

enum { INVERTED = 6, PIXEL_PARAMETERS = 7 };

struct pixel_parameter {
    uint32_t pname;
    int32_t value, initial;
};

static void list_parameters(const struct spec_pixel_store *s, bool pack,
                            struct pixel_parameter out[PIXEL_PARAMETERS])
{
    const struct pixel_parameter list[PIXEL_PARAMETERS] = {
        {pack ? SPEC_GL_PACK_ALIGNMENT : SPEC_GL_UNPACK_ALIGNMENT, s->alignment, 4},
        {pack ? SPEC_GL_PACK_ROW_LENGTH : SPEC_GL_UNPACK_ROW_LENGTH, s->row_length, 0},
        {pack ? SPEC_GL_PACK_SKIP_ROWS : SPEC_GL_UNPACK_SKIP_ROWS, s->skip_rows, 0},
        {pack ? SPEC_GL_PACK_SKIP_PIXELS : SPEC_GL_UNPACK_SKIP_PIXELS, s->skip_pixels, 0},
        {pack ? SPEC_GL_PACK_SKIP_IMAGES : SPEC_GL_UNPACK_SKIP_IMAGES, s->skip_images, 0},
        {pack ? SPEC_GL_PACK_IMAGE_HEIGHT : SPEC_GL_UNPACK_IMAGE_HEIGHT, s->image_height, 0},
        [INVERTED] = {SPEC_GL_PACK_INVERT_MESA, s->inverted, 0}, /* of pack only */
    };
    memcpy(out, list, sizeof list);
}

/* Sets the driver's pack state to the initial values, or restores it. */
static void set_pack_state(const struct gl_context *c, bool initial)
{
    struct pixel_parameter list[PIXEL_PARAMETERS];
    uint32_t buffer = gl_context_bound_buffer(c, GL_BUFFER_PIXEL_PACK);
    list_parameters(&c->sizes.pack, true, list);
    if (c->profile == GL_PROFILE_ES)
        list[INVERTED].pname = SPEC_GL_PACK_REVERSE_ROW_ORDER_ANGLE;
    for (unsigned i = 0; i < PIXEL_PARAMETERS; ++i)
        if (list[i].value != list[i].initial)
            REAL(glPixelStorei, void, (uint32_t, int32_t))
    (list[i].pname, initial ? list[i].initial : list[i].value);
    if (buffer != 0)
        REAL(glBindBuffer, void, (uint32_t, uint32_t))(SPEC_GL_PIXEL_PACK_BUFFER, initial ? 0 : buffer);
}

/* Sets the unpack state of the trace to the initial values, or restores it. */
static void record_unpack_state(struct capture_thread *t, bool initial)
{
    struct pixel_parameter list[PIXEL_PARAMETERS];
    uint32_t buffer = gl_context_bound_buffer(t->context, GL_BUFFER_PIXEL_UNPACK);
    list_parameters(&t->context->sizes.unpack, false, list);
    for (unsigned i = 0; i < PIXEL_PARAMETERS; ++i) {
        const union spec_arg args[2] = {{.u = list[i].pname},
                                        {.i = initial ? list[i].initial : list[i].value}};
        if (list[i].value != list[i].initial)
            capture_fake_call(t, SPEC_FN_glPixelStorei, args);
    }
    const union spec_arg bind[2] = {{.u = SPEC_GL_PIXEL_UNPACK_BUFFER}, {.u = initial ? 0 : buffer}};
    if (buffer != 0)
        capture_fake_call(t, SPEC_FN_glBindBuffer, bind);
}

/* --- pixels ---------------------------------------------------------------------------------------- */

/* What pixels are read and recorded as. */
struct pixel_format {
    uint32_t format, type;
    int32_t internal; /* format of the texture in the trace */
    uint32_t bytes;   /* of a pixel */
};

/* Returns what any driver reads such pixels as, by the type of the components of the attached texture (OpenGL
 * ES 3.2, section 16.1.2). Returns false if there is nothing. */
static bool find_format(uint32_t target, struct pixel_format *out)
{
    int32_t type = 0;
    REAL(glGetFramebufferAttachmentParameteriv, void, (uint32_t, uint32_t, uint32_t, int32_t *))
    (SPEC_GL_READ_FRAMEBUFFER, SPEC_GL_COLOR_ATTACHMENT0, SPEC_GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
     &type);
    switch (type) {
    case SPEC_GL_UNSIGNED_NORMALIZED:
        *out = (struct pixel_format){SPEC_GL_RGBA, SPEC_GL_UNSIGNED_BYTE, SPEC_GL_RGBA, 4};
        return true;
    case SPEC_GL_FLOAT:
        *out = (struct pixel_format){
            SPEC_GL_RGBA, SPEC_GL_FLOAT,
            get_level(target, SPEC_GL_TEXTURE_RED_SIZE) > 16 ? SPEC_GL_RGBA32F : SPEC_GL_RGBA16F, 16};
        return true;
    case SPEC_GL_INT:
        *out = (struct pixel_format){SPEC_GL_RGBA_INTEGER, SPEC_GL_INT, SPEC_GL_RGBA32I, 16};
        return true;
    case SPEC_GL_UNSIGNED_INT:
        *out = (struct pixel_format){SPEC_GL_RGBA_INTEGER, SPEC_GL_UNSIGNED_INT, SPEC_GL_RGBA32UI, 16};
        return true;
    default:
        return false;
    }
}

/* Reads level 0 of the texture. Returns what the caller frees, or NULL if it cannot be read. */
static void *read_pixels(struct gl_context *c, uint32_t target, int32_t width, int32_t height,
                         struct pixel_format *f)
{
    void *pixels = NULL;
    bool rectangle = target == SPEC_GL_TEXTURE_RECTANGLE;
    int32_t texture = get_integer(rectangle ? SPEC_GL_TEXTURE_BINDING_RECTANGLE : SPEC_GL_TEXTURE_BINDING_2D);
    int32_t bound = get_integer(SPEC_GL_READ_FRAMEBUFFER_BINDING);
    uint32_t framebuffer = 0;
    REAL(glGenFramebuffers, void, (int32_t, uint32_t *))(1, &framebuffer);
    REAL(glBindFramebuffer, void, (uint32_t, uint32_t))(SPEC_GL_READ_FRAMEBUFFER, framebuffer);
    REAL(glFramebufferTexture2D, void, (uint32_t, uint32_t, uint32_t, uint32_t, int32_t))
    (SPEC_GL_READ_FRAMEBUFFER, SPEC_GL_COLOR_ATTACHMENT0, target, (uint32_t)texture, 0);
    bool complete = REAL(glCheckFramebufferStatus, uint32_t, (uint32_t))(SPEC_GL_READ_FRAMEBUFFER) ==
                    SPEC_GL_FRAMEBUFFER_COMPLETE;
    if (complete && find_format(target, f))
        pixels = malloc((size_t)width * (size_t)height * f->bytes);
    if (pixels != NULL) {
        set_pack_state(c, true);
        REAL(glReadPixels, void, (int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void *))
        (0, 0, width, height, f->format, f->type, pixels);
        set_pack_state(c, false);
    }
    REAL(glBindFramebuffer, void, (uint32_t, uint32_t))(SPEC_GL_READ_FRAMEBUFFER, (uint32_t)bound);
    REAL(glDeleteFramebuffers, void, (int32_t, const uint32_t *))(1, &framebuffer);
    return pixels;
}

static void record_image(struct capture_thread *t, uint32_t target, int32_t width, int32_t height,
                         const struct pixel_format *f, const void *pixels)
{
    const union spec_arg args[9] = {{.u = target},    {.i = 0},       {.i = f->internal},
                                    {.i = width},     {.i = height},  {.i = 0},
                                    {.u = f->format}, {.u = f->type}, spec_arg_ptr(pixels)};
    const struct capture_override memory = {8, pixels, (int64_t)width * height * f->bytes};
    record_unpack_state(t, true);
    capture_fake_call_with(t, SPEC_FN_glTexImage2D, args, &memory);
    record_unpack_state(t, false);
}

static void complete_image(struct capture_thread *t)
{
    if (!can_read())
        return;
    uint32_t target = t->image_target;
    int32_t width = get_level(target, SPEC_GL_TEXTURE_WIDTH),
            height = get_level(target, SPEC_GL_TEXTURE_HEIGHT);
    if (width <= 0 || height <= 0 || width > MAX_SIDE || height > MAX_SIDE)
        return;
    struct pixel_format format;
    void *pixels = read_pixels(t->context, target, width, height, &format);
    if (pixels != NULL)
        record_image(t, target, width, height, &format, pixels);
    free(pixels);
}

/* (target, image, …). External textures cannot be read. */
DEFINE_HOOK(image_target_texture)
{
    UNUSED_HOOK_ARGUMENTS;
    t->image_target = (uint32_t)args[0].u;
    if (t->image_target == SPEC_GL_TEXTURE_2D)
        t->complete = complete_image;
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
    t->image_target = is_rectangle ? SPEC_GL_TEXTURE_RECTANGLE : SPEC_GL_TEXTURE_2D;
    t->complete = complete_image;
}
