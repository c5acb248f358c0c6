/* SPDX-License-Identifier: MIT */
#include "shell/messages.h"

#include "base/error.h"
#include "shell/command.h"
#include "shell/progress.h"

#include <stdarg.h>
#include <stdio.h>

int cli_print_error(void)
{
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "error: %s\n", trace_error_message());
    return 1;
}

int cli_print_warning(void)
{
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "warning: %s\n", trace_error_message());
    return 1;
}

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
