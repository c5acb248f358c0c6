/* SPDX-License-Identifier: MIT */
#include "process/own_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define HIGH_DESCRIPTOR 900 /* above the descriptor numbers that the program may rely on */

static void move_up(struct own_file *f)
{
    int high = fcntl(f->fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
    if (high < 0)
        return;
    close(f->fd);
    f->fd = high;
}

void own_file_init(struct own_file *f, int fd, const char *name)
{
    struct stat st = {.st_dev = 0};
    f->fd = fd;
    fstat(fd, &st);
    f->device = st.st_dev;
    f->inode = st.st_ino;
    if (realpath(name, f->name) == NULL)
        snprintf(f->name, sizeof f->name, "%s", name);
    move_up(f);
}

static bool is_ours(const struct own_file *f, struct stat *st)
{
    return f->fd >= 0 && fstat(f->fd, st) == 0 && st->st_dev == f->device && st->st_ino == f->inode;
}

void own_file_close(struct own_file *f)
{
    struct stat st;
    if (is_ours(f, &st))
        close(f->fd);
    f->fd = -1;
}

/* Reopens the file after the program has closed its descriptor. */
static int reopen(struct own_file *f, struct stat *st)
{
    f->fd = open(f->name, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (f->fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot reopen it", f->name);
    if (!is_ours(f, st)) {
        close(f->fd);
        f->fd = -1;
        return trace_error_set(TRACE_ERR_IO, "%s: it was replaced by another file", f->name);
    }
    move_up(f);
    return 0;
}

/* Exceeding the limit would raise a signal that kills the program. */
static bool has_room(const struct stat *st, size_t size)
{
    struct rlimit limit;
    return !S_ISREG(st->st_mode) || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           (rlim_t)st->st_size + size <= limit.rlim_cur;
}

int own_file_write(struct own_file *f, const uint8_t *bytes, size_t size)
{
    struct stat st;
    int rc = is_ours(f, &st) ? 0 : reopen(f, &st);
    if (rc != 0)
        return rc;
    if (!has_room(&st, size))
        return trace_error_set(TRACE_ERR_IO, "%s: the file size limit (ulimit -f) is reached", f->name);
    while (size > 0) {
        ssize_t n = write(f->fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", f->name);
        bytes += n;
        size -= (size_t)n;
    }
    return 0;
}
