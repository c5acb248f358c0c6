/* SPDX-License-Identifier: MIT
 * The JSON of Chrome's tracing, which Perfetto and Speedscope read, too.
 */
#ifndef CHROME_H
#define CHROME_H

#include "trace/trace_format.h"

int chrome_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
