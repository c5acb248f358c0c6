/* SPDX-License-Identifier: MIT
 * Creates a file (base/new_file.h) for a command's output.
 */
#ifndef CLI_REPLACE_FILE_H
#define CLI_REPLACE_FILE_H

#include "base/new_file.h"

#include <stdbool.h>

/* Returns true if both paths refer to the same file, even through hard or symbolic links. */
bool replace_file_is_same(const char *a, const char *b);

/* Does the same as new_file_open() for a name that the user gave. Errors: also TRACE_ERR_USAGE if the name is
 * empty or "-". */
int replace_file_open(struct new_file *f, const char *path);

#endif
