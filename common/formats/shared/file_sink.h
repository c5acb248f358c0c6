/* SPDX-License-Identifier: MIT
 * A sink that writes one file: the part that all of them have in common.
 */
#ifndef FORMATS_FILE_SINK_H
#define FORMATS_FILE_SINK_H

#include "formats/shared/log_output.h"

#include "trace/sink_ops.h"

/* The first member of the format's own struct, which is on the heap and zeroed. */
struct file_sink {
    struct trace_sink base;
    struct log_output output;
    void (*release)(struct file_sink *s); /* frees the format's own members, and s; not the output */
};

/* Opens the output at path. After an error, s is released. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int file_sink_open(struct file_sink *s, const struct trace_sink_ops *ops,
                   void (*release)(struct file_sink *s), const char *path);

/* The release of a format without members that need one. */
void file_sink_free(struct file_sink *s);

/* For struct trace_sink_ops. */
int file_sink_flush(struct trace_sink *sink);
int file_sink_close(struct trace_sink *sink);
void file_sink_abandon(struct trace_sink *sink);

#endif
