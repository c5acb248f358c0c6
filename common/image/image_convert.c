/* SPDX-License-Identifier: MIT */
#include "image/image.h"

#include <string.h>

int image_to_rgba(struct image *im)
{
    struct image out;
    if (im->channels == 4)
        return 0;
    int rc = image_init(&out, im->width, im->height, 4);
    if (rc != 0)
        return rc;
    bool is_grey = im->channels <= 2, has_alpha = im->channels == 2;
    size_t count = (size_t)im->width * im->height;
    for (size_t i = 0; i < count; ++i) {
        const uint8_t *from = im->pixels + i * im->channels;
        uint8_t *to = out.pixels + i * 4;
        to[0] = from[0];
        to[1] = from[is_grey ? 0 : 1];
        to[2] = from[is_grey ? 0 : 2];
        to[3] = has_alpha ? from[1] : 255;
    }
    image_fini(im);
    *im = out;
    return 0;
}

/* The mean of the pixels from (left, top) up to, not including, (right, bottom). */
static void average(uint8_t *out, const struct image *im, uint32_t left, uint32_t top, uint32_t right,
                    uint32_t bottom)
{
    uint64_t sums[4] = {0};
    for (uint32_t y = top; y < bottom; ++y)
        for (uint32_t x = left; x < right; ++x)
            for (uint32_t c = 0; c < im->channels; ++c)
                sums[c] += image_pixel(im, x, y)[c];
    uint64_t count = (uint64_t)(right - left) * (bottom - top);
    for (uint32_t c = 0; c < im->channels; ++c)
        out[c] = (uint8_t)((sums[c] + count / 2) / count);
}

/* The side of the small picture; at least 1. */
static uint32_t scaled(uint32_t side, uint32_t longest, uint32_t limit)
{
    uint64_t length = ((uint64_t)side * limit + longest / 2) / longest;
    return length > 0 ? (uint32_t)length : 1;
}

int image_shrink(struct image *out, const struct image *im, uint32_t limit)
{
    uint32_t longest = im->width > im->height ? im->width : im->height;
    if (longest <= limit)
        limit = longest;
    int rc =
        image_init(out, scaled(im->width, longest, limit), scaled(im->height, longest, limit), im->channels);
    if (rc != 0)
        return rc;
    for (uint32_t y = 0; y < out->height; ++y) {
        uint32_t top = (uint32_t)((uint64_t)y * im->height / out->height);
        uint32_t bottom = (uint32_t)((uint64_t)(y + 1) * im->height / out->height);
        for (uint32_t x = 0; x < out->width; ++x)
            average(out->pixels + ((size_t)y * out->width + x) * out->channels, im,
                    (uint32_t)((uint64_t)x * im->width / out->width), top,
                    (uint32_t)((uint64_t)(x + 1) * im->width / out->width), bottom);
    }
    return 0;
}
