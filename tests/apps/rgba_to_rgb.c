/* SPDX-License-Identifier: MIT */
/* Turns what glReadPixels gives (RGBA, bottom row first) into what a picture holds (RGB, top row first). With
 * "top", the input is a picture with alpha, as replays of OpenGL ES give: top row first. usage: rgba_to_rgb
 * WIDTH HEIGHT [top] <PIXELS >PICTURE */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    long width = argc >= 3 ? atol(argv[1]) : 0;
    long height = argc >= 3 ? atol(argv[2]) : 0;
    bool top = argc == 4 && strcmp(argv[3], "top") == 0;
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        fprintf(stderr, "usage: rgba_to_rgb WIDTH HEIGHT [top] <PIXELS >PICTURE\n");
        return 2;
    }
    size_t count = (size_t)width * (size_t)height;
    uint8_t *pixels = malloc(count * 4);
    if (pixels == NULL || fread(pixels, 4, count, stdin) != count || getchar() != EOF) {
        fprintf(stderr, "rgba_to_rgb: the input is not %ld x %ld RGBA pixels\n", width, height);
        return 1;
    }
    for (long row = 0; row < height; row++) {
        long y = top ? row : height - 1 - row;
        for (long x = 0; x < width; x++)
            fwrite(pixels + (y * width + x) * 4, 1, 3, stdout);
    }
    free(pixels);
    return fflush(stdout) == 0 ? 0 : 1;
}
