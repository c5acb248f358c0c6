/* SPDX-License-Identifier: MIT
 * An event on each line, for programs that read tables or JSON (docs/lines-formats.md).
 */
#ifndef LINES_H
#define LINES_H

#include "trace/trace_format.h"

int csv_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);
int jsonl_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
