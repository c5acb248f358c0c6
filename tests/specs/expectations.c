/* SPDX-License-Identifier: MIT */
#include "expectations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void read_expectations(const char *path, void (*check)(char *line, unsigned number))
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *line = NULL;
    size_t size = 0;
    for (unsigned number = 1; getline(&line, &size, file) >= 0; ++number) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0')
            check(line, number);
    }
    free(line);
    fclose(file);
}
