/* SPDX-License-Identifier: MIT */
#include "collector/left_processes.h"

#include "base/buf.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Above the kernel's limit of 6 MiB for arguments and environment. */
#define LARGEST_ENVIRONMENT ((size_t)8 << 20)
#define PIECE               ((size_t)16 << 10)

/* Appends a file of /proc. Returns false if it cannot be read. */
static bool read_file(const char *process, const char *name, struct buf *out)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/%s", process, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = 0;
    while (out->len < LARGEST_ENVIRONMENT && buf_reserve(out, PIECE) == 0 &&
           (n = read(fd, out->data + out->len, PIECE)) > 0)
        out->len += (size_t)n;
    close(fd);
    return n >= 0;
}

static bool has_entry(const struct buf *environment, const char *entry)
{
    size_t size = strlen(entry) + 1;
    const uint8_t *at = environment->data;
    const uint8_t *end = at + environment->len;
    while (at != NULL && (size_t)(end - at) >= size) {
        if (memcmp(at, entry, size) == 0)
            return true;
        at = memchr(at, '\0', (size_t)(end - at));
        at = at != NULL ? at + 1 : NULL;
    }
    return false;
}

/* Returns true if something in the environment is not a variable. No program is started like that, so the
 * process has overwritten it. */
static bool was_written_over(const struct buf *environment)
{
    const uint8_t *at = environment->data;
    const uint8_t *end = at + environment->len;
    while (at != NULL && at < end) {
        const uint8_t *nul = memchr(at, '\0', (size_t)(end - at));
        size_t size = (size_t)((nul != NULL ? nul : end) - at);
        if (memchr(at, '=', size) == NULL)
            return true;
        at = nul != NULL ? nul + 1 : NULL;
    }
    return environment->len == 0;
}

static bool has_mark(const char *process, const char *mark)
{
    struct buf maps = BUF_INIT;
    bool found = read_file(process, "maps", &maps) && maps.len > 0 &&
                 memmem(maps.data, maps.len, mark, strlen(mark)) != NULL;
    buf_fini(&maps);
    return found;
}

static void read_name(const char *process, char name[16])
{
    struct buf text = BUF_INIT;
    name[0] = '\0';
    if (read_file(process, "comm", &text) && buf_append_byte(&text, '\0') == 0)
        snprintf(name, 16, "%.*s", (int)strcspn((const char *)text.data, "\n"), (const char *)text.data);
    buf_fini(&text);
}

/* vsize is 0 of kernel threads and zombies; env_end is 0 until there is an environment. */
bool left_process_stat_is_starting(const char *stat)
{
    enum { STATE = 3, VSIZE = 23, ENV_END = 51 };
    const char *at = strrchr(stat, ')'); /* the name may contain anything */
    unsigned long long vsize = 0;
    for (int field = STATE; at != NULL && field <= ENV_END; ++field) {
        at = strchr(at, ' ');
        at = at != NULL ? at + 1 : NULL;
        if (field == VSIZE && at != NULL)
            vsize = strtoull(at, NULL, 10);
    }
    return at != NULL && vsize > 0 && strtoull(at, NULL, 10) == 0;
}

static bool is_starting(const char *process)
{
    struct buf text = BUF_INIT;
    bool starting = read_file(process, "environ", &text) && text.len == 0 &&
                    read_file(process, "stat", &text) && buf_append_byte(&text, '\0') == 0 &&
                    left_process_stat_is_starting((const char *)text.data);
    buf_fini(&text);
    return starting;
}

bool left_processes_starting(void)
{
    bool starting = false;
    DIR *directory = opendir("/proc");
    const struct dirent *e;
    while (!starting && directory != NULL && (e = readdir(directory)) != NULL)
        starting = atoi(e->d_name) > 0 && is_starting(e->d_name);
    if (directory != NULL)
        closedir(directory);
    return starting;
}

unsigned left_processes_find(const char *entry, const char *mark, struct left_process *out, unsigned max)
{
    unsigned count = 0;
    struct buf environment = BUF_INIT;
    DIR *directory = opendir("/proc");
    const struct dirent *e;
    while (directory != NULL && (e = readdir(directory)) != NULL) {
        pid_t pid = atoi(e->d_name);
        buf_clear(&environment);
        if (pid <= 0 || pid == getpid() || !read_file(e->d_name, "environ", &environment))
            continue;
        if (!has_entry(&environment, entry) && !(was_written_over(&environment) && has_mark(e->d_name, mark)))
            continue;
        if (count < max) {
            out[count].pid = pid;
            read_name(e->d_name, out[count].name);
        }
        count++;
    }
    if (directory != NULL)
        closedir(directory);
    buf_fini(&environment);
    return count;
}
