/* SPDX-License-Identifier: MIT */
#include "symbols/debug_files.h"

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define SYSTEM_DIRECTORY "/usr/lib/debug"

int debug_directories_add(struct debug_directories *d, const char *path)
{
    if (ARRAY_RESERVE(d->paths, d->count, d->room) != 0)
        return TRACE_ERR_MEMORY;
    char *copy = strdup(path);
    if (copy == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    d->paths[d->count++] = copy;
    return 0;
}

void debug_directories_fini(struct debug_directories *d)
{
    for (size_t i = 0; i < d->count; ++i)
        free(d->paths[i]);
    free(d->paths);
    *d = (struct debug_directories){0};
}

/* --- the link in the module ------------------------------------------------------------------------ */

struct debug_link {
    const char *name; /* NULL: there is none */
    uint32_t checksum;
};

/* A file name, padded with zeros to a multiple of four bytes, and a checksum in the file's byte order. */
static int read_link(struct debug_link *out, struct elf_file *f)
{
    *out = (struct debug_link){NULL, 0};
    size_t index = f != NULL ? elf_file_find_section(f, ".gnu_debuglink") : 0;
    if (index == 0)
        return 0;
    int rc = elf_file_load(f, index);
    const struct elf_section *s = &f->sections[index];
    if (rc != 0 || s->data == NULL)
        return rc;
    size_t length = strnlen((const char *)s->data, s->size), at = (length + 4) & ~(size_t)3;
    if (length == 0 || at + 4 > s->size || memchr(s->data, '/', length) != NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: a damaged .gnu_debuglink", f->path);
    out->name = (const char *)s->data;
    for (size_t i = 0; i < 4; ++i)
        out->checksum = out->checksum << 8 | s->data[at + (f->little_endian ? 3 - i : i)];
    return 0;
}

static int checksum_file(const char *path, uint32_t *out)
{
    static const size_t size = 1 << 16;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *bytes = malloc(size);
    ssize_t got = -1;
    uLong crc = crc32(0, NULL, 0);
    if (file >= 0 && bytes != NULL)
        while ((got = read(file, bytes, size)) > 0)
            crc = crc32(crc, bytes, (uInt)got);
    int error = errno;
    if (file >= 0)
        close(file);
    free(bytes);
    *out = (uint32_t)crc;
    return got == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, error, "%s", path);
}

/* --- candidates ------------------------------------------------------------------------------------ */

struct debug_search {
    const struct debug_directories *directories;
    const struct debug_wanted *wanted;
    struct debug_link link;
    struct buf path;
    struct elf_file *found;
    struct trace_kept_error error; /* what was wrong with a candidate */
};

static int check_candidate(const struct debug_search *s, const struct elf_file *f)
{
    const struct debug_wanted *w = s->wanted;
    uint32_t checksum;
    if (w->build_id_size > 0 && f->build_id_size > 0) {
        if (w->build_id_size == f->build_id_size && memcmp(w->build_id, f->build_id, w->build_id_size) == 0)
            return 0;
        return trace_error_set(TRACE_ERR_FORMAT,
                               "%s: debug information of another build of %s: its build-id differs", f->path,
                               w->path);
    }
    if (s->link.name == NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: cannot verify that it belongs to %s", f->path, w->path);
    int rc = checksum_file(f->path, &checksum);
    if (rc == 0 && checksum != s->link.checksum)
        rc = trace_error_set(TRACE_ERR_FORMAT,
                             "%s: debug information of another build of %s: its checksum differs", f->path,
                             w->path);
    return rc;
}

/* Returns true if this is the path of the module's own file, which its link may name. */
static bool is_module(const struct debug_search *s, const char *path)
{
    return strcmp(path, s->wanted->path) == 0;
}

/* Tries the file at s->path. Errors: TRACE_ERR_MEMORY. */
static int try_path(struct debug_search *s)
{
    if (buf_append_byte(&s->path, 0) != 0)
        return TRACE_ERR_MEMORY;
    const char *path = (const char *)s->path.data;
    struct elf_file *f = NULL;
    if (s->found != NULL || is_module(s, path) || access(path, F_OK) != 0)
        return 0;
    int rc = elf_file_open(&f, path);
    if (rc == 0)
        rc = check_candidate(s, f);
    if (rc == 0) {
        s->found = f;
        return 0;
    }
    elf_file_close(f);
    if (rc != TRACE_ERR_MEMORY && s->error.code == 0)
        trace_error_keep(&s->error, rc);
    return rc == TRACE_ERR_MEMORY ? rc : 0;
}

/* Tries FIRST/SECOND/NAME; second may be empty. */
static int try_file(struct debug_search *s, const char *first, const char *second, const char *name)
{
    buf_clear(&s->path);
    int rc = buf_append_string(&s->path, first);
    if (rc == 0 && second[0] != '\0' && second[0] != '/')
        rc = buf_append_byte(&s->path, '/');
    if (rc == 0)
        rc = buf_append_string(&s->path, second);
    if (rc == 0)
        rc = buf_append_byte(&s->path, '/');
    if (rc == 0)
        rc = buf_append_string(&s->path, name);
    return rc == 0 ? try_path(s) : rc;
}

static int try_build_id(struct debug_search *s, const char *directory)
{
    const struct debug_wanted *w = s->wanted;
    if (w->build_id_size < 2)
        return 0;
    buf_clear(&s->path);
    int rc = buf_printf(&s->path, "%s/.build-id/%02x/", directory, w->build_id[0]);
    for (size_t i = 1; i < w->build_id_size && rc == 0; ++i)
        rc = buf_printf(&s->path, "%02x", w->build_id[i]);
    if (rc == 0)
        rc = buf_append_string(&s->path, ".debug");
    return rc == 0 ? try_path(s) : rc;
}

/* --- the search ------------------------------------------------------------------------------------ */

static const char *directory_at(const struct debug_search *s, size_t index)
{
    return index < s->directories->count ? s->directories->paths[index] : SYSTEM_DIRECTORY;
}

/* beside: the module's directory. */
static int search_beside(struct debug_search *s, const char *beside)
{
    int rc = try_file(s, beside, "", s->link.name);
    if (rc == 0)
        rc = try_file(s, beside, ".debug", s->link.name);
    for (size_t i = 0; i <= s->directories->count && rc == 0; ++i) {
        rc = try_file(s, directory_at(s, i), beside, s->link.name);
        if (rc == 0)
            rc = try_file(s, directory_at(s, i), "", s->link.name);
    }
    return rc;
}

static int search_link(struct debug_search *s, const char *module)
{
    char *beside = strdup(module);
    if (beside == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    char *slash = strrchr(beside, '/');
    if (slash != NULL)
        *slash = '\0';
    int rc = search_beside(s, slash != NULL ? beside : ".");
    free(beside);
    return rc;
}

static int search(struct debug_search *s)
{
    int rc = 0;
    for (size_t i = 0; i <= s->directories->count && rc == 0; ++i)
        rc = try_build_id(s, directory_at(s, i));
    if (s->link.name == NULL)
        return rc;
    if (rc == 0)
        rc = search_link(s, s->wanted->path);
    char *real = realpath(s->wanted->path, NULL); /* packages of debug information use the resolved path */
    if (rc == 0 && real != NULL && strcmp(real, s->wanted->path) != 0)
        rc = search_link(s, real);
    free(real);
    return rc;
}

int debug_files_find(const struct debug_directories *d, const struct debug_wanted *wanted,
                     struct elf_file **out)
{
    struct debug_search s = {.directories = d, .wanted = wanted};
    *out = NULL;
    int rc = read_link(&s.link, wanted->file);
    if (rc == 0)
        rc = search(&s);
    buf_fini(&s.path);
    if (rc == 0 && s.found == NULL)
        rc = trace_error_restore(&s.error);
    if (rc != 0)
        elf_file_close(s.found);
    else
        *out = s.found;
    return rc;
}

/* --- what several files have in common ------------------------------------------------------------- */

/* Tries the path that the link names, which may be relative to the file with the link, then the build-id,
 * then the directory .dwz of the directories. */
static int search_alternate(struct debug_search *s, const char *file, const char *link)
{
    char *beside = strdup(file);
    if (beside == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    char *slash = strrchr(beside, '/');
    if (slash != NULL)
        *slash = '\0';
    int rc =
        link[0] == '/' ? try_file(s, "", "", link + 1) : try_file(s, slash != NULL ? beside : ".", "", link);
    free(beside);
    const char *name = strrchr(link, '/') != NULL ? strrchr(link, '/') + 1 : link;
    for (size_t i = 0; i <= s->directories->count && rc == 0; ++i) {
        rc = try_build_id(s, directory_at(s, i));
        if (rc == 0)
            rc = try_file(s, directory_at(s, i), ".dwz", name);
    }
    return rc;
}

int debug_files_find_alternate(const struct debug_directories *d, struct elf_file *f, struct elf_file **out)
{
    *out = NULL;
    size_t index = elf_file_find_section(f, ".gnu_debugaltlink");
    if (index == 0)
        return 0;
    int rc = elf_file_load(f, index);
    const struct elf_section *section = &f->sections[index];
    size_t length = section->data != NULL ? strnlen((const char *)section->data, section->size) : 0;
    if (rc == 0 && (length == 0 || length >= section->size))
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s: a damaged .gnu_debugaltlink", f->path);
    if (rc != 0)
        return rc;
    const char *link = (const char *)section->data;
    const struct debug_wanted wanted = {
        .path = f->path, .build_id = section->data + length + 1, .build_id_size = section->size - length - 1};
    struct debug_search s = {.directories = d, .wanted = &wanted};
    rc = search_alternate(&s, f->path, link);
    buf_fini(&s.path);
    if (rc == 0 && s.found == NULL)
        rc = s.error.code != 0
                 ? trace_error_restore(&s.error)
                 : trace_error_set(TRACE_ERR_IO, "%s: its other part %s is not found", f->path, link);
    if (rc != 0)
        elf_file_close(s.found);
    else
        *out = s.found;
    return rc;
}
