/* SPDX-License-Identifier: MIT
 * What differs between two pictures.
 */
#ifndef CLI_PICTURE_DIFFERENCE_H
#define CLI_PICTURE_DIFFERENCE_H

#include "image/image.h"

struct picture_difference {
    bool other_size;
    uint64_t pixels; /* number of pixels with a channel that differs by more than the fuzz */
    uint32_t max;    /* largest difference of a channel, 0 to 255 */
    double mean;     /* mean difference of all channels, 0 to 255 */
};

/* Compares two pictures with four channels. fuzz: share of a channel's range; alpha: the alpha channel
 * counts, too. */
void picture_difference_find(struct picture_difference *out, const struct image *a, const struct image *b,
                             double fuzz, bool alpha);

/* Makes a picture of the difference: b faded, and the redder, the more a pixel differs; red if it differs by
 * more than the fuzz. The sizes are the same. Errors: TRACE_ERR_MEMORY. */
int picture_difference_draw(struct image *out, const struct image *a, const struct image *b, double fuzz,
                            bool alpha);

#endif
