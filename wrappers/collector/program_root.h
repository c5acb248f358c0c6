/* SPDX-License-Identifier: MIT
 * The files that a process sees, where these are not the ones that we see: in a container, or after
 * chroot(2). They can still be opened when the process has ended.
 */
#ifndef COLLECTOR_PROGRAM_ROOT_H
#define COLLECTOR_PROGRAM_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct program_root {
    int root;   /* -1: it sees what we see, or that is not known */
    int mounts; /* keeps them; -1 */
};

/* To be called while the process lives. */
void program_root_open(struct program_root *r, pid_t pid);
void program_root_close(struct program_root *r);

/* Our path of what is `path`, an absolute one, to the process. False when it is too long. */
bool program_root_path(const struct program_root *r, const char *path, char *out, size_t size);

#endif
