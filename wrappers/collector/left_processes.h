/* SPDX-License-Identifier: MIT
 * Which processes could still announce themselves to a collector: those whose environment names its socket,
 * or was written over, but who map a file of a name that the recorder gave it. They carry no descriptor of
 * ours and may have any parent.
 */
#ifndef COLLECTOR_LEFT_PROCESSES_H
#define COLLECTOR_LEFT_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

struct left_process {
    pid_t pid;
    char name[16]; /* as the kernel has it */
};

/* Finds processes in whose environment there is `entry` ("NAME=VALUE"), or no environment any more, but a
 * mapped memory file called `mark`; but not the caller's own. Returns how many there are, and the first max
 * of them in out. Those of other users are seen by root alone. */
unsigned left_processes_find(const char *entry, const char *mark, struct left_process *out, unsigned max);

#endif
