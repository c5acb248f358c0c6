/* SPDX-License-Identifier: MIT
 * Names of code that a program has generated itself, from the file /tmp/perf-PID.map that compilers at run
 * time write for perf: a line "START SIZE NAME" for each function, with hexadecimal numbers.
 */
#ifndef SYMBOLS_PERF_MAP_H
#define SYMBOLS_PERF_MAP_H

#include <stdint.h>
#include <sys/types.h>

struct perf_map;

/* Reads the file of a process, or the file at a path. Lines that make no sense are ignored. Code may be
 * generated where there was other code before: the last of the lines for an address counts. The caller owns
 * *out and frees it with perf_map_free(). Errors: TRACE_ERR_IO (also if it is another user's, no regular
 * file, or larger than 1 GiB), TRACE_ERR_MEMORY. */
int perf_map_read(struct perf_map **out, const char *path);
int perf_map_read_process(struct perf_map **out, pid_t process);
void perf_map_free(struct perf_map *m); /* m may be NULL */

/* Returns the name of the function that contains the address in the process's memory, or NULL if it is
 * unknown. Lent until perf_map_free(). *offset receives the bytes from the start of the function. */
const char *perf_map_find(const struct perf_map *m, uint64_t address, uint64_t *offset);

#endif
