/* SPDX-License-Identifier: MIT
 * A file whose format is to be found: it is open, and its beginning can be looked at without reading it away.
 */
#ifndef TRACE_PROBE_H
#define TRACE_PROBE_H

#include "trace/trace_file.h"

struct trace_probe {
    char *name;             /* for messages: the path, or "standard input" */
    bool is_directory;      /* then there is only the name, which is the path */
    struct trace_file file; /* its first TRACE_FILE_HEAD bytes can be read again, also from a pipe */
    uint8_t head[TRACE_FILE_HEAD];
    size_t head_count; /* less than TRACE_FILE_HEAD: that is all of the file */
};

/* path "-" is the standard input. To be closed also after an error. */
int trace_probe_open(struct trace_probe *p, const char *path);
void trace_probe_close(struct trace_probe *p);

/* Hands the file over to *out; trace_probe_close() leaves it open then. */
void trace_probe_take_file(struct trace_probe *p, struct trace_file *out);

#endif
