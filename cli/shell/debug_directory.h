/* SPDX-License-Identifier: MIT
 * The option --debug-directory.
 */
#ifndef CLI_DEBUG_DIRECTORY_H
#define CLI_DEBUG_DIRECTORY_H

/* Warns if there is no such directory. */
void cli_check_debug_directory(const char *path);

#endif
