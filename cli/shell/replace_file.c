/* SPDX-License-Identifier: MIT */
#include "shell/replace_file.h"

#include "base/error.h"
#include "shell/interrupt.h"

#include <string.h>
#include <sys/stat.h>

bool replace_file_is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Signals are held, so that either there is no file or one would remove it. */
int replace_file_open(struct new_file *f, const char *path)
{
    sigset_t signals;
    if (path[0] == '\0')
        return trace_error_set(TRACE_ERR_USAGE, "the output's name is empty");
    if (strcmp(path, "-") == 0)
        return trace_error_set(TRACE_ERR_USAGE,
                               "-: cannot write to the standard output, only to a file (./- is one)");
    interrupt_hold(&signals);
    int rc = new_file_open(f, path);
    if (rc == 0)
        interrupt_add_file(f->temporary);
    interrupt_release(&signals);
    return rc;
}

int replace_file_commit(struct new_file *f)
{
    sigset_t signals;
    interrupt_hold(&signals);
    interrupt_forget_file(f->temporary);
    int rc = new_file_commit(f);
    interrupt_release(&signals);
    return rc;
}

void replace_file_abandon(struct new_file *f)
{
    sigset_t signals;
    interrupt_hold(&signals);
    interrupt_forget_file(f->temporary);
    new_file_abandon(f);
    interrupt_release(&signals);
}
