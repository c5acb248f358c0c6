/* SPDX-License-Identifier: MIT
 * Finds the files that belong to this installation: the replayer, the capture library.
 * They lie in ../lib/trace-cli relative to the program, in the build tree as well as installed.
 */
#ifndef CLI_INSTALL_PATHS_H
#define CLI_INSTALL_PATHS_H

#include <stddef.h>

/* The absolute path of this file, which must exist. The message of TRACE_ERR_IO says where it was searched
 * for. */
int cli_find_installed(const char *name, char *out, size_t size);

#endif
