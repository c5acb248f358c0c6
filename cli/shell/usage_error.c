/* SPDX-License-Identifier: MIT */
#include "shell/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

bool cli_reads_input_once(const struct cli_command *c, char *const *operands, int count)
{
    int inputs = 0;
    for (int i = 0; i < count; ++i)
        inputs += strcmp(operands[i], "-") == 0;
    if (inputs > 1)
        cli_usage_error(c, "only one of the traces can be the standard input");
    return inputs <= 1;
}
