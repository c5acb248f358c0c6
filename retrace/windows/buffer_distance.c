/* SPDX-License-Identifier: MIT */
#include "windows/buffer_distance.h"

#include <stddef.h>

enum {
    MISSING_BIT = 1000, /* how much worse a bit too few is than one too many */
    WRONG_KIND = 10000000,
    MORE_THAN_DEEP = 64, /* more bits of depth than there are */
};

static int of_bits(int has, int wanted)
{
    return has < wanted ? (wanted - has) * MISSING_BIT : has - wanted;
}

static int of_depth(const struct buffer_config *has, const struct buffer_config *wanted)
{
    if (wanted->deepest && has->depth >= wanted->depth)
        return MORE_THAN_DEEP - (has->depth - wanted->depth);
    return of_bits(has->depth, wanted->depth);
}

int buffer_distance(const struct buffer_config *has, const struct buffer_config *wanted)
{
    int sum = of_depth(has, wanted) + of_bits(has->stencil, wanted->stencil) +
              of_bits(has->samples, wanted->samples) + of_bits(has->auxiliary, wanted->auxiliary);
    for (size_t i = 0; i < sizeof has->colour / sizeof *has->colour; ++i)
        sum += of_bits(has->colour[i], wanted->colour[i]) +
               of_bits(has->accumulation[i], wanted->accumulation[i]);
    sum += of_bits(has->srgb, wanted->srgb);
    if (has->single_buffered != wanted->single_buffered)
        sum += WRONG_KIND;
    if (has->stereo != wanted->stereo)
        sum += WRONG_KIND;
    if (has->is_float != wanted->is_float)
        sum += WRONG_KIND;
    return sum;
}

bool buffers_are_equal(const struct buffer_config *a, const struct buffer_config *b)
{
    struct buffer_config wanted = *b;
    wanted.deepest = false;
    return buffer_distance(a, &wanted) == 0;
}
