/* SPDX-License-Identifier: MIT
 * An open file whose format is to be detected. Its beginning can be inspected without consuming it.
 */
#ifndef TRACE_PROBE_H
#define TRACE_PROBE_H

#include "trace/trace_file.h"

struct trace_probe {
    char *name;             /* for messages: the path, or "standard input" */
    bool is_directory;      /* only `name` is valid then; it is the path */
    struct trace_file file; /* its first TRACE_FILE_HEAD bytes can be read again, even from a pipe */
    uint8_t head[TRACE_FILE_HEAD];
    size_t head_count; /* bytes; if below TRACE_FILE_HEAD, the head is the whole file */
    /* Set it before the file is read: little is read ahead, for a program that takes longer than the reader
     * and needs its memory for something else. */
    bool saves_memory;
};

/* Opens the file at path ("-": the standard input) and reads its head. Call trace_probe_close() even after an
 * error. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int trace_probe_open(struct trace_probe *p, const char *path);
void trace_probe_close(struct trace_probe *p);

/* Moves the file to *out. trace_probe_close() then leaves it open. */
void trace_probe_take_file(struct trace_probe *p, struct trace_file *out);

#endif
