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

/* Logs of XRay's runtime are called xray-log.PROGRAM.XXXXXX, where X are letters and digits. Those of
 * trace-cli are called PROGRAM.xray or PROGRAM.NUMBER.xray. */
#define BASE           "xray-log."
#define RANDOM_LETTERS 6
#define SUFFIX         ".xray"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

static bool copy_name(const char *name, size_t length, char *program, size_t room)
{
    if (length == 0 || length >= room)
        return false;
    memcpy(program, name, length);
    program[length] = '\0';
    return true;
}

/* Cuts ".NUMBER" off, if the name ends with it. */
static size_t without_number(const char *name, size_t length)
{
    size_t digits = 0;
    while (digits < length && name[length - 1 - digits] >= '0' && name[length - 1 - digits] <= '9')
        digits++;
    return digits > 0 && digits + 1 < length && name[length - 1 - digits] == '.' ? length - digits - 1
                                                                                 : length;
}

/* Gets the program from the name of a log. may_have_number: a number is not the program's. */
static bool parse_name(const char *log, bool may_have_number, char *program, size_t room)
{
    const char *slash = strrchr(log, '/'), *name = slash != NULL ? slash + 1 : log;
    const char *dot = strrchr(name, '.');
    size_t base = strlen(BASE), length = dot != NULL ? (size_t)(dot - name) : 0;
    if (dot == NULL)
        return false;
    if (strcmp(dot, SUFFIX) == 0)
        return copy_name(name, may_have_number ? without_number(name, length) : length, program, room);
    if (strncmp(name, BASE, base) != 0 || dot < name + base + 1 || strlen(dot + 1) != RANDOM_LETTERS ||
        strspn(dot + 1, letters) != RANDOM_LETTERS)
        return false;
    return copy_name(name + base, (size_t)(dot - name) - base, program, room);
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

static bool find_program(const char *log, bool may_have_number, const struct stat *st, char *path)
{
    char program[NAME_MAX + 1];
    const char *slash = strrchr(log, '/');
    size_t directory = slash != NULL ? (size_t)(slash - log) + 1 : 0;
    return parse_name(log, may_have_number, program, sizeof program) && directory < PATH_MAX &&
           ((directory > 0 && try_directory(log, directory, program, st, path)) ||
            try_directory("./", 2, program, st, path) || try_path(program, st, path));
}

int log_program_find(const char *log, char **out)
{
    char path[PATH_MAX];
    struct stat st;
    *out = NULL;
    if (stat(log, &st) != 0 || (!find_program(log, false, &st, path) && !find_program(log, true, &st, path)))
        return 0;
    *out = strdup(path);
    return *out != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}
