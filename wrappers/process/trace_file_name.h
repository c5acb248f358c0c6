/* SPDX-License-Identifier: MIT
 * The name of the next trace file, as apitrace picks it: PROGRAM.trace, then PROGRAM.1.trace, …
 */
#ifndef PROCESS_TRACE_FILE_NAME_H
#define PROCESS_TRACE_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Creates a trace file and returns its descriptor (close-on-exec), or TRACE_ERR_IO with the message set.
 * wanted: the path that the user gave, NULL for none. An existing file is overwritten if overwrite is set and
 * nobody is writing a trace into it; else it is kept, and the new file gets a number in front of its suffix.
 * program: path of the traced program. name (size bytes) receives the path.
 */
int trace_file_create(char *name, size_t size, const char *wanted, bool overwrite, const char *program);

#endif
