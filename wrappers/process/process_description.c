/* SPDX-License-Identifier: MIT */
#include "process/process_description.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t append_text(struct connection_hello *hello, uint32_t used, const char *text, size_t size)
{
    size_t room = sizeof hello->text - used - 1;
    if (size > room)
        size = room;
    memcpy(hello->text + used, text, size);
    hello->text[used + size] = '\0';
    return used + (uint32_t)size + 1;
}

/* Reads as much of a file as fits. Returns 0 if it cannot be read. */
static size_t read_file(const char *path, char *bytes, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    size_t size = 0;
    ssize_t n;
    while (size < room && (n = read(fd, bytes + size, room - size)) > 0)
        size += (size_t)n;
    close(fd);
    return size;
}

uint32_t process_describe(struct connection_hello *hello, const char *directory)
{
    char name[64], path[2048], arguments[2048];
    snprintf(name, sizeof name, "%s/exe", directory);
    ssize_t n = readlink(name, path, sizeof path);
    uint32_t used = append_text(hello, 0, path, n > 0 ? (size_t)n : 0);
    snprintf(name, sizeof name, "%s/cmdline", directory);
    size_t size = read_file(name, arguments, sizeof arguments);
    while (size > 0 && arguments[size - 1] == '\0')
        size--;
    size_t start = strnlen(arguments, size);
    for (size_t i = start; i < size; ++i)
        if (arguments[i] == '\0')
            arguments[i] = ' ';
    if (start < size)
        start++;
    return append_text(hello, used, arguments + start, size - start);
}

#define STATUS_SIZE 16384

/* Returns the value in a line of /proc/self/status, or NULL if there is no such line. */
static const char *read_status(char status[STATUS_SIZE], const char *name)
{
    status[read_file("/proc/self/status", status, STATUS_SIZE - 1)] = '\0';
    const char *at = strstr(status, name);
    return at != NULL ? at + strlen(name) : NULL;
}

unsigned process_count_filters(void)
{
    char status[STATUS_SIZE];
    const char *value = read_status(status, "\nSeccomp_filters:\t");
    if (value != NULL)
        return (unsigned)strtoul(value, NULL, 10);
    value = read_status(status, "\nSeccomp:\t"); /* before Linux 5.9 */
    return value != NULL && *value != '0';
}

uint32_t process_own_id(void)
{
    char status[STATUS_SIZE];
    const char *value = read_status(status, "\nPid:\t");
    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : (uint32_t)getpid();
}
