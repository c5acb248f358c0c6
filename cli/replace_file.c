/* SPDX-License-Identifier: MIT */
#include "replace_file.h"

#include "base/error.h"
#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(struct replace_file *f)
{
    if (f->temporary != NULL)
        interrupt_forget_file(f->temporary);
    free(f->path);
    free(f->temporary);
    *f = (struct replace_file){.fd = -1};
}

/* The mode that open() would have given a new file; umask can only be read by setting it. */
static mode_t new_file_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Either there is no file, or a signal would remove it. */
static int create_temporary(char *template)
{
    sigset_t signals;
    interrupt_hold(&signals);
    int fd = mkostemp(template, O_CLOEXEC);
    if (fd >= 0)
        interrupt_add_file(template);
    interrupt_release(&signals);
    return fd;
}

int replace_file_open(struct replace_file *f, const char *path)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    struct stat st;
    *f = (struct replace_file){.fd = -1};
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return error_set(ERR_IO, "%s: cannot write: not a regular file", path);
    f->path = realpath(path, NULL); /* an existing link keeps pointing at what is replaced */
    if (f->path == NULL)
        f->path = strdup(path);
    if (f->path != NULL)
        size = strlen(f->path) + sizeof ".XXXXXX";
    f->temporary = malloc(size);
    if (f->path == NULL || f->temporary == NULL) {
        release(f);
        return error_set(ERR_MEMORY, "%s: out of memory", path);
    }
    snprintf(f->temporary, size, "%s.XXXXXX", f->path);
    f->fd = create_temporary(f->temporary);
    if (f->fd < 0) {
        int rc = error_set_errno(ERR_IO, errno, "%s: cannot create", path);
        release(f);
        return rc;
    }
    fchmod(f->fd, new_file_mode());
    return 0;
}

int replace_file_commit(struct replace_file *f)
{
    sigset_t signals;
    int fd = f->fd;
    f->fd = -1;
    interrupt_hold(&signals);
    int failed = close(fd) != 0 || rename(f->temporary, f->path) != 0 ? errno : 0;
    if (failed == 0)
        release(f);
    interrupt_release(&signals);
    if (failed == 0)
        return 0;
    int rc = error_set_errno(ERR_IO, failed, "%s: cannot write", f->path);
    replace_file_abandon(f);
    return rc;
}

void replace_file_abandon(struct replace_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    sigset_t signals;
    interrupt_hold(&signals);
    if (f->temporary != NULL)
        unlink(f->temporary);
    release(f);
    interrupt_release(&signals);
}
