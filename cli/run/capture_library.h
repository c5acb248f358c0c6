/* SPDX-License-Identifier: MIT
 * Which library is preloaded into the traced program and its children.
 */
#ifndef CLI_CAPTURE_LIBRARY_H
#define CLI_CAPTURE_LIBRARY_H

#include <stddef.h>

/* Writes the path for LD_PRELOAD. If there is also a library for 32-bit programs, the path contains
 * $PLATFORM: the loader of each process finds the right one. Errors: TRACE_ERR_IO. */
int capture_library_path(char *out, size_t size);

/* Writes the path of the library that records with XRay. Errors: TRACE_ERR_IO. */
int capture_library_xray_path(char *out, size_t size);

/* Writes the directory for LD_LIBRARY_PATH, where the library has the names of GL's. Errors: TRACE_ERR_IO. */
int capture_library_directory(char *out, size_t size);

/* Returns why no library can be preloaded into the program, as words that follow its name; NULL if one can.
 */
const char *capture_library_obstacle(const char *program);

#endif
