/* SPDX-License-Identifier: MIT
 * Traces as bytes, whether they are files or folders: the files of a folder are put together as one piece of
 * bytes, which can be cut and changed like a file.
 */
#ifndef SAMPLE_TRACE_H
#define SAMPLE_TRACE_H

#include "base/buf.h"
#include "trace_samples.h"

#include <stdbool.h>

struct sample_trace {
    struct sample_file file;
    bool is_folder;
    char path[64];
};

/* A path for a trace; an empty file is there. Valid until the next call. */
const char *sample_trace_path(void);

/* Appends the trace's bytes, and removes it. */
void sample_trace_take(const char *path, struct buf *out);

/* Makes a trace of the bytes. */
void sample_trace_open(struct sample_trace *t, const uint8_t *bytes, size_t count);
void sample_trace_close(struct sample_trace *t);

#endif
