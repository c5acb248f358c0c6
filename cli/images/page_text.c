/* SPDX-License-Identifier: MIT */
#include "images/page_text.h"

#include <ctype.h>
#include <string.h>

void page_text(FILE *file, const char *text)
{
    for (; *text != '\0'; ++text) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
}

void page_address(FILE *file, const char *path)
{
    for (; *path != '\0'; ++path) {
        unsigned char c = (unsigned char)*path;
        if ((c < 128 && isalnum(c)) || strchr("/-_.~", c) != NULL)
            fputc(c, file);
        else
            fprintf(file, "%%%02X", c);
    }
}
