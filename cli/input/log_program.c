/* SPDX-License-Identifier: MIT */
#include "input/log_program.h"

#include "base/error.h"
#include "symbols/xray_map.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Logs are called xray-log.PROGRAM.XXXXXX, where X are letters and digits. */
#define BASE           "xray-log."
#define RANDOM_LETTERS 6

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/* Gets the program from the name of a log. */
static bool parse_name(const char *log, char *program, size_t room)
{
    const char *slash = strrchr(log, '/'), *name = slash != NULL ? slash + 1 : log;
    const char *dot = strrchr(name, '.');
    size_t base = strlen(BASE);
    if (strncmp(name, BASE, base) != 0 || dot < name + base + 1 || strlen(dot + 1) != RANDOM_LETTERS ||
        strspn(dot + 1, letters) != RANDOM_LETTERS || (size_t)(dot - name) - base >= room)
        return false;
    snprintf(program, room, "%.*s", (int)((size_t)(dot - name) - base), name + base);
    return true;
}

/* A program that was built after the log may have other numbers. */
static bool is_program_of(const char *path, const struct stat *log)
{
    struct stat st;
    struct xray_map map;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || (st.st_mode & 0111) == 0 ||
        xray_map_read(&map, path) != 0)
        return false;
    xray_map_fini(&map);
    bool is_newer = st.st_mtim.tv_sec != log->st_mtim.tv_sec ? st.st_mtim.tv_sec > log->st_mtim.tv_sec
                                                             : st.st_mtim.tv_nsec > log->st_mtim.tv_nsec;
    if (is_newer)
        fprintf(stderr,
                "note: %s is newer than the log, so its names are not used; --instr-map=%s uses them\n", path,
                path);
    return !is_newer;
}

/* Checks a directory, which has `length` bytes. */
static bool try_directory(const char *directory, size_t length, const char *program, const struct stat *log,
                          char *path)
{
    const char *between = length > 0 && directory[length - 1] != '/' ? "/" : "";
    int count = snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, directory, between, program);
    return count > 0 && count < PATH_MAX && is_program_of(path, log);
}

static bool try_path(const char *program, const struct stat *log, char *path)
{
    const char *list = getenv("PATH");
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ":");
        if (length > 0 && length < PATH_MAX && try_directory(list, length, program, log, path))
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

int log_program_find(const char *log, char **out)
{
    char program[NAME_MAX + 1], path[PATH_MAX];
    const char *slash = strrchr(log, '/');
    size_t directory = slash != NULL ? (size_t)(slash - log) + 1 : 0;
    struct stat st;
    *out = NULL;
    if (!parse_name(log, program, sizeof program) || stat(log, &st) != 0 || directory >= PATH_MAX)
        return 0;
    if ((directory == 0 || !try_directory(log, directory, program, &st, path)) &&
        !try_directory("./", 2, program, &st, path) && !try_path(program, &st, path))
        return 0;
    *out = strdup(path);
    return *out != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}
