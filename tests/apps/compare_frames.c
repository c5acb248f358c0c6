/* SPDX-License-Identifier: MIT */
/* Compares the colours of frames that a program read back (RGBA, bottom row first) with those of a replay's
 * pictures (RGB or RGBA, top row first). Alpha is left out: a replay's window may have it where the program's
 * had none. usage: compare_frames WIDTH HEIGHT CHANNELS READ_BACK PICTURES */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct size {
    long width, height, channels; /* channels: number of channels of a picture */
};

static int compare_rows(const struct size *s, const uint8_t *read_back, const uint8_t *picture, long frame,
                        long y)
{
    for (long x = 0; x < s->width; x++) {
        const uint8_t *a = read_back + x * 4;
        const uint8_t *b = picture + x * s->channels;
        if (memcmp(a, b, 3) == 0)
            continue;
        printf("frame %ld at %ld,%ld: %u %u %u was drawn, %u %u %u replayed\n", frame, x, y, a[0], a[1], a[2],
               b[0], b[1], b[2]);
        return 1;
    }
    return 0;
}

static int compare_frame(const struct size *s, const uint8_t *read_back, const uint8_t *picture, long frame)
{
    for (long y = 0; y < s->height; y++)
        if (compare_rows(s, read_back + (s->height - 1 - y) * s->width * 4,
                         picture + y * s->width * s->channels, frame, y) != 0)
            return 1;
    return 0;
}

static int compare_files(const struct size *s, FILE *read_back, FILE *pictures)
{
    size_t count = (size_t)(s->width * s->height);
    size_t channels = (size_t)s->channels;
    uint8_t *a = malloc(count * 4);
    uint8_t *b = malloc(count * channels);
    int differ = a == NULL || b == NULL;
    long frame = 0;
    for (; !differ && fread(a, 4, count, read_back) == count; frame++) {
        if (fread(b, channels, count, pictures) != count) {
            printf("frame %ld is not in the replay\n", frame);
            differ = 1;
        } else {
            differ = compare_frame(s, a, b, frame);
        }
    }
    free(a);
    free(b);
    if (!differ && frame == 0)
        printf("no frames were read back\n");
    return differ || frame == 0;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: compare_frames WIDTH HEIGHT CHANNELS READ_BACK PICTURES\n");
        return 2;
    }
    struct size s = {atol(argv[1]), atol(argv[2]), atol(argv[3])};
    FILE *read_back = fopen(argv[4], "rb");
    FILE *pictures = fopen(argv[5], "rb");
    if (read_back == NULL || pictures == NULL || s.width < 1 || s.width > 16384 || s.height < 1 ||
        s.height > 16384 || s.channels < 3 || s.channels > 4) {
        fprintf(stderr, "compare_frames: cannot open the files, or the size is not one\n");
        return 2;
    }
    return compare_files(&s, read_back, pictures);
}
