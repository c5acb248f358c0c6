/* SPDX-License-Identifier: MIT */
#include "base/temporary_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int temporary_file_open(int *out)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    *out = -1;
    if (directory == NULL || directory[0] == '\0')
        directory = access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
    if ((size_t)snprintf(path, sizeof path, "%s/trace-cli.XXXXXX", directory) >= sizeof path)
        return trace_error_set(TRACE_ERR_IO, "TMPDIR is too long");
    *out = mkostemp(path, O_CLOEXEC);
    if (*out < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create a temporary file", directory);
    unlink(path);
    return 0;
}
