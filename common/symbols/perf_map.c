/* SPDX-License-Identifier: MIT */
#include "symbols/perf_map.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX       ((uint64_t)64 << 20) /* bytes */
#define FUNCTIONS_MAX  ((size_t)1 << 20)
#define LINE_MAX_BYTES ((size_t)1 << 14)
#define READ_SIZE      ((size_t)1 << 16)
#define PAGE_BITS      12
#define WIDE_PAGES     16 /* functions of more pages are in a list of their own */
#define CHAIN_MAX      (1 << 16)
#define NO_LINK        UINT32_MAX

/* A link in the list of a page's functions, the latest first. */
struct link {
    uint32_t function, earlier; /* indexes; earlier: of a link, or NO_LINK */
};

struct perf_map {
    char *path;
    uid_t owner;
    int file;           /* -1: it has not been found */
    struct stat status; /* of the file when it was opened */
    uint64_t position;  /* bytes that have been read */
    struct buf line;    /* the beginning of a line whose end has not been read */
    bool skips;         /* the rest of the line, which is too long */
    struct arena names;
    struct perf_function *functions; /* as they come in the file */
    size_t count, room;
    struct link *links;
    size_t link_count, link_room;
    struct int_map pages; /* page number -> index of a link */
    uint32_t wide;        /* likewise, of functions with many pages */
};

int perf_map_new(struct perf_map **out, const char *path, uid_t owner)
{
    struct perf_map *m = calloc(1, sizeof *m);
    char *copy = strdup(path);
    if (m == NULL || copy == NULL) {
        free(m);
        free(copy);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: names of generated code");
    }
    *m = (struct perf_map){.path = copy, .owner = owner, .file = -1, .wide = NO_LINK};
    arena_init(&m->names);
    buf_init(&m->line);
    *out = m;
    return 0;
}

/* Closes the file and removes its functions. */
static void clear(struct perf_map *m)
{
    if (m->file >= 0)
        close(m->file);
    m->file = -1;
    m->position = 0;
    m->skips = false;
    m->count = m->link_count = 0;
    m->wide = NO_LINK;
    buf_clear(&m->line);
    int_map_fini(&m->pages);
    m->pages = (struct int_map){.cap = 0};
    arena_reset(&m->names);
}

void perf_map_free(struct perf_map *m)
{
    if (m == NULL)
        return;
    clear(m);
    arena_fini(&m->names);
    buf_fini(&m->line);
    free(m->functions);
    free(m->links);
    free(m->path);
    free(m);
}

/* --- lines ----------------------------------------------------------------------------------------- */

/* Puts the function in front of the list that begins with *head. */
static int add_link(struct perf_map *m, uint32_t function, uint32_t *head)
{
    if (ARRAY_RESERVE(m->links, m->link_count, m->link_room) != 0)
        return TRACE_ERR_MEMORY;
    m->links[m->link_count] = (struct link){function, *head};
    *head = (uint32_t)m->link_count++;
    return 0;
}

static int add_function(struct perf_map *m, uint64_t start, uint64_t end, const char *name)
{
    if (ARRAY_RESERVE(m->functions, m->count, m->room) != 0)
        return TRACE_ERR_MEMORY;
    const char *copy = arena_copy(&m->names, name, strlen(name) + 1);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    uint32_t index = (uint32_t)m->count;
    uint64_t page = start >> PAGE_BITS, last = (end - 1) >> PAGE_BITS;
    m->functions[m->count++] = (struct perf_function){start, end, copy};
    if (last - page >= WIDE_PAGES)
        return add_link(m, index, &m->wide);
    int rc = 0;
    for (; page <= last && rc == 0; ++page) {
        uint64_t head = NO_LINK;
        int_map_get(&m->pages, page, &head);
        uint32_t link = (uint32_t)head;
        rc = add_link(m, index, &link);
        if (rc == 0)
            rc = int_map_set(&m->pages, page, link);
    }
    return rc;
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
    uint64_t start, size;
    if (!take_hexadecimal(&line, &start) || !take_hexadecimal(&line, &size) || *line == '\0' || size == 0 ||
        size > UINT64_MAX - start || m->count == FUNCTIONS_MAX)
        return 0;
    return add_function(m, start, start + size, line);
}

