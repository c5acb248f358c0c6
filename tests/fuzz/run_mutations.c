/* SPDX-License-Identifier: MIT
 * Stands in for libFuzzer's main(): runs the target on what becomes of each file given when one byte of it is
 * another, and when it ends anywhere.
 */
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t changes[] = {0x01, 0x80, 0xff};

/* The target gets memory of just that size, so that a sanitizer sees each byte behind it. */
static void run_copy(const uint8_t *bytes, size_t count, size_t offset, uint8_t change)
{
    uint8_t *copy = malloc(count + (count == 0));
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, count);
    if (offset < count)
        copy[offset] ^= change;
    LLVMFuzzerTestOneInput(copy, count);
    free(copy);
}

static void run_mutations(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        run_copy(bytes, i, i, 0);
        for (size_t c = 0; c < sizeof changes; ++c)
            run_copy(bytes, count, i, changes[c]);
    }
}

static int run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size;
    if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
        perror(path);
        return 1;
    }
    rewind(f);
    uint8_t *bytes = malloc((size_t)size + 1);
    size_t count = bytes != NULL ? fread(bytes, 1, (size_t)size, f) : 0;
    fclose(f);
    if (bytes != NULL && count == (size_t)size)
        run_mutations(bytes, count);
    free(bytes);
    return count != (size_t)size;
}

int main(int argc, char **argv)
{
    int status = argc < 2;
    for (int i = 1; i < argc; ++i)
        status |= run_file(argv[i]);
    printf("%d files\n", argc - 1);
    return status;
}
