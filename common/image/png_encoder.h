/* SPDX-License-Identifier: MIT
 * Writes many pictures as PNG. The memory that one has taken is the next one's, because pages that come from
 * the system take longer than their compression.
 */
#ifndef IMAGE_PNG_ENCODER_H
#define IMAGE_PNG_ENCODER_H

#include "base/buf.h"
#include "image/image.h"

/* Zero-initialise it before use. */
struct png_encoder {
    struct libdeflate_compressor *compressor;
    struct buf rows, data; /* before and after compression */
    struct buf file;       /* the last PNG file */
};

/* Stores the picture in e->file. Errors: TRACE_ERR_MEMORY. */
int png_encoder_encode(struct png_encoder *e, const struct image *im);

/* Errors: as of image_write_png(). */
int png_encoder_write(struct png_encoder *e, const struct image *im, FILE *file);

void png_encoder_fini(struct png_encoder *e);

#endif
