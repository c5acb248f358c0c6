/* SPDX-License-Identifier: MIT
 * Writes a file under a temporary name in the same directory, and gives it its final name only when it is
 * complete.
 */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

struct new_file {
    int fd; /* open for writing; -1 when closed */
    char *path;
    char *temporary;
};

/* Told of temporary files, so that whoever ends the process early can remove them. hold() comes before a file
 * is created, renamed or removed, release() after it: in between, nothing may end the process. */
struct new_file_guard {
    void (*hold)(void);
    void (*add)(const char *temporary); /* lent until forget() */
    void (*forget)(const char *temporary);
    void (*release)(void);
};

/* For all files from now on; to be called before the first. NULL, the default: nobody is told. */
void new_file_set_guard(const struct new_file_guard *guard);

/* Creates the temporary file. After an error there is nothing to undo. */
int new_file_open(struct new_file *f, const char *path);

/* Closes and renames, replacing an existing file. Removes the temporary file when that fails. */
int new_file_commit(struct new_file *f);

/* Closes and removes the temporary file. */
void new_file_abandon(struct new_file *f);

#endif
