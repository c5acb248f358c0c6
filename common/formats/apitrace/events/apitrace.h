/* SPDX-License-Identifier: MIT
 * The apitrace format as a trace format: a source that wraps its reader, and a sink that wraps its writer.
 */
#ifndef APITRACE_H
#define APITRACE_H

#include "trace/trace_format.h"

extern const struct trace_format trace_format_apitrace;

int apitrace_source_open(struct trace_source **out, struct trace_probe *probe);
int apitrace_sink_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
