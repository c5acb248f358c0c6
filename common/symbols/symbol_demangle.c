/* SPDX-License-Identifier: MIT */
#include "symbols/symbol_demangle.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_SIZE 16384 /* in bytes */

/* Part of the C++ ABI, from libstdc++; <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *output, size_t *length, int *status);

char *symbol_demangle(const char *name)
{
    int status = 0;
    if (strncmp(name, "_Z", 2) != 0 || strlen(name) > NAME_MAX_SIZE)
        return NULL;
    char *text = __cxa_demangle(name, NULL, NULL, &status);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}
