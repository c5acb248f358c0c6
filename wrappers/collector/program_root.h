/* SPDX-License-Identifier: MIT
 * Access to the files that a process sees if they differ from ours: in a container, or after chroot(2). They
 * can still be opened after the process has ended.
 */
#ifndef COLLECTOR_PROGRAM_ROOT_H
#define COLLECTOR_PROGRAM_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct program_root {
    int root;   /* -1: the process sees the same files, or it is unknown */
    int mounts; /* keeps the mounts alive; -1: none */
};

/* Must be called while the process is alive. */
void program_root_open(struct program_root *r, pid_t pid);
void program_root_close(struct program_root *r);

/* Converts an absolute path of the process to ours. Returns false if it is too long. */
bool program_root_path(const struct program_root *r, const char *path, char *out, size_t size);

/* Returns the process's id in its own PID namespace: the one that it knows. It is pid if it
 * cannot be read. */
pid_t program_root_process_id(pid_t pid);

#endif
