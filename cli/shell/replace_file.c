/* SPDX-License-Identifier: MIT */
#include "shell/replace_file.h"

#include "base/error.h"

#include <string.h>
#include <sys/stat.h>

bool replace_file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int replace_file_open(struct new_file *f, const char *path)
{
    if (path[0] == '\0')
        return trace_error_set(TRACE_ERR_USAGE, "the output's name is empty");
    if (strcmp(path, "-") == 0)
        return trace_error_set(TRACE_ERR_USAGE,
                               "-: the output must be a file (use ./- for a file with this name)");
    return new_file_open(f, path);
}
