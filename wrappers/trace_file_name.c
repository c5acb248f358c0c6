/* SPDX-License-Identifier: MIT */
#include "trace_file_name.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define SUFFIX ".trace"

#define NAME_TAKEN (-100) /* not an error code: try the next name */

static int open_new(const char *name, int flags)
{
    /* A pipe that nobody reads is an error, not something to wait for. */
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | flags, 0666);
    if (fd >= 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
        return fd;
    }
    return errno == EEXIST ? NAME_TAKEN : error_set_errno(ERR_IO, errno, "%s: cannot create", name);
}

int trace_file_create(char *name, size_t size, const char *wanted, bool overwrite, const char *program)
{
    char stem[PATH_MAX];
    const char *slash = strrchr(program, '/');
    int n = wanted != NULL ? snprintf(stem, sizeof stem, "%s", wanted)
                           : snprintf(stem, sizeof stem, "%s" SUFFIX, slash != NULL ? slash + 1 : program);
    if (n < 0 || (size_t)n >= sizeof stem || (size_t)n + 16 > size)
        return error_set(ERR_IO, "%.64s…: the name is too long", stem);
    snprintf(name, size, "%s", stem);
    int fd = open_new(name, wanted != NULL && overwrite ? O_TRUNC : O_EXCL);
    size_t length = (size_t)n;
    if (length > strlen(SUFFIX) && strcmp(stem + length - strlen(SUFFIX), SUFFIX) == 0)
        stem[length - strlen(SUFFIX)] = '\0';
    for (unsigned i = 1; fd == NAME_TAKEN && i < UINT_MAX; ++i) {
        snprintf(name, size, "%.*s.%u" SUFFIX, (int)size - 24, stem, i);
        fd = open_new(name, O_EXCL);
    }
    return fd;
}
