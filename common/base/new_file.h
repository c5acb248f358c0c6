/* SPDX-License-Identifier: MIT
 * Writes a file without a name, which gets its name when it is complete. If the process is killed, nothing is
 * left. If the file system does not support unnamed files, the file has a temporary name in the same
 * directory.
 */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

#include <stdbool.h>

struct new_file {
    int fd; /* open for writing; -1 when closed */
    char *path;
    char *temporary; /* a path to the file until it is complete: its temporary name, or its descriptor in
                        /proc */
    bool is_unnamed;
};

/* Callbacks for files and folders with temporary names, so that they can be removed if the process ends
 * early. hold() is called before a file is created, renamed or removed, and release() afterwards. The process
 * must not end in between. */
struct new_file_guard {
    void (*hold)(void);
    void (*add)(const char *temporary); /* lent until forget() */
    void (*forget)(const char *temporary);
    void (*release)(void);
};

/* Sets the guard for all files. Call it before the first file is opened. NULL, the default: no guard. */
void new_file_set_guard(const struct new_file_guard *guard);

/* The guard, for what is more than one file; never NULL. */
const struct new_file_guard *new_file_guard(void);

/* Creates the file. After an error there is nothing to clean up. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int new_file_open(struct new_file *f, const char *path);

/* Closes the file and gives it its final name, which replaces an existing file. If that fails, the file
 * is removed. */
int new_file_commit(struct new_file *f);

/* Closes the file and removes it. */
void new_file_abandon(struct new_file *f);

#endif
