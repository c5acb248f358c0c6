/* SPDX-License-Identifier: MIT
 * Finds processes that could still announce themselves to a collector. Their environment names its socket; or
 * it was written over, and they map a memory file with a name that the recorder gave it. They have no
 * descriptor of ours, and may have any parent.
 */
#ifndef COLLECTOR_LEFT_PROCESSES_H
#define COLLECTOR_LEFT_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

struct left_process {
    pid_t pid;
    char name[16]; /* as the kernel has it */
};

/* Finds processes that have `entry` ("NAME=VALUE") in their environment, or no environment any more and
 * `mark` among their mappings (process_mark.h). The caller's own is left out. Returns how many there are; out
 * receives the first max of them. Only root sees processes of other users. */
unsigned left_processes_find(const char *entry, const char *mark, struct left_process *out, unsigned max);

#endif
