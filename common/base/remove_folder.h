/* SPDX-License-Identifier: MIT
 * Removes a folder with what is in it. It can be called in a signal handler.
 */
#ifndef BASE_REMOVE_FOLDER_H
#define BASE_REMOVE_FOLDER_H

/* Removes the folder and its files; folders in it, too, down to `depth` levels below it. Deeper ones stay,
 * with those that they are in. Symbolic links are removed, not followed. Returns 0, or -1 with errno set:
 * ENOTDIR if the path is no folder. */
int remove_folder(const char *path, int depth);

#endif
