/* SPDX-License-Identifier: MIT
 * Says to which collector a process belongs when its environment does not: a mapping that nobody reads, of a
 * memory file whose name is in /proc/PID/maps. It needs no descriptor, goes with forks, and ends with an
 * exec.
 */
#ifndef PROCESS_PROCESS_MARK_H
#define PROCESS_PROCESS_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROCESS_MARK_SIZE 160

/* The line of /proc/PID/maps ends with this: of the collector whose socket is at socket_path. */
void process_mark_name(const char *socket_path, char out[PROCESS_MARK_SIZE]);

/* Marks the calling process as the collector's, or as a traced one. Best effort. */
void process_mark_set(const char *socket_path);

/* Finds the path of the socket that the nearest marked process among the ancestors of the calling one has. */
bool process_mark_inherited(char *out, size_t size);

#endif
