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
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROC_PATH_SIZE 32 /* of the name of a descriptor in /proc */

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

const struct new_file_guard *new_file_guard(void)
{
    return guard;
}

static void release(struct new_file *f)
{
    free(f->path);
    free(f->temporary);
    *f = (struct new_file){.fd = -1};
}

/* --- files with a temporary name --------------------------------------------------------------------- */

/* As mkstemp() needs it: the path and six characters. Returns NULL if there is no memory. */
static char *make_template(const char *path)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *name = malloc(size < PROC_PATH_SIZE ? PROC_PATH_SIZE : size);
    if (name != NULL)
        snprintf(name, size, "%s.XXXXXX", path);
    return name;
}

/* Replaces the last six characters of the template. Sets errno on failure. */
static int fill_template(char *path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345"; /* 32 characters */
    unsigned char random[6];
    char *end = path + strlen(path);
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return -1;
    for (size_t i = 0; i < sizeof random; ++i)
        end[(ptrdiff_t)i - (ptrdiff_t)sizeof random] = letters[random[i] % 32];
    return 0;
}

/* Does the same as mkstemp(), with the mode of an ordinary new file. */
static int create_temporary(char *path)
{
    int fd;
    do {
        if (fill_template(path) != 0)
            return -1;
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
    return fd;
}

/* --- files without a name --------------------------------------------------------------------------- */

/* Opens a file without a name in the directory of the path, if the file system has such files. Nothing of it
 * is left if the process is killed. The mode of such a file ignores the umask before Linux 6.0 on file
 * systems without access control lists: a mode that the umask seems not to have touched is not trusted. */
static int open_unnamed(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    struct stat st;
    int fd = directory != NULL ? open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
    free(directory);
    if (fd >= 0 && (fstat(fd, &st) != 0 || (st.st_mode & 0777) == 0666)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void print_proc_path(char path[PROC_PATH_SIZE], int fd)
{
    snprintf(path, PROC_PATH_SIZE, "/proc/self/fd/%d", fd);
}

/* Gives the file a name, which must not exist. Sets errno on failure. */
static int link_unnamed(const struct new_file *f, const char *name)
{
    return linkat(AT_FDCWD, f->temporary, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Where links are forbidden: the file is copied to one with a name. Sets errno on failure. */
static int copy_unnamed(const struct new_file *f, char *name)
{
    int fd = create_temporary(name);
    ssize_t count = fd >= 0 ? 1 : -1;
    for (off_t at = 0; count > 0;)
        count = sendfile(fd, f->fd, &at, (size_t)1 << 30);
    if (fd >= 0 && close(fd) != 0)
        count = -1;
    if (fd >= 0 && count < 0) {
        int error = errno;
        unlink(name);
        errno = error;
    }
    return count < 0 ? -1 : 0;
}

/* Gives the file a temporary name, so that it can replace another one. Sets errno on failure. */
static int name_unnamed(const struct new_file *f, char *name)
{
    do {
        if (fill_template(name) != 0)
            return -1;
        if (link_unnamed(f, name) == 0)
            return 0;
    } while (errno == EEXIST);
    return copy_unnamed(f, name);
}

/* Sets errno on failure. */
static int replace_with_unnamed(const struct new_file *f)
{
    char *name = make_template(f->path);
    int rc = name != NULL ? name_unnamed(f, name) : -1, error = errno;
    if (rc == 0 && (rc = rename(name, f->path)) != 0) {
        error = errno;
        unlink(name);
    }
    free(name);
    errno = error;
    return rc;
}

/* Errors of writing may be reported only when a descriptor is closed: another one is closed before the file
 * gets its name. Sets errno on failure. */
static int commit_unnamed(const struct new_file *f)
{
    int copy = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0 || close(copy) != 0)
        return -1;
    return link_unnamed(f, f->path) == 0 ? 0 : replace_with_unnamed(f);
}

/* --- creating ---------------------------------------------------------------------------------------- */

/* Sets errno on failure. */
static int create_named(struct new_file *f)
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

/* Sets errno on failure. */
static int create(struct new_file *f)
{
    char proc_path[PROC_PATH_SIZE];
    f->fd = open_unnamed(f->path);
    if (f->fd < 0)
        return create_named(f);
    print_proc_path(proc_path, f->fd);
    f->is_unnamed = access(proc_path, F_OK) == 0;
    if (f->is_unnamed) {
        memcpy(f->temporary, proc_path, sizeof proc_path); /* make_template() left room for it */
        return 0;
    }
    close(f->fd);
    return create_named(f);
}

int new_file_open(struct new_file *f, const char *path)
{
    struct stat st;
    *f = (struct new_file){.fd = -1};
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return trace_error_set(TRACE_ERR_IO, "%s: cannot write: not a regular file", path);
    f->path = realpath(path, NULL); /* if path is a symbolic link, its target is replaced */
    if (f->path == NULL)
        f->path = strdup(path);
    if (f->path != NULL)
        f->temporary = make_template(f->path);
    if (f->temporary == NULL) {
        release(f);
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    }
    if (create(f) != 0) {
        int rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create", path);
        release(f);
        return rc;
    }
    return 0;
}

/* Sets errno on failure. */
static int commit_named(struct new_file *f)
{
    int fd = f->fd;
    f->fd = -1;
    return close(fd) == 0 && rename(f->temporary, f->path) == 0 ? 0 : -1;
}

int new_file_commit(struct new_file *f)
{
    guard->hold();
    bool is_done = f->is_unnamed ? commit_unnamed(f) == 0 : commit_named(f) == 0;
    int error = errno;
    if (is_done && !f->is_unnamed)
        guard->forget(f->temporary);
    guard->release();
    if (!is_done) {
        int rc = trace_error_set_errno(TRACE_ERR_IO, error, "%s: cannot write", f->path);
        new_file_abandon(f);
        return rc;
    }
    if (f->is_unnamed)
        close(f->fd);
    release(f);
    return 0;
}

void new_file_abandon(struct new_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->temporary != NULL && !f->is_unnamed) {
        guard->hold();
        unlink(f->temporary);
        guard->forget(f->temporary);
        guard->release();
    }
    release(f);
}
