/* SPDX-License-Identifier: MIT */
#include "image/image.h"

#include <ctype.h>
#include <errno.h>

#include "base/error.h"

int image_write_pnm(const struct image *im, const char *comment, FILE *file)
{
    bool grey = im->channels <= 2;
    bool failed = fprintf(file, "P%c\n", grey ? '5' : '6') < 0;
    if (comment != NULL)
        failed |= fprintf(file, "#%s\n", comment) < 0;
    failed |= fprintf(file, "%u %u\n255\n", im->width, im->height) < 0;
    if (im->channels == 1 || im->channels == 3) {
        failed |= fwrite(im->pixels, 1, image_size(im), file) != image_size(im);
    } else {
        uint32_t kept = im->channels - 1;
        size_t pixels = (size_t)im->width * im->height;
        for (size_t i = 0; i < pixels && !failed; ++i)
            failed |= fwrite(im->pixels + i * im->channels, 1, kept, file) != kept;
    }
    return failed ? trace_error_set_errno(TRACE_ERR_IO, errno, "writing a PNM picture") : 0;
}

/* Reads the next number of the header after blanks and comments. Returns -1 if there is none or it is above
 * max. */
static long read_number(FILE *file, long max)
{
    int c = fgetc(file);
    while (isspace(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        else
            c = fgetc(file);
    }
    if (!isdigit(c))
        return -1;
    long value = 0;
    for (; isdigit(c); c = fgetc(file)) {
        value = value * 10 + (c - '0');
        if (value > max)
            return -1;
    }
    return isspace(c) ? value : -1; /* exactly one blank follows the header */
}

int image_read_pnm(struct image *out, FILE *file)
{
    *out = (struct image){0};
    int magic = fgetc(file);
    int kind = fgetc(file);
    if (magic != 'P' || (kind != '5' && kind != '6'))
        return trace_error_set(TRACE_ERR_FORMAT, "not a P5 or P6 picture");
    long width = read_number(file, IMAGE_MAX_SIDE);
    long height = read_number(file, IMAGE_MAX_SIDE);
    long levels = read_number(file, 255);
    if (width < 1 || height < 1 || levels < 1)
        return trace_error_set(TRACE_ERR_FORMAT, "malformed PNM header (at most %u×%u pixels of 255 levels)",
                               IMAGE_MAX_SIDE, IMAGE_MAX_SIDE);
    int rc = image_init(out, (uint32_t)width, (uint32_t)height, kind == '5' ? 1 : 3);
    if (rc != 0)
        return rc;
    size_t size = image_size(out);
    if (fread(out->pixels, 1, size, file) != size) {
        image_fini(out);
        return trace_error_set(TRACE_ERR_TRUNCATED, "the PNM picture is cut off");
    }
    return 0;
}
