/* SPDX-License-Identifier: MIT */
#include "images/picture_names.h"

#include "base/array.h"
#include "base/error.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcasecmp(text + length - n, end) == 0;
}

static bool is_picture(const char *name)
{
    static const char *const endings[] = {".png", ".pnm", ".ppm", ".pgm"};
    if (ends_with(name, ".diff.png") || ends_with(name, ".thumb.png"))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
        if (ends_with(name, endings[i]))
            return true;
    return false;
}

static int add_name(struct picture_names *out, const char *name)
{
    char *copy = strdup(name);
    if (copy == NULL || ARRAY_RESERVE(out->names, out->count, out->room) != 0) {
        free(copy);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for names");
    }
    out->names[out->count++] = copy;
    return 0;
}

/* The directory of the prefix, as in "reference/frame-"; "." if it has none. */
static char *directory_of(const char *prefix)
{
    const char *slash = strrchr(prefix, '/');
    return slash != NULL ? strndup(prefix, (size_t)(slash - prefix) + 1) : strdup(".");
}

/* Paths in the current directory are found as "./NAME". */
static const char *without_dot(const char *path, const char *prefix)
{
    return strchr(prefix, '/') == NULL && strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* Can names of pictures begin with the prefix in a directory of this path? */
static bool leads_to(const char *path, const char *prefix, size_t length)
{
    size_t n = strlen(path);
    return strncmp(path, prefix, n < length ? n : length) == 0;
}

static int add_files(struct picture_names *out, FTS *tree, const char *prefix)
{
    size_t length = strlen(prefix);
    int rc = 0;
    for (FTSENT *entry; rc == 0 && (entry = fts_read(tree)) != NULL;) {
        const char *path = without_dot(entry->fts_path, prefix);
        if (entry->fts_level > FTS_ROOTLEVEL && !leads_to(path, prefix, length)) {
            fts_set(tree, entry, FTS_SKIP);
            continue;
        }
        if ((entry->fts_info == FTS_F || entry->fts_info == FTS_NSOK) && strncmp(path, prefix, length) == 0 &&
            is_picture(path))
            rc = add_name(out, path + length);
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
            rc = trace_error_set_errno(TRACE_ERR_IO, entry->fts_errno, "%s", path);
    }
    return rc;
}

int picture_names_find(struct picture_names *out, const char *prefix)
{
    char *directory = directory_of(prefix);
    if (directory == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for names");
    char *const roots[] = {directory, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    int rc = tree != NULL ? add_files(out, tree, prefix)
                          : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", directory);
    if (tree != NULL)
        fts_close(tree);
    free(directory);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void picture_names_sort(struct picture_names *names)
{
    size_t kept = 0;
    if (names->count > 0)
        qsort(names->names, names->count, sizeof *names->names, by_name);
    for (size_t i = 0; i < names->count; ++i) {
        if (kept > 0 && strcmp(names->names[kept - 1], names->names[i]) == 0)
            free(names->names[i]);
        else
            names->names[kept++] = names->names[i];
    }
    names->count = kept;
}

void picture_names_fini(struct picture_names *names)
{
    for (size_t i = 0; i < names->count; ++i)
        free(names->names[i]);
    free(names->names);
}
