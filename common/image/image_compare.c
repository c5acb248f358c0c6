/* SPDX-License-Identifier: MIT */
#include "image/image.h"

#include "base/error.h"

int image_compare(struct image_difference *out, const struct image *a, const struct image *b)
{
    *out = (struct image_difference){0};
    if (a->width != b->width || a->height != b->height || a->channels != b->channels)
        return trace_error_set(TRACE_ERR_USAGE,
                               "pictures of %u×%u pixels, %u channels and %u×%u pixels, %u channels",
                               a->width, a->height, a->channels, b->width, b->height, b->channels);
    uint64_t sum = 0;
    size_t pixels = (size_t)a->width * a->height;
    for (size_t i = 0; i < pixels; ++i) {
        uint32_t worst = 0;
        for (uint32_t c = 0; c < a->channels; ++c) {
            int difference = a->pixels[i * a->channels + c] - b->pixels[i * a->channels + c];
            uint32_t size = (uint32_t)(difference < 0 ? -difference : difference);
            sum += size;
            worst = size > worst ? size : worst;
        }
        out->pixels += worst != 0;
        out->max = worst > out->max ? worst : out->max;
    }
    if (pixels > 0)
        out->mean = (double)sum / (double)image_size(a);
    return 0;
}
