/* SPDX-License-Identifier: MIT
 * Pictures in a state dump: reads pixels of textures and framebuffers, and writes them as PNG, or with
 * floats.
 */
#ifndef RETRACE_STATE_IMAGE_H
#define RETRACE_STATE_IMAGE_H

#include "state/state_query.h"

/* What is known about an image before it is read. */
struct state_image_info {
    GLint width, height, depth; /* pixels, and layers */
    GLint samples;
    GLint internal_format;
    /* Of attachments: another context has deleted it, or what is bound; the rest is not known then. */
    bool is_deleted;
};

/* How an image is read. */
struct state_read_format {
    GLenum format, type; /* arguments of glReadPixels() and glGetTexImage(); type: UNSIGNED_BYTE or FLOAT */
    unsigned channels;
};

/* The pixels of all layers, one below the other, from bottom to top. */
struct state_pixels {
    uint32_t width, height; /* height: of all layers */
    struct state_read_format read;
    void *data; /* borrowed from r->state_memory */
};

/* Chooses how to read an image of this internal format. */
void state_choose_format(const struct state_dump *d, GLint internal_format, struct state_read_format *out);

/* Makes room for the pixels of an image, zeroed. They are there until the next ones. Returns false if the
 * image is too large, or there is no memory. */
bool state_pixels_init(struct state_dump *d, struct state_pixels *p, const struct state_image_info *info,
                       const struct state_read_format *read);

/* Writes the pixels, and changes their order, as the value of the current member: layers one below the other,
 * from top to bottom.
 * label: of the object; "" for none. */
void state_write_pixels(struct state_dump *d, struct state_pixels *p, GLint layers, GLint format,
                        const char *label);

#endif
