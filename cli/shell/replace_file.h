/* SPDX-License-Identifier: MIT
 * A new file (base/new_file.h) for a command's output.
 */
#ifndef CLI_REPLACE_FILE_H
#define CLI_REPLACE_FILE_H

#include "base/new_file.h"

#include <stdbool.h>

/* Do both paths lead to the same file, even through hard or symbolic links? */
bool replace_file_is_same(const char *a, const char *b);

/* As new_file_open(), for a name that a user gave: neither empty nor -. */
int replace_file_open(struct new_file *f, const char *path);

#endif
