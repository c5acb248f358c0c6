/* SPDX-License-Identifier: MIT */
#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>

static int run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size;
    if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
        perror(path);
        return 1;
    }
    rewind(f);
    uint8_t *bytes = malloc((size_t)size + (size == 0));
    size_t count = bytes != NULL ? fread(bytes, 1, (size_t)size, f) : 0;
    fclose(f);
    if (bytes != NULL && count == (size_t)size)
        run_bytes(bytes, count);
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
