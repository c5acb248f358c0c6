/* SPDX-License-Identifier: MIT
 * A new file (base/new_file.h) that a signal which ends the program (Ctrl-C) removes as long as it is not
 * complete.
 */
#ifndef CLI_REPLACE_FILE_H
#define CLI_REPLACE_FILE_H

#include "base/new_file.h"

#include <stdbool.h>

/* Do both paths lead to the same file, under whatever name: another spelling, a hard or symbolic link? */
bool replace_file_is_same(const char *a, const char *b);

/* As new_file_open(), _commit() and _abandon(). */
int replace_file_open(struct new_file *f, const char *path);
int replace_file_commit(struct new_file *f);
void replace_file_abandon(struct new_file *f);

#endif
