/* SPDX-License-Identifier: MIT */
#include "state/state_image.h"

#include <string.h>

#include "image/image.h"

/* --- room ------------------------------------------------------------------------------------------ */

bool state_pixels_init(struct state_dump *d, struct state_pixels *p, const struct state_image_info *info,
                       const struct state_read_format *read)
{
    uint64_t height = (uint64_t)info->height * (uint64_t)info->depth;
    size_t component = read->type == GL_FLOAT ? sizeof(GLfloat) : 1;
    *p = (struct state_pixels){.width = (uint32_t)info->width, .height = (uint32_t)height, .read = *read};
    if (p->width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE)
        return false;
    struct buf *memory = &d->r->state_memory.pixels;
    size_t size = (size_t)height * p->width * component * read->channels;
    buf_clear(memory);
    if (buf_reserve(memory, size) != 0)
        return false;
    p->data = memset(memory->data, 0, size);
    return true;
}

/* --- writing --------------------------------------------------------------------------------------- */

static void write_png(struct state_dump *d, struct state_pixels *p)
{
    struct png_encoder *e = &d->r->state_memory.encoder;
    struct image im = {
        .width = p->width, .height = p->height, .channels = p->read.channels, .pixels = p->data};
    image_flip(&im);
    if (png_encoder_encode(e, &im) == 0)
        state_bytes(&d->w, e->file.data, e->file.len);
    else
        state_null(&d->w);
}

/* Writes floats as apitrace does: a Portable FloatMap, but with the top row first; PX has other numbers of
 * components than 1 and 3. */
static void write_floats(struct state_dump *d, const struct state_pixels *p)
{
    struct buf bytes = BUF_INIT;
    size_t row = (size_t)p->width * p->read.channels * sizeof(GLfloat);
    int rc = buf_printf(&bytes, "P%c\n%u %u\n1\n",
                        p->read.channels == 1   ? 'f'
                        : p->read.channels == 3 ? 'F'
                                                : 'X',
                        p->width, p->height);
    for (uint32_t y = p->height; rc == 0 && y-- > 0;)
        rc = buf_append(&bytes, (const uint8_t *)p->data + y * row, row);
    if (rc == 0)
        state_bytes(&d->w, bytes.data, bytes.len);
    else
        state_null(&d->w);
    buf_fini(&bytes);
}

void state_write_pixels(struct state_dump *d, struct state_pixels *p, GLint layers, GLint format,
                        const char *label)
{
    struct state_writer *w = &d->w;
    state_begin_object(w);
    state_key(w, "__class__");
    state_string(w, "image");
    state_key(w, "__width__");
    state_integer(w, p->width);
    state_key(w, "__height__");
    state_integer(w, p->height / (uint32_t)layers);
    state_key(w, "__depth__");
    state_integer(w, layers);
    state_key(w, "__format__");
    state_write_enum(d, (GLenum)format);
    if (label[0] != '\0') {
        state_key(w, "__label__");
        state_string(w, label);
    }
    state_key(w, "__data__");
    if (p->read.type == GL_FLOAT)
        write_floats(d, p);
    else
        write_png(d, p);
    state_end_object(w);
}
