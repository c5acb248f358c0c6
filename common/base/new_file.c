/* SPDX-License-Identifier: MIT */
#include "base/new_file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static void nothing(void)
{
}

static void no_path(const char *path)
{
    (void)path;
}

static const struct new_file_guard no_guard = {nothing, no_path, no_path, nothing};
static const struct new_file_guard *guard = &no_guard;

void new_file_set_guard(const struct new_file_guard *g)
{
    guard = g != NULL ? g : &no_guard;
}

static void release(struct new_file *f)
{
    free(f->path);
    free(f->temporary);
    *f = (struct new_file){.fd = -1};
}

/* Does the same as mkstemp(), with the mode of an ordinary new file. Replaces the last six characters of the
 * template. */
static int create_temporary(char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32 characters */
    unsigned char random[6];
    char *end = path + strlen(path);
    int fd;
    do {
        if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
            return -1;
        for (size_t i = 0; i < sizeof random; ++i)
            end[(ptrdiff_t)i - (ptrdiff_t)sizeof random] = letters[random[i] % 32];
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

/* Sets errno on failure. */
static int create(struct new_file *f)
{
    guard->hold();
    f->fd = create_temporary(f->temporary);
    int error = errno;
    if (f->fd >= 0)
        guard->add(f->temporary);
    guard->release();
    errno = error;
    return f->fd >= 0 ? 0 : -1;
}

int new_file_open(struct new_file *f, const char *path)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    struct stat st;
    *f = (struct new_file){.fd = -1};
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return trace_error_set(TRACE_ERR_IO, "%s: cannot write: not a regular file", path);
    f->path = realpath(path, NULL); /* if path is a symbolic link, its target is replaced */
    if (f->path == NULL)
        f->path = strdup(path);
    if (f->path != NULL)
        size = strlen(f->path) + sizeof ".XXXXXX";
    f->temporary = malloc(size);
    if (f->path == NULL || f->temporary == NULL) {
        release(f);
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    }
    snprintf(f->temporary, size, "%s.XXXXXX", f->path);
    if (create(f) != 0) {
        int rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create", path);
        release(f);
        return rc;
    }
    return 0;
}

int new_file_commit(struct new_file *f)
{
    int fd = f->fd;
    f->fd = -1;
    guard->hold();
    bool is_done = close(fd) == 0 && rename(f->temporary, f->path) == 0;
    int error = errno;
    if (is_done)
        guard->forget(f->temporary);
    guard->release();
    if (!is_done) {
        int rc = trace_error_set_errno(TRACE_ERR_IO, error, "%s: cannot write", f->path);
        new_file_abandon(f);
        return rc;
    }
    release(f);
    return 0;
}

void new_file_abandon(struct new_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->temporary != NULL) {
        guard->hold();
        unlink(f->temporary);
        guard->forget(f->temporary);
        guard->release();
    }
    release(f);
}
