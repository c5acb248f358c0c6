/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_directory.h"

#include "base/array.h"
#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MAX       8    /* directories below the one that is opened; LTTng has four */
#define DIRECTORIES_MAX 4096 /* that are looked into */
#define FILES_MAX       65536

void ctf_paths_fini(struct ctf_paths *paths)
{
    for (size_t i = 0; i < paths->count; ++i)
        free(paths->items[i]);
    free(paths->items);
    *paths = (struct ctf_paths){.items = NULL};
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static char *join(const char *directory, const char *name)
{
    size_t length = strlen(directory), size = length + strlen(name) + 2;
    bool ends_with_slash = length > 0 && directory[length - 1] == '/';
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", directory, ends_with_slash ? "" : "/", name);
    return path;
}

/* Takes over the path. */
static int add(struct ctf_paths *paths, char *path)
{
    int rc = path == NULL ? no_memory() : 0;
    if (rc == 0 && paths->count >= FILES_MAX)
        rc = trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: more than %d files are not supported", path,
                             FILES_MAX);
    if (rc == 0 && ARRAY_RESERVE(paths->items, paths->count, paths->room) != 0)
        rc = no_memory();
    if (rc == 0)
        paths->items[paths->count++] = path;
    else
        free(path);
    return rc;
}

static bool is_of_type(const char *path, mode_t type, bool may_be_empty)
{
    struct stat st;
    int rc = type == S_IFDIR ? lstat(path, &st) : stat(path, &st); /* links may lead in a circle */
    return rc == 0 && (st.st_mode & S_IFMT) == type && (may_be_empty || st.st_size > 0);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds what a directory contains and has the type. */
static int list(const char *path, mode_t type, struct ctf_paths *out)
{
    struct dirent *entry;
    int rc = 0;
    DIR *directory = opendir(path);
    if (directory == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot open the directory", path);
    while (rc == 0 && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, CTF_METADATA_FILE) == 0)
            continue;
        char *item = join(path, entry->d_name);
        if (item != NULL && !is_of_type(item, type, type == S_IFDIR))
            free(item);
        else
            rc = add(out, item);
    }
    closedir(directory);
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, compare);
    return rc;
}

static int find_traces(const char *path, unsigned depth, size_t *visited, struct ctf_paths *out)
{
    struct ctf_paths below = {.items = NULL};
    char *metadata = join(path, CTF_METADATA_FILE);
    if (metadata == NULL)
        return no_memory();
    bool is_trace = is_of_type(metadata, S_IFREG, true);
    free(metadata);
    if (is_trace)
        return add(out, strdup(path));
    int rc = depth < DEPTH_MAX && ++*visited <= DIRECTORIES_MAX ? list(path, S_IFDIR, &below) : 0;
    for (size_t i = 0; rc == 0 && i < below.count; ++i)
        rc = find_traces(below.items[i], depth + 1, visited, out);
    ctf_paths_fini(&below);
    return rc;
}

int ctf_directory_find_traces(const char *path, struct ctf_paths *out)
{
    size_t visited = 0;
    return find_traces(path, 0, &visited, out);
}

int ctf_directory_find_streams(const char *path, struct ctf_paths *out)
{
    return list(path, S_IFREG, out);
}
