/* SPDX-License-Identifier: MIT
 * The registry of trace formats that can be read or written. Each has one row.
 */
#ifndef FORMATS_REGISTRY_H
#define FORMATS_REGISTRY_H

#include "trace/trace_format.h"

/* Returns the format of row index, or NULL after the last row. */
const struct trace_format *trace_format_at(size_t index);

/* Returns the format with this name, or NULL if there is none. */
const struct trace_format *trace_format_find(const char *name);

/* Detects the format of the probed file: the format with the highest bid, and the first of equal ones.
 * Errors: TRACE_ERR_FORMAT (the file is not a trace), TRACE_ERR_IO (it is a directory, and no format claims
 * it). */
int trace_format_detect(const struct trace_format **out, const struct trace_probe *probe);

/* Requires the probed file to have the named format, for operations that only that format has. Errors:
 * TRACE_ERR_UNSUPPORTED if it has another format (the message names both), and those of
 * trace_format_detect(). */
int trace_format_require(const struct trace_probe *probe, const char *name);

/* Does the same as trace_source_open() for a file that was probed already. On success the source takes over
 * the file. */
int trace_source_open_probed(struct trace_source **out, struct trace_probe *probe);

#endif
