/* SPDX-License-Identifier: MIT */
#include "shell/command.h"

#include <stdarg.h>
#include <stdio.h>

int cli_usage_error(const struct cli_command *c, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fprintf(stderr, " (see \"trace-cli help %s\").\n", c->name);
    return 1;
}
