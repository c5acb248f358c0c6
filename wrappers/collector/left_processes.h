/* SPDX-License-Identifier: MIT
 * Finds processes that may still announce themselves to a collector. The environment of such a process
 * contains the collector's socket. If it has been overwritten, the process has a mapping of a memory file
 * that the recorder has named. Such processes have no descriptor of the collector, and may have any parent.
 */
#ifndef COLLECTOR_LEFT_PROCESSES_H
#define COLLECTOR_LEFT_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

struct left_process {
    pid_t pid;
    char name[16]; /* as the kernel reports it */
};

/* Finds processes that have `entry` ("NAME=VALUE") in their environment, or that have no valid environment
 * and have `mark` among their mappings (process_mark.h). The calling process is left out. Returns their
 * number; out receives the first max of them. Only root can see processes of other users. */
unsigned left_processes_find(const char *entry, const char *mark, struct left_process *out, unsigned max);

/* Whether any process is in the middle of execve(2): it has a new memory, and no environment there yet. */
bool left_processes_starting(void);

/* The same of one process, by the text of /proc/PID/stat (proc(5)). */
bool left_process_stat_is_starting(const char *stat);

#endif
