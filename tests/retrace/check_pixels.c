/* SPDX-License-Identifier: MIT */
/* Checks the size and single pixels of a picture.
 * usage: check_pixels PICTURE WIDTH HEIGHT [X,Y=R,G,B…]; one number a channel, which may be off by 3. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "image/image.h"

static bool check(const struct image *im, const char *text)
{
    unsigned x, y, wanted[4];
    int count = sscanf(text, "%u,%u=%u,%u,%u,%u", &x, &y, &wanted[0], &wanted[1], &wanted[2], &wanted[3]) - 2;
    if (count < 1 || x >= im->width || y >= im->height || im->channels != (unsigned)count) {
        fprintf(stderr, "check_pixels: %s is no pixel of the picture, which has %u channels\n", text,
                im->channels);
        return false;
    }
    const uint8_t *p = image_pixel(im, x, y);
    for (unsigned c = 0; c < im->channels; ++c) {
        if (abs((int)p[c] - (int)wanted[c]) > 3) {
            fprintf(stderr, "check_pixels: %s, but channel %u is %u\n", text, c, p[c]);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct image im;
    if (argc < 4) {
        fprintf(stderr, "usage: check_pixels PICTURE WIDTH HEIGHT [X,Y=R,G,B...]\n");
        return 2;
    }
    if (image_read_file(&im, argv[1]) != 0) {
        fprintf(stderr, "check_pixels: %s\n", trace_error_message());
        return 1;
    }
    int status = 0;
    if (im.width != (unsigned)atoi(argv[2]) || im.height != (unsigned)atoi(argv[3])) {
        fprintf(stderr, "check_pixels: %s has %u x %u pixels\n", argv[1], im.width, im.height);
        status = 1;
    }
    for (int i = 4; i < argc; ++i)
        if (!check(&im, argv[i]))
            status = 1;
    image_fini(&im);
    return status;
}
