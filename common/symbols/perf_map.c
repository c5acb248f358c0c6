/* SPDX-License-Identifier: MIT */
#include "symbols/perf_map.h"

#include "base/array.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX (UINT64_C(1) << 30) /* bytes */

struct perf_entry {
    uint64_t start;
    uint64_t end;
    const char *name;
};

struct perf_map {
    char *text; /* the file; names are in it */
    struct perf_entry *entries;
    size_t count;
    size_t room;
};

/* --- reading --------------------------------------------------------------------------------------- */

static char *read_text(int file, size_t size)
{
    char *text = malloc(size + 1);
    size_t got = 0;
    ssize_t n = 1;
    while (text != NULL && got < size && (n = read(file, text + got, size - got)) > 0)
        got += (size_t)n;
    if (text != NULL)
        text[got] = '\0';
    return text;
}

/* Returns false unless a hexadecimal number, with or without 0x, and a space are at *p. */
static bool take_hexadecimal(char **p, uint64_t *out)
{
    char *end;
    if (!((**p >= '0' && **p <= '9') || (**p >= 'a' && **p <= 'f') || (**p >= 'A' && **p <= 'F')))
        return false;
    errno = 0;
    *out = strtoull(*p, &end, 16);
    if (errno != 0 || *end != ' ')
        return false;
    *p = end + 1;
    return true;
}

static int add_line(struct perf_map *m, char *line)
{
    struct perf_entry entry;
    uint64_t size;
    if (!take_hexadecimal(&line, &entry.start) || !take_hexadecimal(&line, &size) || *line == '\0' ||
        size == 0 || size > UINT64_MAX - entry.start)
        return 0;
    entry.end = entry.start + size;
    entry.name = line;
    if (ARRAY_RESERVE(m->entries, m->count, m->room) != 0)
        return TRACE_ERR_MEMORY;
    m->entries[m->count++] = entry;
    return 0;
}

static int read_lines(struct perf_map *m)
{
    char *line = m->text;
    int rc = 0;
    while (rc == 0 && *line != '\0') {
        char *end = strchrnul(line, '\n'), *next = *end != '\0' ? end + 1 : end;
        *end = '\0';
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
        rc = add_line(m, line);
        line = next;
    }
    return rc;
}

/* owner: whose file it may be besides the caller's; others could have put a file there. */
static int open_file(const char *path, uid_t owner, size_t *size)
{
    struct stat st;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0 || fstat(file, &st) != 0)
        st.st_mode = 0;
    if (file >= 0 && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || st.st_uid == owner) &&
        (uint64_t)st.st_size <= FILE_MAX) {
        *size = (size_t)st.st_size;
        return file;
    }
    int error = file < 0 ? errno : EPERM;
    if (file >= 0)
        close(file);
    return trace_error_set_errno(TRACE_ERR_IO, error, "%s", path);
}

static int read_map(struct perf_map **out, const char *path, uid_t owner)
{
    size_t size = 0;
    int file = open_file(path, owner, &size);
    if (file < 0)
        return file;
    struct perf_map *m = calloc(1, sizeof *m);
    if (m != NULL)
        m->text = read_text(file, size);
    close(file);
    int rc =
        m != NULL && m->text != NULL ? read_lines(m) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0) {
        perf_map_free(m);
        return rc;
    }
    *out = m;
    return 0;
}

int perf_map_read(struct perf_map **out, const char *path)
{
    return read_map(out, path, geteuid());
}

int perf_map_read_process(struct perf_map **out, pid_t process)
{
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%ld", (long)process);
    uid_t owner = stat(path, &st) == 0 ? st.st_uid : geteuid();
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)process);
    return read_map(out, path, owner);
}

void perf_map_free(struct perf_map *m)
{
    if (m == NULL)
        return;
    free(m->entries);
    free(m->text);
    free(m);
}

/* --- looking up ------------------------------------------------------------------------------------ */

/* Lookups are few, and each place is looked up once: the latest entries are the ones that count. */
const char *perf_map_find(const struct perf_map *m, uint64_t address, uint64_t *offset)
{
    for (size_t i = m->count; i > 0; --i) {
        const struct perf_entry *entry = &m->entries[i - 1];
        if (address >= entry->start && address < entry->end) {
            *offset = address - entry->start;
            return entry->name;
        }
    }
    return NULL;
}
