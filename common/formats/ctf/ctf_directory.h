/* SPDX-License-Identifier: MIT
 * Finds traces: a trace is a directory with a file "metadata", whose other files are its streams.
 */
#ifndef CTF_DIRECTORY_H
#define CTF_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#define CTF_METADATA_FILE "metadata"

struct ctf_paths {
    char **items; /* ascending */
    size_t count;
    size_t room;
};

void ctf_paths_fini(struct ctf_paths *paths);

/* Finds the directories of traces: the directory itself, or else those below it. *out is zero-initialised.
 * Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_directory_find_traces(const char *path, struct ctf_paths *out);

/* Finds the stream files of a trace. Files that are empty or hidden are none. */
int ctf_directory_find_streams(const char *path, struct ctf_paths *out);

#endif
