/* SPDX-License-Identifier: MIT
 * Pictures with 8 bits per channel: PNG and PNM files, comparison, and a checksum of the pixels. Rows are
 * stored from top to bottom, without padding.
 */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The highest width and height in pixels. Larger pictures are rejected, so that sizes in bytes cannot
 * overflow. */
#define IMAGE_MAX_SIDE 65536u

struct image {
    uint32_t width;    /* pixels */
    uint32_t height;   /* pixels */
    uint32_t channels; /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
    uint8_t *pixels;   /* owned; width × height × channels bytes */
};

/* Allocates the pixels, uninitialised. A zeroed struct image is empty and needs no init. Errors:
 * TRACE_ERR_USAGE if a side is 0 or too long, or the channels are not 1 to 4; TRACE_ERR_MEMORY. */
int image_init(struct image *out, uint32_t width, uint32_t height, uint32_t channels);
void image_fini(struct image *im);

size_t image_size(const struct image *im); /* Returns the size of the pixels in bytes. */

/* Returns the pixel at column x of row y, which must be inside the picture. */
const uint8_t *image_pixel(const struct image *im, uint32_t x, uint32_t y);

/* Turns the picture upside down, since OpenGL reads rows from bottom to top. */
void image_flip(struct image *im);

/* Removes the alpha channel of a picture with 2 or 4 channels, in place. */
void image_drop_alpha(struct image *im);

/* Converts the picture to four channels, in place. Errors: TRACE_ERR_MEMORY; it is then unchanged. */
int image_to_rgba(struct image *im);

/* Makes a smaller picture, whose longer side has `limit` pixels, by averaging; a copy if the picture is not
 * larger. Errors: TRACE_ERR_MEMORY. */
int image_shrink(struct image *out, const struct image *im, uint32_t limit);

/* Read and write PNG. Files are written for speed rather than size (level 1, SUB filter). Errors:
 * TRACE_ERR_IO, TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int image_write_png(const struct image *im, FILE *file);
int image_read_png(struct image *out, FILE *file);

/* Writes PNM: P5 for one channel, P6 for three. An alpha channel is left out. comment is one line or NULL. */
int image_write_pnm(const struct image *im, const char *comment, FILE *file);
/* Reads a P5 or P6 picture with at most 255 levels. More pictures may follow in the file. */
int image_read_pnm(struct image *out, FILE *file);

/* Do the same for files by path. PNG and PNM are distinguished by content. Error messages contain the path.
 */
int image_write_png_file(const struct image *im, const char *path);
int image_read_file(struct image *out, const char *path);

#define IMAGE_MD5_SIZE 33 /* including the NUL */

/* Writes the MD5 of the pixels as 32 upper-case hexadecimal digits. */
void image_md5(const struct image *im, char out[IMAGE_MD5_SIZE]);

struct image_difference {
    uint32_t max;    /* largest difference of a channel, 0 to 255 */
    double mean;     /* mean difference of all channels, 0 to 255 */
    uint64_t pixels; /* number of pixels with any difference */
};

/* Compares a with b. Errors: TRACE_ERR_USAGE if their sizes or channels differ. */
int image_compare(struct image_difference *out, const struct image *a, const struct image *b);

#endif
