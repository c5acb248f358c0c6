/* SPDX-License-Identifier: MIT
 * Files that are written as a whole, with any failure told at the end.
 */
#ifndef CLI_GENERATE_OUTPUT_FILE_H
#define CLI_GENERATE_OUTPUT_FILE_H

#include <stdio.h>

/* Creates the file whose path the format makes. */
int output_file_open(FILE **out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Closes it; TRACE_ERR_IO, which names it, if anything could not be written. */
int output_file_close(FILE *file, const char *name);

#endif
