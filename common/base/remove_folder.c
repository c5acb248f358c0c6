/* SPDX-License-Identifier: MIT
 * readdir() allocates memory, which a signal handler must not: the system call is made here.
 */
#include "base/remove_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMES_SIZE 4096 /* bytes of names that are read at a time */

struct entry { /* linux_dirent64 of getdents64(2) */
    uint64_t inode;
    int64_t offset;
    uint16_t size; /* of all of it */
    uint8_t type;
    char name[];
};

static int remove_at(int parent, const char *path, int depth);

static int remove_entry(int fd, const char *name, int depth)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    if (unlinkat(fd, name, 0) == 0 || errno == ENOENT)
        return 0;
    return errno == EISDIR && depth > 0 ? remove_at(fd, name, depth - 1) : -1;
}

static int remove_entries(int fd, int depth)
{
    union {
        struct entry first; /* aligns the bytes */
        char bytes[NAMES_SIZE];
    } names;
    long count;
    while ((count = syscall(SYS_getdents64, fd, names.bytes, sizeof names.bytes)) > 0)
        for (long at = 0; at < count;) {
            const struct entry *entry = (const struct entry *)(const void *)(names.bytes + at);
            if (remove_entry(fd, entry->name, depth) != 0)
                return -1;
            at += entry->size;
        }
    return (int)count;
}

static int remove_at(int parent, const char *path, int depth)
{
    int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int rc = remove_entries(fd, depth), error = errno;
    close(fd);
    errno = error;
    return rc == 0 ? unlinkat(parent, path, AT_REMOVEDIR) : rc;
}

int remove_folder(const char *path, int depth)
{
    return remove_at(AT_FDCWD, path, depth);
}
