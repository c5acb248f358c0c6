/* SPDX-License-Identifier: MIT
 * A snapshot on its way from the driver to a file. Its pixels are made ready by whoever writes it, which may
 * be another thread.
 */
#ifndef RETRACE_SNAPSHOT_PICTURE_H
#define RETRACE_SNAPSHOT_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "image/png_encoder.h"
#include "replay_options.h"

struct snapshot_picture {
    struct image image;
    bool is_bottom_up; /* the rows are in OpenGL's order */
    bool is_depth;     /* each pixel is a float, in four channels */
    bool drop_alpha;   /* the alpha channel is not wanted in any form */
};

void snapshot_picture_fini(struct snapshot_picture *p);

/* Turns the rows, and drops what is not wanted. */
void snapshot_picture_prepare(struct snapshot_picture *p);

/* Write the picture, which must be prepared. Depths are floats in a stream (PNM's Pf, with the 1 that
 * apitrace writes for their byte order, and rows from top to bottom), and shades of grey in a PNG file.
 * number: for the comment of a PNM picture. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int snapshot_picture_write(const struct snapshot_picture *p, enum snapshot_format format, uint64_t number,
                           FILE *file);
int snapshot_picture_write_png(struct snapshot_picture *p, struct png_encoder *e, FILE *file);

#endif
