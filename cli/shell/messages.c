/* SPDX-License-Identifier: MIT */
#include "shell/messages.h"

#include "base/error.h"
#include "shell/progress.h"

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
