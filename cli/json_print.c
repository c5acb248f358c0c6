/* SPDX-License-Identifier: MIT */
#include "json_print.h"

#include <stdio.h>
#include <string.h>

void json_print_bytes(const char *text, size_t count)
{
    putchar('"');
    for (size_t i = 0; i < count; ++i) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

void json_print_string(const char *text)
{
    json_print_bytes(text, strlen(text));
}
