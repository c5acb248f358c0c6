/* SPDX-License-Identifier: MIT
 * The formats that can be read and written: one row each.
 */
#ifndef FORMATS_REGISTRY_H
#define FORMATS_REGISTRY_H

#include "trace/trace_format.h"

/* Row index; NULL behind the last one. */
const struct trace_format *trace_format_at(size_t index);

/* The format of that name; NULL: there is none. */
const struct trace_format *trace_format_find(const char *name);

/* The format that the probed file is in: the highest bid wins, the first of equal ones. TRACE_ERR_FORMAT: it
 * is no trace; TRACE_ERR_IO: it is a directory, and no format's. */
int trace_format_detect(const struct trace_format **out, const struct trace_probe *probe);

/* For what can only be done with one format: TRACE_ERR_UNSUPPORTED, with a message that names both, if the
 * probed file is in another one; else the errors of trace_format_detect(). */
int trace_format_require(const struct trace_probe *probe, const char *name);

/* As trace_source_open(), of a file that was probed; takes the file over if it succeeds. */
int trace_source_open_probed(struct trace_source **out, struct trace_probe *probe);

#endif
