/* SPDX-License-Identifier: MIT */
#include "images/picture_difference.h"

enum {
    CHANNELS = 4,
    FADED = 4,          /* a quarter of the picture is left */
    MOST_ALLOWED = 160, /* the share of red of a difference that is as large as the fuzz */
};

static uint32_t distance(uint8_t a, uint8_t b)
{
    return a > b ? (uint32_t)(a - b) : (uint32_t)(b - a);
}

/* The largest difference of a channel. */
static uint32_t pixel_distance(const uint8_t *a, const uint8_t *b, uint32_t channels)
{
    uint32_t worst = 0;
    for (uint32_t c = 0; c < channels; ++c) {
        uint32_t d = distance(a[c], b[c]);
        worst = d > worst ? d : worst;
    }
    return worst;
}

void picture_difference_find(struct picture_difference *out, const struct image *a, const struct image *b,
                             double fuzz, bool alpha)
{
    uint32_t channels = alpha ? CHANNELS : CHANNELS - 1;
    *out = (struct picture_difference){.other_size = a->width != b->width || a->height != b->height};
    if (out->other_size)
        return;
    uint64_t sum = 0;
    size_t count = (size_t)a->width * a->height;
    for (size_t i = 0; i < count; ++i) {
        const uint8_t *p = a->pixels + i * CHANNELS, *q = b->pixels + i * CHANNELS;
        uint32_t worst = pixel_distance(p, q, channels);
        if (worst == 0)
            continue;
        for (uint32_t c = 0; c < channels; ++c)
            sum += distance(p[c], q[c]);
        out->max = worst > out->max ? worst : out->max;
        out->pixels += worst > 255 * fuzz;
    }
    out->mean = (double)sum / ((double)count * channels);
}

/* share: 0 is the faded picture, 255 is red. */
static void draw_pixel(uint8_t *out, const uint8_t *picture, uint32_t share)
{
    static const uint32_t red[] = {224, 0, 32};
    for (uint32_t c = 0; c < 3; ++c) {
        uint32_t faded = (picture[c] + 255 * (FADED - 1)) / FADED;
        out[c] = (uint8_t)((faded * (255 - share) + red[c] * share) / 255);
    }
}

int picture_difference_draw(struct image *out, const struct image *a, const struct image *b, double fuzz,
                            bool alpha)
{
    double limit = 255 * fuzz;
    int rc = image_init(out, a->width, a->height, 3);
    size_t count = (size_t)a->width * a->height;
    for (size_t i = 0; rc == 0 && i < count; ++i) {
        const uint8_t *p = a->pixels + i * CHANNELS, *q = b->pixels + i * CHANNELS;
        uint32_t worst = pixel_distance(p, q, alpha ? CHANNELS : CHANNELS - 1);
        uint32_t share = worst > limit ? 255 : worst > 0 ? (uint32_t)(worst / limit * MOST_ALLOWED) : 0;
        draw_pixel(out->pixels + i * 3, q, share);
    }
    return rc;
}
