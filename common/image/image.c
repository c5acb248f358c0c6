/* SPDX-License-Identifier: MIT */
#include "image/image.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int image_init(struct image *out, uint32_t width, uint32_t height, uint32_t channels)
{
    *out = (struct image){0};
    if (width == 0 || height == 0 || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE || channels < 1 ||
        channels > 4)
        return trace_error_set(TRACE_ERR_USAGE, "a picture cannot have %u×%u pixels of %u channels", width,
                               height, channels);
    out->pixels = calloc((size_t)width * height, channels); /* not all pixels of a window may be readable */
    if (out->pixels == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a picture of %u×%u pixels", width,
                               height);
    out->width = width;
    out->height = height;
    out->channels = channels;
    return 0;
}

void image_fini(struct image *im)
{
    free(im->pixels);
    *im = (struct image){0};
}

size_t image_size(const struct image *im)
{
    return (size_t)im->width * im->height * im->channels;
}

const uint8_t *image_pixel(const struct image *im, uint32_t x, uint32_t y)
{
    return im->pixels + ((size_t)y * im->width + x) * im->channels;
}

void image_flip(struct image *im)
{
    size_t stride = (size_t)im->width * im->channels;
    uint8_t block[4096];
    for (uint32_t y = 0; y < im->height / 2; ++y) {
        uint8_t *upper = im->pixels + y * stride;
        uint8_t *lower = im->pixels + (im->height - 1 - y) * stride;
        for (size_t done = 0; done < stride; done += sizeof block) {
            size_t count = stride - done < sizeof block ? stride - done : sizeof block;
            memcpy(block, upper + done, count);
            memcpy(upper + done, lower + done, count);
            memcpy(lower + done, block, count);
        }
    }
}

void image_drop_alpha(struct image *im)
{
    if (im->channels != 2 && im->channels != 4)
        return;
    size_t count = (size_t)im->width * im->height;
    for (size_t i = 0; im->channels == 2 && i < count; ++i)
        im->pixels[i] = im->pixels[2 * i];
    for (size_t i = 0; im->channels == 4 && i < count; ++i) {
        uint32_t pixel; /* its alpha is in the way of the next one, which is written then */
        memcpy(&pixel, im->pixels + 4 * i, 4);
        memcpy(im->pixels + 3 * i, &pixel, 4);
    }
    im->channels--;
}
