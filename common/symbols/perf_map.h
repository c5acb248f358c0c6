/* SPDX-License-Identifier: MIT
 * Names of code that a program has generated itself, from the file /tmp/perf-PID.map that compilers at run
 * time write for perf: a line "START SIZE NAME" for each function, with hexadecimal numbers.
 */
#ifndef SYMBOLS_PERF_MAP_H
#define SYMBOLS_PERF_MAP_H

#include <stdint.h>
#include <sys/types.h>

struct perf_map;

struct perf_function {
    uint64_t start; /* address in the process's memory */
    uint64_t end;
    const char *name;
};

/* Creates the map of the file at path, which need not exist yet. It has no functions before
 * perf_map_update(). owner: whose file it may be besides the caller's, since anybody can put a file into
 * /tmp. The caller owns *out and frees it with perf_map_free(). Errors: TRACE_ERR_MEMORY. */
int perf_map_new(struct perf_map **out, const char *path, uid_t owner);
void perf_map_free(struct perf_map *m); /* m may be NULL */

/* Reads what was added to the file since the last time, or all of it if it is another file. An incomplete
 * line is read next time; malformed lines are ignored. At most 64 MiB and a million functions of a file are
 * used. It is not an error if there is no file. Errors: TRACE_ERR_IO (also if it is another user's, or no
 * regular file), TRACE_ERR_MEMORY; functions that were read before stay. */
int perf_map_update(struct perf_map *m);

/* Returns the function that contains the address, or NULL if it is unknown. Code may be generated where there
 * was other code before, so the last of the lines for an address counts. Lent until the next
 * perf_map_update(). */
const struct perf_function *perf_map_find(const struct perf_map *m, uint64_t address);

#endif
