/* SPDX-License-Identifier: MIT */
#include "gl/gl_pixel_store.h"

#include "capture/fake_calls.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"

#include "spec_ids.h"

#include <string.h>

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

static void set_pack_state(const struct gl_context *c, bool initial)
{
    struct pixel_parameter list[PIXEL_PARAMETERS];
    uint32_t buffer = gl_context_bound_buffer(c, GL_BUFFER_PIXEL_PACK);
    capture_function store = real_function_find(SPEC_FN_glPixelStorei);
    capture_function bind = real_function_find(SPEC_FN_glBindBuffer);
    list_parameters(&c->sizes.pack, true, list);
    for (unsigned i = 0; i < PIXEL_PARAMETERS; ++i)
        if (list[i].value != list[i].initial)
            ((void (*)(uint32_t, int32_t))store)(list[i].pname, initial ? list[i].initial : list[i].value);
    if (buffer != 0)
        ((void (*)(uint32_t, uint32_t))bind)(SPEC_GL_PIXEL_PACK_BUFFER, initial ? 0 : buffer);
}

void gl_pixel_store_set_aside(const struct gl_context *c)
{
    set_pack_state(c, true);
}

void gl_pixel_store_restore(const struct gl_context *c)
{
    set_pack_state(c, false);
}

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

void gl_pixel_store_record_initial(struct capture_thread *t)
{
    record_unpack_state(t, true);
}

void gl_pixel_store_record_programs(struct capture_thread *t)
{
    record_unpack_state(t, false);
}
