/* SPDX-License-Identifier: MIT */
/* Turns what glReadPixels gives (RGBA, bottom row first) into what a picture holds (RGB, top row first).
 * usage: rgba_to_rgb WIDTH HEIGHT <PIXELS >PICTURE */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long width = argc == 3 ? atol(argv[1]) : 0;
    long height = argc == 3 ? atol(argv[2]) : 0;
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        fprintf(stderr, "usage: rgba_to_rgb WIDTH HEIGHT <PIXELS >PICTURE\n");
        return 2;
    }
    size_t count = (size_t)width * (size_t)height;
    uint8_t *pixels = malloc(count * 4);
    if (pixels == NULL || fread(pixels, 4, count, stdin) != count || getchar() != EOF) {
        fprintf(stderr, "rgba_to_rgb: the input is not %ld x %ld RGBA pixels\n", width, height);
        return 1;
    }
    for (long y = height - 1; y >= 0; y--)
        for (long x = 0; x < width; x++)
            fwrite(pixels + (y * width + x) * 4, 1, 3, stdout);
    free(pixels);
    return fflush(stdout) == 0 ? 0 : 1;
}
