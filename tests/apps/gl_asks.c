/* SPDX-License-Identifier: MIT */
/* Asks glXGetProcAddressARB for every function that is named in a file, as loaders of functions do when a
 * program starts. Prints "asks NAMES NANOSECONDS", the mean per name. usage: gl_asks FILE */
#include <GL/glx.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_NAMES = 10000, NAME_SIZE = 80 };

static char names[MAX_NAMES][NAME_SIZE];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int count = 0, found = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: gl_asks FILE\n");
        return 2;
    }
    while (count < MAX_NAMES && fgets(names[count], NAME_SIZE, file) != NULL) {
        names[count][strcspn(names[count], "\n")] = '\0';
        count++;
    }
    fclose(file);
    double start = now();
    for (int i = 0; i < count; i++)
        found += glXGetProcAddressARB((const GLubyte *)names[i]) != NULL;
    double end = now();
    if (count == 0 || found == 0)
        return 1;
    printf("asks %d %.2f\n", count, (end - start) / count);
    return 0;
}
