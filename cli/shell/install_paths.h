/* SPDX-License-Identifier: MIT
 * Finds the files of this installation: the replayer and the capture library. They are in ../lib/trace-cli
 * relative to the program, both in the build tree and after installation.
 */
#ifndef CLI_INSTALL_PATHS_H
#define CLI_INSTALL_PATHS_H

#include <stddef.h>

/* Finds the absolute path of a file. Errors: TRACE_ERR_IO if it does not exist; the message says where it was
 * searched for. */
int cli_find_installed(const char *name, char *out, size_t size);

#endif
