/* SPDX-License-Identifier: MIT */
#include "shell/install_paths.h"

#include "base/error.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cli_find_installed(const char *name, char *out, size_t size)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "/proc/self/exe");
    program[length] = '\0';
    for (int up = 0; up < 2; ++up) { /* drops "/trace-cli", then "/bin" */
        char *slash = strrchr(program, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    int n = snprintf(out, size, "%s/lib/trace-cli/%s", program, name);
    if (n < 0 || (size_t)n >= size)
        return trace_error_set(TRACE_ERR_IO, "the path of %s is too long", name);
    if (access(out, R_OK) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno,
                                     "%s (part of trace-cli; is the installation complete?)", out);
    return 0;
}
