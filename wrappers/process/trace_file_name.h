/* SPDX-License-Identifier: MIT
 * Chooses the name of the next trace file in the same way as apitrace: PROGRAM.trace, then PROGRAM.1.trace, …
 */
#ifndef PROCESS_TRACE_FILE_NAME_H
#define PROCESS_TRACE_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#define TRACE_FILE_SUFFIX ".trace"

/* Creates a trace file and returns its descriptor (close-on-exec). wanted: the path that the user gave, or
 * NULL. An existing file is overwritten if overwrite is set and nobody is writing a trace to it. Otherwise it
 * is kept, and the new file gets a number before its suffix. program: path of the traced program. Without
 * wanted, the file is called PROGRAM.trace, or PROGRAM.STAMP.trace if stamp is not NULL. name (size bytes)
 * receives the path. Errors: TRACE_ERR_IO, with the message set. */
int trace_file_create(char *name, size_t size, const char *wanted, bool overwrite, const char *program,
                      const char *stamp);

/* Does the same for those who create many files with one name, with any suffix. *number: 0 at first; the name
 * without a number and those with lower ones are not tried again. */
int trace_file_create_next(char *name, size_t size, const char *wanted, bool overwrite, const char *program,
                           const char *stamp, const char *suffix, unsigned *number);

#endif
