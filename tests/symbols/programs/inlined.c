/* SPDX-License-Identifier: MIT
 * Functions inlined into each other. Only its debug information matters.
 */
#include "squares.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;

static __attribute__((noinline)) int cold_path(int n)
{
    if (__builtin_expect(n == 12345, 0)) {
        fprintf(stderr, "cold\n");
        abort();
    }
    return n + 1;
}

__attribute__((noinline)) int outer(int a, int b)
{
    int total = 0;
    for (int i = 0; i < a; ++i) {
        total += sum_of_squares(i, b);
        if (total > 1000)
            total = cold_path(total);
    }
    return total;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    int v[16];
    for (int i = 0; i < 16; ++i)
        v[i] = outer(argc + i, (int)strlen(argv[0]));
    qsort(v, 16, sizeof *v, compare);
    sink = sum_of_squares(v[0], v[15]);
    return 0;
}
