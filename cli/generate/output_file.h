/* SPDX-License-Identifier: MIT
 * Output files whose write errors are reported when they are closed.
 */
#ifndef CLI_GENERATE_OUTPUT_FILE_H
#define CLI_GENERATE_OUTPUT_FILE_H

#include <stdio.h>

/* Creates a file. The format gives its path. */
int output_file_open(FILE **out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Closes the file. TRACE_ERR_IO, with name in the message, if anything could not be written. */
int output_file_close(FILE *file, const char *name);

#endif
