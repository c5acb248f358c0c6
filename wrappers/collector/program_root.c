/* SPDX-License-Identifier: MIT */
#include "collector/program_root.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true if both paths refer to the same file, or if that is unknown. */
static bool is_same(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) != 0 || stat(other, &b) != 0 || (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

void program_root_open(struct program_root *r, pid_t pid)
{
    char root[32], mounts[32];
    *r = (struct program_root){-1, -1};
    snprintf(root, sizeof root, "/proc/%d/root", (int)pid);
    snprintf(mounts, sizeof mounts, "/proc/%d/ns/mnt", (int)pid);
    if (is_same(mounts, "/proc/self/ns/mnt") && is_same(root, "/"))
        return;
    r->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    r->mounts = open(mounts, O_RDONLY | O_CLOEXEC);
}

void program_root_close(struct program_root *r)
{
    if (r->root >= 0)
        close(r->root);
    if (r->mounts >= 0)
        close(r->mounts);
    *r = (struct program_root){-1, -1};
}

bool program_root_path(const struct program_root *r, const char *path, char *out, size_t size)
{
    int n = r->root < 0 ? snprintf(out, size, "%s", path)
                        : snprintf(out, size, "/proc/self/fd/%d%s", r->root, path);
    return n > 0 && (size_t)n < size;
}

/* The line lists the ids from our namespace inwards. */
pid_t program_root_process_id(pid_t pid)
{
    char path[32], line[256];
    pid_t id = pid;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        const char *last = strrchr(line, '\t');
        if (strncmp(line, "NSpid:\t", 7) != 0 || last == NULL)
            continue;
        long number = strtol(last + 1, NULL, 10);
        if (number > 0)
            id = (pid_t)number;
        break;
    }
    if (status != NULL)
        fclose(status);
    return id;
}
