/* SPDX-License-Identifier: MIT */
#include "process/process_mark.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PREFIX    "trace-cli:"
#define IN_MAPS   "/memfd:" PREFIX
#define END       " (deleted)\n"
#define PIECE     4096
#define ANCESTORS 64

void process_mark_name(const char *socket_path, char out[PROCESS_MARK_SIZE])
{
    snprintf(out, PROCESS_MARK_SIZE, IN_MAPS "%s" END, socket_path);
}

void process_mark_set(const char *socket_path)
{
    char name[PROCESS_MARK_SIZE];
    snprintf(name, sizeof name, PREFIX "%s", socket_path);
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0)
        return;
    mmap(NULL, 1, PROT_NONE, MAP_SHARED, fd, 0);
    close(fd);
}

/* Finds the first text between start and end in a file of /proc. */
static bool find_text(const char *path, const char *start, const char *end, char *out, size_t size)
{
    char text[PIECE + 1];
    size_t used = 0;
    ssize_t n;
    bool found = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && !found && (n = read(fd, text + used, PIECE - used)) > 0) {
        used += (size_t)n;
        text[used] = '\0';
        const char *at = strstr(text, start), *from = at != NULL ? at + strlen(start) : NULL;
        const char *to = from != NULL ? strstr(from, end) : NULL;
        found = to != NULL && (size_t)(to - from) < size;
        if (found)
            snprintf(out, size, "%.*s", (int)(to - from), from);
        /* Lines are short, so the line that has begun is in the part that is kept. */
        size_t kept = used < PIECE / 2 ? used : PIECE / 2;
        memmove(text, text + used - kept, kept);
        used = kept;
    }
    if (fd >= 0)
        close(fd);
    return found;
}

static pid_t parent_of(pid_t process)
{
    char path[64], number[16];
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    return find_text(path, "\nPPid:\t", "\n", number, sizeof number) ? atoi(number) : 0;
}

bool process_mark_of(pid_t process, char *out, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    return find_text(path, IN_MAPS, END, out, size);
}

bool process_mark_inherited(char *out, size_t size)
{
    pid_t process = getppid();
    for (unsigned i = 0; i < ANCESTORS && process > 1; ++i) {
        if (process_mark_of(process, out, size))
            return true;
        process = parent_of(process);
    }
    return false;
}
