/* SPDX-License-Identifier: MIT */
#include "generate/completion.h"

#include <string.h>

void completion_put_quoted(FILE *out, const char *text, const char *quote, const char *escaped)
{
    for (; *text != '\0'; ++text) {
        if (*text == '\'') {
            fputs(quote, out);
            continue;
        }
        if (strchr(escaped, *text) != NULL)
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}
