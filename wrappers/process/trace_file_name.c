/* SPDX-License-Identifier: MIT */
#include "process/trace_file_name.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Leaves room for a number and a suffix; longer names are cut off. */
#define LONGEST_PROGRAM (NAME_MAX - 16)

#define NAME_TAKEN (-100) /* not an error code: the next name is tried */

/* Locks the file for this writer until the descriptor and its copies are closed, and truncates it. Two
 * writers in one file would destroy the trace. Some file systems have no locks; pipes and devices need none.
 */
static bool take(int fd, bool overwrite)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return true;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return !overwrite || ftruncate(fd, 0) == 0;
}

static int open_new(const char *name, bool overwrite)
{
    /* A pipe without a reader is an error, instead of a reason to wait. */
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK;
    int fd = open(name, overwrite ? flags : flags | O_EXCL, 0666);
    if (fd < 0)
        return errno == EEXIST ? NAME_TAKEN
                               : trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create", name);
    if (!take(fd, overwrite)) {
        close(fd);
        return NAME_TAKEN;
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* Without the suffix, writes the name with this number; 0: none. */
static int open_numbered(char *name, size_t size, const char *stem, const char *suffix, unsigned number)
{
    size_t length = strlen(stem);
    if (length > strlen(suffix) && strcmp(stem + length - strlen(suffix), suffix) == 0)
        length -= strlen(suffix);
    if (length > size - 24)
        length = size - 24;
    snprintf(name, size, "%.*s.%u%s", (int)length, stem, number, suffix);
    return open_new(name, false);
}

int trace_file_create_next(char *name, size_t size, const char *wanted, bool overwrite, const char *program,
                           const char *stamp, const char *suffix, unsigned *number)
{
    char stem[PATH_MAX];
    const char *slash = strrchr(program, '/');
    int longest = LONGEST_PROGRAM - (stamp != NULL ? (int)strlen(stamp) + 1 : 0);
    int n = wanted != NULL
                ? snprintf(stem, sizeof stem, "%s", wanted)
                : snprintf(stem, sizeof stem, "%.*s%s%s%s", longest, slash != NULL ? slash + 1 : program,
                           stamp != NULL ? "." : "", stamp != NULL ? stamp : "", suffix);
    if (n < 0 || (size_t)n >= sizeof stem || (size_t)n + 16 > size)
        return trace_error_set(TRACE_ERR_IO, "%.64s…: the name is too long", stem);
    int fd = NAME_TAKEN;
    while (fd == NAME_TAKEN && *number < UINT_MAX) {
        if (*number > 0) {
            fd = open_numbered(name, size, stem, suffix, *number);
        } else {
            snprintf(name, size, "%s", stem);
            fd = open_new(name, wanted != NULL && overwrite);
        }
        *number += fd >= 0 || fd == NAME_TAKEN; /* after an error, the name is still unused */
    }
    return fd;
}

int trace_file_create(char *name, size_t size, const char *wanted, bool overwrite, const char *program,
                      const char *stamp)
{
    unsigned number = 0;
    return trace_file_create_next(name, size, wanted, overwrite, program, stamp, TRACE_FILE_SUFFIX, &number);
}