/* Ends the line that is in m->line. */
static int end_line(struct perf_map *m)
{
    bool skip = m->skips;
    m->skips = false;
    if (m->line.len > 0 && m->line.data[m->line.len - 1] == '\r')
        --m->line.len;
    int rc = skip ? 0 : buf_append_byte(&m->line, 0);
    if (rc == 0 && !skip)
        rc = add_line(m, (char *)m->line.data);
    buf_clear(&m->line);
    return rc;
}

static int add_text(struct perf_map *m, const char *text, size_t size)
{
    int rc = 0;
    while (size > 0 && rc == 0) {
        const char *end = memchr(text, '\n', size);
        size_t part = end != NULL ? (size_t)(end - text) : size;
        m->skips |= part > LINE_MAX_BYTES - m->line.len;
        if (!m->skips)
            rc = buf_append(&m->line, text, part);
        if (rc == 0 && end != NULL)
            rc = end_line(m);
        part += end != NULL;
        text += part;
        size -= part;
    }
    return rc;
}

/* --- the file -------------------------------------------------------------------------------------- */

static int refuse(const struct perf_map *m, int file, int error)
{
    if (file >= 0)
        close(file);
    return trace_error_set_errno(TRACE_ERR_IO, error, "%s", m->path);
}

static int open_file(struct perf_map *m)
{
    int file = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0)
        return errno == ENOENT ? 0 : refuse(m, file, errno);
    if (fstat(file, &m->status) != 0)
        return refuse(m, file, errno);
    if (!S_ISREG(m->status.st_mode) || (m->status.st_uid != geteuid() && m->status.st_uid != m->owner))
        return refuse(m, file, EPERM);
    m->file = file;
    return 0;
}

/* Returns true if the file was replaced or truncated. A file that was removed still belongs to the process.
 */
static bool is_another(const struct perf_map *m)
{
    struct stat now;
    if (fstat(m->file, &now) == 0 && (uint64_t)now.st_size < m->position)
        return true;
    return stat(m->path, &now) == 0 && (now.st_dev != m->status.st_dev || now.st_ino != m->status.st_ino);
}

static int read_rest(struct perf_map *m)
{
    char *text = malloc(READ_SIZE);
    int rc = text != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory: names of generated code");
    ssize_t got = 1;
    while (rc == 0 && m->position < FILE_MAX &&
           (got = pread(m->file, text, READ_SIZE, (off_t)m->position)) > 0) {
        m->position += (uint64_t)got;
        rc = add_text(m, text, (size_t)got);
    }
    if (rc == 0 && got < 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", m->path);
    free(text);
    return rc;
}

int perf_map_update(struct perf_map *m)
{
    struct stat now;
    if (m->file >= 0 && is_another(m))
        clear(m);
    int rc = m->file >= 0 ? 0 : open_file(m);
    if (rc != 0 || m->file < 0)
        return rc;
    bool grown = fstat(m->file, &now) != 0 || (uint64_t)now.st_size > m->position;
    return grown && m->position < FILE_MAX ? read_rest(m) : 0;
}

/* --- looking up ------------------------------------------------------------------------------------ */

/* Returns the latest function in the list that contains the address, or NULL. */
static const struct perf_function *find_in_list(const struct perf_map *m, uint32_t link, uint64_t address)
{
    for (unsigned i = 0; link != NO_LINK && i < CHAIN_MAX; ++i, link = m->links[link].earlier) {
        const struct perf_function *f = &m->functions[m->links[link].function];
        if (address >= f->start && address < f->end)
            return f;
    }
    return NULL;
}

const struct perf_function *perf_map_find(const struct perf_map *m, uint64_t address)
{
    uint64_t head = NO_LINK;
    int_map_get(&m->pages, address >> PAGE_BITS, &head);
    const struct perf_function *narrow = find_in_list(m, (uint32_t)head, address);
    const struct perf_function *wide = find_in_list(m, m->wide, address);
    return narrow == NULL || (wide != NULL && wide > narrow) ? wide : narrow;
}
