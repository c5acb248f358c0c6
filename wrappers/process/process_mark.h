/* SPDX-License-Identifier: MIT
 * Marks which collector a process belongs to, if its environment does not say so. The mark is an unused
 * mapping of a memory file whose name appears in /proc/PID/maps. It needs no descriptor, is inherited by
 * forks, and ends with an exec.
 */
#ifndef PROCESS_PROCESS_MARK_H
#define PROCESS_PROCESS_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROCESS_MARK_SIZE 160

/* Returns the end of the mark's line in /proc/PID/maps, for the collector whose socket is at socket_path. */
void process_mark_name(const char *socket_path, char out[PROCESS_MARK_SIZE]);

/* Marks the calling process as the collector's own or as a traced one. Failures are ignored. */
void process_mark_set(const char *socket_path);

/* Finds the socket path of the collector that the process belongs to, or is. Returns false if there is none,
 * or if the process is another user's. */
bool process_mark_of(pid_t process, char *out, size_t size);

/* Finds the socket path of the nearest marked ancestor of the calling process. Returns false if there is
 * none. */
bool process_mark_inherited(char *out, size_t size);

#endif
