/* SPDX-License-Identifier: MIT */
#include "shell/debug_directory.h"

#include "base/error.h"
#include "shell/messages.h"

#include <errno.h>
#include <sys/stat.h>

void cli_check_debug_directory(const char *path)
{
    struct stat st;
    int error = stat(path, &st) != 0 ? errno : !S_ISDIR(st.st_mode) ? ENOTDIR : 0;
    if (error == 0)
        return;
    trace_error_set_errno(TRACE_ERR_IO, error, "%s: no debug information", path);
    cli_print_warning();
}
