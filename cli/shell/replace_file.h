/* SPDX-License-Identifier: MIT
 * A new file (base/new_file.h) that is removed if a signal (Ctrl-C) ends the program before it is complete.
 */
#ifndef CLI_REPLACE_FILE_H
#define CLI_REPLACE_FILE_H

#include "base/new_file.h"

#include <stdbool.h>

/* Do both paths lead to the same file, even through hard or symbolic links? */
bool replace_file_is_same(const char *a, const char *b);

/* As new_file_open(), _commit() and _abandon(). */
int replace_file_open(struct new_file *f, const char *path);
int replace_file_commit(struct new_file *f);
void replace_file_abandon(struct new_file *f);

#endif
