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

/* Creates the temporary file. After an error there is nothing to undo. */
int new_file_open(struct new_file *f, const char *path);

/* Closes and renames, replacing an existing file. Removes the temporary file when that fails. */
int new_file_commit(struct new_file *f);

/* Closes and removes the temporary file. */
void new_file_abandon(struct new_file *f);

#endif
