/* SPDX-License-Identifier: MIT
 * Writes a file under a temporary name in the same folder, and gives it its final name only when it is
 * complete. Until then, a signal that ends the program (Ctrl-C) removes it.
 */
#ifndef CLI_REPLACE_FILE_H
#define CLI_REPLACE_FILE_H

struct replace_file {
    int fd; /* open for writing; -1 when closed */
    char *path;
    char *temporary;
};

/* Creates the temporary file. After an error there is nothing to undo. */
int replace_file_open(struct replace_file *f, const char *path);

/* Closes and renames, replacing an existing file. Removes the temporary file when that fails. */
int replace_file_commit(struct replace_file *f);

/* Closes and removes the temporary file. */
void replace_file_abandon(struct replace_file *f);

#endif
